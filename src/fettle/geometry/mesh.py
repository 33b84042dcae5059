"""The triangulated part: arrays only, every triangle knows its face.

Rows of `points` are split at face borders, so that a sharp edge has one row per face with that face's own normal, and
every per-point number (thickness, draft...) belongs to exactly one face. `vertex` welds them again: rows that coincide
share a vertex number, and the welded triangles are watertight where the part is.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite, sqrt

import numpy as np
from numpy.typing import NDArray

from fettle.errors import BadRequest

AUTO_CURVATURE = 24.0
AUTO_EDGES_PER_DIAGONAL = 45.0
AUTO_EDGES_PER_ROOT_AREA = 70.0
"""A refined face has about five triangles per square of the longest edge: 70 * 70 * 5 = 24,500."""

MIN_CURVATURE = 6.0
MAX_CURVATURE = 360.0
MAX_TRIANGLES = 1_000_000
"""Beyond it a part is refused with TooDetailed: measuring it would take minutes and gigabytes."""


@dataclass(frozen=True, slots=True, eq=False)
class MeshOptions:
    """None means auto: derived from the box diagonal so that the triangle count stays roughly flat.

    `curvature` is elements per full turn on curved faces.
    """

    max_edge_mm: float | None = None
    curvature: float | None = None

    def __post_init__(self) -> None:
        if self.max_edge_mm is not None and not (isfinite(self.max_edge_mm) and self.max_edge_mm > 0.0):
            raise BadRequest(f"max_edge must be a length above 0 mm, not {self.max_edge_mm}; leave it out for auto")
        if self.curvature is not None and not MIN_CURVATURE <= self.curvature <= MAX_CURVATURE:
            raise BadRequest(
                f"curvature must be {MIN_CURVATURE:g} to {MAX_CURVATURE:g} elements per full turn, not "
                f"{self.curvature}; leave it out for auto ({AUTO_CURVATURE:g})"
            )

    @property
    def curvature_used(self) -> float:
        return AUTO_CURVATURE if self.curvature is None else self.curvature

    def max_edge_used_mm(self, diagonal_mm: float, area_mm2: float) -> float:
        """From the part's exact box and its area.

        Auto follows the diagonal; a part with little surface for its size (a rod, a thin plate) gets a finer mesh, so
        that its triangles are not far fewer than those of others.
        """
        if self.max_edge_mm is not None:
            return self.max_edge_mm
        return min(diagonal_mm / AUTO_EDGES_PER_DIAGONAL, sqrt(area_mm2) / AUTO_EDGES_PER_ROOT_AREA)


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
