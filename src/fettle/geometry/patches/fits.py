# mypy: allow-untyped-defs
"""Least squares: the primitive that lies closest to given points, from a first guess of it."""

from __future__ import annotations

import numpy as np
from numba import njit

from fettle.geometry.patches.algebra import across, mean_and_reach, solve
from fettle.geometry.patches.primitives import distance_and_normal, sound

# Which of its seven motions mean something to a kind: shifts across the axis (2) and along it, tilts (2), sizes (2).
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
    """Make one of its seven motions with the primitive, in place."""
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
    if 1 <= kind <= 2:
        # beside the points, tilt and shift do not fight
        h = (mean[0] - q[0]) * q[3] + (mean[1] - q[1]) * q[4] + (mean[2] - q[2]) * q[5]
        for k in range(3):
            q[k] += h * q[3 + k]
        if kind == 2:
            q[6] += h * np.tan(q[7])
    count = 0
    free = np.empty(7, np.int64)
    for k in range(7):
        if _FREE[kind, k]:
            free[count] = k
            count += 1
    steps = np.empty(count)
    near = np.empty((count, 8))
    row = np.empty(count)
    worst = np.inf
    for _ in range(rounds):
        u, v = across(q[3:6])
        normal = np.zeros((count, count))
        right = np.zeros(count)
        for k in range(count):
            # tilts and the cone's angle are radians, the other motions millimetres
            turn = 3 <= free[k] <= 4 or (free[k] == 6 and kind == 2)
            steps[k] = 1.0 if turn else scale
            for j in range(8):
                near[k, j] = q[j]
            move(near[k], free[k], 1e-6 * steps[k], u, v)
        for i in range(len(points)):
            x, y, z = points[i, 0], points[i, 1], points[i, 2]
            d = distance_and_normal(kind, q, x, y, z)[0]
            for k in range(count):
                row[k] = (distance_and_normal(kind, near[k], x, y, z)[0] - d) * 1e6
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
        if not sound(kind, q):
            return q, np.inf
        before = worst
        worst = 0.0
        for i in range(len(points)):
            worst = max(worst, abs(distance_and_normal(kind, q, points[i, 0], points[i, 1], points[i, 2])[0]))
        if worst > 0.7 * before:
            break
    return q, worst
