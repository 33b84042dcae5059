"""Size of a body along its own axes: the same however it is turned in its assembly."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Circle, Part, Vector
from fettle.measure.pull import unit
from fettle.measure.readings import Triple
from fettle.measure.sides import weigh_sides

Array = NDArray[np.float64]

PARALLEL_COS = 1.0 - 1e-9
PERPENDICULAR_COS = 1e-6
MOST_SIDES = 16
"""Directions, those of the largest sides first, among which the axes are looked for."""
FULL_TURN_DEG = 359.9


def own_size_mm(part: Part, mesh: Mesh) -> Vector:
    """Side lengths (3,) of the box along the three axes that most of the body's plane sides face, mm. Along x, y and z
    of the file where these are the axes, else the longest first."""
    frame = _frame(part)
    if frame is None or all(max(map(abs, axis)) > PARALLEL_COS for axis in frame):
        return part.size_mm
    extents = np.array([_extent(part, mesh, np.array(axis)) for axis in frame])
    size: Vector = np.sort(extents)[::-1]
    return size


def _frame(part: Part) -> tuple[Triple, Triple, Triple] | None:
    """Three perpendicular directions; None for a body without plane or round sides. In plain numbers: a body has few
    sides, and arrays of three numbers take several times as long."""
    sides = sorted(weigh_sides(part, PARALLEL_COS), key=lambda side: -side[0])[:MOST_SIDES]
    if not sides:
        return None
    best, most = None, -1.0
    weighed: set[tuple[int, int]] = set()
    for pair in combinations(range(len(sides)), 2):
        (first, one), (second, two) = sides[pair[0]], sides[pair[1]]
        third = sides[0 if pair[0] else 1][0]  # the most that sides along the third axis may weigh
        if first + second + third <= most or pair in weighed:
            continue
        if abs(_dot(one, two)) > PERPENDICULAR_COS:
            continue
        axes = (one, two, _cross(one, two))
        members = [number for number, (_, way) in enumerate(sides) if _is_along(way, axes)]
        weighed.update(combinations(members, 2))  # the same three directions
        weight = sum(sides[number][0] for number in members)
        if weight > most * (1.0 + 1e-9):
            best, most = axes, weight
    if best is not None:
        return best
    axis = sides[0][1]
    across = [0.0, 0.0, 0.0]
    across[min(range(3), key=lambda k: abs(axis[k]))] = 1.0
    along = _dot(across, axis)
    aside = unit([across[k] - along * axis[k] for k in range(3)])
    return axis, aside, _cross(axis, aside)


def _is_along(way: Triple, axes: tuple[Triple, Triple, Triple]) -> bool:
    """Whether a direction is one of three, up to sign."""
    x, y, z = way
    return any(abs(a * x + b * y + c * z) > PARALLEL_COS for a, b, c in axes)


def _dot(one: Sequence[float], two: Triple) -> float:
    return one[0] * two[0] + one[1] * two[1] + one[2] * two[2]


def _cross(one: Triple, two: Triple) -> Triple:
    (a, b, c), (x, y, z) = one, two
    return b * z - c * y, c * x - a * z, a * y - b * x


def _extent(part: Part, mesh: Mesh, axis: Array) -> float:
    """How far the body reaches along a direction, mm: its corners and circles exactly, other curved faces to the
    deflection of the mesh."""
    heights = mesh.points @ axis
    found = [heights.min(keepdims=True), heights.max(keepdims=True)]
    circles = [(edge.curve, edge.points) for edge in part.edges if isinstance(edge.curve, Circle)]
    if circles:
        # only what would reach farther than the mesh is looked at one by one: few circles do
        middles = np.array([circle.center for circle, _ in circles]) @ axis
        radii = np.array([circle.radius_mm for circle, _ in circles])
        reaches = radii * np.linalg.norm(np.cross(np.array([circle.axis for circle, _ in circles]), axis), axis=1)
        farther = (middles - reaches < found[0]) | (middles + reaches > found[1])
        found += [_circle_heights(*circles[number], axis) for number in np.flatnonzero(farther).tolist()]
    every = np.concatenate(found)
    return float(every.max() - every.min())


def _circle_heights(circle: Circle, points: Array, axis: Array) -> Array:
    """Heights of the highest and lowest point of a circle, where they lie on its arc."""
    across = axis - (axis @ circle.axis) * circle.axis
    length = float(np.linalg.norm(across))
    if length < PERPENDICULAR_COS:
        return np.empty(0)
    tops = circle.center + circle.radius_mm * np.array([across, -across]) / length
    if circle.extent_deg < FULL_TURN_DEG:
        step = float(np.linalg.norm(np.diff(points, axis=0), axis=1).max())
        near = np.linalg.norm(tops[:, None] - points[None], axis=2).min(axis=1)
        tops = tops[near < 0.75 * step]
    heights: Array = tops @ axis
    return heights
