# mypy: allow-untyped-defs, allow-untyped-calls
"""Readings handed on to points beside them that have none of their own, or only a doubtful one."""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

REACH = 2.0
"""How far around its own place a reading counts for points in doubt, in multiples of itself."""
MAX_SWEEPS = 200


def share(mesh: Mesh, value_mm: NDArray[np.float64], doubtful: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each point (n,) the row whose reading counts there, -1 for none: the smallest one at its vertex or, over
    doubtful vertices, the smallest one within its reach."""
    rows: NDArray[np.int64] = _share(mesh.points, mesh.vertex, mesh.triangles, value_mm, doubtful)
    return rows


@njit(cache=True)
def _share(points, vertex, triangles, value, doubtful):
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
                gap2 = 0.0
                for c in range(3):
                    gap2 += (points[p, c] - points[s, c]) ** 2
                if gap2 <= (REACH * value[s]) ** 2:
                    best[b], news[b] = s, sweep
                    changed = True
        if not changed:
            break
    rows = np.empty(len(vertex), np.int64)
    for i in range(len(vertex)):
        rows[i] = best[vertex[i]]
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
