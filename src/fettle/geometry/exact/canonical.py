"""Freeform surfaces that are really planes, cylinders, cones, spheres or tori, found by fitting them to samples."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Plane, Sphere, Surface, Torus
from fettle.geometry.surfaces.frames import axis_frame
from fettle.jit import njit

Array = NDArray[np.float64]

TOLERANCE_MM = 1e-3
"""A fit counts when no sample is farther from it than this."""

MAX_RADIUS_MM = 1e5
STEADY = 0.02
"""A principal curvature that varies by less than this share of itself may be that of a tube."""


MAX_TILT = 0.2
"""Largest deviation of a sample's normal from the fit's: checked first, because it costs less than solving."""


def fit_canonical(points: Array, normals: Array, curvatures: Array) -> Surface | None:
    """The simplest surface within tolerance of all samples, or None.

    points, normals (n, 3): of the surface, normals out of the material; curvatures (n, 2): the principal ones,
    positive where the surface bends away from its normal (a shaft).
    """
    return (
        _plane(points, normals)
        or _sphere(points, normals)
        or _cylinder(points, normals)
        or _cone(points, normals)
        or _torus(points, normals, curvatures)
    )


def _plane(points: Array, normals: Array) -> Plane | None:
    center = _mean(points)
    normal = _least_direction(points - center)
    if _worst((points - center) @ normal) > TOLERANCE_MM:
        return None
    return Plane(_frozen(center), _frozen(normal if normal @ _mean(normals) > 0 else -normal))


def _sphere(points: Array, normals: Array) -> Sphere | None:
    middle = _mean(points)
    relative = points - middle
    # the normals of a sphere are its points, moved and scaled
    tilts = normals - _mean(normals)
    if _worst(tilts - relative * (np.vdot(tilts, relative) / np.vdot(relative, relative))) > MAX_TILT:
        return None
    solution = _solve(np.column_stack([2.0 * relative, np.ones(len(points))]), (relative**2).sum(axis=1))
    if solution is None:
        return None
    center = solution[:3]
    square = solution[3] + center @ center
    if not 0.0 < square < MAX_RADIUS_MM**2:
        return None
    radius = math.sqrt(square)
    if _worst(_lengths(relative - center) - radius) > TOLERANCE_MM:
        return None
    return Sphere(_frozen(middle + center), radius)


def _cylinder(points: Array, normals: Array) -> Cylinder | None:
    axis = _least_direction(normals)
    if _worst(normals @ axis) > MAX_TILT:
        return None
    found = _circle(points, axis)
    if found is None:
        return None
    center, radius = found
    arms = points - center
    arms = arms - (arms @ axis)[:, None] * axis
    if _worst(_lengths(arms) - radius) > TOLERANCE_MM:
        return None
    return Cylinder(_frozen(center), _frozen(axis), radius)


def _cone(points: Array, normals: Array) -> Cone | None:
    axis = _least_direction(normals - _mean(normals))
    sines = normals @ axis
    sine = float(sines.mean())
    if _worst(sines - sine) > MAX_TILT:
        return None
    apex = _solve(normals, np.einsum("ij,ij->i", normals, points))
    if apex is None or not 1e-4 < abs(sine) < 1.0 - 1e-9:
        return None
    heights = (points - apex) @ axis
    if heights.mean() < 0.0:
        axis, heights = -axis, -heights
    half = math.asin(abs(sine))
    arms = points - apex - heights[:, None] * axis
    if _worst(_lengths(arms) * math.cos(half) - heights * math.sin(half)) > TOLERANCE_MM:
        return None
    foot = float(heights.mean())
    return Cone(_frozen(apex + foot * axis), _frozen(axis), foot * math.tan(half), math.degrees(half))


def _torus(points: Array, normals: Array, curvatures: Array) -> Torus | None:
    for column in range(2):
        curvature = curvatures[:, column]
        steady = _median(curvature)
        if abs(steady) < 1.0 / MAX_RADIUS_MM or _worst(curvature - steady) > STEADY * abs(steady):
            continue
        spine = points - normals / steady
        axis = _least_direction(spine - _mean(spine))
        found = _circle(spine, axis)
        if found is None:
            continue
        center, big = found
        center = center + ((spine - center) @ axis).mean() * axis
        relative = points - center
        heights = relative @ axis
        out = _lengths(relative - heights[:, None] * axis) - big
        small = 1.0 / abs(steady)
        if _worst(np.hypot(out, heights) - small) <= TOLERANCE_MM and big > TOLERANCE_MM:
            return Torus(_frozen(center), _frozen(axis), big, small)
    return None


def _circle(points: Array, axis: Array) -> tuple[Array, float] | None:
    """Center (on the plane through the mean) and radius of the circle that the points make seen along the axis.

    Not `surfaces.circle.fit_circle`: that one trades digits for speed, and a canonical surface has to be exact.
    """
    middle = _mean(points)
    x, y = axis_frame(axis)
    flat = np.column_stack([(points - middle) @ x, (points - middle) @ y])
    solution = _solve(np.column_stack([2.0 * flat, np.ones(len(points))]), (flat**2).sum(axis=1))
    if solution is None:
        return None
    square = solution[2] + solution[0] ** 2 + solution[1] ** 2
    if not 0.0 < square < MAX_RADIUS_MM**2:
        return None
    return middle + solution[0] * x + solution[1] * y, math.sqrt(square)


# compiled: on a hundred samples numpy's functions take ten times as long to call as to run


@njit(cache=True)
def _least_direction(vectors: Array) -> Array:
    """Unit vector along which the vectors (n, 3) vary least."""
    _, directions = np.linalg.eigh(_moments(vectors))
    direction = directions[:, 0].copy()
    return direction * (1.0 if direction[np.argmax(np.abs(direction))] > 0.0 else -1.0)


@njit(cache=True)
def _moments(vectors: Array) -> Array:
    """Sums of the products of the columns (k, k) of vectors (n, k)."""
    sums = np.zeros((vectors.shape[1], vectors.shape[1]))
    for row in range(len(vectors)):
        for i in range(vectors.shape[1]):
            for j in range(vectors.shape[1]):
                sums[i, j] += vectors[row, i] * vectors[row, j]
    return sums


@njit(cache=True)
def _solve(matrix: Array, right: Array) -> Array | None:
    """Least squares by normal equations, after scaling the columns; None where they do not determine the answer."""
    scale = np.sqrt(np.diag(_moments(matrix)))
    if not np.all(scale > 0.0):
        return None
    scaled = matrix / scale
    sizes, directions = np.linalg.eigh(_moments(scaled))
    if sizes[0] <= 1e-13 * sizes[-1]:
        return None
    wanted = np.zeros(len(scale))
    for row in range(len(scaled)):
        wanted += scaled[row] * right[row]
    solution = np.zeros(len(scale))
    for k in range(len(scale)):
        solution += directions[:, k] * ((directions[:, k] * wanted).sum() / sizes[k])
    return solution / scale


@njit(cache=True)
def _mean(vectors: Array) -> Array:
    total = np.zeros(vectors.shape[1])
    for row in range(len(vectors)):
        total += vectors[row]
    return total / len(vectors)


@njit(cache=True)
def _lengths(vectors: Array) -> Array:
    lengths: Array = np.sqrt((vectors * vectors).sum(axis=1))
    return lengths


def _median(values: Array) -> float:
    # numpy's own takes twenty times as long on so few
    ordered = np.sort(values)
    return 0.5 * float(ordered[(len(values) - 1) // 2] + ordered[len(values) // 2])


@njit(cache=True)
def _worst(values: Array) -> float:
    worst: float = np.abs(values).max()
    return worst


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
