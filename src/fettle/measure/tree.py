# mypy: allow-untyped-defs
"""A tree of boxes over the triangles of a mesh: what rays are shot through and balls are fitted in.

Built from the top by the surface area heuristic over a few planes (Wald, "On fast construction of SAH-based bounding
volume hierarchies", 2007).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

RIM = 1e-9
"""By how much, in its own size, a triangle is taken larger: no ray slips through the edge between two of them."""
LEAF = 4
BINS = 8
STACK = 128
DEEPEST = STACK - 2
"""Levels of the tree. Only triangles piled on one spot go deeper: they share a leaf."""


class Tree(NamedTuple):
    """Boxes over triangles, a tuple so that compiled loops take it whole. Node i covers `first[i]:first[i] + size[i]`
    of the sorted triangles when `size[i]` > 0, else its children are i + 1 and `right[i]`.

    box (nodes, 6): lower and upper corner; cone (nodes, 6): lower and upper corner of its triangles' normals;
    corners (m, 9) mm and normals (m, 3) in sorted order; triangle (m,): number in the mesh, face (m,): its face;
    points (n,): rows of the mesh in an order in which those that follow each other mostly lie side by side.
    """

    box: NDArray[np.float64]
    cone: NDArray[np.float64]
    right: NDArray[np.int32]
    first: NDArray[np.int32]
    size: NDArray[np.int32]
    corners: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangle: NDArray[np.int32]
    face: NDArray[np.int32]
    points: NDArray[np.int64]


def plant(mesh: Mesh) -> Tree:
    """The tree over a mesh's triangles."""
    bounds, normals = _measure(mesh.points, mesh.triangles)
    right, first, count, order = _grow(bounds)
    corners, sorted_normals, points = _lay_out(mesh.points, mesh.triangles, normals, order)
    box, cone = _enclose(bounds, normals, right, first, count, order)
    return Tree(
        box, cone, right, first, count, corners, sorted_normals, order, mesh.triangle_face[order], points
    )  # fmt: skip


@njit(cache=True)
def _measure(points, triangles):
    """Lower corner, upper corner and middle of each triangle's box (m, 9), and its normal (m, 3), 0 without area."""
    m = len(triangles)
    bounds, normals = np.empty((m, 9)), np.zeros((m, 3))
    for t in range(m):
        i, j, h = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for k in range(3):
            a, b, c = points[i, k], points[j, k], points[h, k]
            low, high = min(a, b, c), max(a, b, c)
            rim = 3.0 * RIM * (high - low)
            bounds[t, k], bounds[t, 3 + k], bounds[t, 6 + k] = low - rim, high + rim, (low + high) / 2.0
        ux, uy, uz = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
        vx, vy, vz = points[h, 0] - points[i, 0], points[h, 1] - points[i, 1], points[h, 2] - points[i, 2]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            normals[t, 0], normals[t, 1], normals[t, 2] = x / length, y / length, z / length
    return bounds, normals


@njit(cache=True)
def _grow(bounds):
    """The shape of the tree: right children, first triangles and counts of the nodes, and the order of triangles."""
    m = len(bounds)
    order = np.arange(m).astype(np.int32)
    right, first, count = np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32)
    starts, ends, parents = np.empty(STACK, np.int64), np.empty(STACK, np.int64), np.empty(STACK, np.int64)
    bins, below, filled = np.empty((BINS, 6)), np.empty(BINS), np.empty(BINS, np.int64)
    starts[0], ends[0], parents[0] = 0, m, -1
    top, nodes = 1, 0
    while top > 0:
        top -= 1
        start, end = starts[top], ends[top]
        node = nodes
        nodes += 1
        if parents[top] >= 0:
            right[parents[top]] = node
        if end - start <= LEAF or top > DEEPEST:
            first[node], count[node] = start, end - start
            continue
        cut = _split(bounds, order, start, end, bins, below, filled)
        starts[top], ends[top], parents[top] = cut, end, node
        starts[top + 1], ends[top + 1], parents[top + 1] = start, cut, -1
        top += 2
    return right[:nodes].copy(), first[:nodes].copy(), count[:nodes].copy(), order


@njit(cache=True)
def _split(bounds, order, start, end, bins, below, filled):
    """Sort order[start:end] about the cheapest of a few planes; returns where it splits."""
    ax = ay = az = np.inf
    bx = by = bz = -np.inf
    for i in range(start, end):
        t = order[i]
        x, y, z = bounds[t, 6], bounds[t, 7], bounds[t, 8]
        ax, ay, az, bx, by, bz = min(ax, x), min(ay, y), min(az, z), max(bx, x), max(by, y), max(bz, z)
    axis, widest, floor = 6, bx - ax, ax
    if by - ay > widest:
        axis, widest, floor = 7, by - ay, ay
    if bz - az > widest:
        axis, widest, floor = 8, bz - az, az
    if widest <= 0.0:
        return (start + end) // 2
    scale = BINS / widest
    _fill_bins(bounds, order, start, end, axis, floor, scale, bins, filled)
    where = _cheapest_cut(bins, below, filled)
    if where == 0:
        return (start + end) // 2
    i, j = start, end - 1
    while i <= j:
        if min(BINS - 1, int((bounds[order[i], axis] - floor) * scale)) < where:
            i += 1
        else:
            order[i], order[j] = order[j], order[i]
            j -= 1
    return i


@njit(cache=True)
def _fill_bins(bounds, order, start, end, axis, floor, scale, bins, filled):
    for b in range(BINS):
        filled[b] = 0
        for k in range(3):
            bins[b, k], bins[b, 3 + k] = np.inf, -np.inf
    for i in range(start, end):
        t = order[i]
        b = min(BINS - 1, int((bounds[t, axis] - floor) * scale))
        filled[b] += 1
        for k in range(3):
            bins[b, k], bins[b, 3 + k] = min(bins[b, k], bounds[t, k]), max(bins[b, 3 + k], bounds[t, 3 + k])


@njit(cache=True)
def _cheapest_cut(bins, below, filled):
    """The bin before which to cut, by counts times surfaces on both sides; 0 where no cut has something on both."""
    n = 0
    ax = ay = az = np.inf
    bx = by = bz = -np.inf
    for b in range(BINS - 1):
        if filled[b] > 0:
            n += filled[b]
            ax, ay, az = min(ax, bins[b, 0]), min(ay, bins[b, 1]), min(az, bins[b, 2])
            bx, by, bz = max(bx, bins[b, 3]), max(by, bins[b, 4]), max(bz, bins[b, 5])
        below[b + 1] = np.inf
        if n > 0:
            below[b + 1] = n * ((bx - ax) * (by - ay) + (by - ay) * (bz - az) + (bz - az) * (bx - ax))
    best, where, n = np.inf, 0, 0
    ax = ay = az = np.inf
    bx = by = bz = -np.inf
    for cut in range(BINS - 1, 0, -1):
        if filled[cut] > 0:
            n += filled[cut]
            ax, ay, az = min(ax, bins[cut, 0]), min(ay, bins[cut, 1]), min(az, bins[cut, 2])
            bx, by, bz = max(bx, bins[cut, 3]), max(by, bins[cut, 4]), max(bz, bins[cut, 5])
        if n > 0:
            cost = below[cut] + n * ((bx - ax) * (by - ay) + (by - ay) * (bz - az) + (bz - az) * (bx - ax))
            if cost < best:
                best, where = cost, cut
    return where


@njit(cache=True)
def _enclose(bounds, normals, right, first, count, order):
    """Boxes and normals of the nodes, from the leaves up: children come after their parents."""
    box, cone = np.empty((len(right), 6)), np.empty((len(right), 6))
    for node in range(len(right) - 1, -1, -1):
        if right[node] > 0:
            a, b = node + 1, right[node]
            for k in range(3):
                box[node, k], box[node, 3 + k] = min(box[a, k], box[b, k]), max(box[a, 3 + k], box[b, 3 + k])
                cone[node, k], cone[node, 3 + k] = min(cone[a, k], cone[b, k]), max(cone[a, 3 + k], cone[b, 3 + k])
            continue
        for k in range(3):
            box[node, k] = cone[node, k] = np.inf
            box[node, 3 + k] = cone[node, 3 + k] = -np.inf
        for i in range(first[node], first[node] + count[node]):
            t = order[i]
            for k in range(3):
                box[node, k], box[node, 3 + k] = (
                    min(box[node, k], bounds[t, k]),
                    max(box[node, 3 + k], bounds[t, 3 + k]),
                )
                cone[node, k] = min(cone[node, k], normals[t, k])
                cone[node, 3 + k] = max(cone[node, 3 + k], normals[t, k])
    return box, cone


@njit(cache=True)
def _lay_out(points, triangles, normals, order):
    """Corners (m, 9) and normals (m, 3) in the order of the tree, and the rows of the points (n,) as it meets them."""
    corners, turned = np.empty((len(order), 9)), np.empty((len(order), 3))
    rows, met = np.empty(len(points), np.int64), np.zeros(len(points), np.bool_)
    seen = 0
    for i in range(len(order)):
        t = order[i]
        for k in range(3):
            turned[i, k] = normals[t, k]
            row = triangles[t, k]
            for c in range(3):
                corners[i, 3 * k + c] = points[row, c]
            if not met[row]:
                met[row] = True
                rows[seen] = row
                seen += 1
    return corners, turned, rows[:seen].copy()
