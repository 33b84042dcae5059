"""The triangulated part as arrays; every triangle belongs to a face.

Rows of `points` are split at face borders, so that a sharp edge has one row per face with that face's own normal, and
every per-point number (thickness, draft...) belongs to exactly one face. `vertex` welds them again: rows that coincide
share a vertex number, and the welded triangles are watertight where the part is.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import diameter_mm

MAX_TRIANGLES = 1_000_000
"""Beyond it a part is refused with TooDetailed: measuring it would take minutes and gigabytes."""


class CoarsePlanes(NamedTuple):
    """Triangles (k, 3) int32, rows of a mesh's points, and the face (k,) int32 of each."""

    triangles: NDArray[np.int32]
    face: NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Mesh:
    """n points, m triangles. All arrays are read-only.

    points (n, 3) float64 mm; normals (n, 3) float64 unit, outward, of the point's own face;
    point_face (n,) int32; vertex (n,) int32, welded number; triangles (m, 3) int32 rows of `points`, counter-clockwise
    seen from outside; triangle_face (m,) int32. `max_edge_mm` and `curvature` are the values really used.
    `coarse_planes`: plane faces as they were before refining, where that takes far fewer triangles.
    """

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    point_face: NDArray[np.int32]
    vertex: NDArray[np.int32]
    triangles: NDArray[np.int32]
    triangle_face: NDArray[np.int32]
    max_edge_mm: float
    curvature: float
    coarse_planes: CoarsePlanes | None = None

    def __post_init__(self) -> None:
        own = (self.points, self.normals, self.point_face, self.vertex, self.triangles, self.triangle_face)
        for array in (*own, *(self.coarse_planes or ())):
            array.setflags(write=False)

    @property
    def welded(self) -> NDArray[np.int32]:
        """Triangles (m, 3) in welded vertex numbers."""
        return self.vertex.take(self.triangles)

    def coarse(self) -> Mesh:
        """The same points and surface in the fewest triangles known: for queries of where the surface is, not of
        values at its points."""
        if self.coarse_planes is None:
            return self
        whole = np.zeros(int(self.triangle_face.max(initial=-1)) + 1, np.bool_)
        whole[self.coarse_planes.face] = True
        rest = ~whole[self.triangle_face]
        coarse = replace(
            self,
            # rows are gathered several times as fast as by indexing
            triangles=np.concatenate([self.triangles.compress(rest, axis=0), self.coarse_planes.triangles]),
            triangle_face=np.concatenate([self.triangle_face.compress(rest), self.coarse_planes.face]),
            coarse_planes=None,
        )
        vars(coarse)["diameter_mm"] = self.diameter_mm  # of the same points: it takes long
        return coarse

    def box_mm(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper corner, (3,) each."""
        # column by column: ten times as fast as along the rows
        columns = np.ascontiguousarray(self.points.T)
        return columns.min(axis=1), columns.max(axis=1)

    def triangle_areas_mm2(self) -> NDArray[np.float64]:
        """Shape (m,)."""
        areas: NDArray[np.float64] = _compiled().triangle_areas(self.points, unsigned(self.triangles))
        return areas

    def point_areas_mm2(self) -> NDArray[np.float64]:
        """Shape (n,): a third of the area of the triangles at each point; the weights of every statistic."""
        return self._point_areas_mm2

    @cached_property
    def _point_areas_mm2(self) -> NDArray[np.float64]:
        areas: NDArray[np.float64] = _compiled().point_areas(self.points, unsigned(self.triangles))
        areas.setflags(write=False)
        return areas

    @cached_property
    def rows_by_face(self) -> NDArray[np.int64]:
        """Rows of the points (n,), face after face, those of a face in their order."""
        count = int(self.point_face.max(initial=-1)) + 1
        sort_by = import_module("fettle.geometry.meshing.counting_sort").sort_by
        rows: NDArray[np.int64] = sort_by(np.arange(len(self.points)), unsigned(self.point_face), count)
        rows.setflags(write=False)
        return rows

    @cached_property
    def diameter_mm(self) -> float:
        """About the largest distance between two points."""
        return diameter_mm(self.points)

    def __getstate__(self) -> dict[str, Any]:
        # what was derived from the fields is not stored with them
        return {one.name: getattr(self, one.name) for one in fields(self)}


def unsigned(numbers: NDArray[np.signedinteger[Any]]) -> NDArray[np.unsignedinteger[Any]]:
    """The same array of numbers from 0 on. Compiled code asks of every index that has a sign whether it counts from the
    end; without, refining takes a sixth fewer instructions."""
    return numbers.view(f"u{numbers.itemsize}")


def _compiled() -> ModuleType:
    """Imported on first use: programs that measure nothing do not load numba."""
    return import_module("fettle.geometry.meshing.areas")
