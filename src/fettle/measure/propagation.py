# mypy: allow-untyped-defs, allow-untyped-calls
"""Propagation of wall readings over the mesh to neighboring points without a reliable reading of their own."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit, njit_inner

REACH = 2.0
"""Largest distance over which a reading is propagated, in multiples of the reading."""
DEPTH_MARGIN = 0.3
"""Depth behind a wall, as a fraction of its thickness, at which a point still lies in it: round walls curve away."""
FRONT_MARGIN = 1e-6
"""Distance in front of a wall, as a fraction of its thickness, at which a point lies in it but for rounding."""
TIE = 1e-6
"""Relative difference up to which squared distances are equal."""
MAX_SWEEPS = 200
"""Bound on the sweeps over the mesh; they end when nothing changes."""


def propagate(
    mesh: Mesh,
    origins: NDArray[np.float64],
    side: float,
    value_mm: NDArray[np.float64],
    doubtful: NDArray[np.bool_],
    *,
    beside: bool = False,
) -> NDArray[np.int64]:
    """Source row (n,) whose reading applies at each doubtful point, -1 for none.

    It is the smallest reading at the point's vertex, else the nearest one that reaches it over doubtful vertices. A
    reading value_mm (n,) applies only to points that lie in the wall it measures: the side wall of a pocket stands on
    the floor, not in it. `origins` (n, 3) mm decides this for points on the edge between two faces; `side` is the side
    of the surface on which the walls lie, -1 inward, +1 outward. With `beside` a reading applies to points beside its
    wall as well.
    """
    rows: NDArray[np.int64] = _propagate(
        mesh.points, origins, side * mesh.normals, mesh.vertex, mesh.triangles, value_mm, doubtful, beside
    )
    return rows


@njit_inner
def _distance2(points, into, value, beside, s, target, p):
    """Squared distance from source row s to target p if its reading applies there, else infinity."""
    dx, dy, dz = target[p, 0] - points[s, 0], target[p, 1] - points[s, 1], target[p, 2] - points[s, 2]
    distance2 = dx * dx + dy * dy + dz * dz
    if distance2 > (REACH * value[s]) ** 2:
        return np.inf
    depth = dx * into[s, 0] + dy * into[s, 1] + dz * into[s, 2]
    if beside or -FRONT_MARGIN * value[s] <= depth <= (1.0 + DEPTH_MARGIN) * value[s]:
        return distance2
    return np.inf


@njit_inner
def _nearer(distance2, reading, than_distance2, than_reading):
    """Whether a reading is nearer than another, or equally near and smaller."""
    return distance2 < (1.0 - TIE) * than_distance2 or (
        distance2 <= (1.0 + TIE) * than_distance2 and reading < than_reading
    )


@njit(cache=True)
def _propagate(points, origins, into, vertex, triangles, value, doubtful, beside):
    """Compiled body of `propagate`; into (n, 3): unit direction into the wall at each point."""
    count = 0
    for v in vertex:
        count = max(count, v + 1)
    best, near2, open_vertex = np.full(count, -1, np.int64), np.full(count, np.inf), np.zeros(count, np.bool_)
    point_of = np.zeros(count, np.int64)
    for i in range(len(vertex)):
        v = vertex[i]
        point_of[v] = i
        if doubtful[i]:
            open_vertex[v] = True
        if np.isfinite(value[i]) and (best[v] < 0 or value[i] < value[best[v]]):
            best[v], near2[v] = i, 0.0
    own, welded = _doubtful_triangles(triangles, vertex, open_vertex)
    # A vertex with a reading of its own keeps it.
    for v in range(count):
        open_vertex[v] &= near2[v] > 0.0
    # Vertices that did not change in the sweep before are skipped; the first sweep skips none.
    changed_in = np.full(count, -1, np.int64)
    for sweep in range(MAX_SWEEPS):
        changed = False
        for t in range(len(welded)):
            if max(changed_in[welded[t, 0]], changed_in[welded[t, 1]], changed_in[welded[t, 2]]) < sweep - 1:
                continue
            for k in range(6):
                a, b = welded[t, k % 3], welded[t, (k + 1 + k // 3) % 3]
                if changed_in[a] < sweep - 1 or not open_vertex[b]:
                    continue
                s = best[a]
                if s < 0 or s == best[b]:
                    continue
                distance2 = _distance2(points, into, value, beside, s, points, point_of[b])
                if distance2 < np.inf and (best[b] < 0 or _nearer(distance2, value[s], near2[b], value[best[b]])):
                    best[b], near2[b], changed_in[b] = s, distance2, sweep
                    open_vertex[b] = distance2 > 0.0
                    changed = True
        if not changed:
            break
    rows, across = np.full(len(vertex), -1, np.int64), np.zeros(len(vertex), np.bool_)
    for i in range(len(vertex)):
        s = best[vertex[i]]
        if s >= 0 and doubtful[i]:
            across[i] = _distance2(points, into, value, beside, s, origins, i) == np.inf
            rows[i] = -1 if across[i] else s
    # For points on an edge whose best reading belongs to the wall across the edge, try neighbors on their own face.
    least2 = np.full(len(vertex), np.inf)
    for t in range(len(own)):
        for k in range(6):
            i = own[t, k % 3]
            if not across[i]:
                continue
            s = best[welded[t, (k + 1 + k // 3) % 3]]
            distance2 = _distance2(points, into, value, beside, s, origins, i) if s >= 0 else np.inf
            if distance2 < np.inf and (rows[i] < 0 or _nearer(distance2, value[s], least2[i], value[rows[i]])):
                rows[i], least2[i] = s, distance2
    return rows


@njit(cache=True)
def _doubtful_triangles(triangles, vertex, open_vertex):
    """Triangles (k, 3) with at least one doubtful vertex, by point and by welded vertex."""
    own, welded, count = np.empty((len(triangles), 3), np.int32), np.empty((len(triangles), 3), np.int32), 0
    for t in range(len(triangles)):
        a, b, c = vertex[triangles[t, 0]], vertex[triangles[t, 1]], vertex[triangles[t, 2]]
        if open_vertex[a] or open_vertex[b] or open_vertex[c]:
            own[count], welded[count] = triangles[t], (a, b, c)
            count += 1
    return own[:count], welded[:count]
