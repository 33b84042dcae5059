# mypy: allow-untyped-defs, allow-untyped-calls
"""The same triangles for the same points, whatever rounding did to them.

The mesher divides a rectangle along one of its two diagonals by the last digits of its corners, which differ in every
position of a part. What is measured at the points that refining then adds would move with them. So between two
diagonals that are Delaunay both, the one at the point that comes first in the mesh is taken, and the triangles are put
in the order of their points.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.geometry.meshing.counting_sort import sort_by
from fettle.geometry.meshing.delaunay import diagonal_surplus, may_flip
from fettle.geometry.meshing.half_edges import flip, link
from fettle.geometry.surfaces.encoding import FREEFORM
from fettle.jit import njit

TIE = 1e-7
"""Sine of the surplus of two opposite angles over half a turn below which four points lie on one circle."""
MAX_PASSES = 50
"""Passes over all sides; four are usual, and a mesh that still changes after so many is left as it is."""


def choose_triangles(mesh: Mesh, kind: NDArray[np.int8], min_cosine: float) -> Mesh:
    """The mesh with the same points; `kind` (faces,): code of each face's surface."""
    triangles = mesh.triangles.copy()
    vertex, corners, face = unsigned(mesh.vertex), unsigned(triangles), unsigned(mesh.triangle_face)
    ring, _ = link(unsigned(mesh.welded), int(mesh.vertex.max(initial=-1)) + 1)
    _flip_ties(mesh.points, mesh.normals, vertex, corners, face, ring, kind, min_cosine)
    _begin_at_first_row(corners)
    order = np.arange(len(triangles))
    for column in np.ascontiguousarray(corners.T)[::-1]:
        order = sort_by(order, column, len(mesh.points))
    order = sort_by(order, face, len(kind))
    return replace(mesh, triangles=triangles.take(order, axis=0), triangle_face=mesh.triangle_face.take(order))


@njit(cache=True, error_model="numpy")
def _flip_ties(points, normals, vertex, triangles, triangle_face, ring, kind, min_cosine):
    # pass in which a triangle was last changed: between two that were not, a side stays as it was judged
    changed_in = np.full(len(triangles), -1, np.int32)
    # the same of a triangle or one beside it: a change may take twenty passes to run along a strip of triangles, and
    # the others are passed over at once
    near_changed_in = changed_in.copy()
    # sides that only `may_flip` or `flip` kept: seen from the other triangle they may answer otherwise
    kept = np.zeros(ring.shape, np.bool_)
    for number in range(MAX_PASSES):
        changed = False
        for t in range(len(triangles)):
            if near_changed_in[t] < number - 1:
                continue
            for side in range(3 * t, 3 * t + 3):
                twin = ring[side]
                if twin == side or ring[twin] != side:
                    continue
                u = twin // 3
                changed_last = max(changed_in[t], changed_in[u])
                if changed_last < number - 1 or (twin < side and changed_last < number and not kept[twin]):
                    continue
                a, b, c, d, surplus = diagonal_surplus(points, vertex, triangles, triangle_face, ring, side)
                if not surplus <= TIE or (surplus >= -TIE and min(c, d) >= min(a, b)):
                    continue
                if surplus < -TIE and kind[triangle_face[t]] == FREEFORM:
                    continue
                allowed = may_flip(points, normals, vertex, triangles, triangle_face, ring, kind, side, min_cosine)
                if allowed and flip(triangles, ring, side):
                    changed = True
                    changed_in[t] = changed_in[u] = near_changed_in[t] = near_changed_in[u] = number
                    for outer in (3 * t, 3 * t + 2, 3 * u, 3 * u + 1):
                        near_changed_in[ring[outer] // 3] = number
                else:
                    kept[side] = True
        if not changed:
            break


@njit(cache=True)
def _begin_at_first_row(triangles):
    """Turn the corners of each triangle (m, 3) in place until the one that comes first in the mesh is the first."""
    for t in range(len(triangles)):
        a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        if b < a and b <= c:
            triangles[t, 0], triangles[t, 1], triangles[t, 2] = b, c, a
        elif c < a and c < b:
            triangles[t, 0], triangles[t, 1], triangles[t, 2] = c, a, b
