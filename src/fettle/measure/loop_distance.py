# mypy: allow-untyped-defs, allow-untyped-calls
"""Distance between the edge loops of a plane face, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit


@njit(cache=True)
def least_gap(points, radius, own, start, step, piece_loop, centers, radii, circle_loop):
    """Least distance in mm from circles of one radius around points (n, 3) to the other loops than `own`; inf for none.

    Loops consist of straight pieces from start (k, 3) by step (k, 3), of loop piece_loop (k,), and of full circles with
    centers (c, 3), radii (c,), of loop circle_loop (c,). A radius of 0 gives the distance from the points themselves.
    """
    least = np.inf
    for point in points:
        for k in range(len(start)):
            if piece_loop[k] == own:
                continue
            along, length2 = 0.0, 1e-18
            for c in range(3):
                along += (point[c] - start[k, c]) * step[k, c]
                length2 += step[k, c] ** 2
            along = min(max(along / length2, 0.0), 1.0)
            square = 0.0
            for c in range(3):
                square += (point[c] - start[k, c] - along * step[k, c]) ** 2
            least = min(least, np.sqrt(square) - radius)
        for k in range(len(centers)):
            if circle_loop[k] == own:
                continue
            square = 0.0
            for c in range(3):
                square += (centers[k, c] - point[c]) ** 2
            between = np.sqrt(square)
            # a circle that contains the point is the outline of the face, any other is another hole
            outline = radii[k] > between
            least = min(least, (radii[k] - between if outline else between - radii[k]) - radius)
    return least
