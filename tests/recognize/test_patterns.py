"""Patterns of equal holes and slots, with the counts and pitches that they were built with, in every position."""

from __future__ import annotations

import random

import pytest

from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.recognize import recognize
from fettle.recognize.pattern import Pattern
from tests.recognize.part_lists import shuffled
from tests.recognize.words import Recipe, at, box, cut, cyl, obround


def _about(tool: Recipe, count: int, start_deg: float = 0.0) -> list[Recipe]:
    return [{"turn": {"of": tool, "axis": [0, 0, 1], "deg": start_deg + 360.0 * k / count}} for k in range(count)]


def _found(recipe: Recipe) -> tuple[Pattern, ...]:
    return recognize(load(build(recipe), "part.step").part).patterns


def _drills(*places: tuple[float, float]) -> list[Recipe]:
    return [at(cyl(5, 40), x, y, -5) for x, y in places]


PLATE = box(140, 90, 20)


def test_grid() -> None:
    places = [(20 + 25.0 * i, 20 + 18.0 * j) for i in range(5) for j in range(4)]
    (grid,) = _found(cut(PLATE, *_drills(*places)))
    assert (grid.kind, grid.form, grid.count, grid.columns, grid.rows) == ("HOLE", "grid", 20, 5, 4)
    assert (grid.pitch_mm, grid.row_pitch_mm) == pytest.approx((25, 18))
    assert grid.center_mm == pytest.approx((70, 47, 10))


def test_line_and_what_is_none() -> None:
    (line,) = _found(cut(PLATE, *_drills(*((20 + 15.0 * i, 30) for i in range(6)))))
    assert (line.form, line.count) == ("line", 6)
    assert line.pitch_mm == pytest.approx(15)
    assert _found(cut(PLATE, *_drills((20, 20), (50, 20)))) == ()
    assert _found(cut(PLATE, *_drills((20, 20), (50, 20), (95, 60)))) == ()


def test_holes_of_two_sizes_are_two_patterns() -> None:
    small = _drills(*((20 + 15.0 * i, 30) for i in range(4)))
    large = [at(cyl(8, 40), 20 + 30.0 * i, 60, -5) for i in range(3)]
    found = _found(cut(PLATE, *small, *large))
    assert sorted((one.count, one.pitch_mm) for one in found) == [pytest.approx((3, 30)), pytest.approx((4, 15))]


def test_rows_of_one_size_with_two_pitches() -> None:
    places = [*((15 + 15.0 * i, 20) for i in range(7)), *((20 + 40.0 * i, 70) for i in range(3))]
    found = _found(cut(PLATE, *_drills(*places)))
    assert sorted((one.count, one.pitch_mm) for one in found) == [pytest.approx((3, 40)), pytest.approx((7, 15))]


def test_square_is_a_grid_on_a_plate_and_a_circle_around_a_bore() -> None:
    corners = _drills((20, 20), (70, 20), (20, 70), (70, 70))
    (grid,) = _found(cut(box(90, 90, 20), *corners))
    assert (grid.form, grid.columns, grid.rows) == ("grid", 2, 2)
    (circle,) = _found(cut(box(90, 90, 20), at(cyl(30, 40), 45, 45, -5), *corners))
    assert (circle.form, circle.count) == ("circle", 4)
    assert circle.diameter_mm == pytest.approx(50 * 2**0.5)


def test_two_bolt_circles() -> None:
    disc = cut(cyl(120, 15), at(cyl(20, 40), 0, 0, -5))
    outer, inner = _about(at(cyl(6, 40), 45, 0, -5), 8), _about(at(cyl(6, 40), 25, 0, -5), 5, 11.0)
    found = _found(cut(disc, *outer, *inner))
    assert sorted((one.form, one.count, one.diameter_mm, one.pitch_deg) for one in found) == [
        ("circle", 5, pytest.approx(50), pytest.approx(72)),
        ("circle", 8, pytest.approx(90), pytest.approx(45)),
    ]


def test_slots_on_a_circle_in_every_position() -> None:
    recipe = cut(cyl(120, 15), at(cyl(20, 40), 0, 0, -5), *_about(at(obround(24, 8, 40), 38, 0, -5), 6))
    dice = random.Random(17)
    for _ in range(3):
        normal, axis = ([dice.gauss(0, 1) for _ in range(3)] for _ in range(2))
        twin = {"turn": {"of": {"mirror": {"of": recipe, "normal": normal}}, "axis": axis, "deg": dice.uniform(0, 360)}}
        found = recognize(shuffled(load(build(twin, "in"), "part.step").part, dice))
        (circle,) = found.patterns
        assert (circle.kind, circle.form, circle.count) == ("SLOT", "circle", 6)
        assert circle.diameter_mm == pytest.approx(76, abs=1e-4)
        assert [found.features[number].kind for number in circle.features] == ["SLOT"] * 6
