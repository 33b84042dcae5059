"""Causes, the fit that a module needs, the ranking and the headline, on parts whose answers are counted by hand."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from fettle.analysis import with_pull
from fettle.app.build_result import Process, build_result
from fettle.app.causes import merged_causes, summarize_processes
from fettle.errors import InvalidModule
from fettle.results import AnalysisResult, Verdict
from fettle.rules import judge, judge_module, parse_module, shipped_modules
from fettle.rules.context import RuleContext
from fettle.rules.phrases import against, in_sentence
from tests.rules.conftest import Analyzer

BLOCK = {"box": [60, 40, 20]}
DIAMETERS = (2.0, 2.2, 3.0, 8.0)
DRILLED = {
    "cut": [
        BLOCK,
        *(
            {"move": {"of": {"cylinder": {"d": d, "h": 20}}, "by": [10 + 12 * n, 20, 0]}}
            for n, d in enumerate(DIAMETERS)
        ),
    ]
}
ANGLE = {
    "fillet": {
        "of": {
            "fillet": {
                "of": {"union": [{"box": [60, 40, 1.5]}, {"box": [1.5, 40, 30]}]},
                "r": 0.6,
                "edges": [[1.5, 20, 1.5]],
            }
        },
        "r": 2.1,
        "edges": [[0, 20, 0]],
    }
}
HOLES = {
    "key": "size",
    "name": "Diameter of holes",
    "scope": "per_feature",
    "selector": {"set": "holes"},
    "metric": "hole.diameter",
    "tiers": [{"level": "fail", "op": "lt", "rhs": {"param": "min_mm"}}, {"level": "warning", "op": "lt", "rhs": 4}],
    "messages": {"fail": "The hole at face {fid} is {metric:.1f} mm wide; {threshold:.1f} mm is the least. Widen it."},
}
SIDE = {
    "key": "length",
    "name": "Fits the vice",
    "scope": "whole_part",
    "metric": "part.largest_side",
    "tiers": [{"level": "warning", "op": "gt", "rhs": 50}],
}
BENDS = {
    "key": "bends",
    "name": "Radius of bends",
    "scope": "per_feature",
    "selector": {"set": "bends"},
    "metric": "bend.inner_radius",
    "tiers": [{"level": "fail", "op": "lt", "rhs": 1.5}],
}


def spec(*rules: dict[str, Any], key: str = "shop", **more: Any) -> dict[str, Any]:
    small = {"name": "Small mill", "parameters": {"min_mm": 2.5}}
    return {"key": key, "name": "Our shop", "configurations": {"small": small}, "rules": list(rules), **more}


def judged(context: RuleContext, *specs: dict[str, Any]) -> AnalysisResult:
    return build_result(context.analysis, "", [Process(parse_module(one)) for one in specs])


def test_findings_of_one_tier_are_one_cause_with_the_worst_first(analyzed: Analyzer) -> None:
    verdict = judge(analyzed(DRILLED), parse_module(spec(SIDE, HOLES)), "small")
    fail, long, warned = verdict.causes
    assert (fail.rule, fail.severity, fail.count, fail.unit) == ("size", "fail", 2, "mm")
    assert (fail.value, fail.value_range, fail.threshold) == (2.0, (2.0, 2.2), 2.5)
    assert fail.message == f"The hole at face {fail.fids[0]} is 2.0 mm wide; 2.5 mm is the least."
    assert fail.fix == "Widen it."
    assert len(fail.fids) == 2
    x, y, _ = fail.position_mm or (0.0, 0.0, 0.0)
    assert ((x - 10) ** 2 + (y - 20) ** 2) ** 0.5 == pytest.approx(1.0, abs=1e-4), "on the wall of the narrowest hole"
    assert (long.rule, long.severity, long.count, long.value, long.fids) == ("length", "warning", 1, 60.0, ())
    assert (warned.rule, warned.severity, warned.count, warned.value_range) == ("size", "warning", 1, (3.0, 3.0))
    assert warned.fix is None, "a message of one sentence gives no advice"
    faulty = [one for rule in verdict.rules for one in rule.findings if one.severity != "pass"]
    assert len(faulty) == sum(cause.count for cause in verdict.causes)


def test_causes_survive_json_and_results_without_them_are_read(analyzed: Analyzer) -> None:
    result = judged(analyzed(DRILLED), spec(HOLES))
    shown = result.to_dict()
    assert list(shown)[:2] == ["headline", "processes"]
    assert AnalysisResult.from_dict(shown) == pickle.loads(pickle.dumps(result)) == result
    older = shown["modules"]["modules"][0]["configurations"][0]["result"]
    del older["causes"]
    assert Verdict.from_dict(older).causes == ()
    del shown["headline"], shown["processes"]
    assert AnalysisResult.from_dict(shown).processes == ()


def test_a_block_is_told_once_that_it_is_no_sheet(analyzed: Analyzer) -> None:
    (sheet,) = [module for module in shipped_modules() if module.key == "sheet-metal"]
    for one in judge_module(analyzed(BLOCK), sheet).configurations:
        (found,) = [finding for rule in one.rules for finding in rule.findings]
        assert (one.severity, found.severity, found.metric) == ("fail", "fail", "part.fit")
        assert found.value is not None
        assert found.value < 0.5 == found.threshold
        assert "no candidate for sheet metal" in found.message.lower()
        assert [rule.key for rule in one.rules] == [rule.key for rule in sheet.rules]
        others = [rule for rule in one.rules if rule.key != "applicability"]
        assert {(rule.severity, rule.n_inspected, rule.n_not_measured) for rule in others} == {("pass", 0, 0)}
        assert all(rule.message.startswith("Not checked: ") for rule in others)
        (cause,) = one.causes
        assert (cause.rule, cause.count, cause.threshold, cause.unit) == ("applicability", 1, 0.5, "ratio")


def test_a_module_without_fit_judges_every_part_and_one_with_it_only_candidates(analyzed: Analyzer) -> None:
    free, need = spec(HOLES), spec(HOLES, fit={"processes": ["sheet-metal"], "minimum": 0.5})
    context = analyzed(DRILLED)
    (first,) = judge_module(context, parse_module(free)).configurations
    assert [(rule.key, rule.n_inspected) for rule in first.rules] == [("size", 4)]
    (second,) = judge_module(context, parse_module(need)).configurations
    assert [(rule.key, rule.n_inspected) for rule in second.rules] == [("fit", 1), ("size", 0)]
    assert not second.result.is_candidate
    assert second.result.n_not_checked == 1
    everything = judge(context, parse_module(need), "small", any_fit=True)
    assert everything.rules == first.rules


def test_any_of_several_processes_may_fit(analyzed: Analyzer) -> None:
    need = spec(HOLES, fit={"processes": ["sheet-metal", "cnc"], "minimum": 0.5})
    (one,) = judge_module(analyzed(DRILLED), parse_module(need)).configurations
    assert [rule.key for rule in one.rules] == ["size"]


def test_the_pull_changes_neither_fit_nor_rank(analyzed: Analyzer) -> None:
    analysis = analyzed(ANGLE).analysis
    first, second = (build_result(one, "") for one in (analysis, with_pull(analysis, "1,0,0")))
    assert [(one.module_key, one.fit) for one in first.processes if one.fit] == [
        (one.module_key, one.fit) for one in second.processes if one.fit
    ]


def test_processes_rank_by_fit_then_severity_then_causes(analyzed: Analyzer) -> None:
    """On a drilled block: milled before what asks for no fit, and what it is no candidate for comes last."""
    mill = {"fit": {"processes": ["cnc"], "minimum": 0.3}}
    result = judged(
        analyzed(DRILLED),
        spec(SIDE, key="sheet", fit={"processes": ["sheet-metal"], "minimum": 0.5}),
        spec(HOLES, key="free"),
        spec(HOLES, key="failing", **mill),
        spec(SIDE, HOLES | {"tiers": HOLES["tiers"][1:]}, key="two warnings", **mill),
        spec(SIDE, key="one warning", **mill),
    )
    order = ["one warning", "two warnings", "failing", "free", "sheet"]
    assert [one.module_key for one in result.processes] == order
    fits = [one.fit for one in result.processes]
    assert fits[0] is not None
    assert fits[0] == fits[1] == fits[2]
    assert fits[3] is None
    assert all(one.price is None for one in result.processes)
    assert [one.candidate for one in summarize_processes(result)] == [True] * 4 + [False]
    assert "sheet" not in {one.module for one in merged_causes(result)}


def test_the_headline_names_what_it_is_and_what_decides(analyzed: Analyzer) -> None:
    """An angle of 1.5 mm bent at 0.6 mm, where the shop needs 1.5 mm."""
    sheet = spec(SIDE, BENDS, key="brake", fit={"processes": ["sheet-metal"], "minimum": 0.5})
    assert judged(analyzed(ANGLE), sheet).headline == (
        "Bent sheet of 1.5 mm: our shop (Small mill) fails on radius of bends (0.6 mm, at least 1.5 mm), "
        "and 1 more cause."
    )
    easy = spec(SIDE, key="brake", fit={"processes": ["sheet-metal"], "minimum": 0.5})
    assert judged(analyzed(ANGLE), easy).headline == (
        "Bent sheet of 1.5 mm: our shop (Small mill) passes with warnings on fits the vice (60 mm, at most 50 mm)."
    )


def test_the_headline_of_a_part_for_no_process_and_of_a_module_without_fit(analyzed: Analyzer) -> None:
    sheet = spec(BENDS, fit={"processes": ["sheet-metal"], "minimum": 0.5})
    refused = judged(analyzed(BLOCK), sheet).headline
    assert refused.startswith("No candidate for any process asked for; the nearest: no candidate for our shop: ")
    assert judged(analyzed(DRILLED), spec(HOLES)).headline == (
        "Our shop: Small mill fails on diameter of holes (2 mm, at least 2.5 mm, 2 places), and 1 more cause."
    )


def test_a_value_next_to_its_limit_is_told_apart() -> None:
    assert against(4.0001, 4.0, "ratio") == "4.0001, at most 4"
    assert against(0.4, 1.5, "mm") == "0.4 mm, at least 1.5 mm"
    assert against(12345.6, 100.0, "mm2") == "12,346 mm2, at most 100 mm2"
    assert against(1.0, 1.0, "count") == "1"
    assert (against(2.0, 0.0, "count"), against(6.0, 5.0, "count")) == ("2", "6, at most 5")
    assert (in_sentence("CNC machining"), in_sentence("Sheet metal")) == ("CNC machining", "sheet metal")


def test_a_process_that_inspected_nothing_does_not_pass(analyzed: Analyzer) -> None:
    result = judged(analyzed(BLOCK), spec(HOLES))
    assert result.headline == "Our shop: Small mill finds nothing to check."
    (one,) = summarize_processes(result)
    assert one.words == {"small": "nothing to check"}
    assert one.note == "nothing to check for 1 of 1 rules"


def test_the_need_is_read_checked_and_written(analyzed: Analyzer) -> None:
    need = {"processes": ["cnc", "turning"], "minimum": 0.35, "rule": "size"}
    module = parse_module(spec(HOLES, fit=need))
    assert module.spec()["fit"] == need
    assert parse_module(module.spec()) == module
    assert "fit" not in parse_module(spec(HOLES)).spec()
    for fault, pointer in (
        ({"processes": ["forging"], "minimum": 0.5}, "/fit/processes/0"),
        ({"processes": ["cnc"], "minimum": 1.5}, "/fit/minimum"),
        ({"processes": ["cnc"], "minimum": -0.1}, "/fit/minimum"),
        ({"processes": [], "minimum": 0.5}, "/fit/processes"),
        ({"processes": ["cnc"], "minimum": 0.5, "rule": 3}, "/fit/rule"),
        ({"processes": ["cnc"]}, "/fit"),
    ):
        with pytest.raises(InvalidModule) as refused:
            parse_module(spec(HOLES, fit=fault))
        assert pointer in str(refused.value)
