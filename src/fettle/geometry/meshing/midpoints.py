# mypy: allow-untyped-defs, allow-untyped-calls
"""Where the middle of a mesh edge lies on the surfaces that the edge belongs to."""

from __future__ import annotations

from math import sqrt

from numba import njit

from fettle.geometry.meshing.analytic import FREEFORM, PLANE, project

MAX_RISE = 0.2
"""A middle further from its chord than this share of it is not believed: 6 elements per turn rise by 0.13."""

SHARP_SINE = 0.05
"""Above it the normals of the two faces define the direction of the edge between them."""


@njit(cache=True, error_model="numpy")
def middle(points, normals, triangles, triangle_face, sides, count, kind, parameters, bend):
    """Point (x, y, z) near the middle of the edge with ring `sides[:count]`, on all faces of the ring, and True.

    Analytic surfaces are hit exactly (one after the other until the point rests); a freeform one to third order, by the
    cubic through the two ends whose tangents lie in the tangent planes there. The chord's middle and
    False when that fails, on planes, and everywhere without `bend`.
    """
    t, k = sides[0] // 3, sides[0] % 3
    a, b = triangles[t, k], triangles[t, (k + 1) % 3]
    mx = 0.5 * (points[a, 0] + points[b, 0])
    my = 0.5 * (points[a, 1] + points[b, 1])
    mz = 0.5 * (points[a, 2] + points[b, 2])
    curved = freeform = False
    for i in range(count):
        this = kind[triangle_face[sides[i] // 3]]
        curved |= this != PLANE
        freeform |= this == FREEFORM
    if not (bend and curved):
        return mx, my, mz, False
    dx, dy, dz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    chord = sqrt(dx * dx + dy * dy + dz * dz)
    x, y, z = mx, my, mz
    if freeform:
        other_a, other_b = a, b
        if count > 1 and triangle_face[sides[1] // 3] != triangle_face[t]:
            u, j = sides[1] // 3, sides[1] % 3
            other_a, other_b = triangles[u, (j + 1) % 3], triangles[u, j]
        ax, ay, az = _tangent(normals, a, other_a, dx, dy, dz)
        bx, by, bz = _tangent(normals, b, other_b, dx, dy, dz)
        x, y, z = mx + 0.125 * (ax - bx), my + 0.125 * (ay - by), mz + 0.125 * (az - bz)
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


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
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


@njit(cache=True, error_model="numpy")
def normal_between(points, normals, a, b, kind, row, x, y, z):
    """Unit normal (nx, ny, nz) at a point between rows a and b of one face: the surface's own where it is analytic."""
    nx = normals[a, 0] + normals[b, 0]
    ny = normals[a, 1] + normals[b, 1]
    nz = normals[a, 2] + normals[b, 2]
    _, _, _, ex, ey, ez = project(kind, row, x, y, z)
    cosine = ex * nx + ey * ny + ez * nz
    if abs(cosine) > 0.5:
        side = 1.0 if cosine > 0.0 else -1.0
        return side * ex, side * ey, side * ez
    # square to the chord's own direction, which the curve has again in its middle
    dx, dy, dz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    share = (dx * nx + dy * ny + dz * nz) / max(dx * dx + dy * dy + dz * dz, 1e-300)
    nx, ny, nz = nx - share * dx, ny - share * dy, nz - share * dz
    length = sqrt(nx * nx + ny * ny + nz * nz)
    if length < 1e-6:
        return normals[a, 0], normals[a, 1], normals[a, 2]
    return nx / length, ny / length, nz / length
