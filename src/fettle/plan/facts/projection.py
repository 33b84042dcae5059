"""Sizes of a part across and along a direction, the same however the part is turned."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Plane
from fettle.measure.build_direction import face_directions
from fettle.measure.readings import Triple

Array = NDArray[np.float64]

TURNS = 36
"""Turns about the direction, at equal steps over a right angle, among which the smallest rectangle is looked for."""
ASIDE_COS = 0.9
"""Directions of the part that run along the given one within this cosine say nothing about the turn about it."""
SIZE_STEP_MM = 0.01
"""Sizes are rounded to this: meshes of a turned part differ by less."""
OUTLOOKS = 16
"""Directions whose farthest points span a polygon; points inside it are on no rectangle."""


class Projection:
    """A part seen along directions; each is measured once."""

    def __init__(self, part: Part, mesh: Mesh) -> None:
        self._points = np.ascontiguousarray(mesh.points[_may_be_outermost(part, mesh)].T)
        self._own = face_directions(part)
        self._footprints: dict[Triple, tuple[float, float]] = {}

    def extent_mm(self, direction: Triple) -> float:
        """How far the part reaches along a direction, rounded."""
        return _rounded(self.reach_mm(np.asarray(direction)))

    def reach_mm(self, way: Array) -> float:
        """How far the part reaches along a direction (3,)."""
        return float(np.ptp(self._along(way)))

    def footprint_mm(self, direction: Triple) -> tuple[float, float]:
        """Long and short side of the smallest rectangle around the part; turns are counted from a direction of the
        part."""
        if direction not in self._footprints:
            self._footprints[direction] = self._measure(direction)
        return self._footprints[direction]

    def axes(self, direction: Triple) -> Array:
        """Three perpendicular directions (3, 3), as rows: two across the given one, counted from a direction of the
        part, and itself."""
        up = np.asarray(direction)
        aside = next((way for way in self._own if abs(float(way @ up)) < ASIDE_COS), None)
        if aside is None:
            aside = np.eye(3)[int(np.abs(up).argmin())]
        x = aside - (aside @ up) * up
        x /= np.linalg.norm(x)
        return np.stack([x, np.cross(up, x), up])

    def _measure(self, direction: Triple) -> tuple[float, float]:
        x, y, _ = self.axes(direction)
        plan = _outermost(np.stack([self._along(x), self._along(y)]))
        turns = np.arange(2 * TURNS) * (math.pi / 2 / TURNS)
        widths = np.ptp(np.stack([np.cos(turns), np.sin(turns)], axis=1) @ plan, axis=1)
        one, two = widths[:TURNS], widths[TURNS:]
        best = int((one * two).round(3).argmin())
        long, short = sorted((_rounded(float(one[best])), _rounded(float(two[best]))), reverse=True)
        return long, short

    def _along(self, way: Array) -> Array:
        """Heights (n,) of the points along a direction (3,); without threads, which cost more than they save."""
        heights: Array = self._points[0] * way[0] + self._points[1] * way[1] + self._points[2] * way[2]
        return heights


def _may_be_outermost(part: Part, mesh: Mesh) -> NDArray[np.bool_]:
    """Points (n,) without those within plane faces, most of a part of planes: a plane reaches no farther than its rim,
    whose points are those of several faces."""
    plane = np.array([isinstance(face.surface, Plane) for face in part.faces], np.bool_)
    shared = np.bincount(mesh.vertex) > 1
    kept: NDArray[np.bool_] = shared[mesh.vertex] | ~plane[mesh.point_face]
    return kept if kept.any() else np.ones_like(kept)


def _outermost(plan: Array) -> Array:
    """Points (2, k) of (2, n) on and outside the polygon of the farthest ones in some directions."""
    x, y = plan
    # One direction and one side after the other: arrays of all at once would leave the processor's cache.
    turns = (number * (2.0 * math.pi / OUTLOOKS) for number in range(OUTLOOKS))
    farthest = [int((np.cos(turn) * x + np.sin(turn) * y).argmax()) for turn in turns]
    # Without repeats: no point is on the inner side of an edge without length.
    corners = plan[:, list(dict.fromkeys(farthest))].T
    if len(corners) < 3:
        return plan
    inside = np.ones(len(x), np.bool_)
    for corner, along in zip(corners, np.roll(corners, -1, axis=0) - corners, strict=True):
        inside &= along[0] * (y - corner[1]) - along[1] * (x - corner[0]) > 0.0
    kept: Array = plan[:, ~inside]
    return kept


def _rounded(size_mm: float) -> float:
    return round(size_mm / SIZE_STEP_MM) * SIZE_STEP_MM
