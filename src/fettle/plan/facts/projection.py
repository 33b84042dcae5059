"""Sizes of a part across and along a direction, the same however the part is turned."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part, Plane
from fettle.measure.build_direction import face_directions
from fettle.measure.readings import Triple
from fettle.plan.facts.point_passes import TURNS, outermost_points, reach_along, widths_about
from fettle.recognize.graph import cross

Array = NDArray[np.float64]

ASIDE_COS = 0.9
"""Directions of the part that run along the given one within this cosine say nothing about the turn about it."""
DIGITS = 9
"""Decimals of directions that tell them apart."""
SIZE_STEP_MM = 0.01
"""Sizes are rounded to this: meshes of a turned part differ by less."""


class Projection:
    """A part seen along directions; each is measured once."""

    def __init__(self, part: Part, mesh: Mesh) -> None:
        plane = np.array([isinstance(face.surface, Plane) for face in part.faces], np.bool_)
        self._points: Array = outermost_points(mesh.points, mesh.vertex, mesh.point_face, plane)
        self._own = face_directions(part)
        self._extents: dict[Triple, float] = {}
        self._footprints: dict[Triple, tuple[float, float]] = {}

    def extent_mm(self, direction: Triple) -> float:
        """How far the part reaches along a direction, rounded."""
        if direction not in self._extents:
            self._extents[direction] = _rounded(self.reach_mm(np.asarray(direction)))
        return self._extents[direction]

    def reach_mm(self, way: Array) -> float:
        """How far the part reaches along a direction (3,)."""
        return float(reach_along(self._points, *way.tolist()))

    def footprint_mm(self, direction: Triple) -> tuple[float, float]:
        """Long and short side of the smallest rectangle around the part; turns are counted from a direction of the
        part."""
        line = _line_of(direction)
        if line not in self._footprints:
            self._footprints[line] = self._measure(direction)
        return self._footprints[line]

    def axes(self, direction: Triple) -> Array:
        """Three perpendicular directions (3, 3), as rows: two across the given one, counted from a direction of the
        part, and itself."""
        up = np.asarray(direction)
        aside = next((way for way in self._own if abs(float(way @ up)) < ASIDE_COS), None)
        if aside is None:
            aside = np.eye(3)[int(np.abs(up).argmin())]
        x = aside - (aside @ up) * up
        x /= np.linalg.norm(x)
        return np.array([x, cross(up, x), up])

    def _measure(self, direction: Triple) -> tuple[float, float]:
        x, y, _ = self.axes(direction)
        widths: Array = widths_about(self._points, x, y)
        one, two = widths[:TURNS], widths[TURNS:]
        best = int((one * two).round(3).argmin())
        long, short = sorted((_rounded(float(one[best])), _rounded(float(two[best]))), reverse=True)
        return long, short


def _line_of(direction: Triple) -> Triple:
    """The same for a direction, its opposite, and those that differ by rounding."""
    x, y, z = (round(along, DIGITS) for along in direction)
    return (-x, -y, -z) if (x, y, z) < (0.0, 0.0, 0.0) else (x, y, z)


def _rounded(size_mm: float) -> float:
    return round(size_mm / SIZE_STEP_MM) * SIZE_STEP_MM
