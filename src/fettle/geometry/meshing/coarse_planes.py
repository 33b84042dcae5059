# mypy: allow-untyped-defs, allow-untyped-calls
"""Plane faces that refining divided: their triangles from before cover the same surface in fewer pieces."""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import CoarsePlanes, Mesh
from fettle.geometry.surfaces.encoding import PLANE
from fettle.jit import njit

STRAIGHT = 1e-11
"""By which share a border may grow in rounding; a point laid on an arc of 8 m radius adds more to one of 400 mm."""

FAR_FEWER = 4
"""A face stays undivided where it then has so many times fewer triangles: those of a plane full of holes are slivers,
and searching them costs what it saves."""


def find_coarse_planes(
    base: Mesh,
    base_ring: NDArray[np.uint32],
    fine: Mesh,
    fine_ring: NDArray[np.uint32],
    bent_kind: NDArray[np.int8] | None,
) -> CoarsePlanes | None:
    """The triangles of `base`, whose points come first in `fine`, on those of its faces where they are the same surface
    in far fewer; None where there is no such face.

    Rings as in `half_edges`; bent_kind (faces,): kinds of surfaces that points were projected onto, None for none.
    """
    count = int(base.triangle_face.max(initial=-1)) + 1
    fewer = FAR_FEWER * np.bincount(base.triangle_face, minlength=count)
    taken = np.bincount(fine.triangle_face, minlength=count) >= fewer
    if bent_kind is not None and taken.any():
        # a plane covers the same area while its border is as long as before: a point laid on an arc makes it longer
        taken &= bent_kind[:count] == PLANE
        before = _border_lengths(base.points, base.triangles, base.triangle_face, base_ring, taken)
        after = _border_lengths(fine.points, fine.triangles, fine.triangle_face, fine_ring, taken)
        taken &= after <= (1.0 + STRAIGHT) * before
    if not taken.any():
        return None
    whole = taken[base.triangle_face]
    return CoarsePlanes(base.triangles[whole], base.triangle_face[whole])


@njit(cache=True, error_model="numpy")
def _border_lengths(points, triangles, triangle_face, ring, chosen):
    """Length (faces,) of the border of the chosen faces (faces,), 0 of others."""
    lengths = np.zeros(len(chosen))
    for t in range(len(triangles)):
        face = triangle_face[t]
        if not chosen[face]:
            continue
        for k in range(3):
            side = 3 * t + k
            twin = ring[side]
            if twin == side or ring[twin] != side or triangle_face[twin // 3] != face:
                a, b = triangles[t, k], triangles[t, (k + 1) % 3]
                x, y, z = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
                lengths[face] += sqrt(x * x + y * y + z * z)
    return lengths
