"""Exact area and volume flux of every face, each checked against the face's mesh.

Files hold faces whose boundary does not close on their surface (threads are a rich source), and on those every exact
method gives some number. The mesh is independent of them and bounds what the truth can be: a figure further from the
mesh's than its deflection explains is replaced by the kernel's, and where that is no better by the mesh's own, which
is then said.
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
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.part import fid
from fettle.geometry.surfaces.encoding import FREEFORM, pack_surfaces

Array = NDArray[np.float64]

CHORD_SHARE = 0.03
"""Of its area a mesh may miss this much by cutting corners: two chords of 30 degrees across each other on a sphere."""

SLACK = 2.0
"""The kernel's meshes keep to the deflection asked for, within this factor."""


@dataclass(frozen=True, slots=True, eq=False)
class FaceIntegrals:
    """area (faces,) mm2; flux (faces,) mm3, its sum over a closed shell being the volume; warnings in sentences."""

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
) -> FaceIntegrals:
    """`outward` (faces,): the surface's own normal points out of the material; `reference`: where fluxes start from."""
    kinds, rows = pack_surfaces([place.surface for place in places])
    kinds[[place.parametric for place in places]] = FREEFORM
    figures = integrate(
        kinds,
        rows,
        np.array([-1.0 if place.convex is False else 1.0 for place in places]),
        reference,
        meshes.area,
        boundaries.points,
        boundaries.steps,
        boundaries.loop_start,
        boundaries.face_start,
    )
    for face, place in enumerate(places):
        if place.parametric:
            figures[face] = freeform.integrals(faces[face], place.spline, bool(outward[face]), reference)
    allowed = _allowances(boundaries, meshes, reference, SLACK * deflection_mm)
    meshed = np.column_stack([meshes.area, meshes.flux])
    from_mesh = []
    # what has no triangles cannot be compared; its hole in the mesh has a warning of its own
    for face in np.flatnonzero(~_agree(figures, meshed, allowed) & (meshes.area > 0.0)).tolist():
        figures[face] = freeform.kernel_integrals(faces[face], bool(outward[face]), reference)
        own = slice(face, face + 1)
        if not _agree(figures[own], meshed[own], allowed[own])[0]:
            figures[face] = meshed[face]
            from_mesh.append(face)
    return FaceIntegrals(figures[:, 0], figures[:, 1], _warnings(from_mesh))


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


def _warnings(faces: list[int]) -> tuple[str, ...]:
    if not faces:
        return ()
    named = ", ".join(fid(face) for face in faces[:10]) + (", ..." if len(faces) > 10 else "")
    what = (
        f"face {named} has a boundary that does not close on its surface"
        if len(faces) == 1
        else f"{len(faces)} faces ({named}) have boundaries that do not close on their surfaces"
    )
    remedy = "area and volume are the mesh's there, to about its deflection; repair in the CAD system and export again"
    return (f"{what}: {remedy}",)
