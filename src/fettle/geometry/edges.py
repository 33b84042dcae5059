"""Edges of a part: their course, their curve, and whether they are convex.

The base mesh holds, for each edge and each of its faces, the rows of the points along it, with that face's exact
normals: convexity is read from those rather than asked of the kernel point by point.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.GCPnts import GCPnts_AbscissaPoint
from OCP.GeomAbs import (
    GeomAbs_BezierCurve,
    GeomAbs_BSplineCurve,
    GeomAbs_Circle,
    GeomAbs_Ellipse,
    GeomAbs_Hyperbola,
    GeomAbs_Line,
    GeomAbs_OffsetCurve,
    GeomAbs_Parabola,
)
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Edge, TopoDS_Face

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Circle, Convexity, Curve, Edge, Line, OtherCurve
from fettle.geometry.topology import Topology, Use

SMOOTH_DEG = 1.0
"""Faces that meet within this of 180 degrees are tangent."""

_KINDS = {
    GeomAbs_Ellipse: "ellipse",
    GeomAbs_Hyperbola: "hyperbola",
    GeomAbs_Parabola: "parabola",
    GeomAbs_BezierCurve: "bezier",
    GeomAbs_BSplineCurve: "bspline",
    GeomAbs_OffsetCurve: "offset",
}


def read_edges(topology: Topology, mesh: Mesh, vertex_of: list[int] | None = None) -> tuple[list[Edge], list[int]]:
    """The edges, and for every kernel edge its number among them (-1: a seam, or not an edge)."""
    edges: list[Edge] = []
    numbers = [-1] * len(topology.edges)
    first_row = np.searchsorted(mesh.point_face, np.arange(len(topology.faces)))
    for index, kernel_edge in enumerate(topology.edges):
        uses = topology.uses[index]
        if kernel_edge is None or not uses:
            continue
        rows = [_rows(topology.faces[face], use, first_row[face]) for face, use in uses[:2]]
        angles = _angles(mesh, rows, uses[0][1].reversed) if len(rows) == 2 else np.array([math.nan])
        if len(uses) == 2 and uses[0][0] == uses[1][0] and abs(angles.mean() - 180.0) <= SMOOTH_DEG:
            continue
        points = mesh.points[rows[0]]
        curve, length = _curve(kernel_edge, points)
        numbers[index] = len(edges)
        edges.append(
            Edge(
                faces=(uses[0][0], uses[1][0] if len(uses) > 1 else -1),
                convexity=_convexity(angles),
                angle_deg=float(angles.mean()),
                angle_range_deg=(float(angles.min()), float(angles.max())),
                length_mm=length,
                curve=curve,
                vertices=topology.edge_vertices[index],
                points=points,
            )
        )
    return edges, numbers


def _rows(face: TopoDS_Face, use: Use, first_row: int) -> NDArray[np.int64]:
    """Rows of the mesh points along an edge, in the edge's own direction, on one face's side of it."""
    location = TopLoc_Location()
    triangulation = BRep_Tool.Triangulation_s(face, location)
    polygon = BRep_Tool.PolygonOnTriangulation_s(use.edge, triangulation, location)
    return np.array([polygon.Node(k) for k in range(1, polygon.NbNodes() + 1)]) - 1 + first_row


def _angles(mesh: Mesh, rows: list[NDArray[np.int64]], reversed_in_first: bool) -> NDArray[np.float64]:
    """Angle through the material at three places along the edge, degrees, shape (3,)."""
    count = len(rows[0])
    places = np.array([count // 6, count // 2, count - 1 - count // 6])
    points = mesh.points[rows[0]]
    tangent = points[np.minimum(places + 1, count - 1)] - points[np.maximum(places - 1, 0)]
    if reversed_in_first:
        tangent = -tangent
    a, b = mesh.normals[rows[0][places]], mesh.normals[rows[1][places]]
    cross = np.cross(a, b)
    bend = np.copysign(np.linalg.norm(cross, axis=1), np.einsum("ij,ij->i", cross, tangent))
    return 180.0 - np.degrees(np.arctan2(bend, np.einsum("ij,ij->i", a, b)))


def _convexity(angles: NDArray[np.float64]) -> Convexity:
    if np.isnan(angles).all():
        return Convexity.FREE
    mean = float(angles.mean())
    if abs(mean - 180.0) <= SMOOTH_DEG:
        return Convexity.SMOOTH
    return Convexity.CONVEX if mean < 180.0 else Convexity.CONCAVE


def _curve(edge: TopoDS_Edge, points: NDArray[np.float64]) -> tuple[Curve, float]:
    adaptor = BRepAdaptor_Curve(edge)
    kind = adaptor.GetType()
    first, last = adaptor.FirstParameter(), adaptor.LastParameter()
    if kind == GeomAbs_Line:
        length = last - first
        return Line(_frozen((points[-1] - points[0]) / np.linalg.norm(points[-1] - points[0]))), length
    if kind == GeomAbs_Circle:
        circle = adaptor.Circle()
        center, axis = circle.Location(), circle.Axis().Direction()
        return (
            Circle(
                _frozen(np.array([center.X(), center.Y(), center.Z()])),
                _frozen(np.array([axis.X(), axis.Y(), axis.Z()])),
                circle.Radius(),
                math.degrees(last - first),
            ),
            circle.Radius() * (last - first),
        )
    return OtherCurve(_KINDS.get(kind, "other")), GCPnts_AbscissaPoint.Length_s(adaptor)


def _frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    array.setflags(write=False)
    return array
