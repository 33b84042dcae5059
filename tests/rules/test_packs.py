"""Test cases of the shipped packs: every rule gives every verdict it can, and every threshold decides one."""

from __future__ import annotations

from typing import Any

import pytest

from fettle.rules import Module, judge, parse_module, shipped_modules
from fettle.rules.cases import Case, CaseKey, check, without_case
from fettle.rules.context import RuleContext
from fettle.rules.packs import shipped_cases
from fettle.rules.spec import Level, Op, Rule
from tests.rules.conftest import Analyzer

MODULES = {module.key: module for module in shipped_modules()}
BOOKS = {key: shipped_cases(module) for key, module in MODULES.items()}
CASES = [pytest.param(key, case, id=f"{key}: {case.name}") for key, book in BOOKS.items() for case in book.cases]
TIERS = [
    pytest.param(module, configuration, rule.key, number, id=f"{module.key}-{configuration}-{rule.key}-{number}")
    for module in MODULES.values()
    for configuration in module.configurations
    for rule in module.rules
    for number, tier in enumerate(rule.tiers)
    if tier.op is not None and tier.level is not Level.PASS
    if (configuration, rule.key, tier.level) not in BOOKS[module.key].never
]
STEP = 1e-3


@pytest.mark.parametrize(("key", "case"), CASES)
def test_a_case_gives_its_verdicts(key: str, case: Case, analyzed: Analyzer) -> None:
    assert check(case, analyzed(case.part, case.pull, case.tolerances), MODULES[key]) == []


@pytest.mark.parametrize("key", MODULES)
def test_no_verdict_is_without_a_case(key: str) -> None:
    assert without_case(MODULES[key], BOOKS[key]) == []


def test_rules_that_never_fail_are_these_and_no_others() -> None:
    excused = {(key, *slot[:2]) for key, book in BOOKS.items() for slot in book.never if slot[2] is Level.FAIL}
    assert excused == {
        ("cnc", "3-axis", "thread_candidates"),
        ("cnc", "5-axis", "thread_candidates"),
        ("cnc", "5-axis", "undercut_access"),
        ("cnc", "5-axis", "tool_inaccessible"),
        ("cnc", "5-axis", "setup_count"),
        *(
            ("cnc", machine, rule)
            for machine in ("3-axis", "5-axis")
            for rule in ("standard_drill", "drill_entry", "engraving_width")
        ),
        ("casting", "investment", "sharp_internal_corner"),
        *(("turning", machine, "bar_size") for machine in ("bar", "mill-turn")),
        ("additive", "fdm", "trapped_volume"),
    }


def test_a_verdict_without_a_case_is_found() -> None:
    book = BOOKS["additive"]
    slot: CaseKey = ("fdm", "overhang_angle", Level.FAIL)
    fewer = tuple(case for case in book.cases if slot not in case.expected)
    assert without_case(MODULES["additive"], type(book)(fewer, book.never)) != []


@pytest.mark.parametrize(("module", "configuration", "rule_key", "number"), TIERS)
def test_a_threshold_decides(
    module: Module, configuration: str, rule_key: str, number: int, analyzed: Analyzer
) -> None:
    """Moving a threshold by a thousandth across a measured value changes the verdict on some part."""
    book, rule = BOOKS[module.key], module.rule(rule_key)
    own_first = sorted(book.cases, key=lambda case: rule_key not in {named for _, named, _ in case.expected})
    contexts = (analyzed(case.part, case.pull, case.tolerances) for case in own_first)
    assert any(flips(context, module, configuration, rule, number) for context in contexts)


def flips(context: RuleContext, module: Module, configuration: str, rule: Rule, number: int) -> bool:
    tier = rule.tiers[number]
    values = readings(context, module, configuration, rule, rule.metric_of(tier))
    if not values:
        return False
    if tier.op is Op.LT:
        outside, inside = min(values), min(values) + STEP
    elif tier.op is Op.GT:
        outside, inside = max(values), max(values) - STEP
    else:
        outside, inside = max(values) + STEP, max(values)
    verdicts = {judged(context, module, configuration, moved(rule, number, at))["severity"] for at in (outside, inside)}
    return len(verdicts) == 2


def readings(context: RuleContext, module: Module, configuration: str, rule: Rule, metric: str) -> list[float]:
    """Every value of a metric over the rule's subjects."""
    probe = rule.spec() | {"metric": metric, "tiers": [{"level": "pass", "op": "ge", "rhs": -1e9}]}
    return [finding["value"] for finding in judged(context, module, configuration, probe)["findings"]]


def moved(rule: Rule, number: int, threshold: float) -> dict[str, object]:
    tiers = [tier.spec() for tier in rule.tiers]
    tiers[number]["rhs"] = threshold
    return rule.spec() | {"tiers": tiers}


def judged(context: RuleContext, module: Module, configuration: str, rule: dict[str, object]) -> dict[str, Any]:
    entry = judge(context, parse_module({**module.spec(), "rules": [rule]}), configuration, any_fit=True)
    return entry.rules[0].to_dict()
