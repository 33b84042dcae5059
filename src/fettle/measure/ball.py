# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""The largest ball between facing walls.

Shrinking ball after Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field"
(2012): a ball that touches the surface at p from one side is cut down to the nearest obstacle inside it until none is
left. Here only triangles that face p count as obstacles; whatever else reaches into the ball is reported as lateral.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.measure.tree import STACK, Tree

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


def fit_balls(
    tree: Tree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    side: float,
    ray_mm: NDArray[np.float64],
    asked: NDArray[np.bool_],
    slack: float,
    limit: float = FACING,
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]:
    """The largest ball that touches each point asked for and holds no triangle facing it, starting from the ray.

    points, normals (n, 3) of the whole mesh, outward; `side` -1 puts the ball into the material, +1 in front of it;
    ray_mm (n,): what a ray to that side measured, finite where asked (n,); `slack`: share of its radius by which things
    may reach into a ball; `limit`: largest cosine between normals that counts as facing. Returns diameters in mm (n,),
    the ray's where not asked, the place in the tree of the triangle that stopped each ball (n,), -1 where the ray's own
    length fits, and whether something that does not face the point reaches into that ball (n,).
    """
    return _fit(tree, points, normals, side, ray_mm, asked, slack, limit)


def has_room(
    tree: Tree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    side: float,
    diameter_mm: NDArray[np.float64],
    rows: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether a ball of the given diameter (n,) that touches each of some rows (k,) of the mesh is free of whatever it
    is (k,)."""
    return _room(tree, points, normals, side, diameter_mm, rows)


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def _box_gap2(box, node, x, y, z):
    """Squared distance of a point from a box."""
    a, b = box[node, 0] - x, x - box[node, 3]
    dx = a if a > b else b
    dx = dx if dx > 0.0 else 0.0
    a, b = box[node, 1] - y, y - box[node, 4]
    dy = a if a > b else b
    dy = dy if dy > 0.0 else 0.0
    a, b = box[node, 2] - z, z - box[node, 5]
    dz = a if a > b else b
    dz = dz if dz > 0.0 else 0.0
    return dx * dx + dy * dy + dz * dz


@njit(cache=True, error_model="numpy")
def _may_face(cone, node, nx, ny, nz, limit):
    """Whether any triangle of a node may face normal n."""
    least = nx * cone[node, 0 if nx > 0.0 else 3]
    least += ny * cone[node, 1 if ny > 0.0 else 4]
    least += nz * cone[node, 2 if nz > 0.0 else 5]
    return least <= limit


@njit(cache=True, error_model="numpy")
def _obstacle(tree, stack, gaps, x, y, z, reach2, nx, ny, nz, limit):
    """Nearest triangle within reach of (x, y, z) that faces normal n, -1 for none, with its nearest point; and whether
    any other triangle reaches in."""
    box, right, first, count, normals = tree.box, tree.right, tree.first, tree.size, tree.normals
    found, fx, fy, fz = -1, 0.0, 0.0, 0.0
    near2, aside = reach2, False
    deep2 = LATERAL * LATERAL * reach2
    stack[0], gaps[0] = 0, _box_gap2(box, 0, x, y, z)
    top = 1
    while top > 0:
        top -= 1
        node, gap2 = stack[top], gaps[top]
        while gap2 < near2 and ((gap2 < deep2 and not aside) or _may_face(tree.cone, node, nx, ny, nz, limit)):
            if count[node] == 0:
                near, far = node + 1, np.int64(right[node])
                gap2, far_gap2 = _box_gap2(box, near, x, y, z), _box_gap2(box, far, x, y, z)
                if gap2 > far_gap2:
                    near, far, gap2, far_gap2 = far, near, far_gap2, gap2
                if far_gap2 < near2:
                    stack[top], gaps[top] = far, far_gap2
                    top += 1
                node = near
                continue
            for t in range(first[node], first[node] + count[node]):
                facing = nx * normals[t, 0] + ny * normals[t, 1] + nz * normals[t, 2] <= limit
                if not facing and aside:
                    continue
                qx, qy, qz = _nearest_on(tree.corners, t, x, y, z)
                away2 = (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2
                if facing and away2 < near2:
                    near2, found, fx, fy, fz = away2, t, qx, qy, qz
                elif not facing and away2 < deep2:
                    aside = True
            break
    return found, fx, fy, fz, aside


@njit(cache=True, error_model="numpy")
def _fit(tree, points, own, side, ray, asked, slack, limit):
    corners, normals = tree.corners, tree.normals
    stack, gaps = np.empty(STACK, np.int64), np.empty(STACK)
    diameter, contact = ray.copy(), np.full(len(points), -1, np.int32)
    lateral = np.zeros(len(points), np.bool_)
    last = -1
    for i in tree.points:
        if not asked[i]:
            continue
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
                t, qx, qy, qz, aside = _obstacle(tree, stack, gaps, x, y, z, free * free, nx, ny, nz, limit)
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
    return diameter, contact, lateral


@njit(cache=True, error_model="numpy")
def _reaches_in(tree, stack, x, y, z, reach2):
    """Whether any triangle lies within reach of (x, y, z)."""
    box, first, count = tree.box, tree.first, tree.size
    stack[0] = 0
    top = 1
    while top > 0:
        top -= 1
        node = stack[top]
        if count[node] == 0:
            near, far = node + 1, np.int64(tree.right[node])
            a, b = _box_gap2(box, near, x, y, z), _box_gap2(box, far, x, y, z)
            if b < a:
                near, far, a, b = far, near, b, a
            if b < reach2:
                stack[top] = far
                top += 1
            if a < reach2:
                stack[top] = near
                top += 1
            continue
        for t in range(first[node], first[node] + count[node]):
            qx, qy, qz = _nearest_on(tree.corners, t, x, y, z)
            if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 < reach2:
                return True
    return False


@njit(cache=True, error_model="numpy")
def _room(tree, points, own, side, wanted, rows):
    stack = np.empty(STACK, np.int64)
    answer = np.empty(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        radius = wanted[i] / 2.0
        reach, depth = LATERAL * radius, side * radius
        x, y, z = points[i, 0] + depth * own[i, 0], points[i, 1] + depth * own[i, 1], points[i, 2] + depth * own[i, 2]
        answer[k] = not _reaches_in(tree, stack, x, y, z, reach * reach)
    return answer
