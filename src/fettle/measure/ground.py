"""What every measurement stands on: the part, its mesh, and what is derived from them once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.measure.footing import Footing, stand
from fettle.measure.rays import Scene


@dataclass(frozen=True, slots=True, eq=False)
class Ground:
    """area_mm2 (n,) weighs the points; face_area_mm2 (faces,) is its sum over each face."""

    part: Part
    mesh: Mesh
    scene: Scene
    footing: Footing
    area_mm2: NDArray[np.float64]
    face_area_mm2: NDArray[np.float64]

    def area_by_face(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Area in mm2 of each face (faces,) over the points that `where` (n,) picks."""
        return sum_by(self.mesh.point_face[where], self.area_mm2[where], len(self.part.faces))


def survey(part: Part, mesh: Mesh) -> Ground:
    scene = Scene(mesh)
    area = mesh.point_areas_mm2()
    whole = sum_by(mesh.point_face, area, len(part.faces))
    return Ground(part, mesh, scene, stand(mesh, scene.diagonal_mm), area, whole)


def sum_by(faces: NDArray[np.int32], area_mm2: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Areas of points added up by face, shape (count,)."""
    return np.bincount(faces, weights=area_mm2, minlength=count).astype(np.float64, copy=False)
