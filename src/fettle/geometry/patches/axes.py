# mypy: allow-untyped-defs
"""Axes made square to the planes beside them, where the points do not mind.

The axis of a low ring is uncertain by its tolerance over its height. A bore that ends in a plane within that is square
to it, and is then coaxial with the bore below the plane.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.patches.algebra import dot, mean_and_reach
from fettle.geometry.patches.facets import TriangleNet
from fettle.geometry.patches.fits import largest_distance
from fettle.geometry.patches.guesses import guess_cylinder

_NEARLY_SQUARE = np.cos(np.radians(1.0))


def square_up(
    net: TriangleNet,
    patch: NDArray[np.int64],
    kinds: NDArray[np.int64],
    primitives: NDArray[np.float64],
    tolerance_mm: float,
) -> None:
    """Turn the axes of cylinders, in place; their points may then lie twice as far off as before, or the tolerance."""
    order = np.argsort(patch, kind="stable")
    starts = np.searchsorted(patch[order], np.arange(len(kinds) + 1))
    _square_up(net, patch, (order, starts), (kinds, primitives), tolerance_mm)


@njit(cache=True)
def _square_up(net, patch, groups, surfaces, tolerance):
    order, starts = groups
    kinds, primitives = surfaces
    for p in range(len(kinds)):
        own = order[starts[p] : starts[p + 1]]
        if kinds[p] != 1 or len(own) == 0:
            continue
        q = primitives[p]
        plane, cosine = -1, _NEARLY_SQUARE
        for t in own:
            for k in range(3):
                other = patch[net.neighbours[t, k]]
                if kinds[other] == 0 and abs(dot(primitives[other, 3:6], q[3:6])) > cosine:
                    plane, cosine = other, abs(dot(primitives[other, 3:6], q[3:6]))
        if plane < 0:
            continue
        points = np.empty((3 * len(own), 3))
        for i in range(len(own)):
            for k in range(3):
                points[3 * i + k] = net.points[net.triangles[own[i], k]]
        sign = 1.0 if dot(primitives[plane, 3:6], q[3:6]) > 0 else -1.0
        squared = np.zeros(8)
        for k in range(3):
            squared[3 + k] = sign * primitives[plane, 3 + k]
        if not guess_cylinder(squared, points):
            continue
        if largest_distance(1, squared, points) > max(2.0 * largest_distance(1, q, points), tolerance):
            continue
        mean, _ = mean_and_reach(points)
        along = dot(mean - squared[:3], squared[3:6])
        for k in range(3):
            squared[k] += along * squared[3 + k]
        primitives[p] = squared
