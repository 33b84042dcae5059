"""Frames about an axis."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit

Array = NDArray[np.float64]


@njit(cache=True)
def axis_frame(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors (3,) that make a right-handed frame with the unit vector `axis`; the same for the same axis."""
    a, b, c = axis[0], axis[1], axis[2]
    least = min(abs(a), abs(b), abs(c))
    which = 0 if abs(a) == least else 1 if abs(b) == least else 2
    along = axis[which]
    x, y, z = -along * a, -along * b, -along * c
    if which == 0:
        x += 1.0
    elif which == 1:
        y += 1.0
    else:
        z += 1.0
    length = math.sqrt(x * x + y * y + z * z)
    x, y, z = x / length, y / length, z / length
    return np.array([x, y, z]), np.array([b * z - c * y, c * x - a * z, a * y - b * x])
