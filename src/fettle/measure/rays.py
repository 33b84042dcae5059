"""Rays against the mesh (Embree), in a frame of the part's own size.

Embree works in float32. Points are therefore moved to the part's centre and divided by its diagonal before they go in,
so that one set of tolerances serves a part of 0.1 mm and one of 3 m, near the origin or far from it. Distances are
computed again in float64 from the triangle that was hit: they are as good as the mesh.
"""

from __future__ import annotations

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

START = 1e-5
"""How far from its surface a ray starts, as a share of the diagonal: a hundred times the float32 error there."""


class Scene:
    """The triangles of a mesh, ready to be shot at. Rays are single-threaded and give the same answer every time."""

    def __init__(self, mesh: Mesh) -> None:
        low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
        self.diagonal_mm = float(np.linalg.norm(high - low))
        self.start_mm = START * self.diagonal_mm
        self._center = (low + high) / 2.0
        self._mesh = mesh
        # Robust mode: no ray slips through the edge between two triangles.
        self._embree = EmbreeScene(robust=True)
        TriangleMesh(self._embree, self.inside(mesh.points), np.ascontiguousarray(mesh.triangles))

    def inside(self, points: NDArray[np.float64]) -> NDArray[np.float32]:
        """Points (k, 3) mm in the frame that rays run in."""
        return np.ascontiguousarray((points - self._center) / self.diagonal_mm, dtype=np.float32)

    def first_hit(
        self, origins: NDArray[np.float64], directions: NDArray[np.float64]
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Triangle met first by each of k rays (k,), -1 for none, and its distance in mm (k,), nan for none."""
        if len(origins) == 0:
            return np.empty(0, np.int32), np.empty(0)
        answer = self._embree.run(self.inside(origins), directions.astype(np.float32), output=1)
        triangle = np.asarray(answer["primID"], dtype=np.int32)
        rough = np.asarray(answer["tfar"], dtype=np.float64) * self.diagonal_mm
        met = np.flatnonzero(triangle >= 0)
        first, second, third = (self._mesh.points[self._mesh.triangles[triangle[met], k]] for k in range(3))
        cross = np.cross(second - first, third - first)
        toward = np.einsum("ij,ij->i", cross, directions[met])
        gap = np.einsum("ij,ij->i", cross, first - origins[met])
        with np.errstate(divide="ignore", invalid="ignore"):
            exact = gap / toward
        # A ray that grazes its triangle has no stable distance to the plane: there Embree's own stands.
        grazing = ~(np.abs(exact - rough[met]) <= 10.0 * self.start_mm)
        distance = np.full(len(origins), np.nan)
        distance[met] = np.where(grazing, rough[met], exact)
        return triangle, distance

    def blocked(self, origins: NDArray[np.float32], directions: NDArray[np.float32]) -> NDArray[np.bool_]:
        """Whether each of k rays meets anything at all (k,); origins as `inside` gives them."""
        if len(origins) == 0:
            return np.empty(0, np.bool_)
        return np.asarray(self._embree.run(origins, directions, query="OCCLUDED")) >= 0
