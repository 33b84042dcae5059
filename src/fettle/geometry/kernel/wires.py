"""The wires of all faces as arrays, their edges in the order in which they follow each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel.topology import Topology


@dataclass(frozen=True, slots=True, eq=False)
class Wires:
    """w wires with u uses of edges in all, as they run on the faces before these are turned.

    wire_face (w,); wire_start (w + 1,): wire i has the uses wire_start[i] to wire_start[i + 1]; edge (u,);
    backwards (u,): the wire runs against the edge's own curve; vertices (edges, 2): where each edge begins and ends, -1
    for nowhere. closed (faces,): the face has wires, and each is a chain of edges that ends where it begins.
    """

    wire_face: NDArray[np.int64]
    wire_start: NDArray[np.int64]
    edge: NDArray[np.int64]
    backwards: NDArray[np.bool_]
    vertices: NDArray[np.int64]
    closed: NDArray[np.bool_]

    @property
    def wire_of_use(self) -> NDArray[np.int64]:
        """Shape (u,)."""
        return np.repeat(np.arange(len(self.wire_face)), np.diff(self.wire_start))

    @property
    def face_of_use(self) -> NDArray[np.int64]:
        """Shape (u,)."""
        return self.wire_face[self.wire_of_use]


def order_wires(topology: Topology) -> Wires:
    """A wire that its face uses the other way round is listed from its last edge to its first."""
    of_faces = [(face, wire) for face, of_face in enumerate(topology.wires) for wire in of_face]
    sizes = np.array([len(wire) for _, wire in of_faces], dtype=np.int64)
    wire_start = np.concatenate(([0], np.cumsum(sizes)))
    wire_face = np.array([face for face, _ in of_faces], dtype=np.int64)
    wire_of_use = np.repeat(np.arange(len(of_faces)), sizes)
    edge = np.array([use.number for _, wire in of_faces for use in wire], dtype=np.int64)
    backwards = np.array([use.reversed for _, wire in of_faces for use in wire], dtype=np.bool_)
    backwards ^= np.array(topology.reversed_faces, dtype=np.bool_)[wire_face[wire_of_use]]
    vertices = np.array(topology.edge_vertices, dtype=np.int64).reshape(-1, 2)
    is_against = _has_breaks(vertices, edge, backwards, wire_start)
    in_order = np.arange(len(edge))
    mirrored = wire_start[wire_of_use] + wire_start[wire_of_use + 1] - 1 - in_order
    order = np.where(is_against[wire_of_use], mirrored, in_order)
    edge, backwards = edge[order], backwards[order]
    closed = np.array([bool(of_face) for of_face in topology.wires], np.bool_)
    closed[wire_face[(sizes == 0) | _has_breaks(vertices, edge, backwards, wire_start)]] = False
    return Wires(wire_face, wire_start, edge, backwards, vertices, closed)


def _has_breaks(
    vertices: NDArray[np.int64], edge: NDArray[np.int64], backwards: NDArray[np.bool_], wire_start: NDArray[np.int64]
) -> NDArray[np.bool_]:
    """Shape (w,): an edge of the wire does not end where the next one starts."""
    ends = vertices[edge]
    starts, stops = np.where(backwards[:, None], ends[:, ::-1], ends).T
    following = np.arange(1, len(edge) + 1)
    filled = np.diff(wire_start) > 0
    following[wire_start[1:][filled] - 1] = wire_start[:-1][filled]
    wire_of_use = np.repeat(np.arange(len(filled)), np.diff(wire_start))
    has_breaks: NDArray[np.bool_] = np.bincount(wire_of_use[stops != starts[following]], minlength=len(filled)) > 0
    return has_breaks
