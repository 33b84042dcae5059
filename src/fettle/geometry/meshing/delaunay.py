# mypy: allow-untyped-defs, allow-untyped-calls
"""Flips that make the triangles around a new point Delaunay, inside one face."""

from __future__ import annotations

from math import sqrt

from fettle.geometry.meshing.half_edges import flip
from fettle.geometry.surfaces.encoding import PLANE
from fettle.jit import njit

MAX_STACK = 64
"""Capacity of the stack of sides to check; planes need a handful, and sides beyond it are not flipped."""

MIN_FACING_COSINE = 0.5
"""On curved faces the normal of a new triangle is within 60 degrees of those at its corners."""

FLAT_COSINE = 1.0 - 1e-8
"""Facets of a mesh file within about 0.01 degree are one plane, and their diagonal may be turned."""


@njit(cache=True, error_model="numpy")
def legalize(
    points, normals, vertex, triangles, triangle_face, ring, longest, kind, bend, stack, waiting, max_square, min_cosine
):
    """Check the sides `stack[:waiting]`, each across its triangle from a new point; flip those that are not Delaunay,
    and go on to the two sides that then lie across from the point (Lawson, "Software for C1 surface interpolation",
    1977). What was flipped gets -1 in `longest`."""
    looked = 0
    while waiting > 0 and looked < 4 * MAX_STACK:
        waiting -= 1
        looked += 1
        side = stack[waiting]
        twin = ring[side]
        if twin == side or ring[twin] != side:
            continue
        if not _should_flip(
            points, normals, vertex, triangles, triangle_face, ring, kind, bend, side, max_square, min_cosine
        ):
            continue
        t, u = side // 3, twin // 3
        if flip(triangles, ring, side):
            longest[t] = longest[u] = -1.0
            if waiting + 2 <= MAX_STACK:
                stack[waiting], stack[waiting + 1] = 3 * t, 3 * u
                waiting += 2


@njit(cache=True, error_model="numpy")
def _should_flip(points, normals, vertex, triangles, triangle_face, ring, kind, bend, side, max_square, min_cosine):
    """Whether the other diagonal is the Delaunay one and allowed."""
    twin = ring[side]
    t, k = side // 3, side % 3
    u, j = twin // 3, twin % 3
    face = triangle_face[t]
    if face != triangle_face[u]:
        return False
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    d = triangles[u, (j + 2) % 3]
    if triangles[u, j] != b or triangles[u, (j + 1) % 3] != a or vertex[c] == vertex[d]:
        return False
    ax, ay, az = points[a, 0], points[a, 1], points[a, 2]
    bx, by, bz = points[b, 0], points[b, 1], points[b, 2]
    cx, cy, cz = points[c, 0], points[c, 1], points[c, 2]
    dx, dy, dz = points[d, 0], points[d, 1], points[d, 2]
    cos_c = (ax - cx) * (bx - cx) + (ay - cy) * (by - cy) + (az - cz) * (bz - cz)
    cos_d = (ax - dx) * (bx - dx) + (ay - dy) * (by - dy) + (az - dz) * (bz - dz)
    if cos_c >= 0.0 and cos_d >= 0.0:
        return False
    sin_c = _double_area(ax, ay, az, bx, by, bz, cx, cy, cz)
    sin_d = _double_area(ax, ay, az, bx, by, bz, dx, dy, dz)
    # sine of the sum of the angles at c and d, times the four lengths
    scale = (abs(cos_c) + sin_c) * (abs(cos_d) + sin_d)
    if cos_c * sin_d + sin_c * cos_d >= -1e-9 * scale:
        return False
    new_square = (cx - dx) ** 2 + (cy - dy) ** 2 + (cz - dz) ** 2
    old_square = (ax - bx) ** 2 + (ay - by) ** 2 + (az - bz) ** 2
    # so that the number of edges that are too long can only fall
    if new_square > max_square and new_square >= old_square:
        return False
    sight = 1e-9
    if not bend and not _flat(points, a, b, c, d, sin_c, sin_d):
        return False
    if kind[face] != PLANE:
        sight = MIN_FACING_COSINE
        cosine = normals[c, 0] * normals[d, 0] + normals[c, 1] * normals[d, 1] + normals[c, 2] * normals[d, 2]
        if cosine < min_cosine or _is_connected(vertex, triangles, ring, t, (k + 2) % 3, vertex[d]):
            return False
    return _facing_cosine(points, normals, a, d, c) > sight and _facing_cosine(points, normals, d, b, c) > sight


@njit(cache=True, error_model="numpy")
def _double_area(ax, ay, az, bx, by, bz, cx, cy, cz):
    ux, uy, uz = ax - cx, ay - cy, az - cz
    vx, vy, vz = bx - cx, by - cy, bz - cz
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return sqrt(x * x + y * y + z * z)


@njit(cache=True, error_model="numpy")
def _flat(points, a, b, c, d, double_c, double_d):
    """Whether triangles (a, b, c) and (b, a, d) lie in one plane; their double areas are known."""
    cosine = 0.0
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        first = (points[b, j] - points[a, j]) * (points[c, k] - points[a, k])
        first -= (points[b, k] - points[a, k]) * (points[c, j] - points[a, j])
        second = (points[a, j] - points[b, j]) * (points[d, k] - points[b, k])
        second -= (points[a, k] - points[b, k]) * (points[d, j] - points[b, j])
        cosine += first * second
    return cosine > FLAT_COSINE * double_c * double_d


@njit(cache=True, error_model="numpy")
def _facing_cosine(points, normals, a, b, c):
    """Least cosine between a triangle's normal and those at its corners; on a plane a relative area with its sign."""
    ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = sqrt(x * x + y * y + z * z)
    if length <= 1e-9 * (ux * ux + uy * uy + uz * uz + vx * vx + vy * vy + vz * vz):
        return -1.0
    least = 1.0
    for row in (a, b, c):
        least = min(least, (x * normals[row, 0] + y * normals[row, 1] + z * normals[row, 2]) / length)
    return least


@njit(cache=True, error_model="numpy")
def _is_connected(vertex, triangles, ring, t, corner, target):
    """Whether a vertex is already an end of an edge at corner `corner` of triangle t."""
    for outward in (True, False):
        at, k = t, corner
        for _ in range(64):
            if vertex[triangles[at, (k + 1) % 3]] == target or vertex[triangles[at, (k + 2) % 3]] == target:
                return True
            side = 3 * at + (k if outward else (k + 2) % 3)
            next_side = ring[side]
            if next_side == side or ring[next_side] != side:
                break
            at = next_side // 3
            if at == t:
                return False
            k = (next_side % 3 + 1) % 3 if outward else next_side % 3
    return False
