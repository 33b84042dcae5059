"""A kernel shape becomes the base `Mesh`: curvature-controlled, welded, watertight where the part is.

Points are welded through the topology first: an edge of the part is discretised once, and the two faces beside it point
to the same polygon. That never joins bodies that merely touch, and needs no tolerance. Only what is still open
afterwards is welded by position.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepLib import BRepLib_ToolTriangulatedShape
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher as ShapeMap
from OCP.IMeshTools import IMeshTools_MeshAlgoType, IMeshTools_Parameters
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_Orientation, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.mesh import Mesh, MeshOptions
from fettle.geometry.meshing.weld import close_by_position, join, merge_rows, number_sets, number_values, set_outward
from fettle.geometry.part import fid

DEFLECTION_PER_DIAGONAL = 1e-3
"""Largest distance between a chord and its curve, as a share of the box diagonal."""

POSITION_TOLERANCE_PER_DIAGONAL = 1e-6
"""Open borders closer than this share of the diagonal are one: above rounding, far below any feature."""

SAME_NORMAL_COSINE = 0.9998
"""Two rows of one face at one vertex are one row when their normals agree within about a degree (a closed seam)."""


@dataclass(frozen=True, slots=True, eq=False)
class Borders:
    """Where the edges of the shape run on the mesh: b uses of an edge by a face, a seam being used twice by its face.

    edge (b,) int32: number in the order of TopExp.MapShapes(shape, EDGE), counted from 0; face (b,) int32;
    reversed (b,) bool: the boundary of the face, as the kernel orients it, runs against the edge's own curve;
    start (b + 1,) int32: use i owns `rows[start[i]:start[i + 1]]`, rows of `Mesh.points` in the direction of the
    edge's own curve (not of the face's use of it).
    """

    edge: NDArray[np.int32]
    face: NDArray[np.int32]
    reversed: NDArray[np.bool_]
    start: NDArray[np.int32]
    rows: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.edge)


@dataclass(frozen=True, slots=True, eq=False)
class Tessellation:
    """`reversed_faces` (faces,) bool: the outward normal is opposite to the surface's own (dU x dV).

    `missing_faces`: numbers of the faces that the kernel could not triangulate; `warnings` says so in words.
    """

    mesh: Mesh
    borders: Borders
    reversed_faces: NDArray[np.bool_]
    missing_faces: tuple[int, ...]
    warnings: tuple[str, ...]


def tessellate(
    shape: TopoDS_Shape, faces: Sequence[TopoDS_Face], diagonal_mm: float, options: MeshOptions
) -> Tessellation:
    """Mesh `shape`; triangles carry positions in `faces`. The diagonal sets the deflection: a loose box's will do."""
    kernel_arrays.check_layout()
    _mesh_in_kernel(shape, diagonal_mm * DEFLECTION_PER_DIAGONAL, options.curvature_used)
    pieces = _extract(shape, faces)
    inward = _inward_faces(pieces, _solid_of_face(shape, faces))
    mesh, borders = _weld(pieces, inward, diagonal_mm * POSITION_TOLERANCE_PER_DIAGONAL, options.curvature_used)
    missing = tuple(np.flatnonzero(np.bincount(pieces.triangle_face, minlength=len(faces)) == 0).tolist())
    return Tessellation(mesh, borders, pieces.reversed_faces ^ inward, missing, _missing_warning(missing, len(faces)))


def _missing_warning(missing: Sequence[int], face_count: int) -> tuple[str, ...]:
    if not missing:
        return ()
    named = ", ".join(fid(face) for face in missing[:10]) + (", ..." if len(missing) > 10 else "")
    text = (
        f"{len(missing)} of {face_count} faces could not be triangulated (face {named}): the mesh has a hole there and "
        "what is measured near it may be wrong; repair these faces in the CAD system and export again"
    )
    return (text,)


def _mesh_in_kernel(shape: TopoDS_Shape, deflection_mm: float, curvature: float) -> None:
    parameters = IMeshTools_Parameters()
    # Delabella is faster and leaves faces out; Watson does not
    parameters.MeshAlgo = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Watson
    parameters.Deflection = parameters.DeflectionInterior = deflection_mm
    # edges of the part get an element per this angle; inside of faces the kernel allows itself twice as much, and
    # asking for less there costs up to four times the triangles on splines: `refine` sees to it where it is missing
    parameters.Angle = 2.0 * pi / curvature
    BRepMesh_IncrementalMesh(shape, parameters)


@dataclass(frozen=True, slots=True, eq=False)
class _Pieces:
    """The faces' triangulations one after the other, unwelded; rows and triangles as in `Mesh`."""

    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    point_face: NDArray[np.int32]
    triangles: NDArray[np.int32]
    triangle_face: NDArray[np.int32]
    borders: Borders
    degenerated: NDArray[np.bool_]
    reversed_faces: NDArray[np.bool_]


def _extract(shape: TopoDS_Shape, faces: Sequence[TopoDS_Face]) -> _Pieces:
    edge_numbers, edges_of_face = ShapeMap(), ShapeMap()
    TopExp.MapShapes_s(shape, TopAbs_EDGE, edge_numbers)
    location = TopLoc_Location()
    points, normals, triangles, counts, triangle_counts = [], [], [], [], []
    rows, uses = [], []
    reversed_faces = np.zeros(len(faces), dtype=np.bool_)
    total = 0
    for number, face in enumerate(faces):
        triangulation = BRep_Tool.Triangulation_s(face, location)
        flipped = face.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
        if triangulation is None:
            counts.append(0)
            triangle_counts.append(0)
            reversed_faces[number] = flipped
            continue
        BRepLib_ToolTriangulatedShape.ComputeNormals_s(face, triangulation)
        at, towards = kernel_arrays.nodes(triangulation), kernel_arrays.normals(triangulation)
        if not location.IsIdentity():
            transformation = location.Transformation()
            matrix = np.array([[transformation.Value(i, j) for j in range(1, 5)] for i in range(1, 4)])
            at = at @ matrix[:, :3].T + matrix[:, 3]
            towards = towards @ matrix[:, :3].T
            towards /= np.linalg.norm(towards, axis=1, keepdims=True)
            flipped ^= transformation.IsNegative()
        corners = kernel_arrays.triangles(triangulation)
        points.append(at)
        normals.append(-towards if flipped else towards)
        triangles.append((corners[:, ::-1] if flipped else corners) + np.int32(total))
        counts.append(len(at))
        triangle_counts.append(len(corners))
        reversed_faces[number] = flipped

        edges_of_face.Clear()
        TopExp.MapShapes_s(face, TopAbs_EDGE, edges_of_face)
        for position in range(1, edges_of_face.Extent() + 1):
            edge = TopoDS.Edge(edges_of_face.FindKey(position))
            along = BRep_Tool.PolygonOnTriangulation_s(edge, triangulation, location)
            if along is None:
                continue
            against = edge.Orientation() == TopAbs_Orientation.TopAbs_REVERSED
            sides = [(along, against)]
            if BRep_Tool.IsClosed_s(edge, triangulation, location):
                other = TopoDS.Edge(edge.Reversed())
                sides.append((BRep_Tool.PolygonOnTriangulation_s(other, triangulation, location), not against))
            for polygon, turned in sides:
                rows.append(kernel_arrays.polygon(polygon) + np.int32(total))
                uses.append((edge_numbers.FindIndex(edge) - 1, number, turned, BRep_Tool.Degenerated_s(edge)))
        total += len(at)
    numbers = np.arange(len(faces), dtype=np.int32)
    used = np.array(uses, dtype=np.int32).reshape(-1, 4)
    return _Pieces(
        points=_stack(points, np.float64),
        normals=_stack(normals, np.float64),
        point_face=np.repeat(numbers, counts),
        triangles=_stack(triangles, np.int32),
        triangle_face=np.repeat(numbers, triangle_counts),
        borders=Borders(
            edge=used[:, 0],
            face=used[:, 1],
            reversed=used[:, 2].astype(np.bool_),
            start=np.concatenate(([0], np.cumsum([len(r) for r in rows]))).astype(np.int32),
            rows=np.concatenate(rows) if rows else np.empty(0, dtype=np.int32),
        ),
        degenerated=used[:, 3].astype(np.bool_),
        reversed_faces=reversed_faces,
    )


def _stack(arrays: Sequence[NDArray[Any]], kind: Any) -> NDArray[Any]:
    return np.concatenate(arrays) if arrays else np.empty((0, 3), dtype=kind)


def _solid_of_face(shape: TopoDS_Shape, faces: Sequence[TopoDS_Face]) -> NDArray[np.int32]:
    """Shape (faces,): number of the first solid that holds the face, -1 for a face of none."""
    owner = np.full(len(faces), -1, dtype=np.int32)
    numbers, solids, inside = ShapeMap(), ShapeMap(), ShapeMap()
    for face in faces:
        numbers.Add(face)
    TopExp.MapShapes_s(shape, TopAbs_SOLID, solids)
    for solid in range(solids.Extent()):
        inside.Clear()
        TopExp.MapShapes_s(solids.FindKey(solid + 1), TopAbs_FACE, inside)
        for position in range(1, inside.Extent() + 1):
            number = numbers.FindIndex(inside.FindKey(position)) - 1
            if number >= 0 and owner[number] < 0:
                owner[number] = solid
    return owner


def _inward_faces(pieces: _Pieces, solid_of_face: NDArray[np.int32]) -> NDArray[np.bool_]:
    """Shape (faces,): the face belongs to a solid turned inside out, whose enclosed volume comes out negative."""
    solids = solid_of_face[pieces.triangle_face]
    a, b, c = (pieces.points[pieces.triangles[:, k]] for k in range(3))
    volumes = np.einsum("ij,ij->i", a, np.cross(b, c)) / 6.0
    totals = np.bincount(solids + 1, weights=volumes, minlength=int(solid_of_face.max(initial=-1)) + 2)
    totals[0] = 0.0  # faces of no solid enclose nothing
    inward: NDArray[np.bool_] = totals[solid_of_face + 1] < 0.0
    return inward


def _weld(pieces: _Pieces, inward: NDArray[np.bool_], tolerance_mm: float, curvature: float) -> tuple[Mesh, Borders]:
    triangles = np.where(inward[pieces.triangle_face, None], pieces.triangles[:, ::-1], pieces.triangles)
    normals = np.where(inward[pieces.point_face, None], -pieces.normals, pieces.normals)
    set_outward(pieces.points, triangles, normals)
    parent = np.arange(len(pieces.points))
    join(parent, *_border_pairs(pieces.borders, pieces.degenerated))
    vertex = close_by_position(number_sets(parent), pieces.points, triangles, tolerance_mm)

    row = merge_rows(vertex, pieces.point_face, normals, SAME_NORMAL_COSINE)
    welded = vertex[triangles]
    full = (welded[:, 0] != welded[:, 1]) & (welded[:, 1] != welded[:, 2]) & (welded[:, 2] != welded[:, 0])
    triangles = row[triangles[full]]

    first_row = np.empty(int(vertex.max(initial=-1)) + 1, dtype=np.int64)
    first_row[vertex[::-1]] = np.arange(len(vertex) - 1, -1, -1)
    keep = np.zeros(len(vertex), dtype=np.bool_)
    keep[triangles.ravel()] = True
    renumber = (np.cumsum(keep) - 1).astype(np.int32)
    # a border row that no triangle of its face uses any more stands at a vertex that others use
    kept_row = np.full(len(first_row), -1, dtype=np.int64)
    kept_row[vertex[keep][::-1]] = np.flatnonzero(keep)[::-1]
    border_rows = row[pieces.borders.rows]
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
    borders = pieces.borders
    return mesh, replace(borders, rows=renumber[border_rows])


def _border_pairs(borders: Borders, degenerated: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Rows that the topology says are one: along every edge, use by use; all rows of an edge that is only a point."""
    first, second = [], []
    leader: dict[int, NDArray[np.int32]] = {}
    for use, edge in enumerate(borders.edge.tolist()):
        rows = borders.rows[borders.start[use] : borders.start[use + 1]]
        if degenerated[use]:
            first.append(rows[:-1])
            second.append(rows[1:])
        lead = leader.setdefault(edge, rows)
        if lead is not rows and len(lead) == len(rows):
            first.append(lead)
            second.append(rows)
    if not first:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    return np.concatenate(first).astype(np.int64), np.concatenate(second).astype(np.int64)
