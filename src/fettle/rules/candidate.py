"""Whether a part is a candidate for a module's process: the fit that the module needs, against the part's."""

from __future__ import annotations

from dataclasses import dataclass

from fettle.fit import Fit
from fettle.results import Cause, Finding, RuleResult
from fettle.results.verdicts import FIT_METRIC
from fettle.rules.causes import cause_of
from fettle.rules.context import RuleContext
from fettle.rules.phrases import in_sentence
from fettle.rules.spec import FitNeed, Level, Module, Op, Rule

FIT_DECIMALS = 2
"""Decimals of a fit, which is compared as shown: more would be noise of the mesh."""
UNIT = "ratio"
NAME = "Candidate for the process"
"""Name of the rule in modules that have none of their own for it."""


@dataclass(frozen=True, slots=True)
class Candidacy:
    """The best fit of the part to the processes of a module, against the least that the module needs."""

    module: Module
    need: FitNeed
    fit: Fit

    @property
    def value(self) -> float:
        return round(self.fit.value, FIT_DECIMALS)

    @property
    def holds(self) -> bool:
        return self.value >= self.need.minimum

    def refusal(self) -> str:
        reason = in_sentence(self.fit.reason).rstrip(".")
        return (
            f"No candidate for {self._process}: {reason} "
            f"(fit {self.value:.{FIT_DECIMALS}f}, at least {self.need.minimum:.{FIT_DECIMALS}f} is needed)."
        )

    def result(self) -> RuleResult:
        """The entry of the rule that says that the part is no candidate, with one finding."""
        key = self.need.rule
        name = next((rule.name for rule in self.module.rules if rule.key == key), NAME)
        severity, message = Level.FAIL.word, self.refusal()
        compared = (self.value, self.need.minimum, Op.LT.word)
        found = Finding(None, (), severity, FIT_METRIC, *compared, message, None, False)
        return RuleResult(key, name, severity, FIT_METRIC, UNIT, 1, 0, message, *compared, (), (found,))

    def not_checked(self, rule: Rule, unit: str) -> RuleResult:
        """The entry of a rule that is not judged, since the part is no candidate."""
        message = f"Not checked: the part is no candidate for {self._process}."
        return RuleResult(rule.key, rule.name, "pass", rule.metric, unit, 0, 0, message, None, None, None, (), ())

    def causes(self) -> tuple[Cause, ...]:
        """The one cause of a part that is no candidate."""
        entry = self.result()
        return (cause_of(entry.key, entry.findings, UNIT, None),)

    @property
    def _process(self) -> str:
        return in_sentence(self.module.name)


def candidacy(context: RuleContext, module: Module) -> Candidacy | None:
    """None where the module asks for no fit, or where none can be measured: then its rules say what is wrong."""
    if module.fit is None or not context.fits:
        return None
    best = max((context.fits[process] for process in module.fit.processes), key=lambda fit: fit.value)
    return Candidacy(module, module.fit, best)
