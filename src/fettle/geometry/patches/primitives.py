# mypy: allow-untyped-defs
"""Planes, cylinders, cones, spheres and tori as eight numbers each: distance, normal, first guess, least squares.

A primitive is (center 3, axis 3, first, second): cylinder radius in `first`; cone radius at the centre in `first`, half
angle in radians in `second`, the radius growing along the axis; sphere radius in `first`; torus major radius in
`first`, minor in `second`; for a plane the axis is its normal.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numba import njit


class Kind(IntEnum):
    """Simpler kinds first: of two that explain the same facets the lower is taken."""

    PLANE = 0
    CYLINDER = 1
    CONE = 2
    SPHERE = 3
    TORUS = 4
    FREEFORM = 5


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
def distance_and_normal(kind, q, x, y, z):
    """Signed distance of a point from the surface and the unit normal there, away from the axis (or centre)."""
    wx, wy, wz = x - q[0], y - q[1], z - q[2]
    if kind == 3:
        away = np.sqrt(wx * wx + wy * wy + wz * wz)
        s = 1.0 / max(away, 1e-300)
        return away - q[6], wx * s, wy * s, wz * s
    ax, ay, az = q[3], q[4], q[5]
    h = wx * ax + wy * ay + wz * az
    if kind == 0:
        return h, ax, ay, az
    rx, ry, rz = wx - h * ax, wy - h * ay, wz - h * az
    rho = np.sqrt(rx * rx + ry * ry + rz * rz)
    s = 1.0 / max(rho, 1e-300)
    rx, ry, rz = rx * s, ry * s, rz * s
    if kind == 1:
        return rho - q[6], rx, ry, rz
    if kind == 2:
        c, t = np.cos(q[7]), np.sin(q[7])
        return (rho - q[6]) * c - h * t, c * rx - t * ax, c * ry - t * ay, c * rz - t * az
    out = rho - q[6]
    tube = np.sqrt(out * out + h * h)
    s = 1.0 / max(tube, 1e-300)
    return tube - q[7], (out * rx + h * ax) * s, (out * ry + h * ay) * s, (out * rz + h * az) * s


@njit(cache=True)
def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@njit(cache=True)
def across(axis):
    """Two unit vectors that make a right-handed frame with the axis."""
    k = 0
    for i in range(1, 3):
        if abs(axis[i]) < abs(axis[k]):
            k = i
    u = np.empty(3)
    v = np.empty(3)
    length = np.sqrt(1.0 - axis[k] * axis[k])
    for i in range(3):
        u[i] = ((1.0 if i == k else 0.0) - axis[k] * axis[i]) / length
    for i in range(3):
        v[i] = axis[(i + 1) % 3] * u[(i + 2) % 3] - axis[(i + 2) % 3] * u[(i + 1) % 3]
    return u, v


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
            theta = 0.5 * np.arctan2(2.0 * m[i, j], m[j, j] - m[i, i])
            c, s = np.cos(theta), np.sin(theta)
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
    """Centre of points (n, 3) and the largest distance from it."""
    mean = np.zeros(3)
    for i in range(len(points)):
        for k in range(3):
            mean[k] += points[i, k] / len(points)
    reach = 1e-300
    for i in range(len(points)):
        x, y, z = points[i, 0] - mean[0], points[i, 1] - mean[1], points[i, 2] - mean[2]
        reach = max(reach, np.sqrt(x * x + y * y + z * z))
    return mean, reach


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


@njit(cache=True)
def sound(kind, q):
    """Sizes that a surface of this kind can have."""
    for k in range(8):
        if not np.isfinite(q[k]):
            return False
    if kind == 2:
        return q[6] > 0 and 0.0017 < q[7] < 1.55
    if kind == 4:
        return q[6] > 0 and q[7] > 0
    return kind == 0 or q[6] > 0


@njit(cache=True)
def guess(kind, normals, centers, points):
    """A cylinder, cone, sphere or torus near some facets of it: normals and centers (n, 3), and all corners (m, 3)."""
    q = np.zeros(8)
    if kind == 3:
        q[5] = 1.0
        return q, _guess_sphere(q, points)
    if kind == 4:
        return q, _guess_torus(q, normals, centers, points)
    # the normals of a cylinder are square to its axis; the tips of a cone's normals lie on a circle around it
    mean = np.zeros(3)
    if kind == 2:
        mean, _ = mean_and_reach(normals)
    spread = np.zeros((3, 3))
    for i in range(len(normals)):
        for j in range(3):
            for k in range(3):
                spread[j, k] += (normals[i, j] - mean[j]) * (normals[i, k] - mean[k])
    axis = least_axis(spread)
    for k in range(3):
        q[3 + k] = axis[k]
    if kind == 1:
        return q, _guess_cylinder(q, points)
    return q, _guess_cone(q, normals, centers, points)


@njit(cache=True)
def _fit_circle(flat, center):
    """Least-squares circle (I. Kasa, 1976) through points (n, 2): its centre, and its radius or 0."""
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
    if not 0.0 < square < 1e8:
        return 0.0
    center[0], center[1] = x0 + size * right[0], y0 + size * right[1]
    return size * np.sqrt(square)


@njit(cache=True)
def _guess_cylinder(q, points):
    u, v = across(q[3:6])
    flat = np.empty((len(points), 2))
    for i in range(len(points)):
        flat[i, 0] = dot(points[i], u)
        flat[i, 1] = dot(points[i], v)
    center = np.zeros(2)
    q[6] = _fit_circle(flat, center)
    for k in range(3):
        q[k] = center[0] * u[k] + center[1] * v[k]
    return q[6] > 0.0


@njit(cache=True)
def _guess_cone(q, normals, centers, points):
    """All facet planes of a cone meet in its apex."""
    mean, _ = mean_and_reach(centers)
    spread = np.zeros((3, 3))
    apex = np.zeros(3)
    for i in range(len(normals)):
        offset = 0.0
        for k in range(3):
            offset += normals[i, k] * (centers[i, k] - mean[k])
        for j in range(3):
            apex[j] += normals[i, j] * offset
            for k in range(3):
                spread[j, k] += normals[i, j] * normals[i, k]
    if not solve(spread, apex):
        return False
    h, rho = 0.0, 0.0
    for i in range(len(points)):
        along, square = 0.0, 0.0
        for k in range(3):
            d = points[i, k] - mean[k] - apex[k]
            along += d * q[3 + k]
            square += d * d
        h += along / len(points)
        rho += np.sqrt(max(square - along * along, 0.0)) / len(points)
    for k in range(3):
        if h < 0:
            q[3 + k] = -q[3 + k]
        q[k] = mean[k] + apex[k] + abs(h) * q[3 + k]
    q[6] = rho
    q[7] = np.arctan2(rho, abs(h))
    return sound(2, q)


@njit(cache=True)
def _guess_sphere(q, points):
    mean, scale = mean_and_reach(points)
    normal = np.zeros((4, 4))
    right = np.zeros(4)
    row = np.ones(4)
    for i in range(len(points)):
        square = 0.0
        for k in range(3):
            d = (points[i, k] - mean[k]) / scale
            row[k] = 2.0 * d
            square += d * d
        for k in range(4):
            right[k] += row[k] * square
            for j in range(4):
                normal[k, j] += row[k] * row[j]
    for k in range(4):
        normal[k, k] += 1e-15
    if not solve(normal, right):
        return False
    square = right[3] + right[0] * right[0] + right[1] * right[1] + right[2] * right[2]
    if not 0.0 < square < 1e8:
        return False
    for k in range(3):
        q[k] = mean[k] + scale * right[k]
    q[6] = scale * np.sqrt(square)
    return True


@njit(cache=True)
def _guess_torus(q, normals, centers, points):
    """The axis that all facet normals meet (H. Pottmann and J. Wallner, Computational Line Geometry, 2001), then the
    circle of the profile around it."""
    mean, scale = mean_and_reach(centers)
    spread = np.zeros((6, 6))
    row = np.empty(6)
    for i in range(len(centers)):
        for k in range(3):
            a, b = (k + 1) % 3, (k + 2) % 3
            row[k] = ((centers[i, a] - mean[a]) * normals[i, b] - (centers[i, b] - mean[b]) * normals[i, a]) / scale
            row[3 + k] = normals[i, k]
        for j in range(6):
            for k in range(6):
                spread[j, k] += row[j] * row[k]
    # minimise over axis and moment with |axis| = 1: the moment is eliminated first
    moments = np.empty((3, 3))
    for column in range(3):
        block = spread[3:, 3:].copy()
        right = spread[3:, column].copy()
        for k in range(3):
            block[k, k] += 1e-14 * len(centers)
        if not solve(block, right):
            return False
        for k in range(3):
            moments[k, column] = right[k]
    reduced = np.empty((3, 3))
    for j in range(3):
        for k in range(3):
            reduced[j, k] = spread[j, k]
            for i in range(3):
                reduced[j, k] -= spread[j, 3 + i] * moments[i, k]
    axis = least_axis(reduced)
    moment = np.empty(3)
    for k in range(3):
        moment[k] = -(moments[k, 0] * axis[0] + moments[k, 1] * axis[1] + moments[k, 2] * axis[2])
    for k in range(3):
        a, b = (k + 1) % 3, (k + 2) % 3
        q[k] = mean[k] + scale * (axis[a] * moment[b] - axis[b] * moment[a])
        q[3 + k] = axis[k]
    flat = np.empty((len(points), 2))
    for i in range(len(points)):
        h, square = 0.0, 0.0
        for k in range(3):
            d = points[i, k] - q[k]
            h += d * axis[k]
            square += d * d
        flat[i, 0] = np.sqrt(max(square - h * h, 0.0))
        flat[i, 1] = h
    center = np.zeros(2)
    q[7] = _fit_circle(flat, center)
    q[6] = center[0]
    for k in range(3):
        q[k] += center[1] * axis[k]
    return sound(4, q)
