"""False alarms that verdicts once raised on parts that were really made, one row each with the test that keeps it away.

The tests of rows that no other module has are here; `TESTS` names all of them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fettle.recognize.kinds.hole import Hole
from fettle.results import RuleResult
from fettle.rules import judge, shipped_modules
from tests.rules.conftest import Analyzer
from tests.rules.positions import in_position
from tests.rules.seeded.case import box, cut, lying, rod, rounded_box, union
from tests.rules.seeded.cnc import pocketed

MODULES = {module.key: module for module in shipped_modules()}
ROOT = Path(__file__).parents[1]
TESTS = {
    "ratios of a sheet by the configuration's thickness": "rules/test_shells_and_sheets.py::"
    "test_the_sheet_is_as_thick_as_the_part",
    "press nuts and collars as edges near a hole": "rules/test_shells_and_sheets.py::a sheet with a press nut",
    "a bend in pieces as several bends": "rules/test_shells_and_sheets.py::test_a_bend_in_pieces_is_one_bend_line",
    "slots on a circle as one hole": "rules/test_false_alarms.py::test_slots_on_a_circle_are_no_hole",
    "holes in two flanges as one hole": "rules/test_false_alarms.py::test_holes_in_two_flanges_are_two_holes",
    "draft of blends and shallow walls": "rules/test_shells_and_sheets.py::a shallow frame with upright sides",
    "draft of rounds across the parting line": "rules/test_shells_and_sheets.py::a lid with rounded edges",
    "walls of teeth": "rules/test_machining.py::a gear of 20 teeth, module 0.5",
    "walls of text": "rules/test_machining.py::text 0.5 mm deep",
    "walls at the tips of chamfers": "rules/test_machining.py::a chamfered rim",
    "cross holes along no axis of the world": "rules/test_machining.py::cross holes at 60 degrees",
    "internal threads as undercuts": "rules/test_false_alarms.py::test_a_thread_is_no_undercut",
    "a radius of 0 without a sharp corner": "rules/test_false_alarms.py::"
    "test_no_corner_of_a_rounded_pocket_has_a_radius_of_0",
    "a sliver as the floor of a pocket": "rules/test_false_alarms.py::test_a_sliver_is_no_floor_of_a_deep_pocket",
    "a neck beside an island that passes": "rules/test_machining.py::a neck of 0.6 mm beside an island",
    "bridges as overhangs": "measure/test_build_direction.py::test_a_bridge_is_as_long_as_the_way_between_its_posts",
    "horizontal holes as overhangs": "measure/test_build_direction.py::test_horizontal_holes_up_to_a_diameter",
    "supports that can be taken out as failures": "rules/test_printing.py::a box without one of its walls",
    "one finding for each face": "rules/test_causes.py::test_findings_of_one_tier_are_one_cause_with_the_worst_first",
    "a block told in every rule that it is no sheet": "rules/test_causes.py::"
    "test_a_block_is_told_once_that_it_is_no_sheet",
    "nothing inspected as a pass": "rules/test_causes.py::test_a_process_that_inspected_nothing_does_not_pass",
}
"""Row, and the module and test (or the name of its part) that fails where it comes back. Several solids in one file are
tested with the bodies of assemblies."""
TURNED = (5, 71.0)
"""Seed and angle of the turned twin."""


@pytest.mark.parametrize("row", TESTS)
def test_every_row_has_its_test(row: str) -> None:
    module, name = TESTS[row].split("::")
    assert name in (ROOT / module).read_text(encoding="utf-8")


def judged(analyzed: Analyzer, module: str, configuration: str, recipe: dict[str, Any]) -> dict[str, RuleResult]:
    return {rule.key: rule for rule in judge(analyzed(recipe), MODULES[module], configuration).rules}


def holes(analyzed: Analyzer, recipe: dict[str, Any]) -> list[Hole]:
    return [one for one in analyzed(recipe).analysis.recognition.features if isinstance(one, Hole)]


@pytest.mark.parametrize("turn", [None, TURNED], ids=["straight", "turned"])
def test_slots_on_a_circle_are_no_hole(turn: tuple[int, float] | None, analyzed: Analyzer) -> None:
    """A disk with eight slots whose outer walls lie on one cylinder, around a bore: one hole, the bore."""
    ring = cut(rod(60, 6), rod(48, 6))
    spokes = [{"turn": {"of": box(60, 10, 6, (0, -5, 0)), "axis": [0, 0, 1], "deg": 45.0 * k}} for k in range(8)]
    slots = cut(cut(rod(48, 6), rod(30, 6)), *spokes)
    disk = cut(union(ring, rod(48, 6)), slots, rod(8, 6))
    (bore,) = holes(analyzed, in_position(disk, turn))
    assert bore.diameter_mm == pytest.approx(8.0)


@pytest.mark.parametrize("turn", [None, TURNED], ids=["straight", "turned"])
def test_holes_in_two_flanges_are_two_holes(turn: tuple[int, float] | None, analyzed: Analyzer) -> None:
    """A U of 45 mm with a hole of 5 mm through both of its flanges, 35 mm of air between them."""
    fork = cut(box(45, 20, 30), box(35, 20, 25, (5, 0, 5)))
    found = holes(analyzed, in_position(cut(fork, lying(rod(5, 60), (-5, 10, 20))), turn))
    assert [one.total_depth_mm for one in found] == pytest.approx([5.0, 5.0])


def test_a_thread_is_no_undercut(analyzed: Analyzer) -> None:
    """A block with a hole of 8.376 mm and the groove of an M10 in it."""
    groove = {"helix": {"points": [[4.0, -0.6], [5.0, -0.09], [5.0, 0.09], [4.0, 0.6]], "pitch": 1.5, "turns": 4}}
    block = cut(box(30, 30, 20, (-15, -15, 0)), rod(8.376, 20))
    rules = judged(analyzed, "cnc", "3-axis", cut(block, {"move": {"of": groove, "by": [0, 0, 6]}}))
    assert rules["undercut_access"].severity == rules["tool_inaccessible"].severity == "pass"


def test_no_corner_of_a_rounded_pocket_has_a_radius_of_0(analyzed: Analyzer) -> None:
    """The same pocket with rounded and with sharp corners: only the second has corners without a radius."""
    rounded = judged(analyzed, "cnc", "3-axis", pocketed(8, 4))["min_internal_radius"]
    assert rounded.findings
    assert all(one.value for one in rounded.findings)
    sharp = judged(analyzed, "cnc", "3-axis", pocketed(8, 0))["min_internal_radius"]
    assert "is sharp" in sharp.message


@pytest.mark.parametrize("turn", [None, TURNED], ids=["straight", "turned"])
def test_a_sliver_is_no_floor_of_a_deep_pocket(turn: tuple[int, float] | None, analyzed: Analyzer) -> None:
    """A pocket of 40 x 24, 10 deep, that goes on 0.07 mm narrower: the ring between both is no floor to mill."""
    outer = rounded_box(40, 24, 10, 4, (10, 8, 20))
    inner = rounded_box(39.86, 23.86, 6, 3.93, (10.07, 8.07, 14))
    rules = judged(analyzed, "cnc", "3-axis", in_position(cut(box(60, 40, 30), outer, inner), turn))
    assert rules["pocket_aspect"].severity == rules["tool_clearance"].severity == "pass"
