"""Triangulations that the kernel's mesher has left with its faces, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepLib import BRepLib_ToolTriangulatedShape
from OCP.gp import gp_Trsf
from OCP.Poly import Poly_PolygonOnTriangulation, Poly_Triangulation
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.pieces import Borders, Pieces
from fettle.geometry.kernel.topology import Topology

Array = NDArray[np.float64]

_IDENTITY = TopLoc_Location()


def kernel_pieces(topology: Topology, numbers: Sequence[int]) -> Pieces:
    """What the kernel has triangulated of these faces, in the order of their numbers."""
    location = TopLoc_Location()
    triangulations: list[Poly_Triangulation] = []
    meshed: list[int] = []
    reversed_faces = np.array(topology.reversed_faces, dtype=np.bool_)
    moves: list[tuple[int, TopLoc_Location]] = []
    polygons: list[Poly_PolygonOnTriangulation] = []
    uses: list[tuple[int, int, bool, bool]] = []
    for number in numbers:
        face = topology.faces[number]
        triangulation = BRep_Tool.Triangulation_s(face, location)
        if triangulation is None:
            continue
        BRepLib_ToolTriangulatedShape.ComputeNormals_s(face, triangulation)
        triangulations.append(triangulation)
        meshed.append(number)
        if not location.IsEqual(moves[-1][1] if moves else _IDENTITY):
            moves.append((number, TopLoc_Location(location)))
        for edge, against, is_tip, polygon in _polygons(topology, number, triangulation, location):
            polygons.append(polygon)
            uses.append((edge, number, against, is_tip))
    node_counts = [triangulation.NbNodes() for triangulation in triangulations]
    corner_counts = [triangulation.NbTriangles() for triangulation in triangulations]
    counts, triangle_counts = np.zeros((2, len(topology.faces)), dtype=np.int64)
    counts[meshed], triangle_counts[meshed] = node_counts, corner_counts
    points, towards = (
        kernel_arrays.nodes(triangulations, node_counts),
        kernel_arrays.normals(triangulations, node_counts),
    )
    corners = kernel_arrays.triangles(triangulations, corner_counts)
    every = np.arange(len(topology.faces), dtype=np.int32)
    used = np.array(uses, dtype=np.int32).reshape(-1, 4)
    point_face, triangle_face = np.repeat(every, counts), np.repeat(every, triangle_counts)
    first_row = (np.cumsum(counts) - counts).astype(np.int32)
    for (number, place), (following, _) in pairwise([*moves, (len(topology.faces), _IDENTITY)]):
        transformation = place.Transformation()
        reversed_faces[number:following] ^= transformation.IsNegative()
        own = slice(first_row[number], first_row[following] if following < len(first_row) else None)
        points[own], towards[own] = _moved(points[own], towards[own], transformation)
    rows, sizes = kernel_arrays.polygons(polygons)
    corners += first_row[triangle_face, None]
    return Pieces(
        points=points,
        normals=np.where(reversed_faces[point_face, None], -towards, towards),
        point_face=point_face,
        triangles=np.where(reversed_faces[triangle_face, None], corners[:, ::-1], corners),
        triangle_face=triangle_face,
        borders=Borders(
            edge=used[:, 0],
            face=used[:, 1],
            reversed=used[:, 2].astype(np.bool_),
            start=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
            rows=rows + np.repeat(first_row[used[:, 1]], sizes),
        ),
        degenerated=used[:, 3].astype(np.bool_),
        reversed_faces=reversed_faces,
    )


def _moved(points: Array, normals: Array, transformation: gp_Trsf) -> tuple[Array, Array]:
    matrix = np.array([[transformation.Value(i, j) for j in range(1, 5)] for i in range(1, 4)])
    turned = normals @ matrix[:, :3].T
    turned /= np.linalg.norm(turned, axis=1, keepdims=True)
    return points @ matrix[:, :3].T + matrix[:, 3], turned


def _polygons(
    topology: Topology, face: int, triangulation: Poly_Triangulation, location: TopLoc_Location
) -> Iterator[tuple[int, bool, bool, Poly_PolygonOnTriangulation]]:
    """What the triangulation says of each use of an edge by the face: (edge, reversed, degenerated, polygon)."""
    seams = topology.seams[face]
    for wire in topology.wires[face]:
        for edge, against in wire:
            shape = topology.edges[edge]
            if shape is not None and edge in seams:
                # along a seam each use has a polygon of its own, found by its orientation
                shape = TopoDS.Edge(shape.Oriented(TopAbs_REVERSED if against else TopAbs_FORWARD))
            polygon = BRep_Tool.PolygonOnTriangulation_s(shape, triangulation, location)
            if polygon is not None:
                yield edge, against, False, polygon
    for edge, shape in topology.tips[face]:
        polygon = BRep_Tool.PolygonOnTriangulation_s(shape, triangulation, location)
        if polygon is not None:
            yield edge, False, True, polygon
