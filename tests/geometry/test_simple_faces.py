"""Triangles of faces on simple surfaces, from their outlines: against formulas and hand counts. No kernel."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from fettle.geometry.meshing.simple_faces import FaceOutlines, SimpleFaces, triangulate_outlines
from fettle.geometry.meshing.weld import open_edges
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, PLANE, SPHERE, TORUS

Array = NDArray[np.float64]
ANGLE = 1.0005 * math.tau / 24
"""By which the surface may turn along a side; edges are divided by half of it."""
ALONG = math.tau / 48
UPRIGHT = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 0.0)
"""Origin, Z, Y and X of a frame."""


@dataclass
class Outline:
    """Edges by the numbers of their ends and the points along them; wires of one face as (edge, backwards)."""

    edges: list[tuple[int, int, Array]] = field(default_factory=list)
    wires: list[list[tuple[int, bool]]] = field(default_factory=list)

    def add(self, first: int, last: int, points: Sequence[Sequence[float]] | Array) -> int:
        self.edges.append((first, last, np.array(points, dtype=np.float64)))
        return len(self.edges) - 1

    def polygon(self, corners: Array, first_vertex: int = 0) -> None:
        """A closed wire of straight edges."""
        count = len(corners)
        self.wires.append(
            [
                (self.add(first_vertex + k, first_vertex + (k + 1) % count, corners[[k, (k + 1) % count]]), False)
                for k in range(count)
            ]
        )

    def triangulate(
        self, kind: int, *sizes: float, deflection: float = 0.1, frame: Sequence[float] = UPRIGHT
    ) -> SimpleFaces:
        counts = [len(points) for _, _, points in self.edges]
        uses = [use for wire in self.wires for use in wire]
        outlines = FaceOutlines(
            np.zeros(len(self.wires), np.int64),
            np.cumsum([0] + [len(wire) for wire in self.wires]),
            np.array([edge for edge, _ in uses]),
            np.array([backwards for _, backwards in uses]),
            np.array([(first, last) for first, last, _ in self.edges]),
            np.cumsum([0, *counts]),
            np.concatenate([points for _, _, points in self.edges]),
        )
        row = np.zeros((1, 14))
        row[0, : 12 + len(sizes)] = [*frame, *sizes]
        found: SimpleFaces = triangulate_outlines(np.array([kind], np.int8), row, outlines, ANGLE, deflection)
        return found


def plane(*loops: Array) -> Outline:
    outline = Outline()
    first = 0
    for loop in loops:
        outline.polygon(np.column_stack([loop, np.zeros(len(loop))]), first)
        first += len(loop)
    return outline


def square(size: float, x: float = 0.0, y: float = 0.0) -> Array:
    return np.add([[0.0, 0.0], [size, 0.0], [size, size], [0.0, size]], [x, y])


def circle(radius: float, x: float = 0.0, y: float = 0.0, count: int = 24) -> Array:
    turns = np.arange(count) * (math.tau / count)
    return np.column_stack([x + radius * np.cos(turns), y + radius * np.sin(turns)])


def surface_patch(point: Callable[[float, float], list[float]], u: Array, v: Array) -> Outline:
    """Four edges along the parameters, counterclockwise."""
    outline = Outline()
    bottom = outline.add(0, 1, [point(one, v[0]) for one in u])
    right = outline.add(1, 2, [point(u[-1], one) for one in v])
    top = outline.add(3, 2, [point(one, v[-1]) for one in u])
    left = outline.add(0, 3, [point(u[0], one) for one in v])
    outline.wires.append([(bottom, False), (right, False), (top, True), (left, True)])
    return outline


def steps(first: float, last: float) -> Array:
    return np.linspace(first, last, math.ceil(abs(last - first) / ALONG - 1e-9) + 1)


def corners(found: SimpleFaces) -> Array:
    return found.points[found.triangles]


def areas(found: SimpleFaces) -> Array:
    a, b, c = (corners(found)[:, k] for k in range(3))
    return np.linalg.norm(np.cross(b - a, c - a), axis=1) / 2.0


def facing(found: SimpleFaces) -> Array:
    """Cosine between each triangle's normal and the least aligned of those of its corners."""
    a, b, c = (corners(found)[:, k] for k in range(3))
    across = np.cross(b - a, c - a)
    across /= np.linalg.norm(across, axis=1, keepdims=True)
    cosines: Array = np.einsum("ij,ikj->ik", across, found.normals[found.triangles]).min(axis=1)
    return cosines


def test_a_square_with_a_round_hole() -> None:
    found = plane(square(10.0), circle(3.0, 5.0, 5.0)).triangulate(PLANE)
    # n points and h holes: n + 2 h - 2 triangles
    assert len(found.triangles) == 28 + 2 - 2
    assert areas(found).sum() == pytest.approx(100.0 - 12.0 * 9.0 * math.sin(math.tau / 24))
    assert found.normals.tolist() == [[0.0, 0.0, 1.0]] * 28
    assert facing(found).min() == pytest.approx(1.0)


def test_a_plate_of_thousands_of_holes() -> None:
    holes = [circle(0.4, 1.0 + column, 1.0 + row, 12) for row in range(50) for column in range(60)]
    found = plane(np.array([[0.0, 0.0], [61.0, 0.0], [61.0, 51.0], [0.0, 51.0]]), *holes).triangulate(PLANE)
    assert len(found.triangles) == 4 + 12 * 3000 + 2 * 3000 - 2
    assert areas(found).sum() == pytest.approx(61.0 * 51.0 - 3000 * 6.0 * 0.16 * math.sin(math.tau / 12))


@pytest.mark.parametrize(
    "loops",
    [
        pytest.param([np.array([[0.0, 0.0], [10.0, 10.0], [10.0, 0.0], [0.0, 10.0]])], id="an outline crosses itself"),
        pytest.param([square(10.0), square(4.0, 8.0, 3.0)], id="a hole crosses the outline"),
        pytest.param([square(10.0), square(10.0)], id="another edge lies on an edge"),
        pytest.param([np.array([[0.0, 0.0], [0.0, 0.0], [0.0, 0.0]])], id="a point"),
    ],
)
def test_outlines_that_are_none_are_found_out(loops: list[Array]) -> None:
    found = plane(*loops).triangulate(PLANE)
    assert not found.done.any()
    assert len(found.points) == len(found.triangles) == 0


def test_a_hole_that_touches_the_outline_at_a_corner_both_have() -> None:
    outline = plane(square(10.0))
    # from the corner at 0, 0
    first, second, third = (
        outline.add(a, b, points)
        for a, b, points in (
            (0, 9, [[0, 0, 0], [4, 1, 0]]),
            (9, 10, [[4, 1, 0], [1, 4, 0]]),
            (10, 0, [[1, 4, 0], [0, 0, 0]]),
        )
    )
    outline.wires.append([(first, False), (second, False), (third, False)])
    assert areas(outline.triangulate(PLANE)).sum() == pytest.approx(100.0 - 7.5)


def test_a_hole_that_touches_the_outline_at_a_corner_of_its_own_is_refused() -> None:
    """Two points at one place are two: nothing says that the edges meet there."""
    touching = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 4.0]])
    assert not plane(square(10.0), touching).triangulate(PLANE).done.any()


def test_points_off_the_surface_by_more_than_the_deflection_are_refused() -> None:
    near, far = (
        Outline(
            edges=[(a, b, np.add(points, [0.0, 0.0, lift * (a == 0)])) for a, b, points in plane(square(10.0)).edges]
        )
        for lift in (0.09, 0.11)
    )
    for outline, done in ((near, True), (far, False)):
        outline.wires = plane(square(10.0)).wires
        assert outline.triangulate(PLANE, deflection=0.1).done.tolist() == [done]


@given(
    st.lists(st.tuples(st.floats(0.05, 1.0), st.floats(1.0, 6.0)), min_size=5, max_size=60),
)
def test_the_triangles_of_any_star_cover_it_and_are_delaunay(rays: list[tuple[float, float]]) -> None:
    gaps = np.array([gap for gap, _ in rays])
    turns = math.tau * np.cumsum(gaps) / gaps.sum()
    if np.diff(np.append(turns, turns[0] + math.tau)).max() > 3.0:
        return  # the middle would be outside
    radii = np.array([radius for _, radius in rays])
    star = np.column_stack([radii * np.cos(turns), radii * np.sin(turns)])
    found = plane(star).triangulate(PLANE)
    after = np.roll(star, -1, axis=0)
    assert len(found.triangles) == len(star) - 2
    assert areas(found).sum() == pytest.approx(abs(np.sum(star[:, 0] * after[:, 1] - star[:, 1] * after[:, 0])) / 2.0)
    sides = {(int(t[k]), int(t[(k + 1) % 3])): int(t[(k + 2) % 3]) for t in found.triangles for k in range(3)}
    for (a, b), c in sides.items():
        if (b, a) in sides:
            angles = [_angle(found.points, apex, a, b) for apex in (c, sides[b, a])]
            # one diagonal, unless the other two corners do not see each other
            assert sum(angles) <= math.pi + 1e-6 or not _sees(found.points, c, sides[b, a], a, b)


def _angle(points: Array, apex: int, a: int, b: int) -> float:
    one, other = points[a] - points[apex], points[b] - points[apex]
    return math.atan2(float(np.linalg.norm(np.cross(one, other))), float(one @ other))


def _sees(points: Array, c: int, d: int, a: int, b: int) -> bool:
    """Whether the quadrilateral a, d, b, c is convex at a and b, by more than what the grid of places rounds."""
    slack = 1e-6 * float(np.abs(points).max()) ** 2
    turns = [np.cross((points[y] - points[x])[:2], (points[z] - points[y])[:2]) for x, y, z in ((c, a, d), (d, b, c))]
    return bool(min(map(float, turns)) > slack)


def test_a_closed_cylinder_is_a_prism_and_meets_itself_along_the_seam() -> None:
    turns = steps(0.0, math.tau)
    outline = Outline()
    bottom, top = (
        outline.add(k, k, [[4 * math.cos(t), 4 * math.sin(t), z] for t in turns]) for k, z in ((0, 0), (1, 70))
    )
    seam = outline.add(0, 1, [[4, 0, 0], [4, 0, 70]])
    outline.wires.append([(bottom, False), (seam, False), (top, True), (seam, True)])
    found = outline.triangulate(CYLINDER, 4.0)
    assert (len(found.points), len(found.triangles)) == (98, 96)
    assert areas(found).sum() == pytest.approx(48 * 2 * 4 * math.sin(math.pi / 48) * 70)
    assert facing(found).min() > math.cos(ANGLE)
    # both ends of the seam twice: open along it and along both circles
    assert len(open_edges(found.triangles)) == 98


@pytest.mark.parametrize("half", [0.6, -0.6])
def test_a_cone_to_its_tip(half: float) -> None:
    """It narrows along its axis, or widens: the tip is above or below."""
    height = -4.0 / math.tan(half)
    outline = Outline()
    rim = outline.add(0, 0, [[4 * math.cos(t), 4 * math.sin(t), 0] for t in steps(0.0, math.tau)])
    seam = outline.add(0, 1, [[4, 0, 0], [0, 0, height]])
    outline.wires.append([(rim, False), (seam, False), (seam, True)])
    found = outline.triangulate(CONE, 4.0, half)
    assert len(found.triangles) == 48
    slant = math.hypot(height, 4.0 * math.cos(math.pi / 48))
    assert areas(found).sum() == pytest.approx(48 * 4 * math.sin(math.pi / 48) * slant)
    # the mean of all normals is along the axis
    (tip,) = np.flatnonzero(np.isclose(found.points[:, 2], height))
    assert found.normals[tip] == pytest.approx([0.0, 0.0, -math.copysign(1.0, half)], abs=0.1)


@pytest.mark.parametrize(("major", "minor", "turn"), [(20.0, 3.0, 1.0), (13.3, 0.2, 3.0), (158.0, 6.35, 0.4)])
def test_a_fillet_around_a_corner(major: float, minor: float, turn: float) -> None:
    """A quarter of a tube, however thin, is covered to its area, without a triangle that leans over."""

    def point(u: float, v: float) -> list[float]:
        out = major + minor * math.cos(v)
        return [out * math.cos(u), out * math.sin(u), minor * math.sin(v)]

    found = surface_patch(point, steps(0.0, turn), steps(math.pi, 1.5 * math.pi)).triangulate(TORUS, major, minor)
    exact = minor * turn * (major * math.pi / 2 - minor)
    assert 0.98 * exact < areas(found).sum() < exact
    assert facing(found).min() > math.cos(ANGLE)
    out = np.hypot(found.points[:, 0], found.points[:, 1]) - major
    assert np.hypot(out, found.points[:, 2]) == pytest.approx(minor)


def ball(u: float, v: float) -> list[float]:
    """Of radius 5, by longitude and latitude."""
    return [5 * math.cos(v) * math.cos(u), 5 * math.cos(v) * math.sin(u), 5 * math.sin(v)]


def test_an_eighth_of_a_ball_has_no_pole() -> None:
    """Its third edge would be a point in longitude and latitude."""
    outline = Outline()
    equator = outline.add(0, 1, [ball(u, 0.0) for u in steps(0.0, math.pi / 2)])
    up = outline.add(1, 2, [ball(math.pi / 2, v) for v in steps(0.0, math.pi / 2)])
    down = outline.add(0, 2, [ball(0.0, v) for v in steps(0.0, math.pi / 2)])
    outline.wires.append([(equator, False), (up, False), (down, True)])
    found = outline.triangulate(SPHERE, 5.0)
    exact = math.pi * 25.0 / 2.0
    assert 0.98 * exact < areas(found).sum() < exact
    assert np.linalg.norm(found.points, axis=1) == pytest.approx(5.0)
    assert facing(found).min() > math.cos(ANGLE)


@pytest.mark.parametrize("latitude", [0.0, 0.6, -0.8])
def test_a_dome_with_its_seam(latitude: float) -> None:
    """2 pi R h above a circle of latitude, the seam up to the pole being no border."""
    outline = Outline()
    rim = outline.add(0, 0, [ball(u, latitude) for u in steps(0.0, math.tau)])
    seam = outline.add(0, 1, [ball(0.0, v) for v in steps(latitude, math.pi / 2)])
    outline.wires.append([(rim, False), (seam, False), (seam, True)])
    found = outline.triangulate(SPHERE, 5.0)
    exact = math.tau * 5.0 * (5.0 - 5.0 * math.sin(latitude))
    assert 0.98 * exact < areas(found).sum() < exact
    assert facing(found).min() > 0.0


def test_a_belt_has_no_middle_to_be_projected_from() -> None:
    outline = Outline()
    low, high = (outline.add(k, k, [ball(u, v) for u in steps(0.0, math.tau)]) for k, v in ((0, -0.5), (1, 0.5)))
    seam = outline.add(0, 1, [ball(0.0, v) for v in steps(-0.5, 0.5)])
    outline.wires.append([(low, False), (seam, False), (high, True), (seam, True)])
    assert not outline.triangulate(SPHERE, 5.0).done.any()


def test_normals_are_those_of_the_surface_in_a_left_handed_frame_too() -> None:
    mirrored = (0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, -1.0, 0.0, 1.0, 0.0, 0.0)
    found = surface_patch(
        lambda u, v: [4 * math.cos(u), -4 * math.sin(u), v], steps(0.0, 1.0), np.array([0.0, 10.0])
    ).triangulate(CYLINDER, 4.0, frame=mirrored)
    # dU x dV, which is to the axis there
    inwards = -found.points * [0.25, 0.25, 0.0]
    np.testing.assert_allclose(found.normals, inwards, atol=1e-12)
    assert facing(found).min() > math.cos(ANGLE)


def test_a_tube_that_ends_in_a_wave_has_no_triangle_across_it() -> None:
    """Points along the wave are nearly in a row around the tube: a triangle of three of them would face along it."""
    turns = steps(0.0, math.tau)
    outline = Outline()
    wave = outline.add(0, 0, [[2 * math.cos(t), 2 * math.sin(t), 0.05 * math.cos(2 * t)] for t in turns])
    top = outline.add(1, 1, [[2 * math.cos(t), 2 * math.sin(t), 60.0] for t in turns])
    seam = outline.add(0, 1, [[2, 0, 0.05], [2, 0, 60]])
    outline.wires.append([(wave, False), (seam, False), (top, True), (seam, True)])
    found = outline.triangulate(CYLINDER, 2.0)
    assert facing(found).min() > math.cos(ANGLE)
    assert areas(found).sum() == pytest.approx(48 * 2 * 2 * math.sin(math.pi / 48) * 60, rel=1e-3)
