# mypy: allow-untyped-defs
"""The circle nearest to points in a plane."""

from __future__ import annotations

import numpy as np

from fettle.geometry.surfaces.linear_algebra import solve
from fettle.jit import njit

_MAX_RADIUS_PER_SIZE = 1e4
"""A circle of a larger radius is not told from a line by points that reach so far."""


@njit(cache=True)
def fit_circle(flat, center):
    """Least-squares circle (I. Kasa, 1976) of points `flat` (n, 2): writes `center` (2,), returns the radius or 0."""
    x0, y0 = flat[0, 0], flat[0, 1]
    size = 1e-300
    for i in range(1, len(flat)):
        size = max(size, abs(flat[i, 0] - x0) + abs(flat[i, 1] - y0))
    normal = np.zeros((3, 3))
    right = np.zeros(3)
    row = np.ones(3)
    for i in range(len(flat)):
        row[0] = 2.0 * (flat[i, 0] - x0) / size
        row[1] = 2.0 * (flat[i, 1] - y0) / size
        square = 0.25 * (row[0] * row[0] + row[1] * row[1])
        for k in range(3):
            right[k] += row[k] * square
            for j in range(3):
                normal[k, j] += row[k] * row[j]
    for k in range(3):
        normal[k, k] += 1e-15
    if not solve(normal, right):
        return 0.0
    square = right[2] + right[0] * right[0] + right[1] * right[1]
    if not 0.0 < square < _MAX_RADIUS_PER_SIZE * _MAX_RADIUS_PER_SIZE:
        return 0.0
    center[0], center[1] = x0 + size * right[0], y0 + size * right[1]
    return size * np.sqrt(square)
