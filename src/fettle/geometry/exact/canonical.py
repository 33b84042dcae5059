"""Freeform surfaces that are really planes, cylinders, cones, spheres or tori, found by fitting them to samples."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.extents import axis_frame
from fettle.geometry.part import Cone, Cylinder, Plane, Sphere, Surface, Torus

Array = NDArray[np.float64]

TOLERANCE_MM = 1e-3
"""A fit counts when no sample is farther from it than this."""

MAX_RADIUS_MM = 1e5
STEADY = 0.02
"""A principal curvature that varies by less than this share of itself may be that of a tube."""


MAX_TILT = 0.2
"""No normal of a sample is farther than this from the fit's: the hopeless are told by it, before anything is solved."""


def recognise(points: Array, normals: Array, curvatures: Array) -> Surface | None:
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
    center = points.mean(axis=0)
    normal = _least_direction(points - center)
    if _worst((points - center) @ normal) > TOLERANCE_MM:
        return None
    return Plane(_frozen(center), _frozen(normal if normal @ normals.mean(axis=0) > 0 else -normal))


def _sphere(points: Array, normals: Array) -> Sphere | None:
    middle = points.mean(axis=0)
    relative = points - middle
    # the normals of a sphere are its points, moved and scaled
    tilts = normals - normals.mean(axis=0)
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
    if _worst(np.linalg.norm(relative - center, axis=1) - radius) > TOLERANCE_MM:
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
    if _worst(np.linalg.norm(arms, axis=1) - radius) > TOLERANCE_MM:
        return None
    return Cylinder(_frozen(center), _frozen(axis), radius)


def _cone(points: Array, normals: Array) -> Cone | None:
    axis = _least_direction(normals - normals.mean(axis=0))
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
    if _worst(np.linalg.norm(arms, axis=1) * math.cos(half) - heights * math.sin(half)) > TOLERANCE_MM:
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
        axis = _least_direction(spine - spine.mean(axis=0))
        found = _circle(spine, axis)
        if found is None:
            continue
        center, big = found
        center = center + ((spine - center) @ axis).mean() * axis
        relative = points - center
        heights = relative @ axis
        out = np.linalg.norm(relative - heights[:, None] * axis, axis=1) - big
        small = 1.0 / abs(steady)
        if _worst(np.hypot(out, heights) - small) <= TOLERANCE_MM and big > TOLERANCE_MM:
            return Torus(_frozen(center), _frozen(axis), big, small)
    return None


def _circle(points: Array, axis: Array) -> tuple[Array, float] | None:
    """Centre (on the plane through the mean) and radius of the circle that the points make seen along the axis."""
    middle = points.mean(axis=0)
    x, y = axis_frame(axis)
    flat = np.column_stack([(points - middle) @ x, (points - middle) @ y])
    solution = _solve(np.column_stack([2.0 * flat, np.ones(len(points))]), (flat**2).sum(axis=1))
    if solution is None:
        return None
    square = solution[2] + solution[0] ** 2 + solution[1] ** 2
    if not 0.0 < square < MAX_RADIUS_MM**2:
        return None
    return middle + solution[0] * x + solution[1] * y, math.sqrt(square)


def _least_direction(vectors: Array) -> Array:
    """Unit vector along which the vectors (n, 3) reach least."""
    _, directions = np.linalg.eigh(vectors.T @ vectors)
    direction: Array = directions[:, 0]
    return direction * (1.0 if direction[int(np.argmax(np.abs(direction)))] > 0.0 else -1.0)


def _solve(matrix: Array, right: Array) -> Array | None:
    """Least squares by normal equations, after scaling the columns; None where they do not determine the answer."""
    scale = np.linalg.norm(matrix, axis=0)
    if not scale.all():
        return None
    scaled = matrix / scale
    sizes, directions = np.linalg.eigh(scaled.T @ scaled)
    if sizes[0] <= 1e-13 * sizes[-1]:
        return None
    solution: Array = directions @ ((directions.T @ (scaled.T @ right)) / sizes) / scale
    return solution


def _median(values: Array) -> float:
    # numpy's own takes twenty times as long on so few
    ordered = np.sort(values)
    return 0.5 * float(ordered[(len(values) - 1) // 2] + ordered[len(values) // 2])


def _worst(values: Array) -> float:
    return float(np.abs(values).max())


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
