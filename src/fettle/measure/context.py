"""Data shared by all measurements of one part, derived once: ray scene, ray origins, point areas, face samples."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Part
from fettle.measure.ray_origins import RayOrigins, ray_origins
from fettle.measure.rays import Scene

MAX_FACE_SAMPLES = 32
"""Most sample points per face when an area fraction is estimated."""
PROBE_STRIDE = 4
"""Every fourth sample of a face is a probe, tested first: if no probe is visible, the others are not tested."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceSamples:
    """Sample points of each face, evenly spread by area: rows (k,) of the mesh points, faces (k,), areas (k,) in mm2
    that each represents, and a mask (k,) of the probes, which are tested first."""

    rows: NDArray[np.int64]
    faces: NDArray[np.int32]
    area_mm2: NDArray[np.float64]
    probes: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class SampledSurface:
    """A part, its mesh of n points, and the areas they stand for.

    area_mm2 (n,): area that each point represents; face_area_mm2 (faces,): its sum over each face.
    """

    part: Part
    mesh: Mesh
    area_mm2: NDArray[np.float64]
    face_area_mm2: NDArray[np.float64]
    samples: FaceSamples

    def area_by_face(self, where: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Area in mm2 (faces,) of each face over the points that the mask `where` (n,) selects."""
        return sum_by(self.mesh.point_face, self.area_mm2 * where, len(self.part.faces))


@dataclass(frozen=True, slots=True, eq=False)
class MeasureContext(SampledSurface):
    """A surface with all that rays need. body_roots (n,): node of the scene's tree that holds exactly the point's own
    body; starts, normals (n, 3): points of `origins` and the mesh's normals in the frame of the tree."""

    scene: Scene
    origins: RayOrigins
    body_roots: NDArray[np.int64]
    starts: NDArray[np.float64]
    normals: NDArray[np.float64]


def prepare(part: Part, mesh: Mesh) -> MeasureContext:
    """Build the context of all measurements of a part on its mesh, which may leave out some of its bodies."""
    body = np.array([face.body for face in part.faces])
    present = np.unique(body[np.bincount(mesh.triangle_face, minlength=len(body)) > 0])
    face_body = np.minimum(np.searchsorted(present, body), len(present) - 1)
    scene = Scene(mesh.coarse(), face_body)
    area = mesh.point_areas_mm2()
    face_area = sum_by(mesh.point_face, area, len(part.faces))
    samples = _sample_faces(mesh, scene.tree.points, area, face_area)
    roots = scene.tree.roots[face_body[mesh.point_face]]
    origins = ray_origins(mesh, scene.diagonal_mm)
    starts, normals = scene.fixed(origins.points), scene.fixed(mesh.normals)
    return MeasureContext(part, mesh, area, face_area, samples, scene, origins, roots, starts, normals)


def _sample_faces(
    mesh: Mesh, order: NDArray[np.int64], area_mm2: NDArray[np.float64], face_area_mm2: NDArray[np.float64]
) -> FaceSamples:
    """Sample every face: all its points, or `MAX_FACE_SAMPLES` of them at equal steps of area, each for an equal area.

    order (n,): rows of the points, face by face, successive ones neighbors.
    """
    count = np.bincount(mesh.point_face, minlength=len(face_area_mm2))
    small = (count <= MAX_FACE_SAMPLES)[mesh.point_face[order]]
    large = np.flatnonzero(count > MAX_FACE_SAMPLES)
    cumulative = np.cumsum(area_mm2[order])
    ends = np.cumsum(count)
    start = cumulative[ends[large] - 1] - face_area_mm2[large]
    steps = start[:, None] + (np.arange(MAX_FACE_SAMPLES) + 0.5) / MAX_FACE_SAMPLES * face_area_mm2[large, None]
    at = np.clip(np.searchsorted(cumulative, steps), (ends - count)[large, None], ends[large, None] - 1).ravel()
    rows = np.concatenate([order[small], order[at]])
    area = np.concatenate(
        [area_mm2[order[small]], np.repeat(face_area_mm2[large] / MAX_FACE_SAMPLES, MAX_FACE_SAMPLES)]
    )
    return face_samples(rows, mesh.point_face[rows], area)


def face_samples(rows: NDArray[np.int64], faces: NDArray[np.int32], area_mm2: NDArray[np.float64]) -> FaceSamples:
    """Samples at the given points (k,); every `PROBE_STRIDE`th of a face is a probe."""
    order = np.argsort(faces, kind="stable")
    count = np.bincount(faces)
    first = np.repeat(np.cumsum(count) - count, count)
    probes = np.empty(len(rows), np.bool_)
    probes[order] = (np.arange(len(rows)) - first) % PROBE_STRIDE == 0
    return FaceSamples(rows, faces, area_mm2, probes)


def sum_by(faces: NDArray[np.int32], area_mm2: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Sum of the points' areas by face, in mm2 (count,)."""
    return np.bincount(faces, weights=area_mm2, minlength=count).astype(np.float64, copy=False)
