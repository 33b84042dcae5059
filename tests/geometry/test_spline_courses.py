"""Curves on B-spline surfaces in the surfaces' parameters, where places and areas are known by formula."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import NamedTuple, TypeAlias

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.exact.spline_courses import EXACT_MM, NO_CURVE, follow
from fettle.geometry.exact.spline_places import Surface, grid_of
from fettle.geometry.exact.splines import MAX_ORDER, WORK_ROWS
from fettle.geometry.exact.straight_trims import CIRCLE, LINE, OTHER_CURVE
from fettle.geometry.kernel.sound_faces import LOOSEST_MM

Array: TypeAlias = NDArray[np.float64]

SIDE_MM, R, HIGH_MM = 50.0, 20.0, 30.0
NO_SPLINES = (
    np.zeros(0),
    np.zeros(1, np.int64),
    np.zeros((0, 4)),
    np.zeros(1, np.int64),
    np.zeros(0, np.int64),
    np.zeros((0, 2)),
)


class Followed(NamedTuple):
    """What is known of one edge: the answer, its cubics (n, 10), and how far it may be from these."""

    is_along: bool
    pieces: Array
    off_mm: float


def flat() -> Surface:
    """A square in z = 0 with a corner in the origin; u and v are shares of its sides."""
    knots = np.array([0.0, 0.0, 1.0, 1.0])
    poles = np.array([[[x * SIDE_MM, y * SIDE_MM, 0.0, 1.0] for y in (0, 1)] for x in (0, 1)])
    return knots, knots.copy(), poles, 1, 1


def quarter() -> Surface:
    """A quarter of a cylinder about z, by a rational parabola: at u it has come round by `turned`; v is a share of its
    height."""
    w = math.sqrt(0.5)
    arc = [(R, 0.0, 1.0), (R * w, R * w, w), (0.0, R, 1.0)]
    poles = np.array([[[x, y, z * weight, weight] for z in (0.0, HIGH_MM)] for x, y, weight in arc])
    return np.array([0.0, 0, 0, 1, 1, 1]), np.array([0.0, 0.0, 1.0, 1.0]), poles, 2, 1


def turned(u: float) -> float:
    """Angle about the axis in rad: the conic through its poles."""
    w = math.sqrt(0.5)
    x, y = (1 - u) ** 2 + 2 * w * u * (1 - u), 2 * w * u * (1 - u) + u * u
    return math.atan2(y, x)


def round_edge(center: tuple[float, float, float], radius: float, first: float, last: float) -> tuple[int, list[float]]:
    return CIRCLE, [first, last, *center, 0, 0, 1, 0, 1, 0, 1, 0, 0, radius, radius]


def line(origin: tuple[float, float, float], along: tuple[float, float, float], last: float) -> tuple[int, list[float]]:
    return LINE, [0.0, last, *origin, *along, *[0.0] * 8]


def followed(surface: Surface, edge: tuple[int, list[float]]) -> Followed:
    kind, row = edge
    is_along, pieces, start, off_mm = follow(
        surface,
        np.array([0]),
        np.array([kind], np.int8),
        np.array([row]),
        np.array([NO_CURVE]),
        *NO_SPLINES,
        LOOSEST_MM,
    )
    assert not is_along or start.tolist() == [0, len(pieces)]
    return Followed(bool(is_along), pieces, float(off_mm[0]))


def spline_followed(surface: Surface, points: list[tuple[float, float, float]], degree: int) -> Followed:
    """An edge whose poles are given, with a knot of full multiplicity between any `degree` of its spans."""
    spans = (len(points) - 1) // degree
    knots = np.concatenate([[0.0], np.repeat(np.arange(spans + 1.0), degree), [float(spans)]])
    is_along, pieces, _, off_mm = follow(
        surface,
        np.array([0]),
        np.array([OTHER_CURVE], np.int8),
        np.zeros((1, 16)),
        np.array([0]),
        knots,
        np.array([0, len(knots)]),
        np.column_stack([points, np.ones(len(points))]),
        np.array([0, len(points)]),
        np.array([degree]),
        np.array([[0.0, float(spans)]]),
        LOOSEST_MM,
    )
    return Followed(bool(is_along), pieces, float(off_mm[0]))


def place(pieces: Array, t: float) -> tuple[float, float]:
    """The cubic of Hermite's ends that t falls on."""
    t0, t1, u0, v0, u1, v1, *slopes = next(piece for piece in pieces.tolist() if t <= piece[1])
    s, long = (t - t0) / (t1 - t0), t1 - t0
    shares = (2 * s**3 - 3 * s**2 + 1, 3 * s**2 - 2 * s**3, long * (s**3 - 2 * s**2 + s), long * (s**3 - s**2))
    ends = ((u0, u1, slopes[0], slopes[2]), (v0, v1, slopes[1], slopes[3]))
    u, v = (sum(share * value for share, value in zip(shares, axis, strict=True)) for axis in ends)
    return u, v


def test_a_straight_edge_on_a_flat_surface_is_one_cubic_and_is_straight() -> None:
    found = followed(flat(), line((5.0, 10.0, 0.0), (0.6, 0.8, 0.0), 40.0))
    assert found.is_along
    assert found.pieces.tolist() == pytest.approx(
        np.array([[0, 40, 0.1, 0.2, 0.58, 0.84, 0.012, 0.016, 0.012, 0.016]]), abs=1e-12
    )


def test_a_circle_on_a_flat_surface_is_where_it_is_by_formula() -> None:
    found = followed(flat(), round_edge((25.0, 25.0, 0.0), 15.0, 0.0, 2 * math.pi))
    assert found.is_along
    assert found.pieces[0, 0] == 0.0
    assert found.pieces[-1, 1] == 2 * math.pi
    assert (found.pieces[1:, 0] == found.pieces[:-1, 1]).all()
    off = max(
        math.dist([SIDE_MM * one for one in place(found.pieces, t)], (25 + 15 * math.cos(t), 25 + 15 * math.sin(t)))
        for t in np.linspace(0.001, 6.28, 1001).tolist()
    )
    # what is checked at three places of a piece holds nearly everywhere
    assert 0.0 < off < 1.5 * EXACT_MM
    assert len(found.pieces) < 100


def test_an_arc_across_a_round_surface_follows_its_parameters_which_are_no_angles() -> None:
    found = followed(quarter(), round_edge((0.0, 0.0, 12.0), R, 0.2, 1.4))
    assert found.is_along
    for t in np.linspace(0.2, 1.4, 501)[1:-1].tolist():
        u, v = place(found.pieces, t)
        assert R * abs(turned(u) - t) < 1.5 * EXACT_MM
        assert v == pytest.approx(12.0 / HIGH_MM, abs=1e-9)


def test_a_kink_of_an_edge_is_between_two_cubics() -> None:
    corner = [(5.0, 5.0, 0.0), (45.0, 5.0, 0.0), (45.0, 45.0, 0.0)]
    found = spline_followed(flat(), corner, 1)
    assert found.pieces[:, :2].tolist() == [[0.0, 1.0], [1.0, 2.0]]
    assert found.pieces[0, 8:10].tolist() == pytest.approx([0.8, 0.0], abs=1e-12)
    assert found.pieces[1, 6:8].tolist() == pytest.approx([0.0, 0.8], abs=1e-12)
    smooth = spline_followed(flat(), [*corner, (5.0, 45.0, 0.0)], 3)
    assert len(smooth.pieces) == 1


@pytest.mark.parametrize("above_mm", [1e-4, 0.01])
def test_an_edge_above_its_surface_is_as_far_off_as_it_is_and_what_its_cubics_may_be(above_mm: float) -> None:
    found = followed(flat(), round_edge((25.0, 25.0, above_mm), 15.0, 0.0, 2 * math.pi))
    assert found.is_along
    assert found.off_mm == pytest.approx(math.hypot(above_mm, max(EXACT_MM, 0.1 * above_mm)), rel=1e-6)


def test_the_farther_off_an_edge_is_the_fewer_cubics_it_takes() -> None:
    counts = [len(followed(quarter(), round_edge((0.0, 0.0, 12.0), R + off, 0.2, 1.4)).pieces) for off in (0.0, 0.04)]
    assert counts[1] < counts[0]


@pytest.mark.parametrize(
    "edge",
    [
        line((5.0, 10.0, 2.0 * LOOSEST_MM), (1.0, 0.0, 0.0), 40.0),
        line((5.0, 10.0, 0.0), (0.9, 0.0, 0.435889894), 0.5),
        line((5.0, 10.0, 0.0), (1.0, 0.0, 0.0), 46.0),
        round_edge((45.0, 25.0, 0.0), 10.0, 0.0, 2 * math.pi),
    ],
    ids=["above", "leaving", "beyond the border", "round beyond the border"],
)
def test_an_edge_that_leaves_the_surface_is_not_along_it(edge: tuple[int, list[float]]) -> None:
    assert not followed(flat(), edge).is_along


def test_an_edge_along_the_border_stays_on_it() -> None:
    found = followed(flat(), line((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), SIDE_MM))
    assert found.is_along
    assert found.pieces[:, [3, 5, 7, 9]].tolist() == [[0.0] * 4]


@pytest.mark.parametrize(("u", "x_mm"), [(0.0, -0.02), (1.0, 50.02)])
def test_beside_a_border_the_place_is_the_foot_on_it_however_the_parameters_lean(u: float, x_mm: float) -> None:
    # v runs at 45 degrees to u's lines
    u_knots, v_knots, poles, _, _ = flat()
    poles[1, :, 1] += SIDE_MM
    for surface in ((u_knots, v_knots, poles, 1, 1), (u_knots, v_knots, poles.swapaxes(0, 1).copy(), 1, 1)):
        found = followed(surface, line((x_mm, 60.0 * u, 0.0), (0.0, 1.0, 0.0), 40.0))
        assert found.is_along
        ends = found.pieces[0, 2:6].reshape(2, 2)
        (on_border, along) = ends.T if surface[2] is poles else ends.T[::-1]
        assert on_border.tolist() == [u, u]
        assert along.tolist() == pytest.approx([(10.0 * u) / SIDE_MM, (10.0 * u + 40.0) / SIDE_MM], abs=1e-9)


def test_an_edge_from_one_sheet_to_another_has_no_course() -> None:
    # a hairpin whose sheets are nearer to each other than an edge may be off: in the middle the place jumps
    corners = [(0.0, 0.0), (50.0, 0.0), (50.0, 0.02), (0.0, 0.02)]
    poles = np.array([[[x, y, z, 1.0] for y in (0.0, 50.0)] for x, z in corners])
    hairpin = (np.array([0.0, 0, 1, 2, 3, 3]), np.array([0.0, 0.0, 1.0, 1.0]), poles, 1, 1)
    on_sheet = line((10.0, 25.0, 0.0), (1.0, 0.0, 0.0), 10.0)
    across = line((10.0, 25.0, 0.0), (1.0, 0.0, 0.002), 10.0)
    assert followed(hairpin, on_sheet).is_along
    assert not followed(hairpin, across).is_along


def test_an_edge_of_thousands_of_kinks_is_given_up() -> None:
    def zigzag(count: int) -> list[tuple[float, float, float]]:
        return [(5.0 + 40.0 * k / count, 10.0 + k % 2, 0.0) for k in range(count + 1)]

    assert len(spline_followed(flat(), zigzag(4000), 1).pieces) == 4000
    assert not spline_followed(flat(), zigzag(4200), 1).is_along


def test_of_a_surface_of_hundreds_of_spans_no_more_than_ten_thousand_places_are_tried() -> None:
    spans = np.linspace(0.0, 1.0, 401)
    knots = np.concatenate([[0.0], spans, [1.0]])
    poles = np.array([[[x * SIDE_MM, y * SIDE_MM, 0.0, 1.0] for y in spans] for x in spans])
    surface = (knots, knots.copy(), poles, 1, 1)
    scratch = (np.zeros((WORK_ROWS, MAX_ORDER)), np.zeros((WORK_ROWS, MAX_ORDER)), np.zeros((6, 4)))
    assert len(grid_of(surface, scratch)[0]) == 101**2
    assert followed(surface, line((5.1, 10.1, 0.0), (0.6, 0.8, 0.0), 40.0)).is_along


def test_a_surface_without_extent_has_no_courses() -> None:
    u_knots, v_knots, poles, _, _ = flat()
    poles[1, :, 0] = 0.0
    assert not followed((u_knots, v_knots, poles, 1, 1), line((0.0, 5.0, 0.0), (0.0, 1.0, 0.0), 30.0)).is_along


def test_an_edge_that_ends_where_the_parameters_run_the_same_way_has_no_course() -> None:
    # a patch whose sides leave one corner in one direction
    sides = [[(0, 0), (20, 0), (50, 50)], [(50, 0), (60, 20), (80, 50)]]
    poles = np.array([[[x, y, 0.0, 1.0] for x, y in side] for side in sides])
    patch = (np.array([0.0, 0, 1, 1]), np.array([0.0, 0, 0, 1, 1, 1]), poles, 1, 2)
    assert followed(patch, line((50.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 30.0)).is_along
    assert not followed(patch, line((50.0, 0.0, 0.0), (-1.0, 0.0, 0.0), 50.0)).is_along


def test_the_first_place_is_the_nearest_of_all() -> None:
    # three quarters of a ring whose ends come near each other: from a place at the wrong end no step leads across
    w = math.sqrt(0.5)
    arc = [(R, 0, 1), (R * w, R * w, w), (0, R, 1), (-R * w, R * w, w), (-R, 0, 1), (-R * w, -R * w, w), (0, -R, 1)]
    poles = np.array([[[x, y, z * weight, weight] for z in (0.0, HIGH_MM)] for x, y, weight in arc])
    ring = (np.array([0.0, 0, 0, 1, 1, 2, 2, 3, 3, 3]), np.array([0.0, 0.0, 1.0, 1.0]), poles, 2, 1)
    for quarter_turn, first in enumerate((0.1, 1.7, 3.2)):
        found = followed(ring, round_edge((0.0, 0.0, 3.0), R, first, first + 1.3))
        assert found.is_along
        for t in np.linspace(first, first + 1.3, 50)[1:-1].tolist():
            u, _ = place(found.pieces, t)
            assert R * abs(quarter_turn * math.pi / 2 + turned(u - quarter_turn) - t) < 1.5 * EXACT_MM


def test_pieces_follow_each_other() -> None:
    found = followed(quarter(), round_edge((0.0, 0.0, 12.0), R, 0.0, math.pi / 2))
    for one, following in pairwise(found.pieces.tolist()):
        assert (one[1], *one[4:6], *one[8:10]) == (following[0], *following[2:4], *following[6:8])
