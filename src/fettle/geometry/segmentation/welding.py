# mypy: allow-untyped-defs
"""Loose triangles welded: equal corners become one vertex; a table of edges lists the triangles at each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.weld import number_edges
from fettle.jit import njit


def weld(corners: NDArray[np.float64], tolerance_mm: float) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices (n, 3) and triangles (m, 3) of loose corners (m, 3, 3): corners within the tolerance of an earlier
    vertex become that vertex. Triangles that lose a side are dropped."""
    loose = np.ascontiguousarray(corners.reshape(-1, 3))
    size = max(tolerance_mm, 1e-300)
    number, count = _weld(loose, loose.min(axis=0), size, _table_size(len(loose)))
    first = np.full(count, len(loose), dtype=np.int64)
    np.minimum.at(first, number, np.arange(len(loose)))
    triangles = number.reshape(-1, 3)
    a, b, c = triangles.T
    return loose[first], triangles[(a != b) & (b != c) & (c != a)]


def _table_size(count: int) -> int:
    return 1 << max(4, int(2 * count - 1).bit_length())


@njit(cache=True)
def _slot(x, y, z, mask):
    mixed = (x * 73856093) ^ (y * 19349663) ^ (z * 83492791)
    return (mixed ^ (mixed >> 17)) & mask


@njit(cache=True)
def _weld(points, low, tolerance, table_size):
    """Number of each point's vertex, by a hash of cells twice as wide as the tolerance: eight cells hold all near."""
    mask = table_size - 1
    head = np.full(table_size, -1, np.int64)
    follow = np.full(len(points), -1, np.int64)
    spot = np.empty(len(points), np.int64)
    number = np.empty(len(points), np.int64)
    width = 2.0 * tolerance
    limit = tolerance * tolerance
    count = 0
    for i in range(len(points)):
        px, py, pz = points[i, 0], points[i, 1], points[i, 2]
        fx, fy, fz = (px - low[0]) / width, (py - low[1]) / width, (pz - low[2]) / width
        cx, cy, cz = np.int64(np.floor(fx)), np.int64(np.floor(fy)), np.int64(np.floor(fz))
        sx = 1 if fx - cx >= 0.5 else -1
        sy = 1 if fy - cy >= 0.5 else -1
        sz = 1 if fz - cz >= 0.5 else -1
        found = -1
        best = limit
        for k in range(8):
            slot = _slot(cx + sx * (k & 1), cy + sy * ((k >> 1) & 1), cz + sz * ((k >> 2) & 1), mask)
            j = head[slot]
            while j >= 0:
                row = spot[j]
                dx, dy, dz = points[row, 0] - px, points[row, 1] - py, points[row, 2] - pz
                distance = dx * dx + dy * dy + dz * dz
                if distance < best or (distance == best and (found < 0 or j < found)):
                    best = distance
                    found = j
                j = follow[j]
        if found < 0:
            found = count
            spot[count] = i
            slot = _slot(cx, cy, cz, mask)
            follow[count] = head[slot]
            head[slot] = count
            count += 1
        number[i] = found
    return number, count


@dataclass(frozen=True, slots=True, eq=False)
class EdgeTable:
    """The e undirected edges of m triangles.

    `side_edge` (m, 3): edge of side k (corner k to k + 1); `order` (3 m,): sides (3 * triangle + k) grouped by edge;
    `starts` (e + 1,): where each edge's group begins; `forward` (3 m,): by side, whether it runs from the lower vertex
    number to the higher; `balance` (e,): 0 everywhere on closed, oriented shells.
    """

    side_edge: NDArray[np.int32]
    order: NDArray[np.int64]
    starts: NDArray[np.int64]
    forward: NDArray[np.bool_]
    balance: NDArray[np.int32]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Sides at each edge, shape (e,)."""
        return np.diff(self.starts)


def edge_table(triangles: NDArray[np.int64]) -> EdgeTable:
    side_edge, _, balance, uses = number_edges(triangles, int(triangles.max()) + 1)
    order = np.argsort(side_edge.ravel(), kind="stable")
    starts = np.concatenate([[0], np.cumsum(uses, dtype=np.int64)])
    forward = (triangles < np.roll(triangles, -1, axis=1)).ravel()
    return EdgeTable(side_edge, order, starts, forward, balance)
