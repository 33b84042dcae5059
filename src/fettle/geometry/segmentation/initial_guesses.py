# mypy: allow-untyped-defs
"""First guesses of primitives from a few facets of them, good enough for least squares to start from."""

from __future__ import annotations

import numpy as np

from fettle.geometry.segmentation.least_squares import largest_distance, refine
from fettle.geometry.surfaces.circle import fit_circle
from fettle.geometry.surfaces.encoding import COLUMNS, CONE, CYLINDER, SPHERE, TORUS, is_valid
from fettle.geometry.surfaces.frames import axis_frame
from fettle.geometry.surfaces.linear_algebra import dot, least_axis, mean_and_reach, solve
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit


@njit(cache=True)
def guess(kind, normals, centers, points):
    """A cylinder, cone, sphere or torus near some facets of it: normals and centers (n, 3), and all corners (m, 3)."""
    q = np.zeros(COLUMNS)
    if kind == SPHERE:
        q[5] = 1.0
        return q, _guess_sphere(q, points)
    if kind == TORUS:
        fine = _guess_torus(q, normals, centers, points)
        bent = np.zeros(COLUMNS)
        return _better(TORUS, q, fine, bent, _guess_bent_cylinder(bent, normals, points), points)
    # the normals of a cylinder are square to its axis; the tips of a cone's normals lie on a circle around it
    mean = np.zeros(3)
    if kind == CONE:
        mean, _ = mean_and_reach(normals)
    _set_axis(q, normals, mean)
    if kind == CYLINDER:
        return q, guess_cylinder(q, points)
    fine = _guess_cone(q, normals, centers, points)
    slim = np.zeros(COLUMNS)
    return _better(CONE, q, fine, slim, _guess_slim_cone(slim, normals, points), points)


@njit(cache=True)
def _better(kind, one, one_fine, two, two_fine, points):
    """Of two guesses the one whose largest distance from the points is smaller, and whether either is valid."""
    if not two_fine:
        return one, one_fine
    if one_fine and largest_distance(kind, one, points) < largest_distance(kind, two, points):
        return one, True
    return two, True


@njit(cache=True)
def _set_axis(q, normals, middle):
    """The direction in which the normals differ least from the middle one."""
    spread = np.zeros((3, 3))
    for i in range(len(normals)):
        for j in range(3):
            for k in range(3):
                spread[j, k] += (normals[i, j] - middle[j]) * (normals[i, k] - middle[k])
    axis = least_axis(spread)
    for k in range(3):
        q[3 + k] = axis[k]


@njit(cache=True)
def guess_cylinder(q, points):
    """Write center and radius of the cylinder about the axis of q; False where there is none."""
    u, v = axis_frame(q[3:6])
    flat = np.empty((len(points), 2))
    for i in range(len(points)):
        flat[i, 0] = dot(points[i], u)
        flat[i, 1] = dot(points[i], v)
    center = np.zeros(2)
    q[6] = fit_circle(flat, center)
    for k in range(3):
        q[k] = center[0] * u[k] + center[1] * v[k]
    return q[6] > 0.0


@njit(cache=True)
def _guess_cone(q, normals, centers, points):
    """Write the cone whose apex is nearest to all facet planes; False where it is not valid."""
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
    return is_valid(CONE, q)


@njit(cache=True)
def _guess_bent_cylinder(q, normals, points):
    """A piece of torus as a cylinder whose axis bends: the bend follows from the residuals of a straight cylinder.

    With the axis displaced by s + t h + k h^2 / 2 at height h, a point of normal n is off by n times that.
    """
    _set_axis(q, normals, np.zeros(3))
    if not guess_cylinder(q, points):
        return False
    cylinder, worst = refine(CYLINDER, q, points, 6)
    if not np.isfinite(worst):
        return False
    axis = cylinder[3:6]
    u, v = axis_frame(axis)
    mean, reach = mean_and_reach(points)
    system = np.zeros((7, 7))
    found = np.zeros(7)
    row = np.ones(7)
    for i in range(len(points)):
        d, x, y, z = distance_and_normal(CYLINDER, cylinder, points[i, 0], points[i, 1], points[i, 2])
        h = (dot(points[i], axis) - dot(mean, axis)) / reach
        along_u, along_v = x * u[0] + y * u[1] + z * u[2], x * v[0] + y * v[1] + z * v[2]
        for k in range(3):
            row[1 + 2 * k] = along_u * h**k
            row[2 + 2 * k] = along_v * h**k
        for j in range(7):
            found[j] += row[j] * d
            for k in range(7):
                system[j, k] += row[j] * row[k]
    for k in range(7):
        system[k, k] += 1e-12 * len(points)
    if not solve(system, found):
        return False
    bend_u, bend_v = 2.0 * found[5] / reach**2, 2.0 * found[6] / reach**2
    bend = np.sqrt(bend_u * bend_u + bend_v * bend_v)
    if not bend * reach > 1e-6:
        return False
    shift = dot(mean, axis) - dot(cylinder[:3], axis)
    for k in range(3):
        towards = (bend_u * u[k] + bend_v * v[k]) / bend
        q[k] = cylinder[k] + shift * axis[k] + found[1] * u[k] + found[2] * v[k] + towards / bend
        q[3 + k] = (bend_u * v[k] - bend_v * u[k]) / bend
    q[6] = 1.0 / bend
    q[7] = cylinder[6] + found[0]
    return is_valid(TORUS, q)


@njit(cache=True)
def _guess_slim_cone(q, normals, points):
    """Nearly a cylinder: irregular triangles tilt more than such a cone does, so its taper follows from
    the points, not from normals."""
    _set_axis(q, normals, np.zeros(3))
    if not guess_cylinder(q, points):
        return False
    cylinder, worst = refine(CYLINDER, q, points, 6)
    if not np.isfinite(worst):
        return False
    mean, _ = mean_and_reach(points)
    axis = cylinder[3:6]
    middle, slope, weight = 0.0, 0.0, 1e-300
    for i in range(len(points)):
        rho = distance_and_normal(CYLINDER, cylinder, points[i, 0], points[i, 1], points[i, 2])[0]
        h = dot(points[i], axis) - dot(mean, axis)
        middle += rho / len(points)
        slope += rho * h
        weight += h * h
    slope /= weight
    shift = dot(mean, axis) - dot(cylinder[:3], axis)
    for k in range(3):
        q[k] = cylinder[k] + shift * axis[k]
        q[3 + k] = axis[k] if slope > 0 else -axis[k]
    q[6] = cylinder[6] + middle
    q[7] = np.arctan(abs(slope))
    return is_valid(CONE, q)


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
    # minimize over axis and moment with |axis| = 1: the moment is eliminated first
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
    q[7] = fit_circle(flat, center)
    q[6] = center[0]
    for k in range(3):
        q[k] += center[1] * axis[k]
    return is_valid(TORUS, q)
