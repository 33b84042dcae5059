# mypy: allow-untyped-defs, allow-untyped-calls
"""How many points lie near each point, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit


@njit(cache=True)
def count_near(points, marked, around):
    """Of each of points (k, 3) how many lie within the distance `around`, itself among them, and how many of those are
    marked (k,). Only points as near along x are looked at: no table of all pairs, which would have k * k entries."""
    order, limit = np.argsort(points[:, 0]), around**2
    near, marked_near = np.zeros(len(points), np.int64), np.zeros(len(points), np.int64)
    for first in range(len(order)):
        i = order[first]
        for k in range(first, len(order)):
            j = order[k]
            x = points[j, 0] - points[i, 0]
            if x * x > limit:
                break
            y, z = points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
            if (x * x + y * y) + z * z <= limit:
                near[i] += 1
                marked_near[i] += marked[j]
                if i != j:
                    near[j] += 1
                    marked_near[j] += marked[i]
    return near, marked_near
