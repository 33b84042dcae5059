# mypy: allow-untyped-defs
"""Least squares: the primitive nearest to given points, from a first guess of it."""

from __future__ import annotations

import numpy as np

from fettle.geometry.surfaces.encoding import CONE, CYLINDER, TORUS, is_valid
from fettle.geometry.surfaces.frames import axis_frame
from fettle.geometry.surfaces.linear_algebra import dot, least_axis, mean_and_reach, solve
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit

# Degrees of freedom of each kind: shifts across the axis (2) and along it, tilts (2), sizes (2).
_FREE = np.array(
    [
        [False, False, True, True, True, False, False],
        [True, True, False, True, True, True, False],
        [True, True, False, True, True, True, True],
        [True, True, True, False, False, True, False],
        [True, True, True, True, True, True, True],
    ]
)


@njit(cache=True)
def move(q, motion, step, u, v):
    """Move the primitive along one of its seven degrees of freedom, in place."""
    if motion < 3:
        for k in range(3):
            q[k] += step * (u[k] if motion == 0 else (v[k] if motion == 1 else q[3 + k]))
    elif motion < 5:
        for k in range(3):
            q[3 + k] += step * (u[k] if motion == 3 else v[k])
        length = np.sqrt(q[3] * q[3] + q[4] * q[4] + q[5] * q[5])
        for k in range(3, 6):
            q[k] /= length
    else:
        q[motion + 1] += step


@njit(cache=True)
def refine(kind, guess, points, rounds):
    """Gauss-Newton on the distances of points (n, 3); returns the primitive and the largest distance left."""
    mean, scale = mean_and_reach(points)
    q = guess.copy()
    if CYLINDER <= kind <= CONE:
        # with the center beside the points, tilt and shift are independent
        h = (mean[0] - q[0]) * q[3] + (mean[1] - q[1]) * q[4] + (mean[2] - q[2]) * q[5]
        for k in range(3):
            q[k] += h * q[3 + k]
        if kind == CONE:
            q[6] += h * np.tan(q[7])
    count = 0
    free = np.empty(7, np.int64)
    steps = np.empty(7)
    for k in range(7):
        if _FREE[kind, k]:
            free[count] = k
            # tilts and the cone's angle are radians, the other motions millimeters
            steps[count] = 1.0 if 3 <= k <= 4 or (k == 6 and kind == CONE) else scale
            count += 1
    slopes = np.empty(7)
    row = np.empty(count)
    normal = np.empty((count, count))
    right = np.empty(count)
    worst = largest_distance(kind, q, points)
    for turn in range(rounds):
        u, v = axis_frame(q[3:6])
        normal[:] = 0.0
        right[:] = 0.0
        for i in range(len(points)):
            d = _slope(kind, q, u, v, points[i], slopes)
            for k in range(count):
                row[k] = slopes[free[k]] * steps[k]
            for k in range(count):
                right[k] -= row[k] * d
                for j in range(count):
                    normal[k, j] += row[k] * row[j]
        trace = 0.0
        for k in range(count):
            trace += normal[k, k]
        for k in range(count):
            normal[k, k] += 1e-11 * trace
        if not solve(normal, right):
            return q, np.inf
        for k in range(count):
            if not abs(right[k]) < 1e6:
                return q, np.inf
            move(q, free[k], right[k] * steps[k], u, v)
        if not is_valid(kind, q):
            return q, np.inf
        before = worst
        worst = largest_distance(kind, q, points)
        if turn and worst > 0.7 * before:
            break
    return q, worst


@njit(cache=True)
def largest_distance(kind, q, points):
    """Largest distance of points (n, 3) from the primitive."""
    worst = 0.0
    for i in range(len(points)):
        worst = max(worst, abs(distance_and_normal(kind, q, points[i, 0], points[i, 1], points[i, 2])[0]))
    return worst


@njit(cache=True)
def _slope(kind, q, u, v, point, slopes):
    """Distance of a point; writes its derivatives by the seven degrees of freedom to `slopes`.

    To shift a surface is to shift the point the other way, to tilt it is to turn the point about the center.
    """
    wx, wy, wz = point[0] - q[0], point[1] - q[1], point[2] - q[2]
    d, nx, ny, nz = distance_and_normal(kind, q, point[0], point[1], point[2])
    slopes[0] = -(nx * u[0] + ny * u[1] + nz * u[2])
    slopes[1] = -(nx * v[0] + ny * v[1] + nz * v[2])
    slopes[2] = -(nx * q[3] + ny * q[4] + nz * q[5])
    tx, ty, tz = wy * nz - wz * ny, wz * nx - wx * nz, wx * ny - wy * nx
    slopes[3] = -(v[0] * tx + v[1] * ty + v[2] * tz)
    slopes[4] = u[0] * tx + u[1] * ty + u[2] * tz
    slopes[5] = -1.0
    slopes[6] = 0.0
    if kind == CONE:
        c, s = np.cos(q[7]), np.sin(q[7])
        h = wx * q[3] + wy * q[4] + wz * q[5]
        # d = (rho - r) c - h s
        slopes[5] = -c
        slopes[6] = -(d + h * s) / c * s - h * c
    elif kind == TORUS:
        # the share of the radial direction in the tube's normal
        h = wx * q[3] + wy * q[4] + wz * q[5]
        rx, ry, rz = wx - h * q[3], wy - h * q[4], wz - h * q[5]
        rho = np.sqrt(rx * rx + ry * ry + rz * rz)
        slopes[5] = -(nx * rx + ny * ry + nz * rz) / max(rho, 1e-300)
        slopes[6] = -1.0
    return d


@njit(cache=True)
def flatness(points):
    """Largest distance of points (n, 3) from their least-squares plane."""
    mean, _ = mean_and_reach(points)
    spread = np.zeros((3, 3))
    for i in range(len(points)):
        for j in range(3):
            for k in range(3):
                spread[j, k] += (points[i, j] - mean[j]) * (points[i, k] - mean[k])
    normal = least_axis(spread)
    worst = 0.0
    for i in range(len(points)):
        worst = max(worst, abs(dot(points[i] - mean, normal)))
    return worst
