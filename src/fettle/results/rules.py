"""What callers may write rules with: the vocabulary, and the shipped modules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class RightHandSide(Record):
    """A form that the right-hand side of a comparison may have."""

    shape: Annotated[str, "How it is written."]
    doc: Annotated[str, "What it means."]


@dataclass(frozen=True, slots=True)
class RuleVocabulary(Record):
    """Every selector set, metric, comparison and form that a rule may use."""

    selector_sets: Annotated[tuple[str, ...], "Sets of subjects."]
    metrics_per_feature: Annotated[tuple[str, ...], "Metrics of a feature, face or edge."]
    metrics_whole_part: Annotated[tuple[str, ...], "Metrics of the whole part."]
    comparison_ops: Annotated[tuple[str, ...], "Comparisons."]
    severity_levels: Annotated[tuple[str, ...], "Severities."]
    rhs_forms: Annotated[tuple[RightHandSide, ...], "Forms of a right-hand side."]
    scopes: Annotated[tuple[str, ...], "Scopes of a rule."]
    metrics: Annotated[Mapping[str, Any], "Unit, scope and meaning of every metric."]
    selectors: Annotated[Mapping[str, str], "Meaning of every selector set."]
    message_placeholders: Annotated[tuple[str, ...], "Placeholders of message templates."]
    limits: Annotated[Mapping[str, int], "Largest numbers of rules, parameters and characters."]
    json_schema: Annotated[Mapping[str, Any], "JSON Schema of a module spec."]


@dataclass(frozen=True, slots=True)
class ModuleSpecs(Record):
    """The shipped modules."""

    modules: Annotated[tuple[Mapping[str, Any], ...], "Module specs; each can be posted back to eval unchanged."]
