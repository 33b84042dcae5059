# mypy: allow-untyped-defs, allow-untyped-calls
"""Readings handed on to points beside them that have none of their own, or only a doubtful one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

REACH = 2.0
"""How far around its own place a reading counts for points in doubt, in multiples of itself."""
BEYOND = 0.3
"""How far behind a wall a point may lie and still be in it, as a share of the wall: round walls bend away."""
HAIR = 1e-6
"""How far in front of a wall, as a share of the wall, rounding puts a point that is in it."""
MAX_SWEEPS = 200


def share(
    mesh: Mesh,
    footing: NDArray[np.float64],
    side: float,
    value_mm: NDArray[np.float64],
    doubtful: NDArray[np.bool_],
    *,
    beside: bool = False,
) -> NDArray[np.int64]:
    """For each point (n,) the row whose reading counts there, -1 for none: the smallest one at its vertex or, over
    doubtful vertices, the smallest one within its reach.

    It counts for what lies in the wall that it measures: the wall of a pocket stands on the floor, not in it. `footing`
    (n, 3) tells that of points on the edge between two faces; `side` is the one on which the walls lie. `beside`: it
    counts for what lies beside that wall too.
    """
    rows: NDArray[np.int64] = _share(
        mesh.points, footing, side * mesh.normals, mesh.vertex, mesh.triangles, value_mm, doubtful, beside
    )
    return rows


@njit(cache=True)
def _counts(points, into, value, beside, s, x, y, z):
    """Whether the reading of row s counts at a place."""
    dx, dy, dz = x - points[s, 0], y - points[s, 1], z - points[s, 2]
    if dx * dx + dy * dy + dz * dz > (REACH * value[s]) ** 2:
        return False
    if beside:
        return True
    depth = dx * into[s, 0] + dy * into[s, 1] + dz * into[s, 2]
    return -HAIR * value[s] <= depth <= (1.0 + BEYOND) * value[s]


@njit(cache=True)
def _share(points, footing, into, vertex, triangles, value, doubtful, beside):
    count = 0
    for v in vertex:
        count = max(count, v + 1)
    best, carries, place = np.full(count, -1, np.int64), np.zeros(count, np.bool_), np.zeros(count, np.int64)
    for i in range(len(vertex)):
        v = vertex[i]
        place[v] = i
        if doubtful[i]:
            carries[v] = True
        if np.isfinite(value[i]) and (best[v] < 0 or value[i] < value[best[v]]):
            best[v] = i
    welded = _carrying(triangles, vertex, carries)
    # What has not changed since the sweep before has nothing new to say.
    news = np.zeros(count, np.int64)
    for sweep in range(MAX_SWEEPS):
        changed = False
        for t in range(len(welded)):
            if max(news[welded[t, 0]], news[welded[t, 1]], news[welded[t, 2]]) < sweep - 1:
                continue
            for k in range(6):
                a, b = welded[t, k % 3], welded[t, (k + 1 + k // 3) % 3]
                if not carries[b] or best[a] < 0 or news[a] < sweep - 1:
                    continue
                s = best[a]
                if best[b] >= 0 and value[s] >= value[best[b]]:
                    continue
                p = place[b]
                if _counts(points, into, value, beside, s, points[p, 0], points[p, 1], points[p, 2]):
                    best[b], news[b] = s, sweep
                    changed = True
        if not changed:
            break
    rows, left = np.full(len(vertex), -1, np.int64), np.zeros(len(vertex), np.bool_)
    for i in range(len(vertex)):
        s = best[vertex[i]]
        if s >= 0:
            if _counts(points, into, value, beside, s, footing[i, 0], footing[i, 1], footing[i, 2]):
                rows[i] = s
            else:
                left[i] = True
    # Points on an edge whose best reading is of the wall on its other side ask those next to them on their own face.
    for t in range(len(triangles)):
        for k in range(6):
            i, s = triangles[t, k % 3], best[vertex[triangles[t, (k + 1 + k // 3) % 3]]]
            if not left[i] or s < 0 or (rows[i] >= 0 and value[s] >= value[rows[i]]):
                continue
            if _counts(points, into, value, beside, s, footing[i, 0], footing[i, 1], footing[i, 2]):
                rows[i] = s
    return rows


@njit(cache=True)
def _carrying(triangles, vertex, carries):
    """Triangles (k, 3), in welded numbers, with a vertex that carries."""
    found, count = np.empty((len(triangles), 3), np.int32), 0
    for t in range(len(triangles)):
        a, b, c = vertex[triangles[t, 0]], vertex[triangles[t, 1]], vertex[triangles[t, 2]]
        if carries[a] or carries[b] or carries[c]:
            found[count, 0], found[count, 1], found[count, 2] = a, b, c
            count += 1
    return found[:count]
