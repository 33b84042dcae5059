"""Angular and axial range of faces about the axis of their surface, from the mesh."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.surfaces.frames import axis_frame
from fettle.jit import njit

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_FULL_GAP_RAD = 1e-7


@njit(cache=True)
def axial_ranges(
    points: Array,
    row_start: Index,
    triangles: NDArray[np.int32],
    triangle_start: Index,
    faces: Index,
    origins: Array,
    axes: Array,
) -> Array:
    """Shape (k, 4): for each of `faces` (k,) its range round its axis in radians, and along it from its origin in mm.

    Face f owns rows row_start[f] to row_start[f + 1] of points, and triangles in the same way; nan where it has none.
    """
    ranges = np.full((len(faces), 4), np.nan)
    for k in range(len(faces)):
        first, last = row_start[faces[k]], row_start[faces[k] + 1]
        if first == last:
            continue
        x, y = axis_frame(axes[k])
        angles = np.empty(last - first)
        low, high = np.inf, -np.inf
        for row in range(first, last):
            angles[row - first], height = _angle_and_height(points[row], origins[k], axes[k], x, y)
            low, high = min(low, height), max(high, height)
        own = triangles[triangle_start[faces[k]] : triangle_start[faces[k] + 1]]
        ranges[k, 0], ranges[k, 1] = _angular_range(angles, own, first)
        ranges[k, 2], ranges[k, 3] = low, high
    return ranges


@njit(cache=True)
def _angular_range(angles: Array, triangles: NDArray[np.int32], first_row: int) -> tuple[float, float]:
    """(from, to) in radians: the shortest arc that all triangles lie in, 2 pi wide when they close.

    The sides of the triangles are arcs; what none of them covers is the gap. Points on the axis have no angle.
    """
    starts = np.empty(3 * len(triangles))
    widths = np.empty(3 * len(triangles))
    used = 0
    for t in range(len(triangles)):
        for side in range(3):
            a = angles[triangles[t, side] - first_row]
            b = angles[triangles[t, (side + 1) % 3] - first_row]
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
def _angle_and_height(point: Array, origin: Array, axis: Array, x: Array, y: Array) -> tuple[float, float]:
    px, py, pz = point[0] - origin[0], point[1] - origin[1], point[2] - origin[2]
    across = px * x[0] + py * x[1] + pz * x[2]
    up = px * y[0] + py * y[1] + pz * y[2]
    along = px * axis[0] + py * axis[1] + pz * axis[2]
    if across * across + up * up <= 1e-18 * (1.0 + along * along):
        return math.nan, along
    return math.atan2(up, across), along
