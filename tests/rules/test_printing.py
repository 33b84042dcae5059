"""Faults of printed parts: a sound part is free of fails, one fault in it is found, and a turn changes neither."""

from __future__ import annotations

import pytest

from tests.rules.conftest import Analyzer
from tests.rules.positions import Recipe, check_turned, placed

PROCESS = ("additive", "fdm")


def box(x: float, y: float, z: float, at: tuple[float, float, float] = (0, 0, 0)) -> Recipe:
    return {"move": {"of": {"box": [x, y, z]}, "by": list(at)}}


def rod(d: float, h: float, at: tuple[float, float, float]) -> Recipe:
    return {"move": {"of": {"cylinder": {"d": d, "h": h}}, "by": list(at)}}


def bracket(wall_mm: float) -> Recipe:
    """An angle of 50 x 30 x 40 with two ribs and two screw holes, its upright wall as thick as asked."""
    ribs = [{"move": {"of": {"turn": {"of": rib(), "axis": [1, 0, 0], "deg": 90}}, "by": [0, y, 0]}} for y in (6, 30)]
    solid: Recipe = {"union": [box(50, 30, 4), box(wall_mm, 30, 40), *ribs]}
    return {"cut": [solid, rod(4.5, 4, (38, 8, 0)), rod(4.5, 4, (38, 22, 0))]}


def rib() -> Recipe:
    return {"prism": {"points": [[0, 0], [24, 0], [0, 24]], "h": 3}}


def chamber(opening: Recipe) -> Recipe:
    """A box of 66 x 66 x 40 with walls of 3 mm and a flat ceiling of 60 mm inside, and an opening in its side."""
    return {"cut": [box(66, 66, 40), box(60, 60, 34, (3, 3, 3)), opening]}


def base(pin_mm: float) -> Recipe:
    """A plate of 30 x 20 x 5 with a pin of 6 mm on it."""
    return {"union": [box(30, 20, 5), rod(pin_mm, 6, (15, 10, 5))]}


SOUND: dict[str, Recipe] = {
    "a bracket": bracket(3.0),
    "a box without one of its walls": chamber(box(10, 60, 34, (-1, 3, 3))),
    "a plate with a pin": base(4.0),
    "a U of 30 mm walls": {"cut": [box(40, 30, 30), box(30, 30, 25, (5, 0, 5))]},
}
FAULTY: dict[str, tuple[Recipe, str]] = {
    "a bracket with a wall of 0.4 mm": (bracket(0.4), "min_wall_thickness"),
    "a box with a ceiling of 60 mm and an opening of 4 mm": (chamber(rod(4, 10, (33, 33, 35))), "overhang_angle"),
    "a plate with a pin of 0.3 mm": (base(0.3), "min_feature_size"),
}


@pytest.mark.parametrize(("name", "turn"), placed(SOUND))
def test_a_sound_part_does_not_fail(name: str, turn: str, analyzed: Analyzer) -> None:
    check_turned(analyzed, SOUND[name], turn, PROCESS, [])


@pytest.mark.parametrize(("name", "turn"), placed(FAULTY))
def test_a_fault_is_found_and_nothing_else_fails(name: str, turn: str, analyzed: Analyzer) -> None:
    recipe, rule = FAULTY[name]
    check_turned(analyzed, recipe, turn, PROCESS, [rule])
