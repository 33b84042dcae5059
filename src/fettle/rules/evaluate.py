"""Evaluation of a rule module on an analysis; the result as JSON data of the API.

A value is rounded to `DECIMALS` before it is compared, and the rounded value is reported: a wall of 0.8 mm whose
measured thickness differs from 0.8 in the tenth decimal is not below 0.8.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fettle.errors import BadRequest
from fettle.measure.readings import Triple
from fettle.rules.checked_input import Faults, Node, nearest
from fettle.rules.context import RuleContext, Subject, written
from fettle.rules.findings import Writer
from fettle.rules.registry import METRICS, PART, SELECTORS, Given, Measured
from fettle.rules.spec import MAX_NUMBER, Level, Module, Rule, Tier
from fettle.rules.verdict import Column, Step, decide, reading_order

if TYPE_CHECKING:
    from fettle.analysis import Analysis

DECIMALS = 4
SHARED = ("severity", "message", "value", "threshold", "op")
"""Fields that a rule's entry copies from its worst finding; its `fids` are those of findings that do not pass."""

Json = dict[str, object]


def judge(
    analysis: Analysis | RuleContext,
    module: Module,
    configuration_key: str,
    overrides: Mapping[str, object] | None = None,
) -> Json:
    """Evaluate one configuration: {configuration_key, result}. Passing a `RuleContext` reuses its cached values."""
    context = analysis if isinstance(analysis, RuleContext) else RuleContext(analysis)
    given = _given(module, configuration_key, overrides or {})
    rules = [_judge_rule(context, rule, given) for rule in module.rules]
    severities = [rule["severity"] for rule in rules]
    summary = {level.word: severities.count(level.word) for level in Level}
    worst = max((level for level in Level if summary[level.word]), default=Level.PASS)
    result = {"overall_severity": worst.word, "summary": summary, "rules": rules}
    return {"configuration_key": configuration_key, "result": result}


def judge_module(analysis: Analysis | RuleContext, module: Module) -> Json:
    """Evaluate every configuration: {module_key, configurations}."""
    context = analysis if isinstance(analysis, RuleContext) else RuleContext(analysis)
    configurations = [judge(context, module, key) for key in module.configurations]
    return {"module_key": module.key, "configurations": configurations}


def _given(module: Module, configuration_key: str, overrides: Mapping[str, object]) -> Given:
    """Parameters of the configuration, with overrides applied."""
    if configuration_key not in module.configurations:
        hint = nearest(configuration_key, module.configurations)
        raise BadRequest(f"module '{module.key}' has no configuration {configuration_key[:60]!r}; {hint}")
    parameters = dict(module.configurations[configuration_key].parameters)
    faults = Faults()
    for name, node in (Node(overrides, "/overrides", faults).mapping() or {}).items():
        if name not in parameters:
            faults.unknown(node.pointer, "parameter", name, parameters)
        elif (value := node.number(MAX_NUMBER)) is not None:
            parameters[name] = value
    if faults.found:
        raise BadRequest("; ".join(f"{fault.pointer}: {fault.message}" for fault in faults.found))
    return parameters


def _judge_rule(context: RuleContext, rule: Rule, given: Given) -> Json:
    subjects = _subjects(context, rule)
    own = _column(context, rule, rule.metric, given)
    steps = [_step(context, rule, tier, given) for tier in rule.tiers]
    inspected = ~np.isnan(own.values)
    for step in steps:
        inspected |= ~np.isnan(step.column.values)
    n_inspected = int(inspected.sum())
    writer = Writer(rule, len(subjects), own, n_inspected)
    entry: Json = {
        "key": rule.key,
        "name": rule.name,
        "severity": Level.PASS.word,
        "metric": rule.metric,
        "unit": own.metric.unit,
        "n_inspected": n_inspected,
        "n_not_measured": len(subjects) - n_inspected,
        "message": "",
        "value": None,
        "threshold": None,
        "op": None,
        "fids": [],
        "findings": [],
    }
    if n_inspected == 0:
        return entry | {"message": writer.nothing()}
    verdicts = decide(steps, inspected)
    told = [finding for verdict in verdicts for finding in writer.findings(verdict)]
    findings = [told[place] for place in reading_order(verdicts).tolist()]
    # the worst come first
    faulty = sum(len(verdict.subjects) for verdict in verdicts if verdict.level is not Level.PASS)
    fids = dict.fromkeys(chain.from_iterable(finding["related_fids"] for finding in findings[:faulty]))
    return entry | {name: findings[0][name] for name in SHARED} | {"fids": list(fids), "findings": findings}


def _subjects(context: RuleContext, rule: Rule) -> tuple[Subject, ...]:
    if rule.selector is None:
        return (PART,)
    chosen = SELECTORS[rule.selector]
    return context.keep(("subjects", chosen.name), lambda: chosen.select(context))


def _step(context: RuleContext, rule: Rule, tier: Tier, given: Given) -> Step:
    threshold = tier.rhs.threshold(given) if tier.rhs else np.nan
    return Step(tier, _column(context, rule, rule.metric_of(tier), given), round(threshold, DECIMALS + 4))


def _column(context: RuleContext, rule: Rule, metric_name: str, given: Given) -> Column:
    """The metric over the rule's subjects, cached for all rules and configurations with the same parameters."""
    metric = METRICS[metric_name]
    read = {name: given[name] for name in metric.parameters}

    def measure() -> Column:
        subjects = _subjects(context, rule)
        usual_fids, usual_places = context.keep(("written", rule.selector), lambda: _written(context, subjects))
        values, fids, places, notes = [], list(usual_fids), list(usual_places), [""] * len(subjects)
        for index, subject in enumerate(subjects):
            answer = metric.measure(context, subject, read)
            if isinstance(answer, Measured):
                faces = answer.faces or subject.faces
                fids[index], places[index] = context.fids(faces), _place(context, answer.position, faces)
                notes[index] = answer.note
                answer = answer.value
            values.append(math.nan if answer is None else answer)
        rounded = np.round(values, DECIMALS) + 0.0  # never minus zero
        listed = [None if math.isnan(value) else value for value in rounded.tolist()]
        return Column(metric, rounded, listed, fids, places, notes)

    return context.keep(("column", rule.selector, metric_name, *read.values()), measure)


def _written(context: RuleContext, subjects: tuple[Subject, ...]) -> tuple[list[list[str]], list[list[float] | None]]:
    """Face ids and position of every subject as results give them, unless a metric gives others."""
    return [context.fids(subject.faces) for subject in subjects], [_place(context, None, one.faces) for one in subjects]


def _place(context: RuleContext, position: Triple | None, faces: tuple[int, ...]) -> list[float] | None:
    """Position where a subject was measured, else a point on the first of its faces."""
    if position is not None:
        return written(position)
    return context.point_of(faces[0]) if faces else None
