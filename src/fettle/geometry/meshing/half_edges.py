# mypy: allow-untyped-defs, allow-untyped-calls
"""Half-edge rings: every side of a triangle points to the next side along the same edge.

Side 3 t + k runs from corner k to corner k + 1 of triangle t. The sides along one edge form a ring: two in a closed
mesh, one at a hole, four where two bodies of one solid touch along an edge. Nothing here assumes two, so that a
split is conforming whatever the mesh is.
"""

from __future__ import annotations

import numpy as np

from fettle.jit import njit, njit_inner


@njit(cache=True, error_model="numpy")
def link(welded, vertex_count):
    """Rings (3 m,) of welded triangles (m, 3), of the same type, and the size of the largest."""
    # the first side along each edge waits in a list at the edge's vertex of lower number, with the other one
    head = np.full(vertex_count, -1, dtype=np.int32)
    following, other = np.empty(welded.size, dtype=np.int32), np.empty(welded.size, dtype=np.int32)
    last, uses = np.empty(welded.size, dtype=np.int32), np.empty(welded.size, dtype=np.int32)
    ring = np.empty(welded.size, dtype=welded.dtype)
    largest = 0
    for t in range(len(welded)):
        for k in range(3):
            side, a, b = 3 * t + k, welded[t, k], welded[t, (k + 1) % 3]
            low, high = min(a, b), max(a, b)
            first = head[low]
            while first >= 0 and other[first] != high:
                first = following[first]
            if first < 0:
                first = side
                following[side], other[side], uses[side], head[low] = head[low], high, 0, side
            else:
                ring[last[first]] = side
            ring[side], last[first] = first, side
            uses[first] += 1
            largest = max(largest, uses[first])
    return ring, largest


@njit_inner
def before(ring, side):
    """The side before `side` in its ring."""
    at = side
    while ring[at] != side:
        at = ring[at]
    return at


@njit_inner
def move(ring, old, new):
    """Replace side `old` by `new` in its ring."""
    if ring[old] == old:
        ring[new] = new
    else:
        ring[before(ring, old)] = new
        ring[new] = ring[old]


@njit_inner
def flip(triangles, ring, side):
    """Turn the edge between two triangles into the other diagonal of their quadrilateral; False when it cannot be.

    Corners (a, b, c) and (b, a, d) become (a, d, c) and (d, b, c).
    """
    twin = ring[side]
    t, k = side // 3, side % 3
    u, j = twin // 3, twin % 3
    a, b, c = triangles[t, k], triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
    d = triangles[u, (j + 2) % 3]
    olds = (3 * u + (j + 1) % 3, 3 * t + (k + 2) % 3, 3 * u + (j + 2) % 3, 3 * t + (k + 1) % 3)
    news = (3 * t, 3 * t + 2, 3 * u, 3 * u + 1)
    for old in olds:
        other = ring[old]
        while other != old:
            if other // 3 == t or other // 3 == u:
                return False
            other = ring[other]
    nexts = (ring[olds[0]], ring[olds[1]], ring[olds[2]], ring[olds[3]])
    priors = (before(ring, olds[0]), before(ring, olds[1]), before(ring, olds[2]), before(ring, olds[3]))
    for i in range(4):
        if nexts[i] == olds[i]:
            ring[news[i]] = news[i]
        else:
            ring[news[i]] = nexts[i]
            ring[priors[i]] = news[i]
    ring[3 * t + 1], ring[3 * u + 2] = 3 * u + 2, 3 * t + 1
    triangles[t, 0], triangles[t, 1], triangles[t, 2] = a, d, c
    triangles[u, 0], triangles[u, 1], triangles[u, 2] = d, b, c
    return True


@njit_inner
def split(triangles, ring, vertex, sides, rows, count, triangle_count):
    """Split one edge in all its triangles; the new triangles are written from `triangle_count` on.

    `sides[:count]` is the edge's whole ring; `rows[i]` the row of the new point in the triangle of `sides[i]`.
    Triangle (a, b, c) becomes (a, new, c) in place, and (new, b, c).
    """
    start = vertex[triangles[sides[0] // 3, sides[0] % 3]]
    first_near = last_near = first_far = last_far = -1
    for i in range(count):
        t, k, new = sides[i] // 3, sides[i] % 3, triangle_count + i
        b, c = triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
        near, far = 3 * t + k, 3 * new
        if vertex[triangles[t, k]] != start:
            near, far = far, near
        triangles[t, (k + 1) % 3] = rows[i]
        triangles[new, 0], triangles[new, 1], triangles[new, 2] = rows[i], b, c
        move(ring, 3 * t + (k + 1) % 3, 3 * new + 1)
        ring[3 * t + (k + 1) % 3], ring[3 * new + 2] = 3 * new + 2, 3 * t + (k + 1) % 3
        if i == 0:
            first_near, first_far = near, far
        else:
            ring[last_near], ring[last_far] = near, far
        last_near, last_far = near, far
    ring[last_near], ring[last_far] = first_near, first_far
