# mypy: allow-untyped-defs, allow-untyped-calls
"""Readings handed on to points beside them that have none of their own, or only a doubtful one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit

REACH = 2.0
"""How far around its own place a reading counts for points in doubt, in multiples of itself."""
BEYOND = 0.3
"""How far behind a wall a point may lie and still be in it, as a share of the wall: round walls bend away."""
HAIR = 1e-6
"""How far in front of a wall, as a share of the wall, rounding puts a point that is in it."""
TIE = 1e-6
"""Squared distances that agree within this are the same."""
MAX_SWEEPS = 200


def propagate(
    mesh: Mesh,
    origins: NDArray[np.float64],
    side: float,
    value_mm: NDArray[np.float64],
    doubtful: NDArray[np.bool_],
    *,
    beside: bool = False,
) -> NDArray[np.int64]:
    """For each doubtful point (n,) the row whose reading counts there, -1 for none: the smallest one at its vertex, or
    the nearest one that reaches it over doubtful vertices.

    It counts for what lies in the wall that it measures: the wall of a pocket stands on the floor, not in it. `origins`
    (n, 3) tells that of points on the edge between two faces; `side` is the one on which the walls lie. `beside`: it
    counts for what lies beside that wall too.
    """
    rows: NDArray[np.int64] = _propagate(
        mesh.points, origins, side * mesh.normals, mesh.vertex, mesh.triangles, value_mm, doubtful, beside
    )
    return rows


@njit(cache=True)
def _gap2(points, into, value, beside, s, place, p):
    """Squared distance from row s to place p if its reading counts there, else infinity."""
    dx, dy, dz = place[p, 0] - points[s, 0], place[p, 1] - points[s, 1], place[p, 2] - points[s, 2]
    gap2 = dx * dx + dy * dy + dz * dz
    if gap2 > (REACH * value[s]) ** 2:
        return np.inf
    depth = dx * into[s, 0] + dy * into[s, 1] + dz * into[s, 2]
    if beside or -HAIR * value[s] <= depth <= (1.0 + BEYOND) * value[s]:
        return gap2
    return np.inf


@njit(cache=True)
def _nearer(gap2, reading, than_gap2, than_reading):
    """Whether a reading lies nearer than another, or as near and is the smaller one."""
    return gap2 < (1.0 - TIE) * than_gap2 or (gap2 <= (1.0 + TIE) * than_gap2 and reading < than_reading)


@njit(cache=True)
def _propagate(points, origins, into, vertex, triangles, value, doubtful, beside):
    count = 0
    for v in vertex:
        count = max(count, v + 1)
    best, near2, carries = np.full(count, -1, np.int64), np.full(count, np.inf), np.zeros(count, np.bool_)
    place = np.zeros(count, np.int64)
    for i in range(len(vertex)):
        v = vertex[i]
        place[v] = i
        if doubtful[i]:
            carries[v] = True
        if np.isfinite(value[i]) and (best[v] < 0 or value[i] < value[best[v]]):
            best[v], near2[v] = i, 0.0
    own, welded = _carrying(triangles, vertex, carries)
    # What has not changed since the sweep before has nothing new to say.
    news = np.zeros(count, np.int64)
    for sweep in range(MAX_SWEEPS):
        changed = False
        for t in range(len(welded)):
            if max(news[welded[t, 0]], news[welded[t, 1]], news[welded[t, 2]]) < sweep - 1:
                continue
            for k in range(6):
                a, b = welded[t, k % 3], welded[t, (k + 1 + k // 3) % 3]
                s = best[a]
                if s < 0 or s == best[b] or near2[b] == 0.0 or not carries[b] or news[a] < sweep - 1:
                    continue
                gap2 = _gap2(points, into, value, beside, s, points, place[b])
                if gap2 < np.inf and (best[b] < 0 or _nearer(gap2, value[s], near2[b], value[best[b]])):
                    best[b], near2[b], news[b] = s, gap2, sweep
                    changed = True
        if not changed:
            break
    rows, across = np.full(len(vertex), -1, np.int64), np.zeros(len(vertex), np.bool_)
    for i in range(len(vertex)):
        s = best[vertex[i]]
        if s >= 0 and doubtful[i]:
            across[i] = _gap2(points, into, value, beside, s, origins, i) == np.inf
            rows[i] = -1 if across[i] else s
    # Points on an edge whose best reading is of the wall on its other side ask those next to them on their own face.
    least2 = np.full(len(vertex), np.inf)
    for t in range(len(own)):
        for k in range(6):
            i = own[t, k % 3]
            if not across[i]:
                continue
            s = best[welded[t, (k + 1 + k // 3) % 3]]
            gap2 = _gap2(points, into, value, beside, s, origins, i) if s >= 0 else np.inf
            if gap2 < np.inf and (rows[i] < 0 or _nearer(gap2, value[s], least2[i], value[rows[i]])):
                rows[i], least2[i] = s, gap2
    return rows


@njit(cache=True)
def _carrying(triangles, vertex, carries):
    """Triangles (k, 3) with a vertex that carries, and the same in welded numbers."""
    own, welded, count = np.empty((len(triangles), 3), np.int32), np.empty((len(triangles), 3), np.int32), 0
    for t in range(len(triangles)):
        a, b, c = vertex[triangles[t, 0]], vertex[triangles[t, 1]], vertex[triangles[t, 2]]
        if carries[a] or carries[b] or carries[c]:
            own[count], welded[count] = triangles[t], (a, b, c)
            count += 1
    return own[:count], welded[:count]
