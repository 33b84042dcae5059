"""Exact area and volume flux of every face, each checked against the face's mesh.

Files hold faces whose boundary does not close on their surface (threads are a rich source), and on those every exact
method gives some number. The mesh is independent of them and bounds what the truth can be: a figure further from the
mesh's than its deflection explains is replaced by the kernel's where that is nearer. Where it is not, the mesh may be
the one that is wrong: when both exact figures are the same, and the boundary closes on the surface or a much finer mesh
of the face comes close to them, they stand. Otherwise the mesh's figures are used if the finer mesh confirms them, and
if nothing confirms anything the face has no figure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.exact.integrals import integrate
from fettle.geometry.kernel import freeform
from fettle.geometry.kernel.loops import Boundaries
from fettle.geometry.kernel.remesh import FINER, fine_mesh
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.part import fid
from fettle.geometry.surfaces.encoding import FREEFORM, pack_surfaces

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

    nan where no figure can be trusted; a warning then says why.
    """

    area: Array
    flux: Array
    warnings: tuple[str, ...]


def measure_faces(
    faces: Sequence[TopoDS_Face],
    places: list[FaceSample],
    outward: NDArray[np.bool_],
    boundaries: Boundaries,
    meshes: FaceMeshes,
    reference: Array,
    deflection_mm: float,
    angle_rad: float,
) -> FaceIntegrals:
    """`outward` (faces,): the surface's own normal points out of the material; `reference`: where fluxes start from;
    deflection and angle: those that the faces were meshed with."""
    kinds, rows = pack_surfaces([place.surface for place in places])
    kinds[[place.parametric for place in places]] = FREEFORM
    meshed = np.column_stack([meshes.area, meshes.flux])
    unmeshed = np.flatnonzero(meshes.area == 0.0).tolist()
    for face in unmeshed:
        # stands in for the mesh, which it is compared with below
        meshed[face] = freeform.kernel_integrals(faces[face], bool(outward[face]), reference)
    figures = integrate(
        kinds,
        rows,
        np.array([-1.0 if place.convex is False else 1.0 for place in places]),
        reference,
        meshed[:, 0].copy(),
        boundaries.points,
        boundaries.steps,
        boundaries.loop_start,
        boundaries.face_start,
    )
    for face, place in enumerate(places):
        if place.parametric:
            figures[face] = freeform.integrals(faces[face], place.spline, bool(outward[face]), reference)
    allowed = _allowances(boundaries, meshes, reference, SLACK * deflection_mm)
    allowed[unmeshed] = _kernel_allowances(meshed[unmeshed], meshes, reference)
    from_mesh: list[int] = []
    coarse: list[int] = []
    unknown: list[int] = []
    told: list[tuple[Array, Array]] = []
    for face in np.flatnonzero(~_agree(figures, meshed, allowed)).tolist():
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
            figures[face] = np.nan
            continue
        figures[face] = freeform.kernel_integrals(faces[face], bool(outward[face]), reference)
        if _agree(figures[own], meshed[own], allowed[own])[0]:
            continue
        near = np.maximum(FINER * allowed[own], _kernel_allowances(figures[own], meshes, reference))
        same = _agree(ours[None], figures[own], near)[0]
        if same and freeform.trims_close(faces[face]):
            figures[face] = ours
            coarse.append(face)
            continue
        finer = _of_triangles(fine_mesh(faces[face], deflection_mm, angle_rad), bool(outward[face]), reference)
        if same and _agree(ours[None], finer, near)[0]:
            figures[face] = ours
            coarse.append(face)
        elif np.isnan(finer[0, 0]) or abs(finer[0, 0] - meshed[face, 0]) <= allowed[face, 0]:
            # by area alone: along a boundary that is off its surface, meshes of one face enclose what they like, and
            # only the closed mesh of the whole part has a volume
            figures[face] = meshed[face]
            from_mesh.append(face)
        else:
            unknown.append(face)
            told.append((ours, meshed[face]))
            figures[face] = np.nan
    warnings = (*_mesh_warning(from_mesh), *_coarse_warning(coarse), *_unknown_warning(unknown, told))
    return FaceIntegrals(figures[:, 0], figures[:, 1], warnings)


def _of_triangles(corners: Array | None, outward: bool, reference: Array) -> Array:
    """Shape (1, 2): area and flux of triangles (m, 3, 3), nan where there are none."""
    if corners is None:
        return np.full((1, 2), np.nan)
    a, b, c = (corners[:, k] - reference for k in range(3))
    across = np.cross(b - a, c - a)
    flux = float(np.einsum("ij,ij->", a, across)) / 6.0
    return np.array([[float(np.linalg.norm(across, axis=1).sum()) / 2.0, flux if outward else -flux]])


def _kernel_allowances(figures: Array, meshes: FaceMeshes, reference: Array) -> Array:
    """Shape (n, 2): how far the kernel's integrals may be off in area and flux, from rows (area, flux)."""
    reach = float(np.linalg.norm(meshes.mesh.points - reference, axis=1).max())
    share = KERNEL_SHARE * figures[:, 0] + NEGLIGIBLE_MM2
    return np.column_stack([share, share * reach / 3.0])


def _allowances(boundaries: Boundaries, meshes: FaceMeshes, reference: Array, distance_mm: float) -> Array:
    """Shape (faces, 2): how far a mesh that lies within a distance of the face may be off in area and flux."""
    running = np.concatenate(([0.0], np.cumsum(np.linalg.norm(boundaries.steps, axis=1))))
    length = np.diff(running[boundaries.loop_start[boundaries.face_start]])
    rim = length * distance_mm
    points = meshes.mesh.points
    reach = float(np.linalg.norm(points - reference, axis=1).max())
    return np.column_stack([CHORD_SHARE * meshes.area + rim, meshes.area * distance_mm + rim * reach / 3.0])


def _agree(figures: Array, meshed: Array, allowed: Array) -> NDArray[np.bool_]:
    """Of each row, whether both figures are within what is allowed; nan never is."""
    within: NDArray[np.bool_] = np.abs(figures - meshed) <= allowed
    return within[:, 0] & within[:, 1]


def _named(faces: list[int]) -> str:
    return ", ".join(fid(face) for face in faces[:10]) + (", ..." if len(faces) > 10 else "")


def _mesh_warning(faces: list[int]) -> tuple[str, ...]:
    if not faces:
        return ()
    what = (
        f"face {_named(faces)} has a boundary that does not close on its surface"
        if len(faces) == 1
        else f"{len(faces)} faces ({_named(faces)}) have boundaries that do not close on their surfaces"
    )
    remedy = "area and volume are the mesh's there, to about its deflection; repair in the CAD system and export again"
    return (f"{what}: {remedy}",)


def _coarse_warning(faces: list[int]) -> tuple[str, ...]:
    if not faces:
        return ()
    which = f"face {_named(faces)}" if len(faces) == 1 else f"{len(faces)} faces ({_named(faces)})"
    text = (
        f"the mesh does not follow {which} closely: area and volume are exact, but what is measured on the mesh there "
        "(wall thickness, clearance) may be wrong; a part that is small beside the whole file is better sent alone"
    )
    return (text,)


def _unknown_warning(faces: list[int], told: list[tuple[Array, Array]]) -> tuple[str, ...]:
    """`told`: of each face two rows (area, flux) that contradict each other."""
    if not faces:
        return ()
    which = f"face {_named(faces)}" if len(faces) == 1 else f"{len(faces)} faces ({_named(faces)})"
    one, other = (sum(float(pair[k][0]) for pair in told) for k in range(2))
    text = (
        f"area and volume cannot be told: two ways to measure {which} give {one:.6g} and {other:.6g} mm2; repair in "
        "the CAD system and export again"
    )
    return (text,)
