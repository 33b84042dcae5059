"""Machined parts: a sound part is free of fails, one fault in it is found, and no position changes a verdict."""

from __future__ import annotations

import math

import pytest

from fettle.recognize.special_surfaces import find_special_surfaces
from fettle.rules.drill_sizes import nearest_drill_mm
from tests.rules.conftest import Analyzer
from tests.rules.positions import Recipe, check_turned, placed

PROCESS = ("cnc", "3-axis")


def box(x: float, y: float, z: float, at: tuple[float, float, float] = (0, 0, 0)) -> Recipe:
    return {"move": {"of": {"box": [x, y, z]}, "by": list(at)}}


def rod(d: float, h: float, at: tuple[float, float, float] = (0, 0, 0)) -> Recipe:
    return {"move": {"of": {"cylinder": {"d": d, "h": h}}, "by": list(at)}}


def pocket(x: float, y: float, z: float, r: float, at: tuple[float, float, float]) -> Recipe:
    return {"move": {"of": {"fillet": {"of": {"box": [x, y, z]}, "r": r, "edges": "z"}}, "by": list(at)}}


def gear(teeth: int, module_mm: float, width_mm: float) -> Recipe:
    """A gear with straight flanks, a bore of 4 mm, tips of 2 and roots of 2.5 modules below them."""
    root, tip, pitch = (teeth / 2 - 1.25) * module_mm, (teeth / 2 + 1) * module_mm, 2 * math.pi / teeth
    shares = ((root, -0.25), (tip, -0.1), (tip, 0.1), (root, 0.25))
    points = [
        [radius * math.cos((k + share) * pitch), radius * math.sin((k + share) * pitch)]
        for k in range(teeth)
        for radius, share in shares
    ]
    return {"cut": [{"prism": {"points": points, "h": width_mm}}, rod(4, width_mm)]}


def shaft_with_cross_holes(deg: float) -> Recipe:
    """A shaft of 12 x 60 with two cross holes of 3 mm, the second turned against the first."""
    cross = {"turn": {"of": rod(3, 40, (0, 0, -20)), "axis": [0, 1, 0], "deg": 90}}
    turned = {"turn": {"of": cross, "axis": [0, 0, 1], "deg": deg}}
    return {"cut": [rod(12, 60), {"move": {"of": cross, "by": [0, 0, 15]}}, {"move": {"of": turned, "by": [0, 0, 40]}}]}


def lettered(depth_mm: float, count: int) -> Recipe:
    """A plate of 50 x 30 x 6 with strokes of 0.4 x 3 mm, 0.8 mm apart, cut to a depth, with sharp corners."""
    strokes = [box(0.4, 3, depth_mm, (20 + 0.8 * k, 12, 6 - depth_mm)) for k in range(count)]
    return {"cut": [box(50, 30, 6), *strokes]}


def pocketed(island_y_mm: float) -> Recipe:
    """A block with a pocket of 40 x 28 and an island of 14 mm whose distance from the wall is its y less 13 mm."""
    solid = {"cut": [box(60, 40, 20), pocket(40, 28, 6, 4, (10, 6, 14))]}
    return {"union": [solid, rod(14, 18, (30, island_y_mm, 0))]}


def finned(thickness_mm: float) -> Recipe:
    """A plate with one fin of 30 x 4 mm."""
    return {"union": [box(40, 20, 6), box(30, thickness_mm, 4, (5, 10, 6))]}


def chamfered_ledge() -> Recipe:
    """A plate of 4 mm whose rim ends in a chamfer that leaves 0.3 mm of its side."""
    return {"chamfer": {"of": box(40, 30, 4), "c": 1.85, "edges": [[20, 0, 4], [20, 0, 0]]}}


SOUND: dict[str, Recipe] = {
    "a gear of 20 teeth, module 0.5": gear(20, 0.5, 6),
    "cross holes at 45 degrees": shaft_with_cross_holes(45.0),
    "cross holes at 60 degrees": shaft_with_cross_holes(60.0),
    "text 0.5 mm deep": lettered(0.5, 5),
    "a cut-out with sharp corners": {"cut": [box(60, 40, 5), box(30, 20, 5, (15, 10, 0))]},
    "an island in the middle": pocketed(20.0),
    "a chamfered rim": chamfered_ledge(),
    "a groove for a retaining ring": {
        "cut": [rod(10, 40), {"revolve": {"points": [[4.8, 30], [6, 30], [6, 30.7], [4.8, 30.7]]}}]
    },
}
# A stroke that is no text is a sharp, narrow pocket, and the land between two deep ones a thin wall.
FAULTY: dict[str, tuple[Recipe, str]] = {
    "a gap of 0.4 mm that is no text": (lettered(0.5, 1), "min_internal_radius tool_clearance"),
    "strokes too deep for text": (lettered(1.6, 5), "min_wall_thickness min_internal_radius tool_clearance"),
    "a pocket with sharp corners": (
        {"cut": [box(60, 40, 15), box(30, 20, 5, (15, 10, 10))]},
        "min_internal_radius",
    ),
    "shallow pockets with sharp corners, far from each other": (
        {"cut": [box(80, 80, 15), *(box(9, 9, 0.5, (5 + 60 * a, 5 + 60 * b, 14.5)) for a in (0, 1) for b in (0, 1))]},
        "min_internal_radius",
    ),
    "a neck of 0.6 mm beside an island": (pocketed(13.6), "tool_clearance"),
    "a fin of 0.3 mm": (finned(0.3), "min_wall_thickness"),
    "twelve pockets with sharp corners on a circle": (
        {
            "cut": [
                rod(100, 10),
                *({"turn": {"of": box(6, 6, 4, (38, -3, 6)), "axis": [0, 0, 1], "deg": 30.0 * k}} for k in range(12)),
            ]
        },
        "min_internal_radius",
    ),
    "a web of 0.4 mm between two bores": (
        {"cut": [box(40, 30, 20), rod(8, 20, (15, 15, 0)), rod(8, 20, (23.4, 15, 0))]},
        "min_wall_thickness",
    ),
}


@pytest.mark.parametrize(("name", "turn"), placed(SOUND))
def test_a_sound_part_does_not_fail(name: str, turn: str, analyzed: Analyzer) -> None:
    check_turned(analyzed, SOUND[name], turn, PROCESS, [])


@pytest.mark.parametrize(("name", "turn"), placed(FAULTY))
def test_a_fault_is_found_and_nothing_else_fails(name: str, turn: str, analyzed: Analyzer) -> None:
    recipe, rules = FAULTY[name]
    check_turned(analyzed, recipe, turn, PROCESS, rules.split())


def test_every_flank_tip_and_root_of_a_gear_is_a_tooth(analyzed: Analyzer) -> None:
    analysis = analyzed(gear(20, 0.5, 6)).analysis
    special = find_special_surfaces(analysis.part, analysis.recognition)
    assert len(special.teeth) == 4 * 20
    assert special.engraving == special.threads == frozenset()


def test_every_face_of_a_stroke_is_text(analyzed: Analyzer) -> None:
    analysis = analyzed(lettered(0.5, 5)).analysis
    assert len(find_special_surfaces(analysis.part, analysis.recognition).engraving) == 5 * 5


@pytest.mark.parametrize("drill_mm", [2.05, 3.3, 4.2, 6.8, 8.5, 0.201 * 25.4, 25.4 / 4])
def test_a_tap_drill_is_a_standard_drill(drill_mm: float) -> None:
    """Tap drills of M2.5, M4, M5, M8 and M10 (ISO 2306), of 1/4-20 (number 7), and a quarter inch."""
    assert nearest_drill_mm(drill_mm) == pytest.approx(drill_mm, abs=1e-3)
