"""The triangles of each face of a part, and sums over them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit

Array = NDArray[np.float64]


class FaceMeshes:
    """Sums over the triangles of each face.

    area (faces,) mm2; flux (faces,) mm3: integral of r . n / 3 with r from `reference`; normal_sum (faces, 3): integral
    of the normal; middle (faces, 3): of the largest triangle, 0 without triangles; centroid (faces, 3) and box
    (faces, 2, 3), nan without triangles. start (faces + 1,): face f owns triangles start[f] to start[f + 1], and in the
    same way rows row_start[f] to row_start[f + 1] of the mesh's points.
    """

    def __init__(self, mesh: Mesh, count: int, reference: Array) -> None:
        self.mesh = mesh
        self.start = np.searchsorted(mesh.triangle_face, np.arange(count + 1))
        self.row_start = np.searchsorted(mesh.point_face, np.arange(count + 1))
        sums, self.middle = _sum_triangles(mesh.points, mesh.triangles, self.start, reference)
        self.area = sums[:, 0].copy()
        self.flux = sums[:, 1].copy()
        self.normal_sum = sums[:, 2:5]
        self.centroid = np.full((count, 3), np.nan)
        np.divide(sums[:, 5:], self.area[:, None], out=self.centroid, where=self.area[:, None] > 0)
        self.box = np.full((count, 2, 3), np.nan)
        filled = np.flatnonzero(np.diff(self.row_start))
        if len(filled):
            self.box[filled, 0] = np.minimum.reduceat(mesh.points, self.row_start[filled])
            self.box[filled, 1] = np.maximum.reduceat(mesh.points, self.row_start[filled])


@njit(cache=True)
def _sum_triangles(
    points: Array, triangles: NDArray[np.int32], start: NDArray[np.int64], reference: Array
) -> tuple[Array, Array]:
    """Of each face (area, flux, normal sum 3, first moment 3), shape (faces, 8), and its largest triangle's middle.

    Sums run on over all faces, of which each takes its difference.
    """
    sums = np.empty((len(start) - 1, 8))
    middles = np.zeros((len(start) - 1, 3))
    running = np.zeros(8)
    vector, middle = np.empty(3), np.empty(3)
    for face in range(len(start) - 1):
        sums[face] = running
        largest = -1.0
        for t in range(start[face], start[face + 1]):
            a, b, c = points[triangles[t, 0]], points[triangles[t, 1]], points[triangles[t, 2]]
            for i in range(3):
                j, k = (i + 1) % 3, (i + 2) % 3
                vector[i] = 0.5 * ((b[j] - a[j]) * (c[k] - a[k]) - (b[k] - a[k]) * (c[j] - a[j]))
                middle[i] = (a[i] + b[i] + c[i]) / 3.0
            area = math.sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
            flux = 0.0
            for i in range(3):
                flux += (a[i] - reference[i]) * vector[i]
                running[2 + i] += vector[i]
                running[5 + i] += area * middle[i]
            running[0] += area
            running[1] += flux / 3.0
            if area > largest:
                largest = area
                middles[face] = middle
        sums[face] = running - sums[face]
    return sums, middles


@njit(cache=True)
def enclosed_volumes(
    points: Array, triangles: NDArray[np.int32], triangle_body: NDArray[np.int32], bodies: int
) -> Array:
    """Shape (bodies,) mm3: what each body's triangles enclose, negative where they face inwards; body -1 is none."""
    volumes = np.zeros(bodies)
    for t in range(len(triangles)):
        a, b, c = points[triangles[t, 0]], points[triangles[t, 1]], points[triangles[t, 2]]
        if triangle_body[t] >= 0:
            volumes[triangle_body[t]] += (
                a[0] * (b[1] * c[2] - b[2] * c[1])
                + a[1] * (b[2] * c[0] - b[0] * c[2])
                + a[2] * (b[0] * c[1] - b[1] * c[0])
            ) / 6.0
    return volumes
