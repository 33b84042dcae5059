# mypy: allow-untyped-defs
"""Small dense linear algebra for fits: a linear solver, the least axis of a symmetric matrix."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit


@njit(cache=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def solve(matrix, right):
    """Gauss elimination in place; `right` becomes the solution. False when the matrix is singular."""
    n = len(right)
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if abs(matrix[i, k]) > abs(matrix[pivot, k]):
                pivot = i
        if not abs(matrix[pivot, k]) > 1e-300:
            return False
        for j in range(n):
            matrix[k, j], matrix[pivot, j] = matrix[pivot, j], matrix[k, j]
        right[k], right[pivot] = right[pivot], right[k]
        for i in range(k + 1, n):
            factor = matrix[i, k] / matrix[k, k]
            for j in range(k, n):
                matrix[i, j] -= factor * matrix[k, j]
            right[i] -= factor * right[k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= matrix[k, j] * right[j]
        right[k] /= matrix[k, k]
    return True


@njit(cache=True)
def least_axis(m):
    """Unit eigenvector of the smallest eigenvalue of a symmetric matrix (3, 3), by Jacobi rotations; m is used up."""
    turns = np.zeros((3, 3))
    for k in range(3):
        turns[k, k] = 1.0
    for sweep in range(30):
        i, j = sweep % 3, (sweep + 1) % 3
        if abs(m[i, j]) > 1e-30 * (abs(m[i, i]) + abs(m[j, j])):
            # the smaller of the two angles that clear m[i, j]: with the larger one the sweeps need not converge
            half = 0.5 * (m[j, j] - m[i, i]) / m[i, j]
            tangent = (1.0 if half >= 0 else -1.0) / (abs(half) + np.sqrt(1.0 + half * half))
            c = 1.0 / np.sqrt(1.0 + tangent * tangent)
            s = tangent * c
            for k in range(3):
                m[k, i], m[k, j] = c * m[k, i] - s * m[k, j], s * m[k, i] + c * m[k, j]
            for k in range(3):
                m[i, k], m[j, k] = c * m[i, k] - s * m[j, k], s * m[i, k] + c * m[j, k]
            for k in range(3):
                turns[k, i], turns[k, j] = c * turns[k, i] - s * turns[k, j], s * turns[k, i] + c * turns[k, j]
    least = 0
    for k in range(1, 3):
        if m[k, k] < m[least, least]:
            least = k
    axis = np.empty(3)
    for k in range(3):
        axis[k] = turns[k, least]
    return axis


@njit(cache=True)
def mean_and_reach(points):
    """Center of points (n, 3) and the largest distance from it."""
    mean = np.zeros(3)
    for i in range(len(points)):
        for k in range(3):
            mean[k] += points[i, k] / len(points)
    reach = 1e-300
    for i in range(len(points)):
        x, y, z = points[i, 0] - mean[0], points[i, 1] - mean[1], points[i, 2] - mean[2]
        reach = max(reach, np.sqrt(x * x + y * y + z * z))
    return mean, reach
