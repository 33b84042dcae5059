"""Exact area and volume flux of every face, each checked against the face's mesh and its own edges.

Files hold faces whose boundary does not close on their surface (threads are a rich source), or whose trimming curves
leave the edges, and on those every method gives some number. Two that are independent of each other have to agree: on
an analytic surface the integral along the edges in space, and the mesh, which follows the trims; on a spline the
integral along the trims, and the edges in space, which bound the same area vector. Where they do not:

- trims that leave their edges are reported, to be computed anew: mesh and kernel follow them and prove nothing;
- the kernel's figure is used where it is the one that agrees with the mesh;
- the mesh may be the one that is wrong: our figure stands when it is also the kernel's and the boundary closes on the
  surface, or a much finer mesh of the face comes close to it;
- otherwise the face has no figure. A mesh alone is never believed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.exact.integrals import integrate
from fettle.geometry.kernel import freeform, measure_warnings
from fettle.geometry.kernel.joined_faces import measure_joined
from fettle.geometry.kernel.loops import Boundaries
from fettle.geometry.kernel.remesh import FINER, complete_trims, fine_mesh
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.kernel.trim_gaps import ASTRAY, trims_off
from fettle.geometry.surfaces.encoding import FREEFORM

Array = NDArray[np.float64]

CHORD_SHARE = 0.03
"""Of its area a mesh may miss this much by cutting corners: two chords of 30 degrees across each other on a sphere."""

SLACK = 2.0
"""The kernel's meshes keep to the deflection asked for, within this factor."""

KERNEL_SHARE = 2e-3
"""Two exact integrals agree when they differ by less than this share: the kernel's are good to a per mille."""

NEGLIGIBLE_MM2 = 1e-6
"""Area below which a face is a line: files have such leftovers, and no mesher takes them."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceIntegrals:
    """area (faces,) mm2; flux (faces,) mm3, its sum over a closed shell being the volume; warnings in sentences.

    nan where no figure can be trusted; a warning then says why. `followed` (faces,): the mesh is as close to the face
    as was asked for; `astray`: faces without figures, because their trimming curves leave their edges.
    """

    area: Array
    flux: Array
    warnings: tuple[str, ...]
    followed: NDArray[np.bool_]
    astray: tuple[int, ...]


def measure_faces(
    topology: Topology,
    places: list[FaceSample],
    encoded: tuple[NDArray[np.int8], Array],
    outward: NDArray[np.bool_],
    boundaries: Boundaries,
    meshes: FaceMeshes,
    references: Array,
    deflection_mm: float,
    angle_rad: float,
) -> FaceIntegrals:
    """`encoded`: the surfaces of `places` as in `surfaces.encoding`; `outward` (faces,): the surface's own normal
    points out of the material; `references` (faces, 3): where fluxes, those of `meshes` too, start from, one point for
    each body; deflection and angle: those that the faces were meshed with."""
    faces = topology.faces
    surface_kinds, surface_rows = encoded
    kinds = np.where([place.parametric for place in places], np.int8(FREEFORM), surface_kinds)
    meshed = np.column_stack([meshes.area, meshes.flux])
    unmeshed = np.flatnonzero(meshes.area == 0.0).tolist()
    for face in unmeshed:
        # stands in for the mesh, which it is compared with below
        meshed[face] = freeform.kernel_integrals(faces[face], bool(outward[face]), references[face])
    rows = surface_rows.copy()
    rows[:, :3] -= references
    figures = integrate(
        kinds,
        rows,
        np.array([-1.0 if place.convex is False else 1.0 for place in places]),
        np.zeros(3),
        meshed[:, 0].copy(),
        boundaries.points - np.repeat(references, boundaries.sample_counts(), axis=0),
        boundaries.steps,
        boundaries.loop_start,
        boundaries.face_start,
    )
    rim = _rims(boundaries)
    astray_mm = ASTRAY * deflection_mm
    astray: list[int] = []
    for face, place in enumerate(places):
        if place.parametric:
            sums = freeform.integrals(faces[face], place.spline, bool(outward[face]), references[face])
            figures[face] = sums[:2]
            if not _bounds_normals(boundaries, face, sums[2:], rim[face] * astray_mm) and trims_off(
                topology, face, astray_mm
            ):
                astray.append(face)
    groups = measure_joined(topology, places, boundaries, references, figures)
    reach = _reaches(meshes, references)
    allowed = _allowances(rim, meshes, reach, SLACK * deflection_mm)
    allowed[unmeshed] = _kernel_allowances(meshed[unmeshed], reach[unmeshed])
    settled = {face for group in groups for face in group} | set(astray)
    coarse: list[int] = []
    unknown: list[int] = []
    told: list[tuple[Array, Array]] = []
    for face in np.flatnonzero(~_agree(figures, meshed, allowed)).tolist():
        if face in settled:
            continue
        complete_trims(faces[face])
        if trims_off(topology, face, astray_mm):
            astray.append(face)
            continue
        own = slice(face, face + 1)
        ours = figures[face].copy()
        if face in unmeshed:
            # a boundary that runs the wrong way round gives the same figures with the other sign
            same = _agree(-ours[None], meshed[own], allowed[own])[0]
            if same or (np.isnan(ours).any() and freeform.trims_close(faces[face])):
                figures[face] = meshed[face]
                continue
            unknown.append(face)
            told.append((ours, meshed[face]))
            continue
        figures[face] = freeform.kernel_integrals(faces[face], bool(outward[face]), references[face])
        if _agree(figures[own], meshed[own], allowed[own])[0]:
            continue
        near = np.maximum(FINER * allowed[own], _kernel_allowances(figures[own], reach[own]))
        same = _agree(ours[None], figures[own], near)[0]
        if same and freeform.trims_close(faces[face]):
            figures[face] = ours
            coarse.append(face)
            continue
        finer = _of_triangles(fine_mesh(faces[face], deflection_mm, angle_rad), bool(outward[face]), references[face])
        if same and _agree(ours[None], finer, near)[0]:
            figures[face] = ours
            coarse.append(face)
        else:
            unknown.append(face)
            told.append((ours, meshed[face]))
    figures[unknown + astray] = np.nan
    followed = np.ones(len(faces), np.bool_)
    followed[[*unmeshed, *coarse, *settled]] = False
    warnings = (
        *measure_warnings.coarse_mesh(coarse),
        *measure_warnings.joined(groups),
        *measure_warnings.unknown(unknown, told, sorted(astray)),
    )
    return FaceIntegrals(figures[:, 0], figures[:, 1], warnings, followed, tuple(sorted(astray)))


def _bounds_normals(boundaries: Boundaries, face: int, normal_sum: Array, allowed_mm2: float) -> bool:
    """Whether the face's edges bound the integral of its normal (3,) that its trims gave: by Stokes's theorem it only
    depends on the boundary. False where it is nan."""
    first, last = boundaries.face_start[face], boundaries.face_start[face + 1]
    bounded = boundaries.area_vectors[first:last].sum(axis=0)
    return bool(np.linalg.norm(normal_sum - bounded) <= allowed_mm2)


def _rims(boundaries: Boundaries) -> Array:
    """Shape (faces,) mm: length of all boundaries of each face."""
    running = np.concatenate(([0.0], np.cumsum(np.linalg.norm(boundaries.steps, axis=1))))
    rims: Array = np.diff(running[boundaries.loop_start[boundaries.face_start]])
    return rims


def _of_triangles(corners: Array | None, outward: bool, reference: Array) -> Array:
    """Shape (1, 2): area and flux of triangles (m, 3, 3), nan where there are none."""
    if corners is None:
        return np.full((1, 2), np.nan)
    a, b, c = (corners[:, k] - reference for k in range(3))
    across = np.cross(b - a, c - a)
    flux = float(np.einsum("ij,ij->", a, across)) / 6.0
    return np.array([[float(np.linalg.norm(across, axis=1).sum()) / 2.0, flux if outward else -flux]])


def _reaches(meshes: FaceMeshes, references: Array) -> Array:
    """Shape (faces,) mm: how far the mesh of any face of the same body is from where its fluxes start."""
    points = meshes.mesh.points
    if not np.ptp(references, axis=0).any():
        return np.full(len(references), float(np.linalg.norm(points - references[0], axis=1).max()))
    _, body = np.unique(references, axis=0, return_inverse=True)
    farthest = np.zeros(len(references))
    point_face = meshes.mesh.point_face
    np.maximum.at(farthest, body[point_face], np.linalg.norm(points - references[point_face], axis=1))
    reaches: Array = farthest[body]
    return reaches


def _kernel_allowances(figures: Array, reach: Array) -> Array:
    """Shape (n, 2): how far the kernel's integrals may be off in area and flux, from rows (area, flux)."""
    share = KERNEL_SHARE * figures[:, 0] + NEGLIGIBLE_MM2
    return np.column_stack([share, share * reach / 3.0])


def _allowances(rim_mm: Array, meshes: FaceMeshes, reach: Array, distance_mm: float) -> Array:
    """Shape (faces, 2): how far a mesh that lies within a distance of the face may be off in area and flux."""
    rim = rim_mm * distance_mm
    return np.column_stack([CHORD_SHARE * meshes.area + rim, meshes.area * distance_mm + rim * reach / 3.0])


def _agree(figures: Array, meshed: Array, allowed: Array) -> NDArray[np.bool_]:
    """Of each row, whether both figures are within what is allowed; nan never is."""
    within: NDArray[np.bool_] = np.abs(figures - meshed) <= allowed
    return within[:, 0] & within[:, 1]
