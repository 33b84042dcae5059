# mypy: allow-untyped-defs
"""A tree of boxes over the triangles of a mesh: what rays are shot through and balls are fitted in.

Built from the top by the surface area heuristic over a few planes (Wald, "On fast construction of SAH-based bounding
volume hierarchies", 2007), in pairs; then every node takes in its grandchildren, up to `WIDE` of them, so that one look
at a node judges eight boxes with the vector instructions of the machine (Wald, Benthin and Boulos, "Getting rid of
packets", 2008).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit

RIM = 1e-9
"""By how much, in its own size, a triangle is taken larger: no ray slips through the edge between two of them."""
WIDE = 8
"""Children of a node, and triangles of a leaf."""
BINS = 8
DEEPEST = 48
"""Levels after which triangles are halved by number: only those piled on one spot go deeper."""
STACK = 512
"""Room for what waits on the way down: seven children on each of `DEEPEST` levels and of 20 for a million triangles."""
_BIT = np.zeros((1 << (WIDE - 1)) + 1, np.int64)
_BIT[1 << np.arange(WIDE)] = np.arange(WIDE)


class Bvh(NamedTuple):
    """Boxes over triangles, a tuple so that compiled loops take it whole. Node 0 is the root, `roots` (bodies,) are
    those of the bodies, each with its triangles alone below it.

    box (nodes, 6 * 8): lower and upper corners of a node's children, inverted where there is none, x of all eight
    first; cone (nodes, 6 * 8): lower and upper corners of the normals of their triangles; child (nodes, 8): their
    nodes, or ~leaf.
    corners (leaves, 9 * 8) mm, normals (leaves, 3 * 8): of the triangles of a leaf, laid out alike; infinitely far
    where they are fewer. A triangle's place is 8 * leaf + its number there; triangle, face (8 * leaves,): its number in
    the mesh and its face by place.
    points (n,): rows of the mesh, face by face, in an order in which those that follow each other mostly lie side by
    side.
    """

    box: NDArray[np.float64]
    cone: NDArray[np.float64]
    child: NDArray[np.int32]
    corners: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangle: NDArray[np.int32]
    face: NDArray[np.int32]
    points: NDArray[np.int64]
    roots: NDArray[np.int64]


def build_bvh(mesh: Mesh, face_body: NDArray[np.int64]) -> Bvh:
    """The tree over a mesh's triangles; face_body (faces,): the body that each face belongs to."""
    bounds, normals = _measure(mesh.points, mesh.triangles)
    body = face_body[mesh.triangle_face]
    row, order, ends = _line_up(mesh, bounds, body)
    right, first, count, roots = _grow(bounds, order, ends)
    box, cone = _enclose(bounds, normals, right, first, count, order)
    box, cone, child, leaf_first, size, roots = _widen(box, cone, right, first, count, roots)
    corners, leaf_normals, triangle = _lay_out(mesh.points, mesh.triangles, normals, order, leaf_first, size)
    face, points = mesh.triangle_face[triangle], _side_by_side(mesh)
    return Bvh(box, cone, child, corners, leaf_normals, triangle, face, points, roots[row])


def _line_up(
    mesh: Mesh, bounds: NDArray[np.float64], body: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Bodies in a row along the longest side of the part: the place (bodies,) of each in it, the numbers of their
    triangles one body after the other (m,), and where those of each end (bodies,)."""
    count = np.bincount(body)
    if len(count) == 1:
        return np.zeros(1, np.int64), np.arange(len(body), dtype=np.int32), count
    low, high = mesh.box_mm()
    axis = int((high - low).argmax())
    in_row = np.argsort(np.bincount(body, weights=bounds[:, 6 + axis]) / np.maximum(count, 1), kind="stable")
    place = np.empty(len(count), np.int64)
    place[in_row] = np.arange(len(count))
    return place, np.argsort(place[body], kind="stable").astype(np.int32), np.cumsum(count[in_row])


@njit(cache=True, inline="always")
def lowest(chosen):
    """The number of the lowest bit of a mask of children or triangles; 0 for none."""
    return _BIT[chosen & -chosen]


# inline: a call would hand over two arrays, and costs more than what is done here
@njit(cache=True, inline="always")
def insert(stack, keys, bottom, top, entry, key):
    """Put an entry onto a stack, the smallest key on top as far down as `bottom`; the new height."""
    i = top
    while i > bottom and keys[i - 1] < key:
        stack[i], keys[i] = stack[i - 1], keys[i - 1]
        i -= 1
    stack[i], keys[i] = entry, key
    return top + 1


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
def _grow(bounds, order, ends):
    """The shape of the tree in pairs: node i covers `first[i]:first[i] + count[i]` of the triangles, sorted in place,
    when `count[i]` > 0, else its children are i + 1 and `right[i]`; and the nodes (bodies,) of the bodies."""
    m = len(bounds)
    roots = np.full(len(ends), -1)
    right, first, count = np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32)
    waiting = np.empty((STACK, 4), np.int64)
    bins, below, filled = np.empty((BINS, 6)), np.empty(BINS), np.empty(BINS, np.int64)
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
            cut = _border(ends, start, end)
        else:
            if roots[body] < 0:
                roots[body] = node
            if end - start <= WIDE:
                first[node], count[node] = start, end - start
                continue
            cut = (start + end) // 2
            if level < DEEPEST:
                cut = _split(bounds, order, start, end, bins, below, filled)
        waiting[top] = (cut, end, node, level + 1)
        waiting[top + 1] = (start, cut, -1, level + 1)
        top += 2
    return right[:nodes].copy(), first[:nodes].copy(), count[:nodes].copy(), roots


@njit(cache=True)
def _border(ends, start, end):
    """The end of a body between start and end that lies nearest to their middle."""
    border = end
    for cut in ends:
        if start < cut < end and (border == end or abs(2 * cut - start - end) < abs(2 * border - start - end)):
            border = cut
    return border


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
def _widen(box, cone, right, first, count, roots):
    """Boxes, cones and children of the wide nodes, first triangle and size of each leaf, and where bodies begin."""
    body = np.full(len(right), -1)
    body[roots] = np.arange(len(roots))
    roots = np.zeros(len(roots), np.int64)
    most = len(right) // 2 + 1
    wide_box, wide_cone = np.empty((most, 6 * WIDE)), np.empty((most, 6 * WIDE))
    child = np.full((most, WIDE), -1, np.int32)
    leaf_first, size = np.empty(most, np.int64), np.empty(most, np.int64)
    source, slot = np.zeros(STACK, np.int64), np.zeros(STACK, np.int64)
    taken = np.empty(WIDE, np.int64)
    nodes, leaves, top = 0, 0, 1
    while top > 0:
        top -= 1
        node, taken[0], many = nodes, source[top], 1
        nodes += 1
        if body[source[top]] >= 0:
            roots[body[source[top]]] = node
        if node > 0:
            child[slot[top] // WIDE, slot[top] % WIDE] = node
        while many < WIDE:
            opened, widest = -1, -1.0
            for c in range(many):
                i = taken[c]
                x, y, z = box[i, 3] - box[i, 0], box[i, 4] - box[i, 1], box[i, 5] - box[i, 2]
                if count[i] == 0 and (many == 1 or body[i] < 0) and x * y + y * z + z * x > widest:
                    opened, widest = c, x * y + y * z + z * x
            if opened < 0:
                break
            taken[opened], taken[many] = taken[opened] + 1, right[taken[opened]]
            many += 1
        for c in range(WIDE):
            for k in range(6):
                empty = np.inf if k < 3 else -np.inf
                wide_box[node, k * WIDE + c] = box[taken[c], k] if c < many else empty
                wide_cone[node, k * WIDE + c] = cone[taken[c], k] if c < many else empty
        for c in range(many - 1, -1, -1):
            i = taken[c]
            if count[i] == 0:
                source[top], slot[top] = i, WIDE * node + c
                top += 1
            else:
                child[node, c], leaf_first[leaves], size[leaves] = ~leaves, first[i], count[i]
                if body[i] >= 0:
                    roots[body[i]] = ~leaves
                leaves += 1
    return wide_box[:nodes], wide_cone[:nodes], child[:nodes], leaf_first[:leaves], size[:leaves], roots


@njit(cache=True)
def _lay_out(points, triangles, normals, order, first, size):
    """Corners (leaves, 9 * 8) and normals (leaves, 3 * 8) of the triangles of the leaves, and numbers (8 * leaves,)."""
    corners, turned = np.empty((len(first), 9 * WIDE)), np.empty((len(first), 3 * WIDE))
    numbers = np.empty(WIDE * len(first), np.int32)
    for leaf in range(len(first)):
        for c in range(WIDE):
            t = order[first[leaf] + min(c, size[leaf] - 1)]
            numbers[WIDE * leaf + c] = t
            for k in range(3):
                turned[leaf, k * WIDE + c] = normals[t, k]
                for axis in range(3):
                    corners[leaf, (3 * k + axis) * WIDE + c] = (
                        points[triangles[t, k], axis] if c < size[leaf] else np.inf
                    )
    return corners, turned, numbers


def _side_by_side(mesh: Mesh) -> NDArray[np.int64]:
    """The rows of the points (n,), face by face, along a curve through space."""
    low, high = mesh.box_mm()
    scale = 1023.0 / max(float((high - low).max()), 1e-300)
    return np.argsort((mesh.point_face.astype(np.int64) << 30) | _places(mesh.points, low, scale), kind="stable")


@njit(cache=True)
def _places(points, low, scale):
    """Numbers (n,) below 2**30 along a curve through space on which neighbors mostly lie side by side (Morton 1966):
    steps along it spread evenly over a face, whatever the order in which its points were made."""
    places = np.zeros(len(points), np.int64)
    for i in range(len(points)):
        for axis in range(3):
            cell = int((points[i, axis] - low[axis]) * scale)
            # every bit is followed by two empty ones, for those of the other axes
            cell = (cell | cell << 16) & 0x030000FF
            cell = (cell | cell << 8) & 0x0300F00F
            cell = (cell | cell << 4) & 0x030C30C3
            cell = (cell | cell << 2) & 0x09249249
            places[i] |= cell << axis
    return places
