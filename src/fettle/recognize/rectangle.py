"""The smallest rectangle around points in the plane.

Compiled, because outlines are small and many: around 40 points, hull and rectangle took 135 us by way of Qhull and
numpy, and take 9 us.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit
from fettle.recognize.tolerances import ROUNDING, ZERO

MAX_SIDES = 64
"""Sides that a rectangle is laid along, the longest ones: the others are chords of arcs."""
STRAIGHT = 1e-14
"""A corner this share of the largest coordinate away from the line between its neighbors is no corner."""


def rectangle(points: NDArray[np.float64]) -> tuple[float, float]:
    """Longer and shorter side of the smallest rectangle around flat points, shape (k, 2)."""
    longer, shorter = _around(_hull(points[np.lexsort((points[:, 1], points[:, 0]))]))
    return longer, shorter


@njit(cache=True)
def _hull(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Corners of the convex hull, counter-clockwise, of points in the order of x, then y; both ends where all lie on
    one line."""
    count = len(points)
    straight = STRAIGHT * max(np.abs(points[0]).max(), np.abs(points[count - 1]).max(), np.abs(points[:, 1]).max())
    corners = np.empty((2 * count, 2))
    used = 0
    for sweep in range(2):  # below from left to right, above from right to left
        first = used
        for k in range(count):
            x, y = points[k if sweep == 0 else count - 1 - k]
            while used - first >= 2:
                ax, ay = x - corners[used - 2, 0], y - corners[used - 2, 1]
                bx, by = corners[used - 1, 0] - corners[used - 2, 0], corners[used - 1, 1] - corners[used - 2, 1]
                if bx * ay - by * ax > straight * np.hypot(ax, ay):
                    break
                used -= 1
            corners[used] = x, y
            used += 1
        used -= 1  # the last one begins the next sweep
    return corners[: max(used, 1)]


@njit(cache=True)
def _around(corners: NDArray[np.float64]) -> tuple[float, float]:
    """Longer and shorter side of the smallest rectangle around a convex ring, laid along one of its longest sides."""
    count = len(corners)
    lengths = np.empty(count)
    for k in range(count):
        x, y = corners[(k + 1) % count] - corners[k]
        lengths[k] = np.hypot(x, y)
    order = np.arange(count)
    if count > MAX_SIDES:
        order = np.sort(np.argsort(-lengths, kind="mergesort")[:MAX_SIDES])
    best, longest, shortest = np.inf, 0.0, 0.0
    for side in order:
        length = lengths[side]
        if length <= ZERO:
            continue
        after = (side + 1) % count
        x, y = (corners[after, 0] - corners[side, 0]) / length, (corners[after, 1] - corners[side, 1]) / length
        low = near = np.inf
        high = far = -np.inf
        for i in range(count):
            along, across = corners[i, 0] * x + corners[i, 1] * y, corners[i, 1] * x - corners[i, 0] * y
            low, high = min(low, along), max(high, along)
            near, far = min(near, across), max(far, across)
        area, longer = (high - low) * (far - near), max(high - low, far - near)
        # Of rectangles of equal area (around a right triangle) the longer one, so that noise does not choose.
        if area < best * (1 - ROUNDING) or (area < best * (1 + ROUNDING) and longer > longest):
            best, longest, shortest = area, longer, min(high - low, far - near)
    return longest, shortest
