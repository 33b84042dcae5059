"""What every measurement stands on: the part, its mesh, and what is derived from them once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.measure.ray_origins import RayOrigins, ray_origins
from fettle.measure.rays import Scene

MAX_FACE_SAMPLES = 32
"""Points that speak for a face where a share of its area is asked for."""
SCOUT_STRIDE = 4
"""One point in so many looks first: where none of them sees a way out, the others do not look."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSamples:
    """A few points of each face, chosen evenly by area: rows (k,) of the mesh, their faces (k,), areas (k,) mm2;
    some of each face are its scouts (k,), who look first."""

    rows: NDArray[np.int64]
    faces: NDArray[np.int32]
    area_mm2: NDArray[np.float64]
    scouts: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class MeasureContext:
    """area_mm2 (n,) weighs the points; face_area_mm2 (faces,) is its sum over each face; body_roots (n,): the node
    of the scene's tree below which is each point's own body alone."""

    part: Part
    mesh: Mesh
    scene: Scene
    origins: RayOrigins
    area_mm2: NDArray[np.float64]
    face_area_mm2: NDArray[np.float64]
    samples: FaceSamples
    body_roots: NDArray[np.int64]

    def area_by_face(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Area in mm2 of each face (faces,) over the points that `where` (n,) picks."""
        return sum_by(self.mesh.point_face[where], self.area_mm2[where], len(self.part.faces))


def prepare(part: Part, mesh: Mesh) -> MeasureContext:
    face_body = np.array([face.body for face in part.faces])
    scene = Scene(mesh.coarse(), face_body)
    area = mesh.point_areas_mm2()
    whole = sum_by(mesh.point_face, area, len(part.faces))
    samples, roots = _sample_faces(mesh, scene.tree.points, area, whole), scene.tree.roots[face_body[mesh.point_face]]
    return MeasureContext(part, mesh, scene, ray_origins(mesh, scene.diagonal_mm), area, whole, samples, roots)


def _sample_faces(
    mesh: Mesh, order: NDArray[np.int64], area_mm2: NDArray[np.float64], face_area_mm2: NDArray[np.float64]
) -> FaceSamples:
    """All points of a face, or `PANEL` of them at equal steps of its area, each for an equal share of it; order (n,):
    the points face by face, side by side."""
    count = np.bincount(mesh.point_face, minlength=len(face_area_mm2))
    small = (count <= MAX_FACE_SAMPLES)[mesh.point_face[order]]
    large = np.flatnonzero(count > MAX_FACE_SAMPLES)
    upto = np.cumsum(area_mm2[order])
    ends = np.cumsum(count)
    start = upto[ends[large] - 1] - face_area_mm2[large]
    steps = start[:, None] + (np.arange(MAX_FACE_SAMPLES) + 0.5) / MAX_FACE_SAMPLES * face_area_mm2[large, None]
    at = np.clip(np.searchsorted(upto, steps), (ends - count)[large, None], ends[large, None] - 1).ravel()
    rows = np.concatenate([order[small], order[at]])
    area = np.concatenate(
        [area_mm2[order[small]], np.repeat(face_area_mm2[large] / MAX_FACE_SAMPLES, MAX_FACE_SAMPLES)]
    )
    return face_samples(rows, mesh.point_face[rows], area)


def face_samples(rows: NDArray[np.int64], faces: NDArray[np.int32], area_mm2: NDArray[np.float64]) -> FaceSamples:
    """The samples of the given points; every `SCOUTING`th of a face is a scout."""
    order = np.argsort(faces, kind="stable")
    by_face = faces[order]
    scouts = np.empty(len(rows), np.bool_)
    scouts[order] = (np.arange(len(rows)) - np.searchsorted(by_face, by_face)) % SCOUT_STRIDE == 0
    return FaceSamples(rows, faces, area_mm2, scouts)


def sum_by(faces: NDArray[np.int32], area_mm2: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Areas of points added up by face, shape (count,)."""
    return np.bincount(faces, weights=area_mm2, minlength=count).astype(np.float64, copy=False)
