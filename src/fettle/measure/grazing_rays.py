# mypy: allow-untyped-defs, allow-untyped-calls
"""Rays that run within a wall and end at its edge.

Such a ray meets the wall edge-on and the surface beyond that edge at one point; which of the two it hits is up to
rounding, and so to the position of the part. It is cast again a hair beside the wall, where only the surface is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit
from fettle.jit.lanes import LANES
from fettle.measure.bvh import STACK_SIZE, Bvh
from fettle.measure.rays import cast

EDGE_ON_COS = 0.1
"""Largest cosine between a ray and the normal of a triangle that it meets edge-on: facets of a round wall are tilted
against the wall, by 0.02 as a rule."""
SAME_PLACE = 1e-6
"""Largest difference of two hits at one place, as a share of the ray's length."""


def recast_grazing(
    tree: Bvh,
    points: NDArray[np.float64],
    normals: NDArray[np.float64],
    roots: NDArray[np.int64],
    side: float,
    start_mm: float,
    hit: NDArray[np.int32],
    ray_mm: NDArray[np.float64],
) -> NDArray[np.int32]:
    """Slots (n,) in the tree of the triangles that rays hit, `hit` (n,) but where that is edge-on and another triangle
    is at the same place. The other arguments as `Scene.cast_along_normals` takes and answers them."""
    mended: NDArray[np.int32] = _recast(tree, points, normals, roots, side, start_mm, hit, ray_mm)
    return mended


@njit(cache=True, error_model="numpy")
def _recast(tree, points, normals, roots, side, start, hit, ray):
    stack, enters = np.empty(STACK_SIZE, np.int64), np.empty(STACK_SIZE)
    mended = hit.copy()
    for i in range(len(points)):
        if hit[i] < 0:
            continue
        leaf, c = hit[i] // LANES, hit[i] % LANES
        dx, dy, dz = side * normals[i, 0], side * normals[i, 1], side * normals[i, 2]
        wx, wy, wz = tree.normals[leaf, c], tree.normals[leaf, LANES + c], tree.normals[leaf, 2 * LANES + c]
        tilt = dx * wx + dy * wy + dz * wz
        if abs(tilt) > EDGE_ON_COS:
            continue
        wx, wy, wz = wx - tilt * dx, wy - tilt * dy, wz - tilt * dz
        # To the side of the wall on which the ray was not: there the surface beyond the edge ends it.
        shift = -side * start
        ox, oy, oz = points[i, 0] + start * dx, points[i, 1] + start * dy, points[i, 2] + start * dz
        found, far = cast(
            tree.box,
            tree.child,
            tree.corners,
            roots[i],
            stack,
            enters,
            ox + shift * wx,
            oy + shift * wy,
            oz + shift * wz,
            dx,
            dy,
            dz,
            np.inf,
            -1,
        )
        if found >= 0 and abs(far + start - ray[i]) <= SAME_PLACE * ray[i]:
            mended[i] = found
    return mended
