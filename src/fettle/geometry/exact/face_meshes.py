"""The triangles of each face of a part, and sums over them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

Array = NDArray[np.float64]


class FaceMeshes:
    """Sums over the triangles of each face.

    area (faces,) mm2; flux (faces,) mm3: integral of r . n / 3 with r from `reference`; normal_sum (faces, 3): integral
    of the normal; centroid (faces, 3) and box (faces, 2, 3), nan without triangles. start (faces + 1,): face f owns
    triangles start[f] to start[f + 1], and in the same way rows row_start[f] to row_start[f + 1] of the mesh's points.
    """

    def __init__(self, mesh: Mesh, count: int, reference: Array) -> None:
        self.mesh = mesh
        a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
        vectors = 0.5 * np.cross(b - a, c - a)
        areas = np.linalg.norm(vectors, axis=1)
        self.start = np.searchsorted(mesh.triangle_face, np.arange(count + 1))
        self.area = _sums(areas, self.start)
        self.flux = _sums(np.einsum("ij,ij->i", a - reference, vectors) / 3.0, self.start)
        self.normal_sum = _sums(vectors, self.start)
        self._middles = (a + b + c) / 3.0
        moment = _sums(areas[:, None] * self._middles, self.start)
        self.centroid = np.divide(
            moment, self.area[:, None], out=np.full((count, 3), np.nan), where=self.area[:, None] > 0
        )
        self._triangle_area = areas
        self.row_start = np.searchsorted(mesh.point_face, np.arange(count + 1))
        self.box = np.full((count, 2, 3), np.nan)
        filled = np.flatnonzero(np.diff(self.row_start))
        if len(filled):
            self.box[filled, 0] = np.minimum.reduceat(mesh.points, self.row_start[filled])
            self.box[filled, 1] = np.maximum.reduceat(mesh.points, self.row_start[filled])

    def middle(self, face: int) -> Array:
        """Middle of the largest triangle."""
        first, last = self.start[face], self.start[face + 1]
        if first == last:
            return np.zeros(3)
        middle: Array = self._middles[first + int(np.argmax(self._triangle_area[first:last]))]
        return middle


def _sums(values: Array, start: NDArray[np.int64]) -> Array:
    """Sums of the rows of each face."""
    running = np.concatenate((np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)))
    sums: Array = running[start[1:]] - running[start[:-1]]
    return sums
