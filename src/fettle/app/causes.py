"""The causes of a result in one list, ranked processes first: what reports, formats and the agent's tools show."""

from __future__ import annotations

from dataclasses import dataclass, replace

from fettle.app.findings import UNITLESS
from fettle.results import AnalysisResult, Cause, RankedProcess, Verdict


@dataclass(frozen=True, slots=True)
class MergedCause:
    """A cause with all configurations of its module that have exactly this one."""

    module: str
    configurations: tuple[str, ...]
    rule_name: str
    cause: Cause

    @property
    def place(self) -> str:
        return f"face {self.cause.fids[0]}" if self.cause.fids else "part"

    @property
    def text(self) -> str:
        """What is wrong, and what to change."""
        return f"{self.cause.message} {self.cause.fix}" if self.cause.fix else self.cause.message

    @property
    def figures(self) -> str:
        """Worst value against limit, number of places, range: `0.4 mm < 1 mm, 3 places, 0.4 to 0.8 mm`."""
        cause = self.cause
        unit = "" if cause.unit in UNITLESS else f" {cause.unit}"
        shown = []
        if cause.value is not None:
            limit = ""
            if cause.threshold is not None:
                sign = "<" if cause.value < cause.threshold else ">" if cause.value > cause.threshold else "="
                limit = f" {sign} {cause.threshold:.6g}{unit}"
            shown.append(f"{cause.value:.6g}{unit}{limit}")
        if cause.count > 1:
            shown.append(f"{cause.count:,} places")
            if cause.value_range is not None and cause.value_range[0] != cause.value_range[1]:
                shown.append(f"{cause.value_range[0]:.6g} to {cause.value_range[1]:.6g}{unit}")
        return ", ".join(shown)


@dataclass(frozen=True, slots=True)
class ProcessSummary:
    """A module with the words of its configurations, best process first. `candidate` is False for a part that does not
    suit the process; `n_not_checked`: rules of `n_rules` that had nothing to check."""

    module: str
    fit: float | None
    reason: str
    candidate: bool
    words: dict[str, str]
    n_rules: int
    n_not_checked: int

    @property
    def note(self) -> str:
        """How much of it was looked at; empty where all was."""
        if not self.candidate or not self.n_not_checked:
            return ""
        return f"nothing to check for {self.n_not_checked} of {self.n_rules} rules"


def summarize_processes(result: AnalysisResult) -> list[ProcessSummary]:
    """The modules in the order of the ranking. A configuration whose rules inspected nothing does not pass: its word
    is `nothing to check`."""
    found = _verdicts(result)
    modules: dict[str, list[RankedProcess]] = {}
    for one in result.processes:
        modules.setdefault(one.module_key, []).append(one)
    summaries = []
    for key, ranked in modules.items():
        first, verdict = ranked[0], found[key, ranked[0].configuration_key]
        words = {one.configuration_key: _word(found[key, one.configuration_key]) for one in ranked}
        counts = (len(verdict.rules), verdict.n_not_checked)
        summaries.append(ProcessSummary(key, first.fit, first.fit_reason or "", verdict.is_candidate, words, *counts))
    return summaries


def merged_causes(result: AnalysisResult) -> list[MergedCause]:
    """Module by module in the order of the ranking, failures first in each; processes that the part is no candidate for
    have none."""
    found = _verdicts(result)
    merged: dict[tuple[str, Cause], MergedCause] = {}
    for one in result.processes:
        verdict = found[one.module_key, one.configuration_key]
        if not verdict.is_candidate:
            continue
        names = {rule.key: rule.name for rule in verdict.rules}
        for cause in one.causes:
            key = (one.module_key, cause)
            earlier = merged.get(key)
            if earlier is None:
                merged[key] = MergedCause(one.module_key, (one.configuration_key,), names[cause.rule], cause)
            else:
                merged[key] = replace(earlier, configurations=(*earlier.configurations, one.configuration_key))
    rank = {module: place for place, module in enumerate(dict.fromkeys(one.module_key for one in result.processes))}
    return sorted(merged.values(), key=lambda one: (rank[one.module], one.cause.severity != "fail"))


def _verdicts(result: AnalysisResult) -> dict[tuple[str, str], Verdict]:
    return {
        (module.module_key, one.configuration_key): one.result
        for module in result.modules.modules
        for one in module.configurations
    }


def _word(verdict: Verdict) -> str:
    return verdict.severity if verdict.n_not_checked < len(verdict.rules) else "nothing to check"
