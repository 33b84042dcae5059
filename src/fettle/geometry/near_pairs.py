# mypy: allow-untyped-defs
"""Pairs of points that lie close to one another."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit

ROUNDING = 1e-12
"""How far rounding may move a point along a line, as a share of the largest coordinate: many times what it does."""


def near_pairs(points: NDArray[np.float64], distance: float) -> NDArray[np.int64]:
    """Pairs (k, 2) of the numbers i < j of points (n, d) at most `distance` apart, in no particular order.

    Points are sorted along a line and each is compared with those that follow within the distance. The line is oblique
    to all axes: faces of parts are not, and thousands of points on one face would all lie at one place of an axis.
    """
    # Square roots of small numbers have no common measure: points of a grid come to lie at places of their own too.
    direction = np.sqrt(np.arange(2.0, 2.0 + points.shape[1]))
    along = points @ (direction / np.linalg.norm(direction))
    reach = distance * (1.0 + ROUNDING) + ROUNDING * float(np.abs(points).max(initial=0.0))
    order = np.argsort(along)
    pairs: NDArray[np.int64] = np.sort(
        order[_sweep(points.take(order, axis=0), along[order], reach, distance * distance)], axis=1
    )
    return pairs


@njit(cache=True)
def _sweep(points, along, reach, square):
    """Pairs (k, 2) of the rows whose squared distance is at most `square`; `along` rises, and differs by no more than
    `reach` for these."""
    pairs = np.empty((len(points) + 1, 2), np.int64)
    found = 0
    for i in range(len(points)):
        for j in range(i + 1, len(points)):
            if along[j] - along[i] > reach:
                break
            apart = 0.0
            for k in range(points.shape[1]):
                apart += (points[j, k] - points[i, k]) ** 2
            if apart <= square:
                if found == len(pairs):
                    pairs = np.concatenate((pairs, np.empty_like(pairs)))
                pairs[found, 0], pairs[found, 1] = i, j
                found += 1
    return pairs[:found]
