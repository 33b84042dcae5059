"""Sample places on a freeform face, and principal curvatures there (do Carmo, Differential Geometry, 3-3)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit

Array = NDArray[np.float64]


@njit(cache=True)
def inner_places(nodes: Array, corners: NDArray[np.int32], parameters: Array, limit: int) -> Array:
    """Parameters (n, 2) of places on a triangulated face: middles of triangles, then nodes, thinned evenly to a limit.

    nodes (p, 3), corners (t, 3), parameters (p, 2). The first is the middle of the largest triangle.
    """
    largest, largest_square = 0, -1.0
    for t in range(len(corners)):
        a, b, c = nodes[corners[t, 0]], nodes[corners[t, 1]], nodes[corners[t, 2]]
        ux, uy, uz = b[0] - a[0], b[1] - a[1], b[2] - a[2]
        vx, vy, vz = c[0] - a[0], c[1] - a[1], c[2] - a[2]
        square = (uy * vz - uz * vy) ** 2 + (uz * vx - ux * vz) ** 2 + (ux * vy - uy * vx) ** 2
        if square > largest_square:
            largest, largest_square = t, square
    available = 1 + len(corners) + len(nodes)
    count = min(available, limit)
    places = np.empty((count, 2))
    for k in range(count):
        # place 0 is the largest triangle; then the triangles and the nodes, evenly
        place = k if available <= limit or k == 0 else 1 + (k - 1) * (available - 2) // (limit - 2)
        t = largest if k == 0 else place - 1
        for i in range(2):
            if t < len(corners):
                middle = parameters[corners[t, 0], i] + parameters[corners[t, 1], i] + parameters[corners[t, 2], i]
                places[k, i] = middle / 3.0
            else:
                places[k, i] = parameters[t - len(corners), i]
    return places


@njit(cache=True)
def principal(derivatives: Array, sign: float) -> tuple[Array, Array, Array]:
    """Points (n, 3), unit normals (n, 3) and principal curvatures (n, 2) from S, Su, Sv, Suu, Suv, Svv (m, 6, 3).

    Normals are those of Su x Sv times `sign`; curvatures are positive where the surface bends away from them. Poles and
    collapsed borders have no normal and are left out.
    """
    points = np.empty((len(derivatives), 3))
    normals = np.empty((len(derivatives), 3))
    curvatures = np.empty((len(derivatives), 2))
    used = 0
    for row in range(len(derivatives)):
        su, sv = derivatives[row, 1], derivatives[row, 2]
        e = su[0] * su[0] + su[1] * su[1] + su[2] * su[2]
        f = su[0] * sv[0] + su[1] * sv[1] + su[2] * sv[2]
        g = sv[0] * sv[0] + sv[1] * sv[1] + sv[2] * sv[2]
        det = e * g - f * f
        if not det > 1e-12 * (e + g) ** 2:
            continue
        nx, ny, nz = su[1] * sv[2] - su[2] * sv[1], su[2] * sv[0] - su[0] * sv[2], su[0] * sv[1] - su[1] * sv[0]
        length = math.sqrt(nx * nx + ny * ny + nz * nz)
        nx, ny, nz = nx / length, ny / length, nz / length
        suu, suv, svv = derivatives[row, 3], derivatives[row, 4], derivatives[row, 5]
        along = suu[0] * nx + suu[1] * ny + suu[2] * nz
        mixed = suv[0] * nx + suv[1] * ny + suv[2] * nz
        across = svv[0] * nx + svv[1] * ny + svv[2] * nz
        mean = (e * across - 2.0 * f * mixed + g * along) / (2.0 * det)
        root = math.sqrt(max(mean * mean - (along * across - mixed * mixed) / det, 0.0))
        for axis in range(3):
            points[used, axis] = derivatives[row, 0, axis]
        normals[used, 0], normals[used, 1], normals[used, 2] = sign * nx, sign * ny, sign * nz
        curvatures[used, 0], curvatures[used, 1] = -sign * (mean + root), -sign * (mean - root)
        used += 1
    return points[:used].copy(), normals[:used].copy(), curvatures[:used].copy()
