# mypy: allow-untyped-defs, allow-untyped-calls
"""Distances between the loops of a plane face, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit


@njit(cache=True)
def least_gap(points, radius, own, start, step, piece_loop, centers, radii, circle_loop):
    """From circles of that radius around some points (n, 3) to the pieces and circles of other loops than `own`."""
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
            # a circle around the point is the face's own outline, any other is a neighbor
            around = radii[k] > between
            least = min(least, (radii[k] - between if around else between - radii[k]) - radius)
    return least
