"""What a file asks of accuracy against what processes hold: grades of ISO 286 by table, operations by the handbook."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fettle.results import RuleResult
from fettle.rules import judge, shipped_modules
from fettle.rules.cases import StatedTolerance
from tests.rules.conftest import Analyzer

MODULES = {module.key: module for module in shipped_modules()}
BORED = {"cut": [{"box": [40, 30, 20]}, {"move": {"of": {"cylinder": {"d": 20, "h": 40}}, "by": [20, 15, -10]}}]}
BLIND = {"cut": [{"box": [6, 5, 5]}, {"move": {"of": {"cylinder": {"d": 2, "h": 4}}, "by": [3, 2.5, -1]}}]}
IN_BORE, ON_TOP = (30.0, 15.0, 10.0), (2.0, 2.0, 20.0)


def tolerances(
    analyzed: Analyzer, process: str, *asked: StatedTolerance, recipe: dict[str, object] = BORED
) -> RuleResult:
    module, configuration = process.split(":")
    context = analyzed(recipe, "cardinal", asked)
    found = judge(context, MODULES[module], configuration, any_fit=True)
    return next(rule for rule in found.rules if rule.key == "tolerances")


@pytest.mark.parametrize(
    ("width_mm", "severity", "said"),
    [
        (0.130, "pass", "holds every tolerance"),  # IT11 of 18 to 30 mm: a drill
        (
            0.084,
            "warning",
            "IT10; the process by itself holds IT11. To hold diameter 20 mm within 0.084 mm takes boring",
        ),
        (
            0.033,
            "warning",
            "IT8; the process by itself holds IT11. To hold diameter 20 mm within 0.033 mm takes boring",
        ),
        (
            0.021,
            "warning",
            "IT7; the process by itself holds IT11. To hold diameter 20 mm within 0.021 mm takes reaming",
        ),
        (
            0.013,
            "warning",
            "IT6; the process by itself holds IT11. To hold diameter 20 mm within 0.013 mm takes grinding",
        ),
        (
            0.009,
            "warning",
            "IT5; the process by itself holds IT11. To hold diameter 20 mm within 0.009 mm takes honing or lapping",
        ),
        (0.006, "fail", "IT4; no shop holds finer than IT5"),
    ],
)
def test_a_bore_of_20_mm_by_its_grade(analyzed: Analyzer, width_mm: float, severity: str, said: str) -> None:
    rule = tolerances(analyzed, "cnc:3-axis", StatedTolerance(IN_BORE, "diameter", 20, width_mm))
    assert rule.severity == severity
    assert said in rule.message


@pytest.mark.parametrize(
    ("process", "natural"),
    [("cnc:3-axis", 11), ("turning:bar", 9), ("casting:sand", 16), ("injection:standard", 12), ("additive:fdm", 14)],
)
def test_processes_hold_what_they_are_known_for(analyzed: Analyzer, process: str, natural: int) -> None:
    """IT9 to IT16 of 18 to 30 mm, ISO 286."""
    published_mm = {8: 0.033, 9: 0.052, 10: 0.084, 11: 0.130, 12: 0.210, 13: 0.330, 14: 0.520, 15: 0.840, 16: 1.300}
    held = tolerances(analyzed, process, StatedTolerance(IN_BORE, "diameter", 20, published_mm[natural]))
    finer = tolerances(analyzed, process, StatedTolerance(IN_BORE, "diameter", 20, published_mm[natural - 1]))
    assert (held.severity, finer.severity) == ("pass", "warning")


def test_form_is_held_better_than_size(analyzed: Analyzer) -> None:
    """The top spans 50 mm: IT8 is 0.039 mm there, which as flatness counts as IT10, what milling holds."""
    assert tolerances(analyzed, "cnc:3-axis", StatedTolerance(ON_TOP, "flatness", 0.039)).severity == "pass"
    assert tolerances(analyzed, "cnc:3-axis", StatedTolerance(ON_TOP, "flatness", 0.038)).severity == "warning"


def test_position_across_two_clampings(analyzed: Analyzer) -> None:
    """A blind bore from below and the top have no direction in common; the bore and the underside have. Both span less
    than 10 mm, where 0.09 mm is IT11."""
    from_below = StatedTolerance((4.0, 2.5, 1.0), "position", 0.09, datum=(1.0, 1.0, 5.0))
    same_side = StatedTolerance((4.0, 2.5, 1.0), "position", 0.09, datum=(0.3, 0.3, 0.0))
    across = tolerances(analyzed, "cnc:3-axis", from_below, recipe=BLIND)
    assert across.severity == "warning"
    assert "no direction reaches both" in across.message
    finer = tolerances(analyzed, "cnc:3-axis", replace(same_side, value=0.036), recipe=BLIND)
    assert "IT9; the process by itself holds IT10." in finer.message
    assert "takes finishing in one clamping with its datums; otherwise loosen it" in finer.message
    assert tolerances(analyzed, "cnc:3-axis", same_side, recipe=BLIND).severity == "pass"
    assert tolerances(analyzed, "additive:sla", from_below, recipe=BLIND).severity == "warning", "by its grade alone"


def test_finish(analyzed: Analyzer) -> None:
    asked = {ra: tolerances(analyzed, "cnc:3-axis", StatedTolerance(ON_TOP, "ra", ra)) for ra in (1.6, 0.8, 0.01)}
    assert [rule.severity for rule in asked.values()] == ["pass", "warning", "fail"]
    assert "To hold Ra 0.8 um takes grinding; otherwise loosen it" in asked[0.8].message
    said = [asked[1.6].message, *(finding.message for finding in asked[1.6].findings)]
    assert not any("loosen" in message for message in said), "what holds needs no advice"


def test_a_file_without_tolerances_says_so(analyzed: Analyzer) -> None:
    rule = tolerances(analyzed, "cnc:3-axis")
    assert (rule.severity, rule.message) == ("pass", "Nothing to check: the part has no tolerances in the file.")
