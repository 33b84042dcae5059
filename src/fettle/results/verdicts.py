"""What the rules found: findings, rule results, and the verdict of each configuration of each module."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from fettle.results.record import JsonName, JsonObject, Record, Triple

Severity = Literal["pass", "warning", "fail"]
FIT_METRIC = "part.fit"
"""Metric of the rule that says whether a part is a candidate for a process."""
Comparison = Literal["lt", "le", "gt", "ge", "eq", "ne"]


# Not frozen like the other records: a result has thousands, and frozen ones take ten times as long to make.
@dataclass(slots=True)
class Finding(Record):
    """The reading of one subject (feature, face, edge or the whole part) against the limit of one rule.

    Invariant: `value op threshold` holds.
    """

    fid: Annotated[str | None, "Face to point at, the first of `related_fids`; null for the whole part."]
    related_fids: Annotated[tuple[str, ...], "Every face concerned, the largest first."]
    severity: Annotated[Severity, "Severity of this finding."]
    metric: Annotated[str, "Metric that was compared."]
    value: Annotated[float | None, "Measured value in the unit of its metric, rounded to four decimals."]
    threshold: Annotated[float | None, "Limit it was compared with; null where nothing was compared."]
    op: Annotated[Comparison | None, "Comparison that holds: value op threshold."]
    message: Annotated[str, "Sentence for a person: what, value, limit."]
    position: Annotated[Triple | None, "Point where it was measured, mm; null for the whole part."]
    borderline: Annotated[bool, "Value and limit are nearer than the resolution of the metric."]


# As findings: every part has a hundred.
@dataclass(slots=True)
class RuleResult(Record):
    """One rule over all its subjects; severity, message, value, threshold and op are those of its worst finding."""

    key: Annotated[str, "Key of the rule in its module."]
    name: Annotated[str, "Name of the rule."]
    severity: Annotated[Severity, "Worst severity of its findings."]
    metric: Annotated[str, "Metric of the rule."]
    unit: Annotated[str, "Unit of the metric: mm, mm2, deg, ratio, count."]
    n_inspected: Annotated[int, "Subjects that were measured."]
    n_not_measured: Annotated[int, "Subjects without a reading."]
    message: Annotated[str, "Message of the worst finding, or why nothing was inspected."]
    value: Annotated[float | None, "Value of the worst finding."]
    threshold: Annotated[float | None, "Limit of the worst finding."]
    op: Annotated[Comparison | None, "Comparison of the worst finding."]
    fids: Annotated[tuple[str, ...], "Faces of every finding that does not pass."]
    findings: Annotated[tuple[Finding, ...], "Every finding, the worst first."]


@dataclass(frozen=True, slots=True)
class Cause(Record):
    """One kind of problem: the findings of one rule that one of its limits decides."""

    rule: Annotated[str, "Key of the rule."]
    severity: Annotated[Severity, "Warning or fail."]
    message: Annotated[str, "What is wrong at the worst place, with value and limit."]
    count: Annotated[int, "Findings of this cause."]
    value: Annotated[float | None, "Value at the worst place."]
    value_range: Annotated[tuple[float, float] | None, "Smallest and largest value; null where nothing was measured."]
    threshold: Annotated[float | None, "Limit; null where nothing was compared."]
    unit: Annotated[str, "Unit of value, range and limit: mm, mm2, deg, ratio, count."]
    fids: Annotated[tuple[str, ...], "Faces of all its findings, those of the worst first."]
    position_mm: Annotated[Triple | None, "The worst place; null for the whole part."]
    fix: Annotated[str | None, "What to change; null where the rule's message gives no advice."]


@dataclass(frozen=True, slots=True)
class SeverityCounts(Record):
    """How many rules ended in each severity."""

    passed: Annotated[int, "Rules that pass.", JsonName("pass")]
    warning: Annotated[int, "Rules that warn."]
    fail: Annotated[int, "Rules that fail."]


@dataclass(frozen=True, slots=True)
class Verdict(Record):
    """The result of one configuration."""

    severity: Annotated[Severity, "Worst severity of its rules.", JsonName("overall_severity")]
    summary: Annotated[SeverityCounts, "Number of rules by severity."]
    rules: Annotated[tuple[RuleResult, ...], "Every rule of the module, in its order."]
    causes: Annotated[tuple[Cause, ...], "What is wrong, failures first; findings of one kind are one cause."]

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote; versions up to 0.1 wrote no causes."""
        return super(Verdict, cls).from_dict({"causes": (), **data})

    @property
    def n_not_checked(self) -> int:
        """Rules that inspected nothing: they neither pass nor fail."""
        return sum(rule.n_inspected == 0 for rule in self.rules)

    @property
    def is_candidate(self) -> bool:
        """False where the part's fit to the process is too low, so that nothing else was judged."""
        return not any(rule.metric == FIT_METRIC and rule.severity == "fail" for rule in self.rules)


@dataclass(frozen=True, slots=True)
class ConfigurationVerdict(Record):
    """A configuration with its verdict; `severity`, `summary` and `rules` are those of the verdict."""

    configuration_key: Annotated[str, "Key of the configuration in its module."]
    result: Annotated[Verdict, "Verdict of the configuration."]

    @property
    def severity(self) -> Severity:
        return self.result.severity

    @property
    def summary(self) -> SeverityCounts:
        return self.result.summary

    @property
    def rules(self) -> tuple[RuleResult, ...]:
        return self.result.rules

    @property
    def causes(self) -> tuple[Cause, ...]:
        return self.result.causes


@dataclass(frozen=True, slots=True)
class ModuleResult(Record):
    """A rule module with the verdicts of its configurations."""

    EXAMPLE: ClassVar[JsonObject] = {
        "module_key": "mine",
        "configurations": [
            {
                "configuration_key": "steel",
                "result": {
                    "overall_severity": "pass",
                    "summary": {"pass": 1, "warning": 0, "fail": 0},
                    "rules": [],
                    "causes": [],
                },
            }
        ],
    }

    module_key: Annotated[str, "Key of the module."]
    configurations: Annotated[tuple[ConfigurationVerdict, ...], "Configurations judged, in the module's order."]


@dataclass(frozen=True, slots=True)
class ModuleResults(Record):
    """Every module that the part was judged by."""

    modules: Annotated[tuple[ModuleResult, ...], "Modules in the order of the packs."]
