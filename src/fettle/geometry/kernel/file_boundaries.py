"""The boundaries of all faces of a shape as a file lists them, as arrays, and what is odd about them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.TopAbs import TopAbs_VERTEX
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.topology import Topology, map_of

KERNEL_PRECISION_MM = 1e-7
"""Tolerance of a vertex that lies on all of its edges; the transfer widens it where one ends elsewhere."""


@dataclass(frozen=True, slots=True, eq=False)
class FileBoundaries:
    """w wires with u uses of edges in all, as they run on the faces before these are turned.

    wire_face (w,); wire_start (w + 1,): wire i has the uses wire_start[i] to wire_start[i + 1]; edge (u,);
    backwards (u,): the wire runs against the edge's own curve; from_vertex (u,): where the use begins, -1 for nowhere.
    usable (faces,): the face has boundaries, each of them is a chain of edges that ends where it begins, and no edge is
    degenerated, as short as the file is inexact, or ends beside one of its vertices.
    """

    wire_face: NDArray[np.int64]
    wire_start: NDArray[np.int64]
    edge: NDArray[np.int64]
    backwards: NDArray[np.bool_]
    from_vertex: NDArray[np.int64]
    usable: NDArray[np.bool_]

    @property
    def wire_of_use(self) -> NDArray[np.int64]:
        """Shape (u,)."""
        return np.repeat(np.arange(len(self.wire_face)), np.diff(self.wire_start))


def list_boundaries(solid: TopoDS_Shape, topology: Topology, samples: Samples, precision_mm: float) -> FileBoundaries:
    """`precision_mm`: how exact the file is."""
    wires = [(face, wire) for face, of_face in enumerate(topology.wires) for wire in of_face]
    sizes = np.array([len(wire) for _, wire in wires], dtype=np.int64)
    wire_start = np.concatenate(([0], np.cumsum(sizes)))
    wire_face = np.array([face for face, _ in wires], dtype=np.int64)
    wire_of_use = np.repeat(np.arange(len(wires)), sizes)
    use_face = wire_face[wire_of_use]
    edge = np.array([use.number for _, wire in wires for use in wire], dtype=np.int64)
    backwards = np.array([use.reversed for _, wire in wires for use in wire], dtype=np.bool_)
    backwards ^= np.array(topology.reversed_faces, dtype=np.bool_)[use_face]
    vertices = np.array(topology.edge_vertices, dtype=np.int64).reshape(-1, 2)
    is_against = _has_breaks(vertices, edge, backwards, wire_start)
    # listed from the last to the first where the wire is used the other way round
    in_order = np.arange(len(edge))
    mirrored = wire_start[wire_of_use] + wire_start[wire_of_use + 1] - 1 - in_order
    order = np.where(is_against[wire_of_use], mirrored, in_order)
    edge, backwards = edge[order], backwards[order]
    usable = np.array(
        [bool(of_face) and not tips for of_face, tips in zip(topology.wires, topology.tips, strict=True)], np.bool_
    )
    usable[wire_face[(sizes == 0) | _has_breaks(vertices, edge, backwards, wire_start)]] = False
    is_odd = (samples.length_mm[edge] <= 2.0 * precision_mm) | _wide_vertices(solid)[vertices[edge]].any(axis=1)
    usable[use_face[is_odd]] = False
    from_vertex = np.where(backwards, vertices[edge, 1], vertices[edge, 0])
    return FileBoundaries(wire_face, wire_start, edge, backwards, from_vertex, usable)


def _has_breaks(
    vertices: NDArray[np.int64], edge: NDArray[np.int64], backwards: NDArray[np.bool_], wire_start: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Shape (w,): an edge of the wire does not end where the next one starts; `vertices` (edges, 2)."""
    ends = vertices[edge]
    starts, stops = np.where(backwards[:, None], ends[:, ::-1], ends).T
    following = np.arange(1, len(edge) + 1)
    filled = np.diff(wire_start) > 0
    following[wire_start[1:][filled] - 1] = wire_start[:-1][filled]
    wire_of_use = np.repeat(np.arange(len(filled)), np.diff(wire_start))
    has_breaks: NDArray[np.bool_] = np.bincount(wire_of_use[stops != starts[following]], minlength=len(filled)) > 0
    return has_breaks


def _wide_vertices(solid: TopoDS_Shape) -> NDArray[np.bool_]:
    """Shape (vertices + 1,): an edge ends beside the vertex; the last is for an edge without one."""
    vertices = map_of(solid, TopAbs_VERTEX)
    tolerance = BRep_Tool.Tolerance_s
    wide = [
        tolerance(TopoDS.Vertex(vertices.FindKey(number))) > KERNEL_PRECISION_MM
        for number in range(1, vertices.Extent() + 1)
    ]
    return np.array([*wide, True])
