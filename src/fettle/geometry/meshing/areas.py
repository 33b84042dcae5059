# mypy: allow-untyped-defs
"""Areas of triangles, and the shares of them that belong to points, compiled."""

from __future__ import annotations

from math import sqrt

import numpy as np

from fettle.jit import njit, njit_inner


@njit(cache=True)
def triangle_areas(points, triangles):
    """Areas (m,) in mm2 of triangles (m, 3), rows of points (n, 3) mm."""
    areas = np.empty(len(triangles))
    for t in range(len(triangles)):
        areas[t] = _area(points, triangles, t)
    return areas


@njit(cache=True)
def point_areas(points, triangles):
    """A third (n,) of the area in mm2 of the triangles at each point."""
    areas = np.zeros(len(points))
    for t in range(len(triangles)):
        third = _area(points, triangles, t) / 3.0
        for k in range(3):
            areas[triangles[t, k]] += third
    return areas


@njit_inner
def _area(points, triangles, t):
    a, b, c = triangles[t, 0], triangles[t, 1], triangles[t, 2]
    ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    return 0.5 * sqrt(x * x + y * y + z * z)
