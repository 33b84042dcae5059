# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""Largest ball between facing walls, at every mesh point.

Shrinking ball after Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field"
(2012): a ball tangent to the surface at p is shrunk until no obstacle is inside it. Here only triangles that face p are
obstacles; others inside the ball (beside an edge, a chamfer) are reported as lateral.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner
from fettle.jit.lanes import LANES, bits, larger, load, lowest_bit, smaller, store
from fettle.measure.bvh import STACK_SIZE, Bvh, push_sorted

FACING_COS = -0.7133
"""Walls face each other if the cosine of their normals is at most this, within 44.5 degrees of antiparallel: a
45-degree chamfer does not face the wall beside it."""
PENETRATION = 0.03
"""Depth, as a fraction of its radius, to which obstacles may reach into a ball that counts as free: facets of a round
wall do so by 1 - cos of half their angle, 0.9 % at 24 facets a turn."""
CONTACT_TOLERANCE = 1e-3
"""The same for the triangle that stops a ball, after the last iteration."""
LATERAL_RADIUS = 0.85
"""A triangle that does not face the point is lateral if it is nearer to the center than this fraction of the radius."""
ALL_FACE = 1.0
NONE_FACE = -2.0
"""Limits of the cosine for which every triangle counts as facing, or none."""
MAX_ITERATIONS = 40
"""Bound on the iterations against one triangle; the contact tolerance ends them earlier."""


def fit_balls(
    tree: Bvh,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    roots: NDArray[np.int64],
    side: float,
    ray_mm: NDArray[np.float64],
    selected: NDArray[np.bool_],
    penetration: float,
    limit: float = FACING_COS,
) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.bool_]]:
    """Fit the largest ball that touches each selected point and has no facing triangle inside.

    points, normals (n, 3) of the whole mesh, normals outward; roots (n,): node of the tree below which triangles count;
    `side` -1 puts the ball into the material, +1 in front of it; ray_mm (n,): distance to the first hit on that side,
    the largest diameter tried, finite where selected (n,); `penetration`: depth, as a fraction of the radius, to which
    triangles may reach into a ball; `limit`: largest cosine between normals that counts as facing.

    Returns diameters in mm (n,), `ray_mm` where not selected; the slot in the tree (n,) of the triangle that stopped
    each ball, -1 where the ray's own length fits; and a mask (n,) of the balls with a lateral triangle inside.
    """
    return _fit_balls(tree, points, normals, roots, side, ray_mm, selected, penetration, limit)


def balls_fit(
    tree: Bvh,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    roots: NDArray[np.int64],
    side: float,
    diameter_mm: NDArray[np.float64],
    rows: NDArray[np.int64],
) -> NDArray[np.bool_]:
    """Mask (k,) of the points, given by rows (k,), that a ball of diameter_mm (k,) touches with no triangle inside.

    Arguments as in `fit_balls`.
    """
    return _balls_fit(tree, points, normals, roots, side, diameter_mm, rows)


@njit_inner
def _closest_point(corners, t, c, x, y, z):
    """Point of triangle c of leaf t that is closest to (x, y, z) (Ericson, "Real-Time Collision Detection", 5.1.5)."""
    ax, ay, az = corners[t, c], corners[t, LANES + c], corners[t, 2 * LANES + c]
    bx, by, bz = corners[t, 3 * LANES + c], corners[t, 4 * LANES + c], corners[t, 5 * LANES + c]
    cx, cy, cz = corners[t, 6 * LANES + c], corners[t, 7 * LANES + c], corners[t, 8 * LANES + c]
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


@njit_inner
def _distance2(corners, leaf, c, x, y, z):
    """Squared distance from a point to triangle c of a leaf."""
    qx, qy, qz = _closest_point(corners, leaf, c, x, y, z)
    return (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2


@njit(cache=True, inline="always")
def _interval_distances(low, high, x):
    """Distances from x to the intervals [low, high]."""
    return larger(larger(low - x, x - high), 0.0)


@njit(cache=True, inline="always")
def _box_distances2(box, node, x, y, z):
    """Squared distances from a point to the boxes of a node's children."""
    dx = _interval_distances(load(box, node, 0), load(box, node, 3 * LANES), x)
    dy = _interval_distances(load(box, node, LANES), load(box, node, 4 * LANES), y)
    dz = _interval_distances(load(box, node, 2 * LANES), load(box, node, 5 * LANES), z)
    return dx * dx + dy * dy + dz * dz


@njit_inner
def _is_facing(normals, leaf, c, nx, ny, nz, limit):
    """Whether triangle c of a leaf faces a wall with normal n."""
    return nx * normals[leaf, c] + ny * normals[leaf, LANES + c] + nz * normals[leaf, 2 * LANES + c] <= limit


@njit(cache=True, inline="always")
def _cosines(normals, row, kx, ky, kz, nx, ny, nz):
    """Products of normal n and of those in a row of `normals`, whose coordinates begin at columns kx, ky and kz."""
    return nx * load(normals, row, kx) + ny * load(normals, row, ky) + nz * load(normals, row, kz)


@njit(cache=True, inline="always")
def _span_distances(corners, leaf, k, x):
    """Distances from x to the intervals spanned by coordinate k of the three corners of the triangles of a leaf."""
    a, b, c = load(corners, leaf, k), load(corners, leaf, k + 3 * LANES), load(corners, leaf, k + 6 * LANES)
    return _interval_distances(smaller(c, smaller(a, b)), larger(c, larger(a, b)), x)


@njit(cache=True, inline="always")
def _plane_distances2(corners, normals, leaf, x, y, z):
    """Squared distances from a point to the planes of the triangles of a leaf."""
    off = load(normals, leaf, 0) * (load(corners, leaf, 0) - x)
    off = off + load(normals, leaf, LANES) * (load(corners, leaf, LANES) - y)
    off = off + load(normals, leaf, 2 * LANES) * (load(corners, leaf, 2 * LANES) - z)
    return off * off


@njit(cache=True, inline="always")
def _triangle_box_distances2(corners, leaf, x, y, z):
    """Squared distances from a point to the boxes of the triangles of a leaf."""
    dx = _span_distances(corners, leaf, 0, x)
    dy = _span_distances(corners, leaf, LANES, y)
    dz = _span_distances(corners, leaf, 2 * LANES, z)
    return dx * dx + dy * dy + dz * dz


@njit_inner
def _shrink_to(corners, leaf, c, px, py, pz, dx, dy, dz, radius, penetration):
    """Radius of the largest ball tangent at p, with center along d, that triangle c of a leaf does not reach into; the
    given radius if it reaches in by no more than the penetration allowed."""
    for _ in range(MAX_ITERATIONS):
        x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
        qx, qy, qz = _closest_point(corners, leaf, c, x, y, z)
        free = radius * (1.0 - penetration)
        if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 >= free * free:
            break
        wx, wy, wz = qx - px, qy - py, qz - pz
        ahead = wx * dx + wy * dy + wz * dz
        if ahead <= 0.0:
            break
        radius, penetration = min(radius, (wx * wx + wy * wy + wz * wz) / (2.0 * ahead)), CONTACT_TOLERANCE
    return radius


@njit_inner
def _shrink_ball(
    box,
    normal_box,
    child,
    corners,
    normals,
    root,
    stack,
    keys,
    px,
    py,
    pz,
    nx,
    ny,
    nz,
    side,
    radius,
    penetration,
    limit,
    contact,
):
    """Radius, at most the one given, of the largest ball tangent at p with no facing triangle inside, and the slot of
    the triangle that stopped it, `contact` if none did.

    A shrunk ball lies inside the one before, so nodes already rejected stay rejected.
    """
    dx, dy, dz = side * nx, side * ny, side * nz
    x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
    free2 = (radius * (1.0 - penetration)) ** 2
    # Columns of the corner of the normal box that points farthest away from n.
    kx, ky, kz = LANES * (0 if nx > 0.0 else 3), LANES * (1 if ny > 0.0 else 4), LANES * (2 if nz > 0.0 else 5)
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            distances2 = _box_distances2(box, node, x, y, z)
            may_face = _cosines(normal_box, node, kx, ky, kz, nx, ny, nz) <= limit
            opened = bits((distances2 < free2) & may_face)
            store(keys, STACK_SIZE - LANES, distances2)
            bottom = top
            while opened > 0:
                c = lowest_bit(opened)
                opened &= opened - 1
                top = push_sorted(stack, keys, bottom, top, child[node, c], keys[STACK_SIZE - LANES + c])
            continue
        leaf = ~node
        facing = _cosines(normals, leaf, 0, LANES, 2 * LANES, nx, ny, nz) <= limit
        near = bits(facing & (_plane_distances2(corners, normals, leaf, x, y, z) < free2))
        if near > 0:
            near &= bits(_triangle_box_distances2(corners, leaf, x, y, z) < free2)
        # Deepest triangle first, then the leaf again: a triangle that is nearly outside leaves the ball too large.
        best, which = free2, -1
        while near > 0:
            c = lowest_bit(near)
            near &= near - 1
            distance2 = _distance2(corners, leaf, c, x, y, z)
            if distance2 < best:
                best, which = distance2, c
        if which >= 0:
            cut = _shrink_to(corners, leaf, which, px, py, pz, dx, dy, dz, radius, penetration)
            if cut < radius:
                radius, contact = cut, LANES * leaf + which
                x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
                free2 = (radius * (1.0 - penetration)) ** 2
                stack[top] = node
                top += 1
    return radius, contact


@njit_inner
def _find_lateral(box, normal_box, child, corners, normals, root, stack, x, y, z, reach2, nx, ny, nz, limit):
    """Slot of a triangle nearer to (x, y, z) than the reach that does not face normal n, -1 for none."""
    kx, ky, kz = LANES * (3 if nx > 0.0 else 0), LANES * (4 if ny > 0.0 else 1), LANES * (5 if nz > 0.0 else 2)
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            may_not = _cosines(normal_box, node, kx, ky, kz, nx, ny, nz) > limit
            opened = bits((_box_distances2(box, node, x, y, z) < reach2) & may_not)
            while opened > 0:
                stack[top] = child[node, lowest_bit(opened)]
                opened &= opened - 1
                top += 1
            continue
        leaf = ~node
        facing = _cosines(normals, leaf, 0, LANES, 2 * LANES, nx, ny, nz) <= limit
        near = bits(~facing & (_plane_distances2(corners, normals, leaf, x, y, z) < reach2))
        if near > 0:
            near &= bits(_triangle_box_distances2(corners, leaf, x, y, z) < reach2)
        while near > 0:
            c = lowest_bit(near)
            near &= near - 1
            if _distance2(corners, leaf, c, x, y, z) < reach2:
                return LANES * leaf + c
    return -1


@njit(cache=True, error_model="numpy")
def _fit_balls(tree, points, own, roots, side, ray, selected, penetration, limit):
    """Compiled body of `fit_balls`; `own`: normals of the points."""
    box, normal_box, child, corners, normals = tree.box, tree.normal_box, tree.child, tree.corners, tree.normals
    stack, keys = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    diameter, contact = ray.copy(), np.full(len(points), -1, np.int32)
    lateral = np.zeros(len(points), np.bool_)
    last, beside, root = -1, -1, -1
    for i in tree.points:
        if not selected[i]:
            continue
        if roots[i] != root:
            last, beside, root = -1, -1, roots[i]
        nx, ny, nz = own[i, 0], own[i, 1], own[i, 2]
        dx, dy, dz = side * nx, side * ny, side * nz
        px, py, pz = points[i, 0], points[i, 1], points[i, 2]
        radius, stopped = ray[i] / 2.0, -1
        # The triangle that stopped the ball of the previous, neighboring point most likely stops this one too.
        if last >= 0 and _is_facing(normals, last // LANES, last % LANES, nx, ny, nz, limit):
            cut = _shrink_to(corners, last // LANES, last % LANES, px, py, pz, dx, dy, dz, radius, penetration)
            if cut < radius:
                radius, stopped = cut, last
        radius, last = _shrink_ball(
            box, normal_box, child, corners, normals, root, stack, keys, px, py, pz, nx, ny, nz, side, radius,
            penetration, limit, stopped,
        )  # fmt: skip
        contact[i], diameter[i] = last, 2.0 * radius
        x, y, z, deep = (
            px + radius * dx,
            py + radius * dy,
            pz + radius * dz,
            LATERAL_RADIUS * radius * (1.0 - penetration),
        )
        # Likewise for the lateral triangle of the previous ball.
        if beside >= 0 and not _is_facing(normals, beside // LANES, beside % LANES, nx, ny, nz, limit):
            lateral[i] = _distance2(corners, beside // LANES, beside % LANES, x, y, z) < deep * deep
        if not lateral[i]:
            found = _find_lateral(
                box, normal_box, child, corners, normals, root, stack, x, y, z, deep * deep, nx, ny, nz, limit
            )
            lateral[i] = found >= 0
            beside = found if found >= 0 else beside
    return diameter, contact, lateral


@njit(cache=True, error_model="numpy")
def _balls_fit(tree, points, own, roots, side, diameter, rows):
    """Compiled body of `balls_fit`; `own`: normals of the points."""
    box, normal_box, child, corners, normals = tree.box, tree.normal_box, tree.child, tree.corners, tree.normals
    stack, answer = np.empty(STACK_SIZE, np.int64), np.empty(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        radius = diameter[k] / 2.0
        nx, ny, nz, reach, depth = own[i, 0], own[i, 1], own[i, 2], LATERAL_RADIUS * radius, side * radius
        x, y, z = points[i, 0] + depth * nx, points[i, 1] + depth * ny, points[i, 2] + depth * nz
        met = _find_lateral(
            box, normal_box, child, corners, normals, roots[i], stack, x, y, z, reach * reach, nx, ny, nz, NONE_FACE
        )
        answer[k] = met < 0
    return answer
