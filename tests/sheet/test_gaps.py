"""Distances between outlines, and outlines that cross, against distances by hand."""

from __future__ import annotations

import math

import pytest

from fettle.sheet.gaps import gap_mm
from fettle.sheet.overlap import find_crossing
from fettle.sheet.plane_curves import ArcPiece, LinePiece, Outline


def rectangle(x: float, y: float, width: float, height: float) -> Outline:
    corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]
    return tuple(LinePiece(corners[k - 1], corners[k]) for k in range(4))


def circle(x: float, y: float, radius: float) -> Outline:
    return (ArcPiece((x + radius, y), (x + radius, y), (x, y), radius, -2 * math.pi),)


def test_circle_in_a_plate() -> None:
    assert gap_mm(circle(10, 20, 3), [rectangle(0, 0, 80, 60)]) == pytest.approx(7)


def test_two_circles() -> None:
    assert gap_mm(circle(0, 0, 2), [circle(3, 4, 1), circle(20, 0, 1)]) == pytest.approx(2)


def test_circle_and_corner() -> None:
    """The corner at (3, 4) is 5 from the center."""
    assert gap_mm(circle(0, 0, 2), [rectangle(3, 4, 10, 10)]) == pytest.approx(3)


def test_arc_that_looks_away() -> None:
    """A quarter arc from 0 to 90 degrees and a point below it: its end is nearest."""
    quarter = (ArcPiece((5, 0), (0, 5), (0, 0), 5, math.pi / 2),)
    assert gap_mm(quarter, [rectangle(4, -5, 2, 2)]) == pytest.approx(3)


def test_rectangles_that_cross() -> None:
    assert find_crossing([rectangle(0, 0, 10, 10), rectangle(5, 5, 10, 10)]) in ((5.0, 10.0), (10.0, 5.0))
    assert find_crossing([rectangle(0, 0, 10, 10), rectangle(2, 2, 4, 4)]) is None
    assert find_crossing([rectangle(0, 0, 10, 10), rectangle(10, 0, 10, 10)]) is None


def test_one_crossing_among_many_rectangles() -> None:
    apart = [rectangle(12 * k, 12 * (k % 7), 10, 10) for k in range(300)]
    assert find_crossing(apart) is None
    across = rectangle(12 * 299 - 5, 12 * (299 % 7) + 4, 10, 2)
    x, y = find_crossing([*apart, across]) or (0.0, 0.0)
    assert (x, y - 12 * (299 % 7)) in ((12 * 299, 4.0), (12 * 299, 6.0))
