"""Judging an analysis by a module.

A value is rounded to `DECIMALS` before it is compared, and the rounded value is reported: a wall of 0.8 mm whose
measured thickness differs from 0.8 in the tenth decimal is not below 0.8.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

from fettle.errors import BadRequest
from fettle.measure.readings import Triple
from fettle.results import Cause, ConfigurationVerdict, ModuleResult, RuleResult, SeverityCounts, Verdict
from fettle.rules.candidate import Candidacy, candidacy
from fettle.rules.causes import order_causes
from fettle.rules.checked_input import Faults, Node, nearest
from fettle.rules.context import RuleContext, Subject, rounded_point
from fettle.rules.decisions import Column, TierColumn, decide, reading_order
from fettle.rules.findings import Writer
from fettle.rules.registry import METRICS, PART, SELECTORS, Answer, FaceReadings, Given, Measured
from fettle.rules.spec import MAX_NUMBER, Level, Module, Rule

if TYPE_CHECKING:
    from fettle.analysis import Analysis

DECIMALS = 4

JudgedRule = tuple[RuleResult, tuple[Cause, ...]]
"""A rule's result, and its findings by cause."""
JudgedRules = dict[Hashable, JudgedRule]
"""Rules already judged, by rule, columns and thresholds: configurations that agree in them share one."""


def judge(
    analysis: Analysis | RuleContext,
    module: Module,
    configuration_key: str,
    overrides: Mapping[str, object] | None = None,
    *,
    any_fit: bool = False,
) -> ConfigurationVerdict:
    """Judges by one configuration. A `RuleContext` may be given, so that several calls measure once. With `any_fit`
    every rule is judged, also where the part is no candidate for the module's process."""
    context = _context(analysis)
    fitting = None if any_fit else candidacy(context, module)
    return _judge(context, module, configuration_key, overrides or {}, {}, fitting)


def judge_module(
    analysis: Analysis | RuleContext,
    module: Module,
    configurations: Iterable[str] | None = None,
    overrides: Mapping[str, object] | None = None,
) -> ModuleResult:
    """Judges by these configurations of a module; None: by all of them."""
    context, shared = _context(analysis), JudgedRules()
    fitting = candidacy(context, module)
    keys = module.configurations if configurations is None else configurations
    verdicts = (_judge(context, module, key, overrides or {}, shared, fitting) for key in keys)
    return ModuleResult(module.key, tuple(verdicts))


def _context(analysis: Analysis | RuleContext) -> RuleContext:
    context = analysis if isinstance(analysis, RuleContext) else RuleContext(analysis)
    if context.analysis.bodies:
        raise ValueError("a file of several bodies is judged body by body: call fettle.rules.assembly.judge_file")
    return context


def _judge(
    context: RuleContext,
    module: Module,
    configuration_key: str,
    overrides: Mapping[str, object],
    shared: JudgedRules,
    fitting: Candidacy | None,
) -> ConfigurationVerdict:
    given = _given(module, configuration_key, overrides)
    if fitting is None or fitting.holds:
        judged = [_judge_rule(context, rule, given, shared) for rule in module.rules]
    else:
        judged = [_skipped(fitting, rule, shared) for rule in module.rules]
        if all(rule.key != fitting.need.rule for rule in module.rules):
            judged.insert(0, (fitting.result(), fitting.causes()))
    rules = tuple(rule for rule, _ in judged)
    causes = order_causes(cause for _, found in judged for cause in found)
    severities = [rule.severity for rule in rules]
    counts = [severities.count(level.word) for level in Level]
    worst = max((level for level, count in zip(Level, counts, strict=True) if count), default=Level.PASS)
    return ConfigurationVerdict(configuration_key, Verdict(worst.word, SeverityCounts(*counts), rules, causes))


def _skipped(fitting: Candidacy, rule: Rule, shared: JudgedRules) -> JudgedRule:
    if rule.key == fitting.need.rule:
        return fitting.result(), fitting.causes()
    if rule.key not in shared:
        shared[rule.key] = fitting.not_checked(rule, METRICS[rule.metric].unit), ()
    return shared[rule.key]


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


def _judge_rule(context: RuleContext, rule: Rule, given: Given, shared: JudgedRules) -> JudgedRule:
    columns = {name: _column(context, rule, name, given) for name in rule.metrics}
    thresholds = [round(tier.rhs.threshold(given), DECIMALS + 4) if tier.rhs else None for tier in rule.tiers]
    key = (rule.key, *map(id, columns.values()), *thresholds)
    if key not in shared:
        shared[key] = _rule_result(rule, _subjects(context, rule), columns, thresholds)
    return shared[key]


def _rule_result(
    rule: Rule, subjects: tuple[Subject, ...], columns: Mapping[str, Column], thresholds: Sequence[float | None]
) -> JudgedRule:
    """`columns`: by metric; `thresholds`: of each tier, None where it compares nothing."""
    own = columns[rule.metric]
    read = [column.read for column in columns.values()]
    inspected = sorted(set(chain.from_iterable(read))) if len(read) > 1 else own.read
    n_inspected = len(inspected)
    writer = Writer(rule, len(subjects), own, n_inspected)
    head = (own.metric.unit, n_inspected, len(subjects) - n_inspected)
    if n_inspected == 0:
        passed = Level.PASS.word
        nothing = RuleResult(
            rule.key, rule.name, passed, rule.metric, *head, writer.nothing(), None, None, None, (), ()
        )
        return nothing, ()
    steps = [
        TierColumn(tier, columns[rule.metric_of(tier)], math.nan if threshold is None else threshold)
        for tier, threshold in zip(rule.tiers, thresholds, strict=True)
    ]
    decisions = decide(steps, inspected)
    unordered = [(finding, decision) for decision in decisions for finding in writer.findings(decision)]
    ordered = [unordered[place] for place in reading_order(decisions)]
    findings = tuple(finding for finding, _ in ordered)
    # the worst come first
    faulty = sum(len(decision.subjects) for decision in decisions if decision.level is not Level.PASS)
    causes = writer.causes(ordered[:faulty])
    fids = dict.fromkeys(chain.from_iterable(finding.related_fids for finding in findings[:faulty]))
    worst = findings[0]
    result = RuleResult(
        rule.key,
        rule.name,
        worst.severity,
        rule.metric,
        *head,
        worst.message,
        worst.value,
        worst.threshold,
        worst.op,
        tuple(fids),
        findings,
    )
    return result, causes


def _subjects(context: RuleContext, rule: Rule) -> tuple[Subject, ...]:
    if rule.selector is None:
        return (PART,)
    return SELECTORS[rule.selector].select(context)


def _column(context: RuleContext, rule: Rule, metric_name: str, given: Given) -> Column:
    """The metric over the rule's subjects, cached for all rules and configurations with the same parameters."""
    metric = METRICS[metric_name]
    read = {name: given[name] for name in metric.parameters}

    def measure() -> Column:
        subjects = _subjects(context, rule)
        fids, places = context.keep(("written", rule.selector), lambda: _written(context, subjects))
        blank = [""] * len(subjects)
        column = Column(metric, [], list(fids), list(places), blank, list(blank), [])
        if metric.read_faces is not None and all(len(subject.faces) == 1 for subject in subjects):
            faces = [subject.faces[0] for subject in subjects]
            values = _read_faces(context, metric.read_faces(context, read), faces, column)
        else:
            values = _read(context, (metric.measure(context, subject, read) for subject in subjects), column)
        rounded = (np.array(values).round(DECIMALS) + 0.0).tolist()  # never minus zero
        column.values.extend(None if math.isnan(value) else value for value in rounded)
        column.read.extend(index for index, value in enumerate(column.values) if value is not None)
        return column

    return context.keep(("column", rule.selector, metric_name, *read.values()), measure)


def _read(context: RuleContext, answers: Iterable[Answer], column: Column) -> list[float]:
    """Values of a metric's answers, nan for none; what they point out is put into the column."""
    values = []
    for index, answer in enumerate(answers):
        if isinstance(answer, Measured):
            if answer.faces:
                column.fids[index] = context.fids(answer.faces)
                column.positions[index] = _place(context, answer.faces)
            if answer.position is not None:
                column.positions[index] = rounded_point(answer.position)
            column.notes[index], column.advices[index] = answer.note, answer.advice
            values.append(answer.value)
        else:
            values.append(math.nan if answer is None else answer)
    return values


def _read_faces(context: RuleContext, readings: FaceReadings, faces: list[int], column: Column) -> list[float]:
    """The same of single faces, whose values are there already."""
    values = [readings.values[face] for face in faces]
    if readings.points is not None:
        for index, (face, value) in enumerate(zip(faces, values, strict=True)):
            if not math.isnan(value):
                column.positions[index] = context.mesh_point(readings.points[face])
    return values


def _written(context: RuleContext, subjects: tuple[Subject, ...]) -> tuple[list[tuple[str, ...]], list[Triple | None]]:
    """Face ids and position of every subject, unless a metric points elsewhere."""
    return [context.fids(subject.faces) for subject in subjects], [_place(context, one.faces) for one in subjects]


def _place(context: RuleContext, faces: tuple[int, ...]) -> Triple | None:
    """A point on the first of some faces."""
    return context.point_of(faces[0]) if faces else None
