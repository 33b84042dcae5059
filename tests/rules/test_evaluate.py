"""Evaluation of rules: tiers, counts, findings, positions and messages, on parts with known values."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from typing import Any

import pytest

from fettle.errors import BadRequest
from fettle.rules import judge, judge_all, judge_module, parse_module, shipped_modules
from fettle.rules.context import RuleContext
from fettle.rules.metrics.part import trapping_void_count
from fettle.rules.registry import Measured
from fettle.rules.spec import Module
from tests.rules.conftest import Analyzer

DIAMETERS = (2.0, 3.0, 5.0, 8.0)
PLATE = {
    "cut": [
        {"box": [80, 40, 6]},
        *[
            {"move": {"of": {"cylinder": {"d": d, "h": 6}}, "by": [16 * (i + 1), 20, 0]}}
            for i, d in enumerate(DIAMETERS)
        ],
    ]
}
SEALED = {"cut": [{"box": [60, 40, 20]}, {"move": {"of": {"box": [20, 20, 10]}, "by": [20, 10, 5]}}]}


@pytest.fixture
def plate(analyzed: Analyzer) -> RuleContext:
    return analyzed(PLATE, "0,0,1")


def module(*tiers: dict[str, Any], **changes: Any) -> Module:
    rule = {
        "key": "r",
        "name": "R",
        "scope": "per_feature",
        "selector": {"set": "holes"},
        "metric": "hole.diameter",
        "tiers": list(tiers),
        "messages": {"fail": "Face {fid}: {metric:.1f} against {threshold:.1f}, {n_inspected} holes."},
    }
    configurations = {"a": {"name": "A", "parameters": {"d": 4.0}}}
    return parse_module({"key": "m", "name": "M", "configurations": configurations, "rules": [rule | changes]})


def entry(context: RuleContext, judged_by: Module, **overrides: float) -> dict[str, Any]:
    return judge(context, judged_by, "a", overrides).rules[0].to_dict()


FAIL_SMALL = {"level": "fail", "op": "lt", "rhs": {"param": "d"}}


def test_the_entry_has_the_fields_of_the_contract(plate: RuleContext) -> None:
    found = entry(plate, module(FAIL_SMALL, {"level": "pass"}))
    assert {
        "key", "name", "severity", "metric", "n_inspected", "n_not_measured", "message", "value", "threshold", "op",
        "fids", "findings",
    } <= set(found)  # fmt: skip
    assert {
        "fid", "related_fids", "severity", "value", "threshold", "op", "message", "position", "borderline",
    } <= set(found["findings"][0])  # fmt: skip


def test_the_worst_finding_comes_first_and_decides(plate: RuleContext) -> None:
    found = entry(plate, module(FAIL_SMALL, {"level": "warning", "op": "lt", "rhs": 6}, {"level": "pass"}))
    assert [(f["severity"], f["value"]) for f in found["findings"]] == [
        ("fail", 2), ("fail", 3), ("warning", 5), ("pass", 8),
    ]  # fmt: skip
    assert (found["severity"], found["value"], found["threshold"], found["op"]) == ("fail", 2, 4, "lt")
    assert (found["n_inspected"], found["n_not_measured"]) == (4, 0)
    fid = found["findings"][0]["fid"]
    assert found["message"] == f"Face {fid}: 2.0 against 4.0, 4 holes."
    assert found["fids"][0] == fid


def test_a_finding_names_its_own_hole(plate: RuleContext) -> None:
    found = entry(plate, module(FAIL_SMALL))
    failed = [finding for finding in found["findings"] if finding["severity"] == "fail"]
    for finding, x in zip(failed, (16, 32), strict=True):
        px, py, pz = finding["position"]
        assert math.hypot(px - x, py - 20) == pytest.approx(finding["value"] / 2, rel=1e-3)
        assert 0 <= pz <= 6


@pytest.mark.parametrize(
    ("op", "level_of"),
    [
        ("lt", {2: "fail", 3: "fail"}),
        ("le", {2: "fail", 3: "fail", 5: "fail"}),
        ("gt", {8: "fail"}),
        ("ge", {5: "fail", 8: "fail"}),
        ("eq", {5: "fail"}),
        ("ne", {2: "fail", 3: "fail", 8: "fail"}),
    ],
)
def test_comparisons_are_exact(plate: RuleContext, op: str, level_of: dict[int, str]) -> None:
    found = entry(plate, module({"level": "fail", "op": op, "rhs": 5}))
    assert {f["value"]: f["severity"] for f in found["findings"]} == {
        2: "pass",
        3: "pass",
        5: "pass",
        8: "pass",
    } | level_of


def test_the_first_tier_that_holds_decides(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "warning", "op": "lt", "rhs": 9}, {"level": "fail", "op": "lt", "rhs": 9}))
    assert {f["severity"] for f in found["findings"]} == {"warning"}


def test_the_first_tier_may_be_a_pass(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "pass", "op": "ge", "rhs": 4}, {"level": "fail"}))
    failed = [f for f in found["findings"] if f["severity"] == "fail"]
    assert [(f["value"], f["op"], f["threshold"]) for f in failed] == [(2, "lt", 4), (3, "lt", 4)]


def test_a_pass_reports_the_value_nearest_the_limit(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "fail", "op": "lt", "rhs": 1.5}, {"level": "pass"}))
    assert found["severity"] == "pass"
    assert [f["value"] for f in found["findings"]] == [2, 3, 5, 8]
    assert found["fids"] == []
    assert (found["value"], found["op"], found["threshold"]) == (2, "ge", 1.5)


def test_a_parameter_may_have_a_factor_and_be_overridden(plate: RuleContext) -> None:
    halved = module({"level": "fail", "op": "lt", "rhs": {"param": "d", "factor": 0.625}})
    assert entry(plate, halved)["threshold"] == 2.5
    assert entry(plate, halved, d=16)["threshold"] == 10
    assert len(entry(plate, halved, d=16)["findings"]) == 4


def test_a_tier_may_compare_another_metric(plate: RuleContext) -> None:
    deep = {"level": "fail", "metric": "hole.depth_over_diameter", "op": "gt", "rhs": 2.5, "message": "{metric:.0f}!"}
    found = entry(plate, module({"level": "warning", "op": "gt", "rhs": 7}, deep))
    assert [(f["metric"], f["value"], f["message"]) for f in found["findings"] if f["severity"] == "fail"] == [
        ("hole.depth_over_diameter", 3.0, "3!")
    ]


def test_subjects_without_a_reading_are_counted_and_not_judged(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "fail"}, selector={"set": "all_features"}))
    assert found["n_inspected"] == 4
    assert found["n_not_measured"] == len(plate.analysis.recognition.features) - 4
    assert {f["value"] for f in found["findings"]} == set(DIAMETERS)


def test_nothing_to_inspect_passes_and_says_so(plate: RuleContext) -> None:
    bosses = module(
        {"level": "fail", "op": "gt", "rhs": 0}, selector={"set": "bosses"}, metric="boss.height_over_diameter"
    )
    found = entry(plate, bosses)
    assert (found["severity"], found["n_inspected"], found["value"]) == ("pass", 0, None)
    assert found["message"] == "Nothing to check: the part has no bosses."


def test_near_the_threshold_is_borderline(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "fail", "op": "lt", "rhs": 3.0005}))
    assert [(f["value"], f["borderline"]) for f in found["findings"]] == [(2, False), (3, True), (5, False), (8, False)]
    assert "3.000 against 3.001" in found["findings"][1]["message"]


def test_a_missing_message_is_generated_from_the_comparison(plate: RuleContext) -> None:
    found = entry(plate, module({"level": "warning", "op": "lt", "rhs": 2.5}))
    assert found["message"] == f"Face {found['fids'][0]}: hole.diameter is 2.00 mm, below 2.50 mm."


@pytest.mark.parametrize(("volume_mm3", "count"), [(-4000.0, 1), (-50.0, 0), (math.nan, 1)])
def test_a_cavity_traps_unless_it_is_known_to_be_a_slit(analyzed: Analyzer, volume_mm3: float, count: int) -> None:
    """Of 1600 mm2: 5 mm wide on average, 0.0625 mm, and nobody knows; slits are narrower than 0.15 mm."""
    analysis = analyzed(SEALED).analysis
    shells = tuple(
        replace(shell, volume_mm3=volume_mm3) if shell.volume_mm3 < 0 else shell for shell in analysis.part.shells
    )
    answer = trapping_void_count(
        RuleContext(replace(analysis, part=replace(analysis.part, shells=shells))), {"slit_mm": 0.15}
    )
    assert isinstance(answer, Measured)
    assert answer.value == count


def test_a_whole_part_rule_names_faces(analyzed: Analyzer) -> None:
    context = analyzed(SEALED)
    rule: dict[str, Any] = {"key": "r", "name": "R", "scope": "whole_part", "metric": "part.sealed_void_count"}
    rule["tiers"] = [{"level": "fail", "op": "ge", "rhs": 1}]
    sealed = parse_module({"key": "m", "name": "M", "configurations": {"a": {"name": "A"}}, "rules": [rule]})
    found = entry(context, sealed)
    inside = {
        str(number + 1)
        for number, face in enumerate(context.part.faces)
        if (face.box[0] > [19, 9, 4]).all() and (face.box[1] < [41, 31, 16]).all()
    }
    assert len(inside) == 6
    assert set(found["fids"]) == inside
    x, y, z = found["findings"][0]["position"]
    assert 20 <= x <= 40
    assert 10 <= y <= 30
    assert 5 <= z <= 15


@pytest.mark.parametrize(("radius_mm", "corners"), [(1.2, 4), (0.0, 1)])
def test_a_rounded_corner_is_reported_once_and_not_again_by_its_pocket(
    radius_mm: float, corners: int, analyzed: Analyzer
) -> None:
    pocket: dict[str, Any] = {"box": [40, 24, 10]}
    if radius_mm:
        pocket = {"fillet": {"of": pocket, "r": radius_mm, "edges": "z"}}
    context = analyzed({"cut": [{"box": [60, 40, 12]}, {"move": {"of": pocket, "by": [10, 8, 5]}}]}, "0,0,1")
    (rule,) = [r for r in judge(context, _cnc(), "3-axis").rules if r.key == "min_internal_radius"]
    assert [finding.value for finding in rule.findings] == [radius_mm] * corners


@pytest.mark.parametrize(("fins", "gaps"), [(1, []), (2, [17.0, 17.0])])
def test_beside_a_fin_that_nothing_faces_there_is_no_gap(fins: int, gaps: list[float], analyzed: Analyzer) -> None:
    """Fins of 3 mm, 20 mm apart from middle to middle."""
    standing = [{"move": {"of": {"box": [40, 3, 15]}, "by": [10, 10 + 20 * number, 20]}} for number in range(fins)]
    context = analyzed({"union": [{"box": [60, 50, 20]}, *standing]}, "0,0,1")
    (rule,) = [r for r in judge(context, _cnc(), "3-axis").rules if r.key == "tool_clearance"]
    assert [finding.value for finding in rule.findings] == gaps
    assert (rule.n_inspected, rule.n_not_measured) == (len(gaps), 0)


def _cnc() -> Module:
    (found,) = [module for module in shipped_modules() if module.key == "cnc"]
    return found


def test_an_unknown_configuration_or_override_is_refused(plate: RuleContext) -> None:
    with pytest.raises(BadRequest, match="no configuration 'b'; there are a"):
        judge(plate, module(FAIL_SMALL), "b")
    with pytest.raises(BadRequest, match="no parameter 'e'; there are d"):
        judge(plate, module(FAIL_SMALL), "a", {"e": 1})
    with pytest.raises(BadRequest, match="finite"):
        judge(plate, module(FAIL_SMALL), "a", {"d": math.inf})
    with pytest.raises(BadRequest, match="expected a number"):
        judge(plate, module(FAIL_SMALL), "a", {"d": "1"})


def test_a_spec_of_the_catalog_gives_exactly_the_shipped_result(plate: RuleContext) -> None:
    """Compared after a round trip through JSON, as over HTTP."""
    shipped = judge_all(plate.analysis).to_dict()
    for one in shipped_modules():
        posted = parse_module(json.loads(json.dumps(one.spec())))
        entry_of = next(found for found in shipped["modules"] if found["module_key"] == one.key)
        assert json.dumps(judge_module(plate.analysis, posted).to_dict()) == json.dumps(entry_of)
        for configuration in entry_of["configurations"]:
            result = configuration["result"]
            # a module without a rule of its own for it says with one more that the part is no candidate
            own = [rule for rule in result["rules"] if rule["key"] != "fit"]
            assert [rule["key"] for rule in own] == [rule.key for rule in one.rules]
            assert sum(result["summary"].values()) == len(result["rules"]) <= len(own) + 1
            worst = max(result["rules"], key=lambda rule: ["pass", "warning", "fail"].index(rule["severity"]))
            assert result["overall_severity"] == worst["severity"]


def test_overrides_change_just_what_they_name(plate: RuleContext) -> None:
    cnc = shipped_modules()[0]
    before = judge(plate, cnc, "3-axis").rules
    after = judge(plate, cnc, "3-axis", {"rec_hole_ratio": 2.0}).rules
    changed = [new.key for old, new in zip(before, after, strict=True) if old != new]
    assert changed == ["hole_depth_to_diameter"]
    assert before[8].severity == "pass"
    assert after[8].severity == "warning"
    assert after[8].value == 3.0


def test_results_are_plain_finite_json_and_repeatable(plate: RuleContext) -> None:
    first = json.dumps(judge_all(plate.analysis).to_dict(), allow_nan=False)
    assert first == json.dumps(judge_all(plate.analysis).to_dict(), allow_nan=False)


def test_the_comparison_of_every_finding_of_every_pack_holds(analyzed: Analyzer) -> None:
    """value op threshold holds for each, and the message never shows two equal numbers for different ones."""
    import operator

    for tree in (PLATE, SEALED):
        judged = judge_all(analyzed(tree, "0,0,1").analysis).to_dict()
        for one in judged["modules"]:
            for configuration in one["configurations"]:
                for rule in configuration["result"]["rules"]:
                    for found in [rule, *rule["findings"]]:
                        if found["op"] is not None:
                            assert getattr(operator, found["op"])(found["value"], found["threshold"])
