"""Processes ranked for a part, and the sentence that says what it is made for and what decides there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from fettle.results import Cause, ConfigurationVerdict, ModuleResult, RankedProcess
from fettle.rules.candidate import Candidacy, candidacy
from fettle.rules.context import RuleContext
from fettle.rules.phrases import against, in_sentence, joined
from fettle.rules.spec import LEVELS, Module

SHARP = " is sharp"
"""What messages say of a corner without a radius, which is no radius of 0 mm."""
NAMED_CAUSES = 3
"""Most causes that a headline names; it counts the others."""


@dataclass(frozen=True, slots=True)
class _Judged:
    """One configuration of a module, with its verdict and the fit of the part; `fault`: why that was not measured."""

    module: Module
    verdict: ConfigurationVerdict
    fitting: Candidacy | None
    fault: str | None

    def order(self) -> tuple[float, ...]:
        """Candidates first, then modules that ask for no fit, then the others; each by fit, severity, causes."""
        group = 1 if self.fitting is None else 0 if self.fitting.holds else 2
        fit = self.fitting.value if self.fitting else 0.0
        return group, -fit, LEVELS[self.verdict.severity], len(self.verdict.causes)

    def record(self) -> RankedProcess:
        configuration = self.module.configurations[self.verdict.configuration_key]
        return RankedProcess(
            module_key=self.module.key,
            configuration_key=self.verdict.configuration_key,
            name=f"{self.module.name}: {configuration.name}",
            fit=self.fitting.value if self.fitting else None,
            fit_reason=self.fitting.fit.reason if self.fitting else self.fault,
            severity=self.verdict.severity,
            causes=self.verdict.causes,
            price=None,
        )


def rank_processes(
    context: RuleContext, judged: Sequence[tuple[Module, ModuleResult]]
) -> tuple[str, tuple[RankedProcess, ...]]:
    """The headline, and every configuration judged: by fit, then severity, then number of causes."""
    every = []
    for module, result in judged:
        fitting = candidacy(context, module)
        fault = context.fit_fault if module.fit else None
        every += [_Judged(module, verdict, fitting, fault) for verdict in result.configurations]
    ranked = sorted(every, key=_Judged.order)
    return _headline(ranked), tuple(one.record() for one in ranked)


def _headline(ranked: Sequence[_Judged]) -> str:
    if not ranked:
        return "No process was asked for."
    first = _plain(ranked)
    if first.fitting is None:
        return f"{first.record().name} {_verdict(first)}."
    if not first.fitting.holds:
        return f"No candidate for any process asked for; the nearest: {in_sentence(first.fitting.refusal())}"
    # Brackets within brackets do not read well: "Filament (FDM)" becomes "Filament, FDM".
    configuration = first.module.configurations[first.verdict.configuration_key].name
    configuration = configuration.replace(" (", ", ").replace(")", "")
    return f"{first.fitting.fit.made}: {in_sentence(first.module.name)} ({configuration}) {_verdict(first)}."


def _plain(ranked: Sequence[_Judged]) -> _Judged:
    """The configuration that a shop takes first for the process that is ranked first: packs give the plainest first,
    and a later one is named where only that one does not fail."""
    module = ranked[0].module
    every = [one for one in ranked if one.module is module]
    every.sort(key=lambda one: list(module.configurations).index(one.verdict.configuration_key))
    return next((one for one in every if one.verdict.severity != "fail"), every[0])


def _verdict(one: _Judged) -> str:
    """What the rules say, with the causes that decide."""
    names = {rule.key: in_sentence(rule.name) for rule in one.verdict.rules}
    causes = one.verdict.causes
    deciding = [cause for cause in causes if cause.severity == one.verdict.severity]
    if not deciding:
        checked = any(rule.n_inspected for rule in one.verdict.rules)
        return "passes" if checked else "finds nothing to check"
    verb = "fails on" if one.verdict.severity == "fail" else "passes with warnings on"
    shown = [f"{names[cause.rule]}{_figures(cause)}" for cause in deciding[:NAMED_CAUSES]]
    more = len(causes) - len(shown)
    rest = f", and {more} more {'cause' if more == 1 else 'causes'}" if more else ""
    return f"{verb} {joined(shown)}{rest}"


def _figures(cause: Cause) -> str:
    """Value, limit and number of places in brackets, as far as there are any."""
    figures = []
    if cause.value == 0.0 and SHARP in cause.message:
        figures.append("sharp")
    elif cause.value is not None:
        limit = cause.value if cause.threshold is None else cause.threshold
        figures.append(against(cause.value, limit, cause.unit))
    if cause.count > 1:
        figures.append(f"{cause.count:,} places")
    return f" ({', '.join(figures)})" if figures else ""
