"""Outlines against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.recognize.inscribed_circle import inscribed_circle
from fettle.recognize.outlines import contains, outline, outline_area, overlap_area, ring_area
from fettle.recognize.rectangle import rectangle

Z = np.array([0.0, 0.0, 1.0])
X, Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])
ORIGIN = np.zeros(3)


def ring(*points: tuple[float, float]) -> np.ndarray:
    return np.array([(x, y, 0.0) for x, y in points])


def square(size: float, x: float = 0.0, y: float = 0.0) -> np.ndarray:
    return ring((x, y), (x + size, y), (x + size, y + size), (x, y + size))


def test_signed_area_tells_outer_from_inner() -> None:
    assert ring_area(square(3), Z) == pytest.approx(9)
    assert ring_area(square(3)[::-1], Z) == pytest.approx(-9)


def test_overlap_of_shifted_squares_with_a_hole() -> None:
    holed = outline([square(10), square(2, 4, 4)[::-1]], ORIGIN, X, Y)
    other = outline([square(10, 5, 5)], ORIGIN, X, Y)
    # the common 5 x 5 square loses the quarter of the hole that lies in it
    assert overlap_area(holed, other) == pytest.approx(25 - 1)
    assert outline_area(holed) == pytest.approx(96)


def test_overlap_of_crossing_diamonds_is_exact() -> None:
    plain = outline([square(2, -1, -1)], ORIGIN, X, Y)
    root = math.sqrt(2)
    diamond = outline([ring((root, 0), (0, root), (-root, 0), (0, -root))], ORIGIN, X, Y)
    # two unit-half-width squares at 45 degrees share a regular octagon of inradius 1
    assert overlap_area(plain, diamond) == pytest.approx(8 * math.tan(math.pi / 8))


def test_largest_circle_between_wall_and_island() -> None:
    segments = outline([square(40), square(10, 15, 15)[::-1]], ORIGIN, X, Y)
    _, _, radius = inscribed_circle(segments)
    assert radius == pytest.approx(15 * math.sqrt(2) / (1 + math.sqrt(2)), abs=1e-4)


def test_largest_circle_in_a_right_triangle() -> None:
    _, _, radius = inscribed_circle(outline([ring((0, 0), (3, 0), (0, 4))], ORIGIN, X, Y))
    assert radius == pytest.approx(1.0, abs=1e-5)


def test_smallest_rectangle_around_a_turned_one() -> None:
    turned = square(1) * [8.0, 3.0, 1.0] @ np.array([[0.8, 0.6, 0], [-0.6, 0.8, 0], [0, 0, 1]])
    assert rectangle(turned[:, :2]) == pytest.approx((8.0, 3.0))


def test_contains() -> None:
    segments = outline([square(10), square(2, 4, 4)[::-1]], ORIGIN, X, Y)
    assert contains(segments, 1.0, 1.0)
    assert not contains(segments, 5.0, 5.0)
    assert not contains(segments, 11.0, 5.0)
