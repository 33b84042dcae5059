# mypy: allow-untyped-defs, allow-untyped-calls
"""Flips that make the triangles around a new point Delaunay, inside one face."""

from __future__ import annotations

from math import nan, sqrt

from fettle.geometry.meshing.half_edges import flip
from fettle.geometry.surfaces.encoding import PLANE
from fettle.jit import njit_inner

MAX_STACK = 64
"""Capacity of the stack of sides to check; planes need a handful, and sides beyond it are not flipped."""

MIN_FACING_COSINE = 0.5
"""On curved faces the normal of a new triangle is within 60 degrees of those at its corners."""

SAME_CIRCLE = 1e-9
"""Sine below which the sum of two opposite angles is half a turn: four points on one circle, two diagonals alike."""

NEARLY_RIGHT = 1e-6
"""Product of two sides and the cosine between them, over the square of the third, below which it is a right angle."""

SAME_LENGTH = 1e-9
"""Share by which squares of equal lengths may differ in rounding."""

FLAT_COSINE = 1.0 - 1e-8
"""Facets of a mesh file within about 0.01 degree are one plane, and their diagonal may be turned."""


@njit_inner
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


@njit_inner
def _should_flip(points, normals, vertex, triangles, triangle_face, ring, kind, bend, side, max_square, min_cosine):
    """Whether the other diagonal is the Delaunay one and allowed."""
    a, b, c, d, surplus = diagonal_surplus(points, vertex, triangles, triangle_face, ring, side)
    if not surplus < -SAME_CIRCLE:
        return False
    new_square = _square(points, c, d)
    # so that the number of edges that are too long can only fall
    if new_square > max_square and new_square >= (1.0 - SAME_LENGTH) * _square(points, a, b):
        return False
    if not bend:
        sin_c = _double_area(points, a, b, c)
        sin_d = _double_area(points, a, b, d)
        if not _flat(points, a, b, c, d, sin_c, sin_d):
            return False
    return may_flip(points, normals, vertex, triangles, triangle_face, ring, kind, side, min_cosine)


@njit_inner
def diagonal_surplus(points, vertex, triangles, triangle_face, ring, side):
    """Ends (a, b) of a side, corners (c, d) across from it, and the sine of the sum of the angles at c and d over a
    bound of it: negative where (c, d) is the Delaunay diagonal, 0 where both are, nan where it is none."""
    twin = ring[side]
    t, k = side // 3, side % 3
    u, j = twin // 3, twin % 3
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    d = triangles[u, (j + 2) % 3]
    if triangle_face[t] != triangle_face[u] or triangles[u, j] != b or triangles[u, (j + 1) % 3] != a:
        return a, b, c, d, nan
    if vertex[c] == vertex[d]:
        return a, b, c, d, nan
    cos_c, cos_d = _cosine(points, a, b, c), _cosine(points, a, b, d)
    # two acute angles; two right ones, of a rectangle, are looked at closely
    if cos_c > 0.0 and cos_d > 0.0 and cos_c + cos_d > NEARLY_RIGHT * _square(points, a, b):
        return a, b, c, d, 1.0
    sin_c, sin_d = _double_area(points, a, b, c), _double_area(points, a, b, d)
    scale = (abs(cos_c) + sin_c) * (abs(cos_d) + sin_d)
    if scale <= 0.0:
        return a, b, c, d, nan
    return a, b, c, d, (cos_c * sin_d + sin_c * cos_d) / scale


@njit_inner
def may_flip(points, normals, vertex, triangles, triangle_face, ring, kind, side, min_cosine):
    """Whether the other diagonal leaves two triangles that face outwards, and on a curved face turns little enough."""
    twin = ring[side]
    t, k = side // 3, side % 3
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    d = triangles[twin // 3, (twin % 3 + 2) % 3]
    sight = 1e-9
    if kind[triangle_face[t]] != PLANE:
        sight = MIN_FACING_COSINE
        cosine = normals[c, 0] * normals[d, 0] + normals[c, 1] * normals[d, 1] + normals[c, 2] * normals[d, 2]
        if cosine < min_cosine or _is_connected(vertex, triangles, ring, t, (k + 2) % 3, vertex[d]):
            return False
    return _facing_cosine(points, normals, a, d, c) > sight and _facing_cosine(points, normals, d, b, c) > sight


@njit_inner
def _square(points, a, b):
    x, y, z = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    return x * x + y * y + z * z


@njit_inner
def _cosine(points, a, b, c):
    """Cosine of the angle at c between a and b, times both lengths."""
    total = 0.0
    for i in range(3):
        total += (points[a, i] - points[c, i]) * (points[b, i] - points[c, i])
    return total


@njit_inner
def _double_area(points, a, b, c):
    ux, uy, uz = points[a, 0] - points[c, 0], points[a, 1] - points[c, 1], points[a, 2] - points[c, 2]
    vx, vy, vz = points[b, 0] - points[c, 0], points[b, 1] - points[c, 1], points[b, 2] - points[c, 2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return sqrt(x * x + y * y + z * z)


@njit_inner
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


@njit_inner
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


@njit_inner
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
