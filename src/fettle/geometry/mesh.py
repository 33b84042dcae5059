"""The triangulated part: arrays only, every triangle knows its face.

Rows of `points` are split at face borders, so that a sharp edge has one row per face with that face's own normal, and
every per-point number (thickness, draft...) belongs to exactly one face. `vertex` welds them again: rows that coincide
share a vertex number, and the welded triangles are watertight where the part is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

MAX_TRIANGLES = 1_000_000
"""Beyond it a part is refused with TooDetailed: measuring it would take minutes and gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class Mesh:
    """n points, m triangles. All arrays are read-only.

    points (n, 3) float64 mm; normals (n, 3) float64 unit, outward, of the point's own face;
    point_face (n,) int32; vertex (n,) int32, welded number; triangles (m, 3) int32 rows of `points`, counter-clockwise
    seen from outside; triangle_face (m,) int32. `max_edge_mm` and `curvature` are the values really used.
    """

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    point_face: NDArray[np.int32]
    vertex: NDArray[np.int32]
    triangles: NDArray[np.int32]
    triangle_face: NDArray[np.int32]
    max_edge_mm: float
    curvature: float

    def __post_init__(self) -> None:
        for array in (self.points, self.normals, self.point_face, self.vertex, self.triangles, self.triangle_face):
            array.setflags(write=False)

    @property
    def welded(self) -> NDArray[np.int32]:
        """Triangles (m, 3) in welded vertex numbers."""
        return self.vertex[self.triangles]

    def box_mm(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Lower and upper corner, (3,) each."""
        # column by column: ten times as fast as along the rows
        columns = np.ascontiguousarray(self.points.T)
        return columns.min(axis=1), columns.max(axis=1)

    def triangle_areas_mm2(self) -> NDArray[np.float64]:
        """Shape (m,)."""
        # column by column: four times as fast as cross products of rows
        x, y, z = np.ascontiguousarray(self.points.T)
        a, b, c = np.ascontiguousarray(self.triangles.T, np.intp)
        ux, uy, uz = x[b] - x[a], y[b] - y[a], z[b] - z[a]
        vx, vy, vz = x[c] - x[a], y[c] - y[a], z[c] - z[a]
        square = (uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2
        areas: NDArray[np.float64] = 0.5 * np.sqrt(square)
        return areas

    def point_areas_mm2(self) -> NDArray[np.float64]:
        """Shape (n,): a third of the area of the triangles at each point; the weights of every statistic."""
        third = np.repeat(self.triangle_areas_mm2() / 3.0, 3)
        weights = np.bincount(self.triangles.ravel(), weights=third, minlength=len(self.points))
        return weights.astype(np.float64, copy=False)
