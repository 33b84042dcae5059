"""How far faces reach round and along the axis of their surface, from the mesh."""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Array = NDArray[np.float64]

_FULL_GAP_RAD = 1e-7


@njit(cache=True)
def angular_range(
    points: Array, triangles: NDArray[np.int32], origin: Array, axis: Array, x: Array, y: Array
) -> tuple[float, float]:
    """(from, to) in radians from direction x: the shortest arc that all triangles lie in, 2 pi wide when they close.

    The sides of the triangles are arcs; what none of them covers is the gap. Points on the axis have no angle.
    """
    count = 3 * len(triangles)
    starts = np.empty(count)
    widths = np.empty(count)
    used = 0
    for t in range(len(triangles)):
        for side in range(3):
            a = _angle(points[triangles[t, side]], origin, axis, x, y)
            b = _angle(points[triangles[t, (side + 1) % 3]], origin, axis, x, y)
            if math.isnan(a) or math.isnan(b):
                continue
            width = b - a - 2.0 * math.pi * round((b - a) / (2.0 * math.pi))
            starts[used] = a if width >= 0.0 else b
            widths[used] = abs(width)
            used += 1
    if used == 0:
        return math.nan, math.nan
    order = np.argsort(starts[:used])
    # what runs past the end of the circle covers its beginning
    reach = (starts[:used] + widths[:used]).max() - 2.0 * math.pi
    widest, gap_start = 0.0, reach
    for k in range(used):
        start = starts[order[k]]
        if start - reach > widest:
            widest, gap_start = start - reach, reach
        reach = max(reach, start + widths[order[k]])
    if widest <= _FULL_GAP_RAD:
        return -math.pi, math.pi
    return gap_start + widest, gap_start + 2.0 * math.pi


@njit(cache=True)
def _angle(point: Array, origin: Array, axis: Array, x: Array, y: Array) -> float:
    px, py, pz = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    across = px * x[0] + py * x[1] + pz * x[2]
    up = px * y[0] + py * y[1] + pz * y[2]
    along = abs(px * axis[0] + py * axis[1] + pz * axis[2])
    if across * across + up * up <= 1e-18 * (1.0 + along * along):
        return math.nan
    return math.atan2(up, across)


def axis_frame(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors that make a right-handed frame with `axis`; always the same for the same axis."""
    # in plain numbers: this is asked once for every round face, and arrays of three cost ten times as much
    a, b, c = axis.tolist()
    least = min(abs(a), abs(b), abs(c))
    which = 0 if abs(a) == least else 1 if abs(b) == least else 2
    along = (a, b, c)[which]
    x, y, z = (float(k == which) - along * part for k, part in enumerate((a, b, c)))
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    return np.array([x, y, z]), np.array([b * z - c * y, c * x - a * z, a * y - b * x])
