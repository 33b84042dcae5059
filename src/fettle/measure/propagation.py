# mypy: allow-untyped-defs, allow-untyped-calls
"""Propagation of wall readings over the mesh to neighboring points without a reliable reading of their own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
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


class Surroundings(NamedTuple):
    """The mesh around doubtful points, a tuple so that compiled loops take it whole: triangles with a doubtful vertex,
    and all k points at the vertices of these.

    rows (k,): of the points in the mesh, ascending; points, origins (k, 3) mm; into (k, 3): unit direction into the
    wall; vertex (k,): number of each point's vertex among `vertex_count`; triangles (m, 3): rows of `points`.
    """

    rows: NDArray[np.int64]
    points: NDArray[np.float64]
    origins: NDArray[np.float64]
    into: NDArray[np.float64]
    vertex: NDArray[np.uint32]
    vertex_count: int
    triangles: NDArray[np.uint32]


def surroundings(mesh: Mesh, origins: NDArray[np.float64], side: float, doubtful: NDArray[np.bool_]) -> Surroundings:
    """The mesh around the doubtful points (n,). `origins` (n, 3) mm decides for points on the edge between two faces in
    which wall they lie; `side` is the side of the surface on which the walls lie, -1 inward, +1 outward."""
    welded, triangles = unsigned(mesh.vertex), unsigned(mesh.triangles)
    rows, vertex, count, triangles = _cut_out(welded, triangles, doubtful, int(mesh.vertex.max()) + 1)
    # rows are gathered several times as fast as by indexing
    points, starts, normals = (array.take(rows, axis=0) for array in (mesh.points, origins, mesh.normals))
    return Surroundings(rows, points, starts, side * normals, vertex, count, triangles)


def propagate(
    around: Surroundings, value_mm: NDArray[np.float64], doubtful: NDArray[np.bool_], *, beside: bool = False
) -> NDArray[np.int64]:
    """Source row (n,) whose reading applies at each doubtful point, -1 for none.

    It is the smallest reading at the point's vertex, else the nearest one that reaches it over doubtful vertices. A
    reading value_mm (n,) applies only to points that lie in the wall it measures: the side wall of a pocket stands on
    the floor, not in it. `around`: made for these doubtful points (n,) or for more. With `beside` a reading applies to
    points beside its wall as well.
    """
    source = np.full(len(value_mm), -1)
    found = _propagate(around, value_mm.take(around.rows), doubtful.take(around.rows), beside)
    known = np.flatnonzero(found >= 0)
    source[around.rows[known]] = around.rows[found[known]]
    return source


@njit(cache=True)
def _cut_out(vertex, triangles, doubtful, count):
    """Rows (k,) of the points, their vertices (k,) numbered anew and how many, and the triangles (m, 3) by those rows,
    of `Surroundings`; count: vertices of the whole mesh."""
    open_vertex, number = np.zeros(count, np.bool_), np.full(count, -1, np.int32)
    for i in range(len(vertex)):
        if doubtful[i]:
            open_vertex[vertex[i]] = True
    kept, m = np.empty(len(triangles), np.int64), 0
    for t in range(len(triangles)):
        a, b, c = vertex[triangles[t, 0]], vertex[triangles[t, 1]], vertex[triangles[t, 2]]
        if open_vertex[a] or open_vertex[b] or open_vertex[c]:
            number[a] = number[b] = number[c] = 0
            kept[m] = t
            m += 1
    vertices = 0
    for v in range(count):
        if number[v] == 0:
            number[v] = vertices
            vertices += 1
    rows, own, k = np.empty(len(vertex), np.int64), np.empty(len(vertex), np.uint32), 0
    place = np.empty(len(vertex), np.uint32)
    for i in range(len(vertex)):
        if number[vertex[i]] >= 0:
            rows[k], own[k], place[i] = i, number[vertex[i]], k
            k += 1
    cut = np.empty((m, 3), np.uint32)
    for t in range(m):
        for corner in range(3):
            cut[t, corner] = place[triangles[kept[t], corner]]
    return rows[:k].copy(), own[:k].copy(), vertices, cut


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


@njit_inner
def _passages(a, b, c):
    """Corners of a triangle between which readings pass, from and to, in the order in which they do."""
    return (a, b), (b, c), (c, a), (a, c), (b, a), (c, b)


@njit(cache=True)
def _propagate(around, value, doubtful, beside):
    """Compiled body of `propagate`, among the points of the surroundings; value, doubtful (k,)."""
    points, into, vertex = around.points, around.into, around.vertex
    count = around.vertex_count
    best, near2, open_vertex = np.full(count, -1, np.int64), np.full(count, np.inf), np.zeros(count, np.bool_)
    point_of = np.zeros(count, np.uint32)
    for i in range(len(vertex)):
        v = vertex[i]
        point_of[v] = i
        if doubtful[i]:
            open_vertex[v] = True
        if np.isfinite(value[i]) and (best[v] < 0 or value[i] < value[best[v]]):
            best[v], near2[v] = i, 0.0
    triangles = _with_open_vertex(around.triangles, vertex, open_vertex)
    # A vertex with a reading of its own keeps it.
    for v in range(count):
        open_vertex[v] &= near2[v] > 0.0
    welded = _with_open_vertex(triangles, vertex, open_vertex)
    for t in range(len(welded)):
        for corner in range(3):
            welded[t, corner] = vertex[welded[t, corner]]
    # Vertices that did not change in the sweep before are skipped; the first sweep skips none. Nothing passes where all
    # corners have one reading, or none.
    changed_in = np.full(count, -1, np.int64)
    for sweep in range(MAX_SWEEPS):
        changed = False
        for t in range(len(welded)):
            a, b, c = welded[t, 0], welded[t, 1], welded[t, 2]
            if best[a] == best[b] == best[c] or max(changed_in[a], changed_in[b], changed_in[c]) < sweep - 1:
                continue
            for p, q in _passages(a, b, c):
                if changed_in[p] < sweep - 1 or not open_vertex[q]:
                    continue
                s = best[p]
                if s < 0 or s == best[q]:
                    continue
                distance2 = _distance2(points, into, value, beside, s, points, point_of[q])
                if distance2 < np.inf and (best[q] < 0 or _nearer(distance2, value[s], near2[q], value[best[q]])):
                    best[q], near2[q], changed_in[q] = s, distance2, sweep
                    open_vertex[q] = distance2 > 0.0
                    changed = True
        if not changed:
            break
    rows, across = np.full(len(vertex), -1, np.int64), np.zeros(len(vertex), np.bool_)
    for i in range(len(vertex)):
        s = best[vertex[i]]
        if s >= 0 and doubtful[i]:
            across[i] = _distance2(points, into, value, beside, s, around.origins, i) == np.inf
            rows[i] = -1 if across[i] else s
    # For points on an edge whose best reading belongs to the wall across the edge, try neighbors on their own face.
    least2 = np.full(len(vertex), np.inf)
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if not (across[a] or across[b] or across[c]):
            continue
        for i, neighbor in _passages(a, b, c):
            if not across[i]:
                continue
            s = best[vertex[neighbor]]
            distance2 = _distance2(points, into, value, beside, s, around.origins, i) if s >= 0 else np.inf
            if distance2 < np.inf and (rows[i] < 0 or _nearer(distance2, value[s], least2[i], value[rows[i]])):
                rows[i], least2[i] = s, distance2
    return rows


@njit(cache=True)
def _with_open_vertex(triangles, vertex, open_vertex):
    """The triangles (k, 3) with at least one open vertex, by their points; a copy."""
    kept, count = np.empty((len(triangles), 3), np.uint32), 0
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if open_vertex[vertex[a]] or open_vertex[vertex[b]] or open_vertex[vertex[c]]:
            kept[count, 0], kept[count, 1], kept[count, 2] = a, b, c
            count += 1
    return kept[:count]
