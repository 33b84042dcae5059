# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""The largest ball between facing walls.

Shrinking ball after Ma, Bae and Choi, "3D medial axis point approximation using nearest neighbors and the normal field"
(2012): a ball that touches the surface at p from one side is cut down to the nearest obstacle inside it until none is
left. Here only triangles that face p count as obstacles; whatever else reaches into the ball is reported as lateral.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit
from fettle.measure.bvh import STACK, WIDE, Bvh, insert, lowest

FACING = -0.7133
"""Walls face each other when their normals are within 44.5 degrees of antiparallel: a 45-degree chamfer does not."""
SLACK = 0.03
"""The ball across a ray is free when nothing reaches deeper than this share of its radius: facets of a round wall do so
by 1 - cos of half their turn, 0.9 % at 24 facets a turn."""
CLOSE = 1e-3
"""How deep, as a share of its radius, what stopped a ball may reach into it in the end."""
LATERAL = 0.85
"""Something that does not face the point counts when it reaches deeper into the ball than this share of its radius."""
EVERYTHING_FACES = 1.0
NOTHING_FACES = -2.0
"""Limits of the cosine for which whatever is met counts as facing, or nothing does."""
MAX_ROUNDS = 40


def fit_balls(
    tree: Bvh,
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
    tree: Bvh,
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
    ax, ay, az = corners[t, c], corners[t, WIDE + c], corners[t, 2 * WIDE + c]
    bx, by, bz = corners[t, 3 * WIDE + c], corners[t, 4 * WIDE + c], corners[t, 5 * WIDE + c]
    cx, cy, cz = corners[t, 6 * WIDE + c], corners[t, 7 * WIDE + c], corners[t, 8 * WIDE + c]
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
def _gap2(corners, leaf, c, x, y, z):
    """Squared distance of a point from triangle c of a leaf."""
    qx, qy, qz = _nearest_on(corners, leaf, c, x, y, z)
    return (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2


@njit(cache=True, error_model="numpy")
def _beyond(low, high, x):
    """Distance of x from the span between two numbers."""
    below, above = low - x, x - high
    gap = below if below > above else above
    return gap if gap > 0.0 else 0.0


@njit(cache=True, error_model="numpy")
def _box_gap2(box, node, c, x, y, z):
    """Squared distance of a point from the box of child c."""
    dx = _beyond(box[node, c], box[node, 3 * WIDE + c], x)
    dy = _beyond(box[node, WIDE + c], box[node, 4 * WIDE + c], y)
    dz = _beyond(box[node, 2 * WIDE + c], box[node, 5 * WIDE + c], z)
    return dx * dx + dy * dy + dz * dz


@njit(cache=True, error_model="numpy")
def _faces(normals, leaf, c, nx, ny, nz, limit):
    """Whether triangle c of a leaf faces normal n."""
    return nx * normals[leaf, c] + ny * normals[leaf, WIDE + c] + nz * normals[leaf, 2 * WIDE + c] <= limit


@njit(cache=True, error_model="numpy")
def _span_gap(a, b, c, x):
    """Distance of x from the span of three numbers."""
    low, high = (a, b) if a < b else (b, a)
    low, high = (c if c < low else low), (c if c > high else high)
    return _beyond(low, high, x)


@njit(cache=True, error_model="numpy")
def _least_gap2(corners, normals, leaf, c, x, y, z):
    """Squared distance of a point from triangle c of a leaf at least: the larger one of those from its plane and from
    its box. All triangles of a leaf are judged at once by it, and few are left to be looked at one by one."""
    off = normals[leaf, c] * (corners[leaf, c] - x)
    off += normals[leaf, WIDE + c] * (corners[leaf, WIDE + c] - y)
    off += normals[leaf, 2 * WIDE + c] * (corners[leaf, 2 * WIDE + c] - z)
    dx = _span_gap(corners[leaf, c], corners[leaf, 3 * WIDE + c], corners[leaf, 6 * WIDE + c], x)
    dy = _span_gap(corners[leaf, WIDE + c], corners[leaf, 4 * WIDE + c], corners[leaf, 7 * WIDE + c], y)
    dz = _span_gap(corners[leaf, 2 * WIDE + c], corners[leaf, 5 * WIDE + c], corners[leaf, 8 * WIDE + c], z)
    from_plane2, from_box2 = off * off, dx * dx + dy * dy + dz * dz
    return from_plane2 if from_plane2 > from_box2 else from_box2


@njit(cache=True, error_model="numpy")
def _cut_down(corners, leaf, c, px, py, pz, dx, dy, dz, radius, slack):
    """Radius of the largest ball that touches p on the side of d and that triangle c of a leaf does not reach into, or
    the one given while it does so by less than the slack."""
    for _ in range(MAX_ROUNDS):
        x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
        qx, qy, qz = _nearest_on(corners, leaf, c, x, y, z)
        free = radius * (1.0 - slack)
        if (qx - x) ** 2 + (qy - y) ** 2 + (qz - z) ** 2 >= free * free:
            break
        wx, wy, wz = qx - px, qy - py, qz - pz
        ahead = wx * dx + wy * dy + wz * dz
        if ahead <= 0.0:
            break
        radius, slack = min(radius, (wx * wx + wy * wy + wz * wz) / (2.0 * ahead)), CLOSE
    return radius


@njit(cache=True, error_model="numpy")
def _shrink(
    box, cone, child, corners, normals, root, stack, gaps, px, py, pz, nx, ny, nz, side, radius, slack, limit, contact
):
    """Radius of the largest ball that touches p with normal n and that nothing facing it reaches into, at most the one
    given, and the place of the triangle that stopped it, `contact` where none did.

    A ball that was cut down lies inside the one before: what is left to be looked at still holds all that reaches in.
    """
    dx, dy, dz = side * nx, side * ny, side * nz
    x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
    free2 = (radius * (1.0 - slack)) ** 2
    # Rows of the cone that hold the corner turned farthest away from n.
    kx, ky, kz = WIDE * (0 if nx > 0.0 else 3), WIDE * (1 if ny > 0.0 else 4), WIDE * (2 if nz > 0.0 else 5)
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            opened = 0
            for c in range(child.shape[1]):
                gap2 = _box_gap2(box, node, c, x, y, z)
                may_face = nx * cone[node, kx + c] + ny * cone[node, ky + c] + nz * cone[node, kz + c] <= limit
                opened |= int((gap2 < free2) & may_face) << c
            bottom = top
            while opened > 0:
                c = lowest(opened)
                opened &= opened - 1
                top = insert(stack, gaps, bottom, top, child[node, c], _box_gap2(box, node, c, x, y, z))
            continue
        leaf, near = ~node, 0
        for c in range(child.shape[1]):
            facing = _faces(normals, leaf, c, nx, ny, nz, limit)
            near |= int(facing & (_least_gap2(corners, normals, leaf, c, x, y, z) < free2)) << c
        # The deepest one first, then the leaf once more: a cut by one that is nearly outside leaves the ball too large.
        best, which = free2, -1
        while near > 0:
            c = lowest(near)
            near &= near - 1
            gap2 = _gap2(corners, leaf, c, x, y, z)
            if gap2 < best:
                best, which = gap2, c
        if which >= 0:
            cut = _cut_down(corners, leaf, which, px, py, pz, dx, dy, dz, radius, slack)
            if cut < radius:
                radius, contact = cut, WIDE * leaf + which
                x, y, z = px + radius * dx, py + radius * dy, pz + radius * dz
                free2 = (radius * (1.0 - slack)) ** 2
                stack[top] = node
                top += 1
    return radius, contact


@njit(cache=True, error_model="numpy")
def _reaching(box, cone, child, corners, normals, root, stack, x, y, z, reach2, nx, ny, nz, limit):
    """Place of a triangle within reach of (x, y, z) that does not face normal n, -1 for none."""
    kx, ky, kz = WIDE * (3 if nx > 0.0 else 0), WIDE * (4 if ny > 0.0 else 1), WIDE * (5 if nz > 0.0 else 2)
    stack[0], top = root, 1
    while top > 0:
        top -= 1
        node = stack[top]
        if node >= 0:
            opened = 0
            for c in range(child.shape[1]):
                may_not = nx * cone[node, kx + c] + ny * cone[node, ky + c] + nz * cone[node, kz + c] > limit
                opened |= int((_box_gap2(box, node, c, x, y, z) < reach2) & may_not) << c
            while opened > 0:
                stack[top] = child[node, lowest(opened)]
                opened &= opened - 1
                top += 1
            continue
        leaf, near = ~node, 0
        for c in range(child.shape[1]):
            facing = _faces(normals, leaf, c, nx, ny, nz, limit)
            near |= int(~facing & (_least_gap2(corners, normals, leaf, c, x, y, z) < reach2)) << c
        while near > 0:
            c = lowest(near)
            near &= near - 1
            if _gap2(corners, leaf, c, x, y, z) < reach2:
                return WIDE * leaf + c
    return -1


@njit(cache=True, error_model="numpy")
def _fit(tree, points, own, roots, side, ray, asked, slack, limit):
    box, cone, child, corners, normals = tree.box, tree.cone, tree.child, tree.corners, tree.normals
    stack, gaps = np.empty(STACK, np.int64), np.empty(STACK)
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
        radius, stopped = ray[i] / 2.0, -1
        # What stopped the ball of the point before, next to this one, most likely stops this one as well.
        if last >= 0 and _faces(normals, last // WIDE, last % WIDE, nx, ny, nz, limit):
            cut = _cut_down(corners, last // WIDE, last % WIDE, px, py, pz, dx, dy, dz, radius, slack)
            if cut < radius:
                radius, stopped = cut, last
        radius, last = _shrink(
            box, cone, child, corners, normals, root, stack, gaps, px, py, pz, nx, ny, nz, side, radius, slack, limit,
            stopped,
        )  # fmt: skip
        contact[i], diameter[i] = last, 2.0 * radius
        x, y, z, deep = px + radius * dx, py + radius * dy, pz + radius * dz, LATERAL * radius * (1.0 - slack)
        # And what reached into that ball from the side reaches into this one.
        if beside >= 0 and not _faces(normals, beside // WIDE, beside % WIDE, nx, ny, nz, limit):
            lateral[i] = _gap2(corners, beside // WIDE, beside % WIDE, x, y, z) < deep * deep
        if not lateral[i]:
            found = _reaching(box, cone, child, corners, normals, root, stack, x, y, z, deep * deep, nx, ny, nz, limit)
            lateral[i] = found >= 0
            beside = found if found >= 0 else beside
    return diameter, contact, lateral


@njit(cache=True, error_model="numpy")
def _room(tree, points, own, roots, side, wanted, rows):
    box, cone, child, corners, normals = tree.box, tree.cone, tree.child, tree.corners, tree.normals
    stack, answer = np.empty(STACK, np.int64), np.empty(len(rows), np.bool_)
    for k in range(len(rows)):
        i = rows[k]
        radius = wanted[i] / 2.0
        nx, ny, nz, reach, depth = own[i, 0], own[i, 1], own[i, 2], LATERAL * radius, side * radius
        x, y, z = points[i, 0] + depth * nx, points[i, 1] + depth * ny, points[i, 2] + depth * nz
        met = _reaching(
            box, cone, child, corners, normals, roots[i], stack, x, y, z, reach * reach, nx, ny, nz, NOTHING_FACES
        )
        answer[k] = met < 0
    return answer
