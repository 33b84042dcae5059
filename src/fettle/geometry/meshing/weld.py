# mypy: allow-untyped-defs
"""Welding of rows of points into vertices, and edges of welded triangles. Arrays only, no kernel."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.components import components
from fettle.geometry.near_pairs import near_pairs
from fettle.jit import njit


@njit(cache=True, error_model="numpy")
def border_pairs(edge, start, rows, degenerated):
    """Pairs (k, 2) of rows that the topology says are one: along every edge, use by use; all of an edge that is only a
    point.

    Use i is of edge[i] and owns rows[start[i] : start[i + 1]].
    """
    pairs = np.empty((2 * len(rows), 2), dtype=np.int64)
    count = 0
    leader = np.full(edge.max() + 1 if len(edge) else 0, -1, dtype=np.int64)
    for use in range(len(edge)):
        first, size = start[use], start[use + 1] - start[use]
        if degenerated[use]:
            for k in range(size - 1):
                pairs[count, 0], pairs[count, 1] = rows[first + k], rows[first + k + 1]
                count += 1
        lead = leader[edge[use]]
        if lead < 0:
            leader[edge[use]] = use
        elif start[lead + 1] - start[lead] == size:
            for k in range(size):
                pairs[count, 0], pairs[count, 1] = rows[start[lead] + k], rows[first + k]
                count += 1
    return pairs[:count]


@njit(cache=True, error_model="numpy")
def number_values(values):
    """Shape (n,) int32: the same numbers without gaps, counted in order of first appearance."""
    number = np.full(values.max() + 1 if len(values) else 0, -1, dtype=np.int32)
    result = np.empty(len(values), dtype=np.int32)
    count = 0
    for i in range(len(values)):
        if number[values[i]] < 0:
            number[values[i]] = count
            count += 1
        result[i] = number[values[i]]
    return result


@njit(cache=True, error_model="numpy")
def number_edges(triangles, vertex_count):
    """Undirected edges of welded triangles (m, 3), numbered in order of first appearance.

    Returns side_edge (m, 3) int32, the edge of side k (corner k to corner k + 1); ends (e, 2) int32, as first seen;
    balance (e,) int32, forward minus backward uses; uses (e,) int32. A closed mesh has balance 0 everywhere.
    """
    head = np.full(vertex_count, -1, dtype=np.int32)
    following = np.empty(triangles.size, dtype=np.int32)
    ends = np.empty((triangles.size, 2), dtype=np.int32)
    balance = np.zeros(triangles.size, dtype=np.int32)
    uses = np.zeros(triangles.size, dtype=np.int32)
    side_edge = np.empty(triangles.shape, dtype=np.int32)
    count = 0
    for t in range(triangles.shape[0]):
        for k in range(3):
            a = triangles[t, k]
            b = triangles[t, (k + 1) % 3]
            low = min(a, b)
            edge = head[low]
            while edge >= 0 and max(ends[edge, 0], ends[edge, 1]) != max(a, b):
                edge = following[edge]
            if edge < 0:
                edge = count
                count += 1
                ends[edge, 0] = a
                ends[edge, 1] = b
                following[edge] = head[low]
                head[low] = edge
            side_edge[t, k] = edge
            uses[edge] += 1
            balance[edge] += 1 if ends[edge, 0] == a else -1
    return side_edge, ends[:count], balance[:count], uses[:count]


def open_edges(welded: NDArray[np.int32]) -> NDArray[np.int32]:
    """Ends (k, 2) of the edges of welded triangles (m, 3) that are not used as often forward as backward."""
    if not len(welded):
        return np.empty((0, 2), dtype=np.int32)
    _, ends, balance, _ = number_edges(welded, int(welded.max()) + 1)
    found: NDArray[np.int32] = ends[balance != 0]
    return found


def close_by_position(
    vertex: NDArray[np.int32], points: NDArray[np.float64], triangles: NDArray[np.int32], tolerance_mm: float
) -> tuple[NDArray[np.int32], bool]:
    """`vertex` (n,) with the ends of open edges joined where they are closer than the tolerance, and whether that
    leaves none open."""
    border = np.unique(open_edges(vertex[triangles]))
    if not len(border):
        return vertex, True
    first_row = np.full(int(vertex.max()) + 1, -1, dtype=np.int64)
    first_row[vertex[::-1]] = np.arange(len(vertex) - 1, -1, -1)
    pairs = near_pairs(points[first_row[border]], tolerance_mm)
    joined: NDArray[np.int32] = components(len(first_row), border[pairs[:, 0]], border[pairs[:, 1]])[vertex]
    return joined, not len(open_edges(joined[triangles]))


@njit(cache=True, error_model="numpy")
def merge_rows(vertex, point_face, normals, same_cosine):
    """Shape (n,) int32: for each row the first row of the same face and vertex with the same normal.

    Rows of a face must be consecutive. Merges the two rows along the seam of a closed face.
    """
    kept = np.empty(len(vertex), dtype=np.int32)
    head = np.full(len(vertex), -1, dtype=np.int32)
    following = np.empty(len(vertex), dtype=np.int32)
    for row in range(len(vertex)):
        other = head[vertex[row]]
        while other >= 0 and point_face[other] == point_face[row]:
            cosine = 0.0
            for k in range(3):
                cosine += normals[row, k] * normals[other, k]
            if cosine >= same_cosine:
                break
            other = following[other]
        if other >= 0 and point_face[other] == point_face[row]:
            kept[row] = other
        else:
            kept[row] = row
            following[row] = head[vertex[row]]
            head[vertex[row]] = row
    return kept


@njit(cache=True, error_model="numpy")
def set_outward(points, triangles, normals):
    """Normals (n, 3) that point against the triangles around their row are replaced by those triangles' own.

    The kernel gives such normals where a spline's parametrisation degenerates to a point.
    """
    mean = np.zeros(normals.shape)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            double_area = (points[b, j] - points[a, j]) * (points[c, k] - points[a, k])
            double_area -= (points[b, k] - points[a, k]) * (points[c, j] - points[a, j])
            mean[a, i] += double_area
            mean[b, i] += double_area
            mean[c, i] += double_area
    for row in range(len(normals)):
        cosine = mean[row, 0] * normals[row, 0] + mean[row, 1] * normals[row, 1] + mean[row, 2] * normals[row, 2]
        if cosine < 0.0:
            length = np.sqrt(mean[row, 0] ** 2 + mean[row, 1] ** 2 + mean[row, 2] ** 2)
            for i in range(3):
                normals[row, i] = mean[row, i] / length
