"""Size of a body along its own axes: the same however it is turned in its assembly."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Circle, Part, Vector
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
    if frame is None or all(np.abs(axis).max() > PARALLEL_COS for axis in frame):
        return part.size_mm
    extents = np.array([_extent(part, mesh, axis) for axis in frame])
    size: Vector = np.sort(extents)[::-1]
    return size


def _frame(part: Part) -> Array | None:
    """Three perpendicular directions (3, 3), as rows; None for a body without plane or round sides."""
    weights, ways = _sides(part)
    if not len(ways):
        return None
    along = np.abs(ways @ ways.T)
    first, second = np.nonzero(np.triu(along <= PERPENDICULAR_COS, k=1))
    if len(first):
        third = np.cross(ways[first], ways[second])
        faced = (along[first] > PARALLEL_COS) | (along[second] > PARALLEL_COS)
        weight = (faced | (np.abs(third @ ways.T) > PARALLEL_COS)) @ weights
        # the first of the frames that most of the sides face
        best = int(np.argmax(weight >= weight.max() * (1.0 - 1e-9)))
        return np.array([ways[first[best]], ways[second[best]], third[best]])
    axis = ways[0]
    across = np.eye(3)[int(np.abs(axis).argmin())]
    across = across - (across @ axis) * axis
    across /= np.linalg.norm(across)
    return np.array([axis, across, np.cross(axis, across)])


def _sides(part: Part) -> tuple[Array, Array]:
    """Weights in mm2 (k,) and directions (k, 3) of the largest sides, the largest first."""
    largest = sorted(weigh_sides(part, PARALLEL_COS), key=lambda side: -side[0])[:MOST_SIDES]
    return np.array([weight for weight, _ in largest]), np.array([way for _, way in largest]).reshape(-1, 3)


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
