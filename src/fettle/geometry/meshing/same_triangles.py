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

from fettle.geometry.mesh import Mesh
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
    ring, _ = link(mesh.welded, int(mesh.vertex.max(initial=-1)) + 1)
    _flip_ties(mesh.points, mesh.normals, mesh.vertex, triangles, mesh.triangle_face, ring, kind, min_cosine)
    first = triangles.argmin(axis=1)[:, None]
    rows = np.arange(len(triangles))[:, None]
    triangles = triangles[rows, (first + np.arange(3)) % 3]
    # two sorts by two numbers each, none of them negative or above 31 bits: half the time of four sorts
    a, b, c = triangles.T.astype(np.int64)
    order = np.lexsort((b << 32 | c, mesh.triangle_face.astype(np.int64) << 32 | a))
    return replace(
        mesh,
        triangles=np.ascontiguousarray(triangles[order]),
        triangle_face=np.ascontiguousarray(mesh.triangle_face[order]),
    )


@njit(cache=True, error_model="numpy")
def _flip_ties(points, normals, vertex, triangles, triangle_face, ring, kind, min_cosine):
    # pass in which a triangle was last changed: between two that were not, a side stays as it was judged
    changed_in = np.full(len(triangles), -1, np.int32)
    for number in range(MAX_PASSES):
        changed = False
        for side in range(3 * len(triangles)):
            twin = ring[side]
            if twin == side or ring[twin] != side:
                continue
            if number > 0 and max(changed_in[side // 3], changed_in[twin // 3]) < number - 1:
                continue
            a, b, c, d, surplus = diagonal_surplus(points, vertex, triangles, triangle_face, ring, side)
            if not surplus <= TIE or (surplus >= -TIE and min(c, d) >= min(a, b)):
                continue
            if surplus < -TIE and kind[triangle_face[side // 3]] == FREEFORM:
                continue
            allowed = may_flip(points, normals, vertex, triangles, triangle_face, ring, kind, side, min_cosine)
            if allowed and flip(triangles, ring, side):
                changed = True
                changed_in[side // 3] = changed_in[twin // 3] = number
        if not changed:
            break
