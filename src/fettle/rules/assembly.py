"""Judging a file of several bodies: each for itself, and the file by the worst of those that are made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from fettle.results import (
    Cause,
    ConfigurationVerdict,
    Finding,
    ModuleResult,
    RankedProcess,
    RuleResult,
    Severity,
    SeverityCounts,
    Verdict,
)
from fettle.rules.causes import order_causes
from fettle.rules.context import RuleContext
from fettle.rules.evaluate import judge_module
from fettle.rules.phrases import in_sentence, joined
from fettle.rules.ranking import rank_processes
from fettle.rules.spec import LEVELS, Module

if TYPE_CHECKING:
    from fettle.analysis import Analysis, BodyAnalysis

LEAST_AREA_MM2 = 1e-6
"""Weight of a body of unknown area in the mean of the fits: next to none."""
NAMED_BODIES = 3
"""Most bodies that a sentence names; it counts the others."""


@dataclass(frozen=True, slots=True, eq=False)
class JudgedBody:
    """A made body with its verdicts, one per module, its headline and its ranked processes. `context`: what the rules
    derived from its analysis."""

    body: BodyAnalysis
    context: RuleContext
    modules: tuple[ModuleResult, ...]
    headline: str
    processes: tuple[RankedProcess, ...]

    @property
    def severity(self) -> Severity:
        """Of the process that it is made for."""
        return self.processes[0].severity if self.processes else "pass"


Chosen = Sequence[tuple[Module, Iterable[str] | None]]
"""Modules, each with the keys of those configurations to judge by; None: all."""


def judge_bodies(analysis: Analysis, chosen: Chosen, overrides: Mapping[str, object] | None = None) -> list[JudgedBody]:
    """Every analyzed body by the modules; faces appear by the file's numbers."""
    judged = []
    for body in analysis.bodies:
        if body.analysis is None:
            continue
        context = RuleContext(body.analysis, body.faces)
        modules = tuple(judge_module(context, module, keys, overrides) for module, keys in chosen)
        headline, ranked = rank_processes(context, list(zip((module for module, _ in chosen), modules, strict=True)))
        judged.append(JudgedBody(body, context, modules, headline, ranked))
    return judged


def judge_file(
    analysis: Analysis,
    module: Module,
    configurations: Iterable[str] | None = None,
    overrides: Mapping[str, object] | None = None,
) -> ModuleResult:
    """Judges a part, or a file of several bodies by the worst of those that are made."""
    keys = None if configurations is None else tuple(configurations)
    if not analysis.bodies:
        return judge_module(analysis, module, keys, overrides)
    return merge_modules(judge_bodies(analysis, [(module, keys)], overrides))[0]


def merge_modules(judged: Sequence[JudgedBody]) -> tuple[ModuleResult, ...]:
    """One result per module: in every configuration the findings of all bodies that are candidates for it."""
    merged = []
    for place, first in enumerate(judged[0].modules):
        verdicts = []
        for number, one in enumerate(first.configurations):
            own = [(judge.body, judge.modules[place].configurations[number].result) for judge in judged]
            verdicts.append(ConfigurationVerdict(one.configuration_key, _merge_verdicts(own)))
        merged.append(ModuleResult(first.module_key, tuple(verdicts)))
    return tuple(merged)


def rank_file(judged: Sequence[JudgedBody], merged: Sequence[ModuleResult]) -> tuple[RankedProcess, ...]:
    """Processes of the whole file. The fit of each is the mean over the made bodies, by surface; a body that is no
    candidate counts as 0."""
    ranked = []
    for module in merged:
        for verdict in module.configurations:
            own = [_process_of(one, module.module_key, verdict.configuration_key) for one in judged]
            ranked.append(_rank(judged, own, verdict))
    return tuple(one for _, one in sorted(ranked, key=lambda pair: pair[0]))


def file_headline(analysis: Analysis, judged: Sequence[JudgedBody]) -> str:
    """What the file holds, and the worst of the bodies that are made."""
    total = sum(body.count for body in analysis.bodies)
    bought = sum(body.count for body in analysis.bodies if body.bought is not None)
    left = sum(body.count for body in analysis.bodies if body.bought is None and body.analysis is None)
    held = f"{total} bodies: {total - bought} made, {bought} bought"
    if left:
        held += f", {left} not judged"
    worst = max(judged, key=lambda one: (LEVELS[one.severity], _known(one.body.part.volume_mm3)))
    alike = [one for one in judged if one.severity == worst.severity]
    count = sum(one.body.count for one in alike)
    said = f"{worst.body.name!r}, {in_sentence(worst.headline)}"
    if worst.severity == "pass":
        return f"{held}; every made body that was judged passes, the largest: {said}"
    fails = worst.severity == "fail"
    if count == 1:
        return f"{held}; 1 made body {'fails' if fails else 'passes with warnings'}: {said}"
    return f"{held}; {count} made bodies {'fail' if fails else 'pass with warnings'}, the largest: {said}"


def _known(size: float) -> float:
    """A volume or an area, 0 where it is unknown."""
    return 0.0 if math.isnan(size) else size


def _process_of(one: JudgedBody, module_key: str, configuration_key: str) -> RankedProcess:
    return next(
        process
        for process in one.processes
        if (process.module_key, process.configuration_key) == (module_key, configuration_key)
    )


def _rank(
    judged: Sequence[JudgedBody], own: Sequence[RankedProcess], verdict: ConfigurationVerdict
) -> tuple[tuple[float, ...], RankedProcess]:
    """The process with its place in the order: candidates first, then by fit, severity and causes."""
    suited = [_verdict_of(one, process).is_candidate for one, process in zip(judged, own, strict=True)]
    weights = [max(_known(one.body.part.area_mm2), LEAST_AREA_MM2) * one.body.count for one in judged]
    fits = [process.fit for process in own]
    measured = [fit for fit in fits if fit is not None]
    fit = None
    if len(measured) == len(fits):
        share = sum(weight * value for weight, value, good in zip(weights, measured, suited, strict=True) if good)
        fit = round(share / sum(weights), 2)
    group = 1 if fit is None else 0 if any(suited) else 2
    process = replace(
        own[0],
        fit=fit,
        fit_reason=_suits(judged, suited) if fit is not None else own[0].fit_reason,
        severity=verdict.severity,
        causes=verdict.causes,
    )
    return (group, -(fit or 0.0), LEVELS[verdict.severity], len(verdict.causes)), process


def _verdict_of(one: JudgedBody, process: RankedProcess) -> Verdict:
    module = next(module for module in one.modules if module.module_key == process.module_key)
    return next(
        verdict.result for verdict in module.configurations if verdict.configuration_key == process.configuration_key
    )


def _suits(judged: Sequence[JudgedBody], suited: Sequence[bool]) -> str:
    """Which of the made bodies are candidates."""
    good = [one for one, is_good in zip(judged, suited, strict=True) if is_good]
    if len(good) == len(judged):
        return f"All {len(judged)} different bodies that are made are candidates."
    if not good:
        return f"None of the {len(judged)} different bodies that are made is a candidate."
    names = [repr(one.body.name) for one in sorted(good, key=lambda one: -_known(one.body.part.volume_mm3))]
    shown = names[:NAMED_BODIES] + ([f"{len(names) - NAMED_BODIES} more"] if len(names) > NAMED_BODIES else [])
    verb = "is a candidate" if len(good) == 1 else "are candidates"
    return f"{len(good)} of the {len(judged)} different bodies that are made {verb}: {joined(shown)}."


def _merge_verdicts(own: Sequence[tuple[BodyAnalysis, Verdict]]) -> Verdict:
    """Of the bodies that are candidates; of all where none is."""
    used = [pair for pair in own if pair[1].is_candidate] or list(own)
    keys = dict.fromkeys(rule.key for _, verdict in used for rule in verdict.rules)
    by_key = [{rule.key: rule for rule in verdict.rules} for _, verdict in used]
    rules = tuple(_merge_rules([rules[key] for rules in by_key if key in rules]) for key in keys)
    levels = [rule.severity for rule in rules]
    counts = SeverityCounts(*(levels.count(level) for level in ("pass", "warning", "fail")))
    worst = max(rules, key=lambda rule: LEVELS[rule.severity], default=None)
    return Verdict(worst.severity if worst else "pass", counts, rules, _merge_causes(used))


def _merge_rules(rules: Sequence[RuleResult]) -> RuleResult:
    """One rule over all bodies: its findings, the worst first, and the head of the worst."""
    if len(rules) == 1:
        return rules[0]
    inspected = [rule for rule in rules if rule.n_inspected]
    worst = min(inspected, key=_badness) if inspected else rules[0]
    return replace(
        worst,
        n_inspected=sum(rule.n_inspected for rule in rules),
        n_not_measured=sum(rule.n_not_measured for rule in rules),
        fids=tuple(dict.fromkeys(chain.from_iterable(rule.fids for rule in rules))),
        findings=tuple(sorted(chain.from_iterable(rule.findings for rule in rules), key=_severity_order)),
    )


def _severity_order(finding: Finding) -> int:
    return -LEVELS[finding.severity]


def _badness(rule: RuleResult) -> tuple[float, float]:
    """Smaller for what is worse: by severity, then by how far the value is from the limit."""
    return -LEVELS[rule.severity], -_excess(rule.value, rule.threshold)


def _excess(value: float | None, threshold: float | None) -> float:
    """How far a value misses its limit, as a share of it."""
    if value is None or threshold is None:
        return 0.0
    return abs(value - threshold) / max(abs(threshold), abs(value), 1e-9)


def _merge_causes(own: Sequence[tuple[BodyAnalysis, Verdict]]) -> tuple[Cause, ...]:
    """Causes of one rule, severity and limit as one, with the message of the worst and the name of its body."""
    groups: dict[tuple[object, ...], list[tuple[BodyAnalysis, Cause]]] = {}
    for body, verdict in own:
        for cause in verdict.causes:
            below = cause.value is not None and cause.threshold is not None and cause.value < cause.threshold
            groups.setdefault((cause.rule, cause.severity, cause.threshold, below, cause.unit), []).append(
                (body, cause)
            )
    return order_causes(_merge_cause(group) for group in groups.values())


def _merge_cause(group: Sequence[tuple[BodyAnalysis, Cause]]) -> Cause:
    body, worst = max(group, key=lambda pair: _excess(pair[1].value, pair[1].threshold))
    others = len(group) - 1
    beside = "" if not others else f" (and {others} more {'body' if others == 1 else 'bodies'})"
    ranges = [cause.value_range for _, cause in group if cause.value_range is not None]
    ordered = [worst, *(cause for _, cause in group if cause is not worst)]
    return replace(
        worst,
        message=f"{body.name}{beside}: {worst.message}",
        count=sum(cause.count for _, cause in group),
        value_range=(min(low for low, _ in ranges), max(high for _, high in ranges)) if ranges else None,
        fids=tuple(dict.fromkeys(chain.from_iterable(cause.fids for cause in ordered))),
    )
