"""A kernel shape becomes the base `Mesh`: curvature-controlled, welded, watertight where the part is.

Points are welded through the topology first: an edge of the part is discretized once, and the two faces beside it point
to the same polygon. That never joins bodies that merely touch, and needs no tolerance. Only what is still open
afterwards is welded by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Plane
from OCP.TopoDS import TopoDS_Face, TopoDS_Shape

from fettle.geometry.components import components
from fettle.geometry.exact.face_meshes import enclosed_volumes
from fettle.geometry.kernel.kernel_pieces import kernel_pieces
from fettle.geometry.kernel.pieces import Borders, Pieces, join_pieces
from fettle.geometry.kernel.remesh import angle_of, drop_triangles_of_file, mesh_faces
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.simple_pieces import find_simple, triangulate_simple
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.torn_faces import Outlines, find_torn, mend_torn
from fettle.geometry.meshing.weld import (
    border_pairs,
    close_by_position,
    merge_rows,
    number_values,
    set_outward,
)
from fettle.geometry.part import fid

Array = NDArray[np.float64]

DEFLECTION_PER_DIAGONAL = 1e-3
"""Largest distance between a chord and its curve, as a share of the box diagonal."""

POSITION_TOLERANCE_PER_DIAGONAL = 1e-6
"""Open borders closer than this share of the diagonal are one: above rounding, far below any feature."""

SAME_NORMAL_COSINE = 0.9998
"""Two rows of one face at one vertex are one row when their normals agree within about a degree (a closed seam)."""


@dataclass(frozen=True, slots=True, eq=False)
class Tessellation:
    """`reversed_faces` (faces,) bool: the outward normal is opposite to the surface's own (dU x dV).

    `missing_faces`: numbers of the faces that could not be triangulated; `warnings` says so in words.
    """

    mesh: Mesh
    borders: Borders
    reversed_faces: NDArray[np.bool_]
    missing_faces: tuple[int, ...]
    warnings: tuple[str, ...]


def tessellate(shape: TopoDS_Shape, sampled: SampledShape, diagonal_mm: float, options: MeshOptions) -> Tessellation:
    """Mesh `shape`, numbered and with its edges sampled. The diagonal sets the deflection: a loose box's will do."""
    topology = sampled.topology
    deflection_mm, angle_rad = diagonal_mm * DEFLECTION_PER_DIAGONAL, angle_of(options.curvature_used)
    drop_triangles_of_file(shape, topology.faces)
    pieces = _triangulated(shape, sampled, deflection_mm, angle_rad)
    tolerance_mm = diagonal_mm * POSITION_TOLERANCE_PER_DIAGONAL
    vertex, is_closed = _join(pieces, tolerance_mm)
    if not is_closed and (torn := _mendable_faces(topology, pieces)):
        pieces = _mended(pieces, torn, deflection_mm)
        vertex, _ = _join(pieces, tolerance_mm)
    inward = _inward_faces(pieces, np.array(topology.face_body, dtype=np.int32))
    mesh, borders = _weld(pieces, vertex, inward, options.curvature_used)
    face_count = len(topology.faces)
    missing = tuple(np.flatnonzero(np.bincount(pieces.triangle_face, minlength=face_count) == 0).tolist())
    return Tessellation(mesh, borders, pieces.reversed_faces ^ inward, missing, _missing_warning(missing, face_count))


def _triangulated(shape: TopoDS_Shape, sampled: SampledShape, deflection_mm: float, angle_rad: float) -> Pieces:
    """Every face by itself: from its outlines where it can be laid out in a plane, or else by the kernel."""
    topology, ours = sampled.topology, find_simple(sampled)
    while True:
        others = np.flatnonzero(~ours).tolist()
        mesh_faces(shape, topology, others, deflection_mm, angle_rad)
        meshed = kernel_pieces(topology, others)
        simple, done = triangulate_simple(sampled, ours, meshed, deflection_mm, angle_rad)
        if done[ours].all():
            return join_pieces(meshed, simple)
        # the kernel may divide their edges otherwise, and so the faces beside them
        ours &= done


def _missing_warning(missing: Sequence[int], face_count: int) -> tuple[str, ...]:
    if not missing:
        return ()
    named = ", ".join(fid(face) for face in missing[:10]) + (", ..." if len(missing) > 10 else "")
    text = (
        f"{len(missing)} of {face_count} faces could not be triangulated in any way (face {named}): the mesh has a "
        "hole there, volume and area do not depend on it, what is measured near it may be wrong; repair these faces in "
        "the CAD system and export again"
    )
    return (text,)


def _mendable_faces(topology: Topology, pieces: Pieces) -> list[int]:
    """Torn faces that can be triangulated from their outlines: where straight lines between these lie on the surface,
    or the kernel has put no points inside. A dome would become a lid."""
    on_outline = np.zeros(len(pieces.points), np.bool_)
    on_outline[pieces.borders.rows] = True
    return [
        face
        for face in find_torn(pieces.triangles, pieces.triangle_face, _outlines(pieces))
        if is_ruled(topology.faces[face]) or on_outline[pieces.triangles[pieces.triangle_face == face]].all()
    ]


def _mended(pieces: Pieces, torn: Sequence[int], slack_mm: float) -> Pieces:
    """The pieces with some faces triangulated from their outlines."""
    triangles, triangle_face = mend_torn(
        pieces.points, pieces.triangles, pieces.triangle_face, _outlines(pieces), torn, slack_mm
    )
    return replace(pieces, triangles=triangles, triangle_face=triangle_face)


def _outlines(pieces: Pieces) -> Outlines:
    return Outlines(pieces.borders.face, pieces.borders.start, pieces.borders.rows)


def is_ruled(face: TopoDS_Face) -> bool:
    """Whether the face lies on a plane, a cylinder or a cone."""
    return BRepAdaptor_Surface(face, False).GetType() in (GeomAbs_Plane, GeomAbs_Cylinder, GeomAbs_Cone)


def _inward_faces(pieces: Pieces, solid_of_face: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Shape (faces,): the face belongs to a solid turned inside out, whose enclosed volume comes out negative."""
    count = int(solid_of_face.max(initial=-1)) + 1
    volumes = enclosed_volumes(pieces.points, pieces.triangles, solid_of_face[pieces.triangle_face], count)
    # faces of no solid enclose nothing
    inward: NDArray[np.bool_] = np.append(volumes, 0.0)[solid_of_face] < 0.0
    return inward


def _join(pieces: Pieces, tolerance_mm: float) -> tuple[NDArray[np.int32], bool]:
    """The vertex (n,) of each row, and whether the faces close: joined along the edges, and then by position."""
    borders = pieces.borders
    pairs = border_pairs(borders.edge, borders.start, borders.rows, pieces.degenerated)
    vertex = components(len(pieces.points), pairs[:, 0], pairs[:, 1])
    return close_by_position(vertex, pieces.points, pieces.triangles, tolerance_mm)


def _weld(
    pieces: Pieces, vertex: NDArray[np.int32], inward: NDArray[np.bool_], curvature: float
) -> tuple[Mesh, Borders]:
    triangles, normals = pieces.triangles, pieces.normals
    if inward.any():
        triangles = np.where(inward[pieces.triangle_face, None], triangles[:, ::-1], triangles)
        normals = np.where(inward[pieces.point_face, None], -normals, normals)
    set_outward(pieces.points, triangles, normals)
    borders = pieces.borders
    row = merge_rows(vertex, pieces.point_face, normals, SAME_NORMAL_COSINE)
    welded = vertex[triangles]
    full = (welded[:, 0] != welded[:, 1]) & (welded[:, 1] != welded[:, 2]) & (welded[:, 2] != welded[:, 0])
    triangles = row[triangles[full]]

    first_row = np.empty(int(vertex.max(initial=-1)) + 1, dtype=np.int64)
    first_row[vertex[::-1]] = np.arange(len(vertex) - 1, -1, -1)
    keep = np.zeros(len(vertex), dtype=np.bool_)
    keep[triangles.ravel()] = True
    renumber = (np.cumsum(keep) - 1).astype(np.int32)
    # a border row that no triangle of its face uses any more is at a vertex that others use
    kept_row = np.full(len(first_row), -1, dtype=np.int64)
    kept_row[vertex[keep][::-1]] = np.flatnonzero(keep)[::-1]
    border_rows = row[borders.rows]
    border_rows = np.where(keep[border_rows], border_rows, kept_row[vertex[border_rows]])
    mesh = Mesh(
        points=pieces.points[first_row[vertex[keep]]],
        normals=normals[keep],
        point_face=pieces.point_face[keep],
        vertex=number_values(vertex[keep]),
        triangles=renumber[triangles],
        triangle_face=pieces.triangle_face[full],
        max_edge_mm=float("inf"),
        curvature=curvature,
    )
    return mesh, replace(borders, rows=renumber[border_rows])
