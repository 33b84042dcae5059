# mypy: allow-untyped-defs
"""The largest ball between facing walls: a tree of boxes over the triangles, and a shrinking ball in it.

Shrinking ball after Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field"
(2012): a ball that touches the surface at p from one side is cut down to the nearest obstacle inside it until none is
left. Here only triangles that face p count as obstacles; whatever else reaches into the ball is reported as lateral.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

LEAF = 4
BINS = 12
FACING = -0.7133
"""Walls face each other when their normals are within 44.5 degrees of antiparallel: a 45-degree chamfer does not."""
SLACK = 0.03
"""A ball is free when nothing reaches deeper than this share of its radius: facets of a round wall do so by 1 - cos of
half their turn, 0.9 % at 24 facets a turn."""
LATERAL = 0.85
"""Something that does not face the point counts when it reaches deeper into the ball than this share of its radius."""
EVERYTHING_FACES = 1.0
"""Limit of the cosine for which whatever is met counts as facing."""
MAX_ROUNDS = 40


@dataclass(frozen=True, slots=True, eq=False)
class Tree:
    """Boxes over triangles. Node i covers `first[i]:first[i] + count[i]` of the sorted triangles when `count[i]` > 0,
    else its children are i + 1 and `right[i]`.

    box (nodes, 6): lower and upper corner; cone (nodes, 6): lower and upper corner of its triangles' normals;
    corners (m, 9) mm and normals (m, 3) in sorted order; triangle (m,): number in the mesh.
    """

    box: NDArray[np.float64]
    cone: NDArray[np.float64]
    right: NDArray[np.int32]
    first: NDArray[np.int32]
    count: NDArray[np.int32]
    corners: NDArray[np.float64]
    normals: NDArray[np.float64]
    triangle: NDArray[np.int32]


@njit(cache=True)
def _split(low, high, middle, order, start, end):
    """Sort order[start:end] about the cheapest of a few planes (surface area heuristic); returns where it splits."""
    axis, widest, floor = 0, -1.0, 0.0
    for k in range(3):
        a, b = np.inf, -np.inf
        for i in range(start, end):
            x = middle[order[i], k]
            a, b = min(a, x), max(b, x)
        if b - a > widest:
            axis, widest, floor = k, b - a, a
    if widest <= 0.0:
        return (start + end) // 2
    box = np.empty((BINS, 6))
    filled = np.zeros(BINS, np.int64)
    for b in range(BINS):
        for k in range(3):
            box[b, k], box[b, 3 + k] = np.inf, -np.inf
    scale = BINS / widest
    for i in range(start, end):
        t = order[i]
        b = min(BINS - 1, int((middle[t, axis] - floor) * scale))
        filled[b] += 1
        for k in range(3):
            box[b, k], box[b, 3 + k] = min(box[b, k], low[t, k]), max(box[b, 3 + k], high[t, k])
    # Boxes and counts of all bins below each cut first, then of all above it.
    below = np.full(BINS, np.inf)
    n = 0
    ax = ay = az = np.inf
    bx = by = bz = -np.inf
    for b in range(BINS - 1):
        if filled[b] > 0:
            n += filled[b]
            ax, ay, az = min(ax, box[b, 0]), min(ay, box[b, 1]), min(az, box[b, 2])
            bx, by, bz = max(bx, box[b, 3]), max(by, box[b, 4]), max(bz, box[b, 5])
        if n > 0:
            below[b + 1] = n * ((bx - ax) * (by - ay) + (by - ay) * (bz - az) + (bz - az) * (bx - ax))
    best, where, n = np.inf, 0, 0
    ax = ay = az = np.inf
    bx = by = bz = -np.inf
    for cut in range(BINS - 1, 0, -1):
        if filled[cut] > 0:
            n += filled[cut]
            ax, ay, az = min(ax, box[cut, 0]), min(ay, box[cut, 1]), min(az, box[cut, 2])
            bx, by, bz = max(bx, box[cut, 3]), max(by, box[cut, 4]), max(bz, box[cut, 5])
        if n > 0:
            cost = below[cut] + n * ((bx - ax) * (by - ay) + (by - ay) * (bz - az) + (bz - az) * (bx - ax))
            if cost < best:
                best, where = cost, cut
    if where == 0:
        return (start + end) // 2
    i, j = start, end - 1
    while i <= j:
        if min(BINS - 1, int((middle[order[i], axis] - floor) * scale)) < where:
            i += 1
        else:
            order[i], order[j] = order[j], order[i]
            j -= 1
    return i


@njit(cache=True)
def _build(low, high, middle, normals):
    m = low.shape[0]
    order = np.arange(m)
    box, cone = np.empty((2 * m, 6)), np.empty((2 * m, 6))
    right, first, count = np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32), np.zeros(2 * m, np.int32)
    starts, ends, parents = np.empty(128, np.int64), np.empty(128, np.int64), np.empty(128, np.int64)
    depth, nodes = 1, 0
    starts[0], ends[0], parents[0] = 0, m, -1
    while depth > 0:
        depth -= 1
        start, end, parent = starts[depth], ends[depth], parents[depth]
        node = nodes
        nodes += 1
        if parent >= 0:
            right[parent] = node
        for k in range(3):
            box[node, k] = cone[node, k] = np.inf
            box[node, 3 + k] = cone[node, 3 + k] = -np.inf
        for i in range(start, end):
            t = order[i]
            for k in range(3):
                box[node, k], box[node, 3 + k] = min(box[node, k], low[t, k]), max(box[node, 3 + k], high[t, k])
                cone[node, k] = min(cone[node, k], normals[t, k])
                cone[node, 3 + k] = max(cone[node, 3 + k], normals[t, k])
        # A stack this deep is met only by triangles piled on one spot: they go into one leaf.
        if end - start <= LEAF or depth > 120:
            first[node], count[node] = start, end - start
            continue
        middle_of = _split(low, high, middle, order, start, end)
        starts[depth], ends[depth], parents[depth] = middle_of, end, node
        starts[depth + 1], ends[depth + 1], parents[depth + 1] = start, middle_of, -1
        depth += 2
    return (
        box[:nodes].copy(),
        cone[:nodes].copy(),
        right[:nodes].copy(),
        first[:nodes].copy(),
        count[:nodes].copy(),
        order,
    )


def plant(mesh: Mesh) -> Tree:
    """The tree over a mesh's triangles."""
    corners = mesh.points[mesh.triangles]
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(cross, axis=1, keepdims=True)
    normals = np.divide(cross, length, out=np.zeros_like(cross), where=length > 0.0)
    low, high = corners.min(axis=1), corners.max(axis=1)
    box, cone, right, first, count, order = _build(low, high, (low + high) / 2.0, normals)
    sorted_corners = np.ascontiguousarray(corners[order].reshape(-1, 9))
    return Tree(box, cone, right, first, count, sorted_corners, normals[order], order.astype(np.int32))


@njit(cache=True)
def _nearest_on(c, t, x, y, z):
    """Point of triangle t nearest to (x, y, z); Ericson, Real-Time Collision Detection, 5.1.5."""
    ax, ay, az = c[t, 0], c[t, 1], c[t, 2]
    ux, uy, uz = c[t, 3] - ax, c[t, 4] - ay, c[t, 5] - az
    vx, vy, vz = c[t, 6] - ax, c[t, 7] - ay, c[t, 8] - az
    px, py, pz = x - ax, y - ay, z - az
    d1 = ux * px + uy * py + uz * pz
    d2 = vx * px + vy * py + vz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az
    px, py, pz = x - c[t, 3], y - c[t, 4], z - c[t, 5]
    d3 = ux * px + uy * py + uz * pz
    d4 = vx * px + vy * py + vz * pz
    if d3 >= 0.0 and d4 <= d3:
        return c[t, 3], c[t, 4], c[t, 5]
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3) if d1 > d3 else 0.0
        return ax + s * ux, ay + s * uy, az + s * uz
    px, py, pz = x - c[t, 6], y - c[t, 7], z - c[t, 8]
    d5 = ux * px + uy * py + uz * pz
    d6 = vx * px + vy * py + vz * pz
    if d6 >= 0.0 and d5 <= d6:
        return c[t, 6], c[t, 7], c[t, 8]
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6) if d2 > d6 else 0.0
        return ax + s * vx, ay + s * vy, az + s * vz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6)) if d4 - d3 > 0.0 else 0.0
        return (
            c[t, 3] + s * (c[t, 6] - c[t, 3]),
            c[t, 4] + s * (c[t, 7] - c[t, 4]),
            c[t, 5] + s * (c[t, 8] - c[t, 5]),
        )
    total = va + vb + vc
    if total <= 0.0:
        return ax, ay, az
    s, w = vb / total, vc / total
    return ax + s * ux + w * vx, ay + s * uy + w * vy, az + s * uz + w * vz


@njit(cache=True)
def _box_gap2(box, node, x, y, z):
    gap2 = 0.0
    if x < box[node, 0]:
        gap2 += (box[node, 0] - x) ** 2
    elif x > box[node, 3]:
        gap2 += (x - box[node, 3]) ** 2
    if y < box[node, 1]:
        gap2 += (box[node, 1] - y) ** 2
    elif y > box[node, 4]:
        gap2 += (y - box[node, 4]) ** 2
    if z < box[node, 2]:
        gap2 += (box[node, 2] - z) ** 2
    elif z > box[node, 5]:
        gap2 += (z - box[node, 5]) ** 2
    return gap2


@njit(cache=True)
def _obstacle(box, cone, right, first, count, corners, normals, stack, gaps, x, y, z, reach2, nx, ny, nz, limit):
    """Nearest triangle within reach of (x, y, z) that faces normal n, -1 for none, with its nearest point; and whether
    any other triangle reaches in."""
    found, fx, fy, fz = -1, 0.0, 0.0, 0.0
    near2, aside = reach2, False
    deep2 = min(near2, LATERAL * LATERAL * reach2)
    stack[0], gaps[0] = 0, _box_gap2(box, 0, x, y, z)
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        gap2 = gaps[top]
        if gap2 >= near2:
            continue
        if aside or gap2 >= deep2:
            smallest = min(nx * cone[node, 0], nx * cone[node, 3])
            smallest += min(ny * cone[node, 1], ny * cone[node, 4])
            smallest += min(nz * cone[node, 2], nz * cone[node, 5])
            if smallest > limit:
                continue
        if count[node] == 0:
            near, far = node + 1, right[node]
            near_gap2, far_gap2 = _box_gap2(box, near, x, y, z), _box_gap2(box, far, x, y, z)
            if near_gap2 > far_gap2:
                near, far, near_gap2, far_gap2 = far, near, far_gap2, near_gap2
            if far_gap2 < near2:
                stack[top], gaps[top] = far, far_gap2
                top += 1
            if near_gap2 < near2:
                stack[top], gaps[top] = near, near_gap2
                top += 1
            continue
        for t in range(first[node], first[node] + count[node]):
            facing = nx * normals[t, 0] + ny * normals[t, 1] + nz * normals[t, 2] <= limit
            if not facing and aside:
                continue
            qx, qy, qz = _nearest_on(corners, t, x, y, z)
            gap2 = (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2
            if gap2 >= (near2 if facing else deep2):
                continue
            if facing:
                near2, found, fx, fy, fz = gap2, t, qx, qy, qz
            else:
                aside = True
    return found, fx, fy, fz, aside


@njit(cache=True)
def _fit(
    box, cone, right, first, count, corners, normals, order, points, own, side, ray, slack, limit, diameter, contact,
    lateral,
):  # fmt: skip
    stack, gaps = np.empty(256, np.int64), np.empty(256)
    last = -1
    for i in order:
        nx, ny, nz = own[i, 0], own[i, 1], own[i, 2]
        dx, dy, dz = side * nx, side * ny, side * nz
        px, py, pz = points[i, 0], points[i, 1], points[i, 2]
        radius = ray[i] / 2.0
        # What stopped the ball of the point before, next to this one, most likely stops this one as well.
        ask_last = last >= 0 and nx * normals[last, 0] + ny * normals[last, 1] + nz * normals[last, 2] <= limit
        for _ in range(MAX_ROUNDS):
            free = radius * (1.0 - slack)
            x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
            t = -1
            if ask_last:
                t = last
                qx, qy, qz = _nearest_on(corners, t, x, y, z)
                if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 >= free * free:
                    t, ask_last = -1, False
            if t < 0:
                t, qx, qy, qz, aside = _obstacle(
                    box, cone, right, first, count, corners, normals, stack, gaps, x, y, z, free * free, nx, ny, nz,
                    limit,
                )  # fmt: skip
                lateral[i] = aside
            if t < 0:
                break
            wx, wy, wz = qx - px, qy - py, qz - pz
            ahead = wx * dx + wy * dy + wz * dz
            if ahead <= 0.0:
                if not ask_last:
                    break
                ask_last = False
                continue
            contact[i] = t
            radius = min(radius, (wx * wx + wy * wy + wz * wz) / (2.0 * ahead))
        last = contact[i]
        diameter[i] = 2.0 * radius


@njit(cache=True)
def _room(box, cone, right, first, count, corners, normals, points, own, side, wanted, answer):
    stack, gaps = np.empty(256, np.int64), np.empty(256)
    for i in range(points.shape[0]):
        nx, ny, nz = own[i, 0], own[i, 1], own[i, 2]
        radius = wanted[i] / 2.0
        reach, depth = LATERAL * radius, side * radius
        x, y, z = points[i, 0] + depth * nx, points[i, 1] + depth * ny, points[i, 2] + depth * nz
        t, _, _, _, _ = _obstacle(
            box, cone, right, first, count, corners, normals, stack, gaps, x, y, z, reach * reach, nx, ny, nz,
            EVERYTHING_FACES,
        )  # fmt: skip
        answer[i] = t < 0


def neighbouring(tree: Tree, mesh: Mesh, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Places (k,) of `rows` (k,) in an order in which points that follow each other mostly lie side by side."""
    leaf = np.empty(len(mesh.points), np.int64)
    leaf[mesh.triangles[tree.triangle].ravel()] = np.repeat(np.arange(len(mesh.triangles)), 3)
    return np.argsort(leaf[rows], kind="stable")


def fit_balls(
    tree: Tree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    side: float,
    ray_mm: NDArray[np.float64],
    order: NDArray[np.int64],
    slack: float = SLACK,
    limit: float = FACING,
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]:
    """The largest ball that touches each of k points and holds no triangle facing it, starting from the ray.

    points, normals (k, 3), outward; `side` -1 puts the ball into the material, +1 in front of it; ray_mm (k,) finite:
    what a ray to that side measured; order (k,): in which the points are taken, see `neighbouring`; `limit`: largest
    cosine between normals that counts as facing. Returns diameters in mm (k,), the triangle that stopped each ball
    (k,), -1 where the ray's own length fits, and whether something that does not face the point reaches into that ball
    (k,).
    """
    diameter, contact = np.empty(len(points)), np.full(len(points), -1, np.int32)
    lateral = np.zeros(len(points), np.bool_)
    _fit(
        tree.box, tree.cone, tree.right, tree.first, tree.count, tree.corners, tree.normals,
        order, points, normals, side, ray_mm, slack, limit, diameter, contact, lateral,
    )  # fmt: skip
    return diameter, np.where(contact >= 0, tree.triangle[contact], -1).astype(np.int32), lateral


def has_room(
    tree: Tree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    side: float,
    diameter_mm: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Whether a ball of the given diameter (k,) that touches each of k points is free of whatever it is (k,)."""
    answer = np.empty(len(points), np.bool_)
    _room(
        tree.box, tree.cone, tree.right, tree.first, tree.count, tree.corners, tree.normals,
        points, normals, side, diameter_mm, answer,
    )  # fmt: skip
    return answer
