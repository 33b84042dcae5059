# mypy: allow-untyped-defs
"""Bounding volume hierarchy over the triangles of a mesh, for rays and for inscribed balls.

A binary tree is built top down by the surface area heuristic over `BINS` candidate planes (Wald, "On fast construction
of SAH-based bounding volume hierarchies", 2007). Then every node absorbs its descendants until it has `LANES` children,
so that vector instructions test eight boxes at once (Wald, Benthin and Boulos, "Getting rid of packets", 2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.geometry.meshing.counting_sort import sort_by
from fettle.jit import njit, njit_inner
from fettle.jit.lanes import LANES, larger, load, store
from fettle.measure.point_order import sort_along_curve

EDGE_MARGIN = 1e-9
"""Enlargement of a triangle, as a fraction of its size: no ray passes between two triangles that share an edge."""
BINS = 8
"""Bins of the surface area heuristic; more planes make the tree slower to build and hardly better."""
CENTER = 9
"""Column of a triangle's bounds from which on they are the center of its box."""
MAX_SAH_DEPTH = 48
"""Depth below which triangles are halved by count: only triangles piled on one spot go deeper."""
STACK_SIZE = 512
"""Entries of a traversal stack: seven siblings on each of `MAX_SAH_DEPTH` levels and of 20 for a million triangles, and
one for each of the `LANES` children of the node that is looked at."""


class Bvh(NamedTuple):
    """Bounding volume hierarchy; a tuple, because compiled functions accept tuples of arrays.

    Node 0 is the root of the whole mesh; roots (bodies,): the node (or ~leaf) that holds exactly one body's triangles.

    box (nodes, 6 * 8) mm: lower and upper corners of the boxes of a node's children, x of all eight first; inverted
    (lower = inf) where there are fewer than eight. normal_box (nodes, 6 * 8): the same bounds of the unit normals of
    the triangles below each child. child (nodes, 8): number of the child node, or ~leaf.

    corners (leaves, 9 * 8) mm, normals (leaves, 3 * 8): of the triangles of a leaf, in the same layout; corners are inf
    where there are fewer than eight. A triangle's slot is 8 * leaf + its column there; triangle, face (8 * leaves,):
    number in the mesh and face of the triangle in each slot.

    points (n,): rows of the mesh points, face by face, along a space-filling curve: successive points are neighbors.
    """

    box: NDArray[np.float64]
    normal_box: NDArray[np.float64]
    child: NDArray[np.int32]
    corners: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangle: NDArray[np.int32]
    face: NDArray[np.int32]
    points: NDArray[np.int64]
    roots: NDArray[np.int64]


def build_bvh(mesh: Mesh, face_body: NDArray[np.int64]) -> Bvh:
    """Build the hierarchy over the triangles of a mesh; face_body (faces,): number of the body of each face."""
    triangles = unsigned(mesh.triangles)
    bounds, normals = _triangle_bounds(mesh.points, triangles)
    body = face_body[mesh.triangle_face]
    rank, order, ends = _sort_by_body(mesh, bounds, body)
    right, first, count, roots = _build_binary_tree(bounds, order, ends)
    box, normal_box = _node_bounds(bounds, normals, right, first, count, order)
    box, normal_box, child, leaf_first, size, roots = _collapse(box, normal_box, right, first, count, roots)
    corners, leaf_normals, triangle = _pack_leaves(mesh.points, triangles, normals, order, leaf_first, size)
    face, points = mesh.triangle_face[triangle], sort_along_curve(mesh.points, mesh.point_face)
    return Bvh(box, normal_box, child, corners, leaf_normals, triangle, face, points, roots[rank])


def _sort_by_body(
    mesh: Mesh, bounds: NDArray[np.float64], body: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.uint32], NDArray[np.int64]]:
    """Sort triangles by body, bodies along the longest side of the part.

    Returns the rank (bodies,) of each body, the triangle numbers in that order (m,), and the end (bodies,) of each
    body's triangles, by rank.
    """
    count = np.bincount(body)
    if len(count) == 1:
        return np.zeros(1, np.int64), np.arange(len(body), dtype=np.uint32), count
    low, high = mesh.box_mm()
    axis = int((high - low).argmax())
    by_position = np.argsort(np.bincount(body, weights=bounds[:, CENTER + axis]) / np.maximum(count, 1), kind="stable")
    rank = np.empty(len(count), np.int64)
    rank[by_position] = np.arange(len(count))
    order = sort_by(np.arange(len(body)), rank.astype(np.uint32)[body], len(count))
    return rank, order.astype(np.uint32), np.cumsum(count[by_position])


# inline: passing two arrays to a call costs more than the loop below
@njit(cache=True, inline="always")
def push_sorted(stack, keys, bottom, top, entry, key):
    """Push an entry so that stack[bottom:top] stays sorted, smallest key on top; return the new height."""
    i = top
    while i > bottom and keys[i - 1] < key:
        stack[i], keys[i] = stack[i - 1], keys[i - 1]
        i -= 1
    stack[i], keys[i] = entry, key
    return top + 1


@njit(cache=True)
def _triangle_bounds(points, triangles):
    """Of each triangle's box the lower corner (negated: then all corners grow by `larger`), the upper corner, the
    center negated and the center (m, 12) mm; unit normals (m, 3), 0 if degenerate."""
    m = len(triangles)
    bounds, normals = np.empty((m, 12)), np.zeros((m, 3))
    for t in range(m):
        i, j, h = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        for k in range(3):
            a, b, c = points[i, k], points[j, k], points[h, k]
            low, high = min(a, b, c), max(a, b, c)
            margin = 3.0 * EDGE_MARGIN * (high - low)
            bounds[t, k], bounds[t, 3 + k] = margin - low, high + margin
            bounds[t, 6 + k], bounds[t, CENTER + k] = -(low + high) / 2.0, (low + high) / 2.0
        ux, uy, uz = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
        vx, vy, vz = points[h, 0] - points[i, 0], points[h, 1] - points[i, 1], points[h, 2] - points[i, 2]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(x * x + y * y + z * z)
        if length > 0.0:
            normals[t, 0], normals[t, 1], normals[t, 2] = x / length, y / length, z / length
    return bounds, normals


@njit(cache=True)
def _build_binary_tree(bounds, order, ends):
    """Build the binary tree; `order` (m,) is sorted in place.

    Node i is a leaf over `order[first[i]:first[i] + count[i]]` if `count[i]` > 0, else its children are i + 1 and
    `right[i]`. Also returns the node (bodies,) that holds exactly one body.
    """
    m = len(bounds)
    roots = np.full(len(ends), -1)
    right, first, count = np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32)
    waiting, bin_of = np.empty((STACK_SIZE, 4), np.int64), np.empty(m, np.uint8)
    bins, below, filled = np.empty((BINS + 1, LANES)), np.empty(BINS), np.empty(BINS, np.int64)
    flat = bins.reshape(-1)
    waiting[0] = (0, m, -1, 0)
    top, nodes = 1, 0
    while top > 0:
        top -= 1
        start, end, parent, level = waiting[top]
        node = nodes
        nodes += 1
        if parent >= 0:
            right[parent] = node
        body = np.searchsorted(ends, start, side="right")
        if end > ends[body]:
            cut = _nearest_boundary(ends, start, end)
        else:
            if roots[body] < 0:
                roots[body] = node
            if end - start <= LANES:
                first[node], count[node] = start, end - start
                continue
            cut = (start + end) // 2
            if level < MAX_SAH_DEPTH:
                cut = start + _split_by_area(bounds, order[start:end], bins, flat, below, filled, bin_of)
        waiting[top] = (cut, end, node, level + 1)
        waiting[top + 1] = (start, cut, -1, level + 1)
        top += 2
    return right[:nodes].copy(), first[:nodes].copy(), count[:nodes].copy(), roots


@njit_inner
def _nearest_boundary(ends, start, end):
    """Body boundary inside (start, end) nearest to the middle of that range."""
    border = end
    for cut in ends:
        if start < cut < end and (border == end or abs(2 * cut - start - end) < abs(2 * border - start - end)):
            border = cut
    return border


@njit_inner
def _split_by_area(bounds, order, bins, flat, below, filled, bin_of):
    """Partition the triangles of `order` by the cheapest plane of the surface area heuristic; return how many lie
    before it.

    bin_of (m,): room for the bin of each triangle.
    """
    box = load(bounds, order[0], CENTER + 3 - LANES)
    for t in order:
        box = larger(box, load(bounds, t, CENTER + 3 - LANES))
    store(flat, LANES * BINS, box)
    axis, widest = CENTER, -1.0
    for k in range(3):
        # the last six lanes: centers negated, and centers
        width = flat[LANES * (BINS + 1) - 3 + k] + flat[LANES * (BINS + 1) - 6 + k]
        if width > widest:
            axis, widest = CENTER + k, width
    if widest <= 0.0:
        return len(order) // 2
    floor = -flat[LANES * (BINS + 1) - 6 + axis - CENTER]
    _fill_bins(bounds, order, axis, floor, BINS / widest, bins, flat, filled, bin_of)
    where = _cheapest_bin(bins, flat, below, filled)
    if where == 0:
        return len(order) // 2
    # without branches: which side comes next cannot be predicted
    i, j, t = 0, len(order) - 1, order[0]
    while i < j:
        stays = bin_of[t] < where
        following = order[i + 1 if stays else j]
        order[i if stays else j] = t
        i, j, t = i + stays, j - (not stays), following
    order[i] = t
    return i + (bin_of[t] < where)


@njit_inner
def _fill_bins(bounds, order, axis, floor, scale, bins, flat, filled, bin_of):
    """Box, its lower corner negated, and triangle count (BINS,) of each bin along an axis, written into `bins` (BINS +
    1, LANES), also called `flat` for `store`, and `filled`; the bin of each triangle into `bin_of`."""
    for k in range(LANES * BINS):
        flat[k] = -np.inf
    for b in range(BINS):
        filled[b] = 0
    for t in order:
        # without sign, as `unsigned`
        own = np.uint64(min(BINS - 1, int((bounds[t, axis] - floor) * scale)))
        bin_of[t] = own
        filled[own] += 1
        store(flat, LANES * own, larger(load(bins, own, 0), load(bounds, t, 0)))


@njit_inner
def _cheapest_bin(bins, flat, below, filled):
    """Bin before which to cut: least sum of count times box surface of both sides; 0 if one side is always empty. The
    last row of `bins` is room for the box of a side."""
    n = 0
    for k in range(LANES):
        bins[BINS, k] = -np.inf
    for b in range(BINS - 1):
        if filled[b] > 0:
            n += filled[b]
            store(flat, LANES * BINS, larger(load(bins, BINS, 0), load(bins, b, 0)))
        below[b + 1] = n * _half_surface(bins, BINS) if n > 0 else np.inf
    best, where, n = np.inf, 0, 0
    for k in range(LANES):
        bins[BINS, k] = -np.inf
    for cut in range(BINS - 1, 0, -1):
        if filled[cut] > 0:
            n += filled[cut]
            store(flat, LANES * BINS, larger(load(bins, BINS, 0), load(bins, cut, 0)))
        if n > 0:
            cost = below[cut] + n * _half_surface(bins, BINS)
            if cost < best:
                best, where = cost, cut
    return where


@njit_inner
def _half_surface(box, row):
    """Half the surface of a box whose lower corner is negated."""
    x, y, z = box[row, 3] + box[row, 0], box[row, 4] + box[row, 1], box[row, 5] + box[row, 2]
    return x * y + y * z + z * x


@njit(cache=True)
def _node_bounds(bounds, normals, right, first, count, order):
    """Boxes, their lower corners negated, and bounds of the normals below each node (nodes, LANES), computed from the
    last node: children follow parents. The last two columns mean nothing."""
    box, normal_box = np.empty((len(right), LANES)), np.full((len(right), LANES), -np.inf)
    boxes, normal_boxes = box.reshape(-1), normal_box.reshape(-1)
    for node in range(len(right) - 1, -1, -1):
        if right[node] > 0:
            a, b = node + 1, right[node]
            store(boxes, LANES * node, larger(load(box, a, 0), load(box, b, 0)))
            store(normal_boxes, LANES * node, larger(load(normal_box, a, 0), load(normal_box, b, 0)))
            continue
        box[node] = -np.inf
        for i in range(first[node], first[node] + count[node]):
            t = order[i]
            store(boxes, LANES * node, larger(load(box, node, 0), load(bounds, t, 0)))
            for k in range(3):
                normal_box[node, k] = max(normal_box[node, k], -normals[t, k])
                normal_box[node, 3 + k] = max(normal_box[node, 3 + k], normals[t, k])
    return box, normal_box


@njit(cache=True)
def _collapse(box, normal_box, right, first, count, roots):
    """Collapse the binary tree into nodes of up to `LANES` children, largest surface opened first.

    Returns boxes, normal boxes and children of the wide nodes, first triangle and size of each leaf, and the root of
    each body.
    """
    body = np.full(len(right), -1)
    body[roots] = np.arange(len(roots))
    roots = np.zeros(len(roots), np.int64)
    most = len(right) // 2 + 1
    wide_box, wide_normal_box = np.empty((most, 6 * LANES)), np.empty((most, 6 * LANES))
    child = np.full((most, LANES), -1, np.int32)
    leaf_first, size = np.empty(most, np.int64), np.empty(most, np.int64)
    source, slot = np.zeros(STACK_SIZE, np.int64), np.zeros(STACK_SIZE, np.int64)
    absorbed = np.empty(LANES, np.int64)
    nodes, leaves, top = 0, 0, 1
    while top > 0:
        top -= 1
        node, absorbed[0], many = nodes, source[top], 1
        nodes += 1
        if body[source[top]] >= 0:
            roots[body[source[top]]] = node
        if node > 0:
            child[slot[top] // LANES, slot[top] % LANES] = node
        while many < LANES:
            opened, widest = -1, -1.0
            for c in range(many):
                i = absorbed[c]
                surface = _half_surface(box, i)
                if count[i] == 0 and (many == 1 or body[i] < 0) and surface > widest:
                    opened, widest = c, surface
            if opened < 0:
                break
            absorbed[opened], absorbed[many] = absorbed[opened] + 1, right[absorbed[opened]]
            many += 1
        for c in range(LANES):
            for k in range(6):
                # an empty box is inverted
                sign = -1.0 if k < 3 else 1.0
                wide_box[node, k * LANES + c] = sign * (box[absorbed[c], k] if c < many else -np.inf)
                wide_normal_box[node, k * LANES + c] = sign * (normal_box[absorbed[c], k] if c < many else -np.inf)
        for c in range(many - 1, -1, -1):
            i = absorbed[c]
            if count[i] == 0:
                source[top], slot[top] = i, LANES * node + c
                top += 1
            else:
                child[node, c], leaf_first[leaves], size[leaves] = ~leaves, first[i], count[i]
                if body[i] >= 0:
                    roots[body[i]] = ~leaves
                leaves += 1
    return wide_box[:nodes], wide_normal_box[:nodes], child[:nodes], leaf_first[:leaves], size[:leaves], roots


@njit(cache=True)
def _pack_leaves(points, triangles, normals, order, first, size):
    """Corners (leaves, 9 * 8), normals (leaves, 3 * 8) and mesh numbers (8 * leaves,) of the leaves' triangles."""
    corners, leaf_normals = np.empty((len(first), 9 * LANES)), np.empty((len(first), 3 * LANES))
    numbers = np.empty(LANES * len(first), np.int32)
    for leaf in range(len(first)):
        for c in range(LANES):
            t = order[first[leaf] + min(c, size[leaf] - 1)]
            numbers[LANES * leaf + c] = t
            for k in range(3):
                leaf_normals[leaf, k * LANES + c] = normals[t, k]
                corner = triangles[t, k]
                for axis in range(3):
                    corners[leaf, (3 * k + axis) * LANES + c] = points[corner, axis] if c < size[leaf] else np.inf
    return corners, leaf_normals, numbers
