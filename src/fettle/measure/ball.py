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

from fettle.measure.tree import STACK, WIDE, Tree, push_sorted

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
    roots: NDArray[np.int64],
    side: float,
    ray_mm: NDArray[np.float64],
    asked: NDArray[np.bool_],
    slack: float,
    limit: float = FACING,
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]:
    """The largest ball that touches each point asked for and holds no triangle facing it, starting from the ray.

    points, normals (n, 3) of the whole mesh, outward; roots (n,): below which node of the tree each looks; `side` -1
    puts the ball into the material, +1 in front of it; ray_mm (n,): what a ray to that side measured, finite where
    asked (n,); `slack`: share of its radius by which things may reach into a ball; `limit`: largest cosine between
    normals that counts as facing. Returns diameters in mm (n,), the ray's where not asked, the place in the tree of the
    triangle that stopped each ball (n,), -1 where the ray's own length fits, and whether something that does not face
    the point reaches into that ball (n,).
    """
    return _fit(tree, points, normals, roots, side, ray_mm, asked, slack, limit)


def has_room(
    tree: Tree,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    roots: NDArray[np.int64],
    side: float,
    diameter_mm: NDArray[np.float64],
    rows: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Whether a ball of the given diameter (n,) that touches each of some rows (k,) of the mesh is free of whatever it
    is (k,)."""
    return _room(tree, points, normals, roots, side, diameter_mm, rows)


@njit(cache=True, error_model="numpy")
def _nearest_on(corners, t, c, x, y, z):
    """Point nearest to (x, y, z) of triangle c of leaf t; Ericson, Real-Time Collision Detection, 5.1.5."""
    ax, ay, az = corners[t, 0, c], corners[t, 1, c], corners[t, 2, c]
    bx, by, bz = corners[t, 3, c], corners[t, 4, c], corners[t, 5, c]
    cx, cy, cz = corners[t, 6, c], corners[t, 7, c], corners[t, 8, c]
    ux, uy, uz = bx - ax, by - ay, bz - az
    vx, vy, vz = cx - ax, cy - ay, cz - az
    px, py, pz = x - ax, y - ay, z - az
    d1 = ux * px + uy * py + uz * pz
    d2 = vx * px + vy * py + vz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return ax, ay, az
    px, py, pz = x - bx, y - by, z - bz
    d3 = ux * px + uy * py + uz * pz
    d4 = vx * px + vy * py + vz * pz
    if d3 >= 0.0 and d4 <= d3:
        return bx, by, bz
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3) if d1 > d3 else 0.0
        return ax + s * ux, ay + s * uy, az + s * uz
    px, py, pz = x - cx, y - cy, z - cz
    d5 = ux * px + uy * py + uz * pz
    d6 = vx * px + vy * py + vz * pz
    if d6 >= 0.0 and d5 <= d6:
        return cx, cy, cz
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6) if d2 > d6 else 0.0
        return ax + s * vx, ay + s * vy, az + s * vz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6)) if d4 - d3 > 0.0 else 0.0
        return bx + s * (cx - bx), by + s * (cy - by), bz + s * (cz - bz)
    total = va + vb + vc
    if total <= 0.0:
        return ax, ay, az
    s, w = vb / total, vc / total
    return ax + s * ux + w * vx, ay + s * uy + w * vy, az + s * uz + w * vz


@njit(cache=True, error_model="numpy")
def _box_gap2(box, node, c, x, y, z):
    """Squared distance of a point from the box of child c."""
    a, b = box[node, 0, c] - x, x - box[node, 3, c]
    dx = a if a > b else b
    dx = dx if dx > 0.0 else 0.0
    a, b = box[node, 1, c] - y, y - box[node, 4, c]
    dy = a if a > b else b
    dy = dy if dy > 0.0 else 0.0
    a, b = box[node, 2, c] - z, z - box[node, 5, c]
    dz = a if a > b else b
    dz = dz if dz > 0.0 else 0.0
    return dx * dx + dy * dy + dz * dz


@njit(cache=True, error_model="numpy")
def _faces(normals, leaf, c, nx, ny, nz, limit):
    """Whether triangle c of a leaf faces normal n."""
    return nx * normals[leaf, 0, c] + ny * normals[leaf, 1, c] + nz * normals[leaf, 2, c] <= limit


@njit(cache=True, error_model="numpy")
def _plane_gap(corners, normals, leaf, c, x, y, z):
    """Signed distance of a point from the plane of triangle c of a leaf: the triangle itself is no nearer."""
    gap = normals[leaf, 0, c] * (corners[leaf, 0, c] - x)
    gap += normals[leaf, 1, c] * (corners[leaf, 1, c] - y)
    gap += normals[leaf, 2, c] * (corners[leaf, 2, c] - z)
    return gap


@njit(cache=True, error_model="numpy")
def _reaches_in_beside(corners, normals, place, x, y, z, reach2, nx, ny, nz, limit):
    """Whether the triangle at a place of the tree lies within reach of (x, y, z) and does not face normal n."""
    leaf, c = place // WIDE, place % WIDE
    if _faces(normals, leaf, c, nx, ny, nz, limit):
        return False
    qx, qy, qz = _nearest_on(corners, leaf, c, x, y, z)
    return (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 < reach2


@njit(cache=True, error_model="numpy")
def _obstacle(
    box, cone, child, corners, normals, size, root, stack, gaps, each, x, y, z, reach2, nx, ny, nz, limit, beside
):
    """Nearest triangle within reach of (x, y, z) that faces normal n, -1 for none, with its nearest point; and one that
    does not face it and reaches in, -1 for none. `beside`: where to look for that one first, or -1."""
    found, fx, fy, fz = -1, 0.0, 0.0, 0.0
    near2, deep2 = reach2, LATERAL * LATERAL * reach2
    if beside >= 0 and not _reaches_in_beside(corners, normals, beside, x, y, z, deep2, nx, ny, nz, limit):
        beside = -1
    # Once one reaches in from the side no other is looked for.
    beside2 = deep2 if beside < 0 else 0.0
    # Rows of the cone that hold the corner turned farthest away from n.
    kx, ky, kz = (0 if nx > 0.0 else 3), (1 if ny > 0.0 else 4), (2 if nz > 0.0 else 5)
    stack[0], gaps[0], top = root, 0.0, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if gaps[top] >= near2:
            continue
        if node >= 0:
            for c in range(len(each)):
                gap2 = _box_gap2(box, node, c, x, y, z)
                may_face = nx * cone[node, kx, c] + ny * cone[node, ky, c] + nz * cone[node, kz, c] <= limit
                each[c] = gap2 if (gap2 < near2) & ((gap2 < beside2) | may_face) else np.inf
            top = push_sorted(stack, gaps, top, child, node, each)
            continue
        leaf = ~node
        for c in range(len(each)):
            facing = _faces(normals, leaf, c, nx, ny, nz, limit)
            off = _plane_gap(corners, normals, leaf, c, x, y, z)
            each[c] = (1.0 if facing else 0.0) if off * off < (near2 if facing else beside2) else np.inf
        for c in range(size[leaf]):
            if each[c] == np.inf:
                continue
            qx, qy, qz = _nearest_on(corners, leaf, c, x, y, z)
            away2 = (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2
            if each[c] == 1.0 and away2 < near2:
                near2, found, fx, fy, fz = away2, WIDE * leaf + c, qx, qy, qz
            elif each[c] == 0.0 and away2 < deep2:
                beside, beside2 = WIDE * leaf + c, 0.0
    return found, fx, fy, fz, beside


@njit(cache=True, error_model="numpy")
def _fit(tree, points, own, roots, side, ray, asked, slack, limit):
    box, cone, child, corners, normals = tree.box, tree.cone, tree.child, tree.corners, tree.normals
    size = tree.size
    stack, gaps, each = np.empty(STACK, np.int64), np.empty(STACK), np.empty(WIDE)
    diameter, contact = ray.copy(), np.full(len(points), -1, np.int32)
    lateral = np.zeros(len(points), np.bool_)
    last, beside, root = -1, -1, -1
    for i in tree.points:
        if not asked[i]:
            continue
        if roots[i] != root:
            last, beside, root = -1, -1, roots[i]
        nx, ny, nz = own[i, 0], own[i, 1], own[i, 2]
        dx, dy, dz = side * nx, side * ny, side * nz
        px, py, pz = points[i, 0], points[i, 1], points[i, 2]
        radius = ray[i] / 2.0
        # What stopped the ball of the point before, next to this one, most likely stops this one as well.
        leaf, c = last // WIDE, last % WIDE
        ask_last = last >= 0 and _faces(normals, leaf, c, nx, ny, nz, limit)
        for _ in range(MAX_ROUNDS):
            free = radius * (1.0 - slack)
            x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
            t = -1
            if ask_last:
                t = last
                qx, qy, qz = _nearest_on(corners, leaf, c, x, y, z)
                if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 >= free * free:
                    t, ask_last = -1, False
            if t < 0:
                t, qx, qy, qz, reaching = _obstacle(
                    box, cone, child, corners, normals, size, root, stack, gaps, each,
                    x, y, z, free * free, nx, ny, nz, limit, beside,
                )  # fmt: skip
                lateral[i] = reaching >= 0
                beside = reaching if reaching >= 0 else beside
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
def _reaches_in(box, child, corners, normals, size, root, stack, gaps, each, x, y, z, reach2):
    """Whether any triangle lies within reach of (x, y, z)."""
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            for c in range(len(each)):
                gap2 = _box_gap2(box, node, c, x, y, z)
                each[c] = gap2 if gap2 < reach2 else np.inf
            top = push_sorted(stack, gaps, top, child, node, each)
            continue
        for c in range(len(each)):
            each[c] = _plane_gap(corners, normals, ~node, c, x, y, z)
        for c in range(size[~node]):
            if each[c] * each[c] < reach2:
                qx, qy, qz = _nearest_on(corners, ~node, c, x, y, z)
                if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 < reach2:
                    return True
    return False


@njit(cache=True, error_model="numpy")
def _room(tree, points, own, roots, side, wanted, rows):
    box, child, corners, normals, size = tree.box, tree.child, tree.corners, tree.normals, tree.size
    stack, gaps, each = np.empty(STACK, np.int64), np.empty(STACK), np.empty(WIDE)
    answer = np.empty(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        radius = wanted[i] / 2.0
        reach, depth = LATERAL * radius, side * radius
        x, y, z = points[i, 0] + depth * own[i, 0], points[i, 1] + depth * own[i, 1], points[i, 2] + depth * own[i, 2]
        answer[k] = not _reaches_in(
            box, child, corners, normals, size, roots[i], stack, gaps, each, x, y, z, reach * reach
        )
    return answer
