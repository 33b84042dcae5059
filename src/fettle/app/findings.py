"""The findings of a result in one list, the worst first: what reports, formats and the agent's tools show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from fettle.results import Finding, ModuleResults, RuleResult, Severity
from fettle.results.verdicts import Comparison

SEVERITIES: tuple[Severity, ...] = ("pass", "warning", "fail")
"""From harmless to worst."""

SIGNS: dict[Comparison, str] = {"lt": "<", "le": "<=", "gt": ">", "ge": ">=", "eq": "==", "ne": "!="}
UNITLESS = ("", "count", "ratio")


@dataclass(frozen=True, slots=True)
class MergedFinding:
    """A warning or failure with the keys of its rule. `configurations`: all of the module that have exactly this
    finding; `fids`: every face concerned; `unit`: that of `value`, empty where it is not known."""

    module: str
    configurations: tuple[str, ...]
    rule: str
    rule_name: str
    severity: Severity
    fids: tuple[str, ...]
    message: str
    value: float | None
    threshold: float | None
    op: Comparison | None
    unit: str
    position_mm: tuple[float, float, float] | None
    borderline: bool
    key: tuple[object, ...] = field(repr=False, compare=False, default=())

    @property
    def place(self) -> str:
        return f"face {self.fids[0]}" if self.fids else "part"

    @property
    def comparison(self) -> str:
        """Value against limit, for example `0.62 mm < 1 mm`."""
        if self.value is None:
            return ""
        unit = "" if self.unit in UNITLESS else f" {self.unit}"
        shown = f"{self.value + 0.0:.6g}{unit}"
        if self.threshold is None or self.op is None:
            return shown
        return f"{shown} {SIGNS[self.op]} {self.threshold:.6g}{unit}"


def findings(results: ModuleResults) -> list[MergedFinding]:
    """Warnings and failures, the worst first, then in the order of modules and rules."""
    merged: dict[tuple[object, ...], MergedFinding] = {}
    for found in _each(results):
        earlier = merged.get(found.key)
        if earlier is None:
            merged[found.key] = found
        else:
            merged[found.key] = replace(earlier, configurations=earlier.configurations + found.configurations)
    return sorted(merged.values(), key=lambda one: -SEVERITIES.index(one.severity))


def unchecked(results: ModuleResults) -> int:
    """Rules with a subject that could not be measured, over all configurations."""
    return sum(
        1
        for module in results.modules
        for one in module.configurations
        for rule in one.rules
        if rule.n_not_measured > 0
    )


def at_least(severity: Severity, limit: str) -> bool:
    """`limit`: fail or warning; never holds for `never`."""
    return limit in SEVERITIES and SEVERITIES.index(severity) >= SEVERITIES.index(limit)


def _each(results: ModuleResults) -> Iterator[MergedFinding]:
    for module in results.modules:
        for one in module.configurations:
            for rule in one.rules:
                for finding in rule.findings:
                    if finding.severity != "pass":
                        yield _merged(module.module_key, one.configuration_key, rule, finding)


def _merged(module: str, configuration: str, rule: RuleResult, found: Finding) -> MergedFinding:
    return MergedFinding(
        module=module,
        configurations=(configuration,),
        rule=rule.key,
        rule_name=rule.name,
        severity=found.severity,
        fids=found.related_fids,
        message=found.message,
        value=found.value,
        threshold=found.threshold,
        op=found.op,
        unit=rule.unit if found.metric == rule.metric else "",
        position_mm=found.position,
        borderline=found.borderline,
        key=(module, rule.key, found.severity, found.related_fids, found.message, found.value, found.threshold),
    )
