# mypy: allow-untyped-defs, allow-untyped-calls
"""Where a mesh edge is divided: a point near its middle, on the surfaces that the edge belongs to."""

from __future__ import annotations

from math import ceil, sqrt

from fettle.geometry.surfaces.encoding import FREEFORM, PLANE
from fettle.geometry.surfaces.projection import project
from fettle.jit import njit_inner

MAX_RISE = 0.2
"""A point further from its chord than this share of it is rejected: 6 elements per turn rise by 0.13."""

SAME_PARTS = 1e-9
"""Added to the number of edges in a chord, so that rounding does not decide where it is a whole number."""

SHARP_SINE = 0.05
"""Above it the normals of the two faces define the direction of the edge between them."""


@njit_inner
def divide(points, normals, triangles, triangle_face, sides, count, kind, parameters, bend, max_edge):
    """Point (x, y, z) that divides the edge with ring `sides[:count]`, on all faces of the ring, and True.

    It lies where one of the edges of equal length ends that are the fewest of at most `max_edge`, at the one nearest to
    the middle: halving 2.1 max_edge would end at four edges of half a max_edge, where three do. Analytic surfaces are
    hit exactly (one after the other until the point converges); a freeform one to third order, by the cubic through the
    two ends whose tangents lie in the tangent planes there. The chord's point and False when that fails, on planes, and
    everywhere without `bend`.
    """
    t, k = sides[0] // 3, sides[0] % 3
    a, b = triangles[t, k], triangles[t, (k + 1) % 3]
    dx, dy, dz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    chord = sqrt(dx * dx + dy * dy + dz * dz)
    parts = max(2, ceil(chord / max_edge + SAME_PARTS))
    f = (parts // 2) / parts
    mx, my, mz = points[a, 0] + f * dx, points[a, 1] + f * dy, points[a, 2] + f * dz
    curved = freeform = False
    for i in range(count):
        this = kind[triangle_face[sides[i] // 3]]
        curved |= this != PLANE
        freeform |= this == FREEFORM
    if not (bend and curved):
        return mx, my, mz, False
    x, y, z = mx, my, mz
    if freeform:
        other_a, other_b = a, b
        if count > 1 and triangle_face[sides[1] // 3] != triangle_face[t]:
            u, j = sides[1] // 3, sides[1] % 3
            other_a, other_b = triangles[u, (j + 1) % 3], triangles[u, j]
        ax, ay, az = _tangent(normals, a, other_a, dx, dy, dz)
        bx, by, bz = _tangent(normals, b, other_b, dx, dy, dz)
        # Hermite's cubic
        g, h, d = f * (1.0 - f) * (1.0 - f), f * f * (1.0 - f), f * f * (3.0 - 2.0 * f)
        x = points[a, 0] + d * dx + g * ax - h * bx
        y = points[a, 1] + d * dy + g * ay - h * by
        z = points[a, 2] + d * dz + g * az - h * bz
    for _ in range(20):
        moved = 0.0
        for i in range(count):
            face = triangle_face[sides[i] // 3]
            px, py, pz, _, _, _ = project(kind[face], parameters[face], x, y, z)
            moved = max(moved, abs(px - x) + abs(py - y) + abs(pz - z))
            x, y, z = px, py, pz
        if moved < 1e-9 * chord:
            break
    rise = (x - mx) ** 2 + (y - my) ** 2 + (z - mz) ** 2
    if not rise <= (MAX_RISE * chord) ** 2:
        return mx, my, mz, False
    for i in range(count):
        if _folds(points, normals, triangles, sides[i], x, y, z):
            return mx, my, mz, False
    return x, y, z, True


@njit_inner
def _tangent(normals, row, other, dx, dy, dz):
    """The chord laid into the tangent plane at one end; along the edge where two faces meet there at an angle."""
    nx, ny, nz = normals[row, 0], normals[row, 1], normals[row, 2]
    ox, oy, oz = normals[other, 0], normals[other, 1], normals[other, 2]
    wx, wy, wz = ny * oz - nz * oy, nz * ox - nx * oz, nx * oy - ny * ox
    square = wx * wx + wy * wy + wz * wz
    if square > SHARP_SINE * SHARP_SINE:
        share = (dx * wx + dy * wy + dz * wz) / square
        return share * wx, share * wy, share * wz
    off = dx * nx + dy * ny + dz * nz
    return dx - off * nx, dy - off * ny, dz - off * nz


@njit_inner
def _folds(points, normals, triangles, side, x, y, z):
    """Whether a triangle split at (x, y, z) would turn a part of itself over."""
    t, k = side // 3, side % 3
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    nx = normals[a, 0] + normals[b, 0] + normals[c, 0]
    ny = normals[a, 1] + normals[b, 1] + normals[c, 1]
    nz = normals[a, 2] + normals[b, 2] + normals[c, 2]
    ax, ay, az = points[a, 0] - x, points[a, 1] - y, points[a, 2] - z
    bx, by, bz = points[b, 0] - x, points[b, 1] - y, points[b, 2] - z
    cx, cy, cz = points[c, 0] - x, points[c, 1] - y, points[c, 2] - z
    first = (cy * az - cz * ay) * nx + (cz * ax - cx * az) * ny + (cx * ay - cy * ax) * nz
    second = (by * cz - bz * cy) * nx + (bz * cx - bx * cz) * ny + (bx * cy - by * cx) * nz
    return first <= 0.0 or second <= 0.0


@njit_inner
def normal_between(points, normals, a, b, kind, row, x, y, z):
    """Unit normal (nx, ny, nz) at a point between rows a and b of one face: the surface's own where it is analytic."""
    dx, dy, dz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    square = max(dx * dx + dy * dy + dz * dz, 1e-300)
    f = ((x - points[a, 0]) * dx + (y - points[a, 1]) * dy + (z - points[a, 2]) * dz) / square
    nx = (1.0 - f) * normals[a, 0] + f * normals[b, 0]
    ny = (1.0 - f) * normals[a, 1] + f * normals[b, 1]
    nz = (1.0 - f) * normals[a, 2] + f * normals[b, 2]
    _, _, _, ex, ey, ez = project(kind, row, x, y, z)
    cosine = ex * nx + ey * ny + ez * nz
    if abs(cosine) > 0.25:
        side = 1.0 if cosine > 0.0 else -1.0
        return side * ex, side * ey, side * ez
    # square to the way that the cubic through both ends goes there
    ax, ay, az = _tangent(normals, a, a, dx, dy, dz)
    bx, by, bz = _tangent(normals, b, b, dx, dy, dz)
    g, h, d = (1.0 - f) * (1.0 - 3.0 * f), f * (2.0 - 3.0 * f), 6.0 * f * (1.0 - f)
    tx, ty, tz = d * dx + g * ax - h * bx, d * dy + g * ay - h * by, d * dz + g * az - h * bz
    share = (tx * nx + ty * ny + tz * nz) / max(tx * tx + ty * ty + tz * tz, 1e-300)
    nx, ny, nz = nx - share * tx, ny - share * ty, nz - share * tz
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-6:
        return normals[a, 0], normals[a, 1], normals[a, 2]
    return nx / length, ny / length, nz / length
