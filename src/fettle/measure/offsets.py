"""Exact distances between faces that are offsets of one another: the number then does not depend on the mesh at all.

Parallel planes, coaxial cylinders, concentric spheres, coaxial cones of one angle, tori on one circle; a closed face
against itself (a shaft, a hole, a ball) reads its diameter.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Freeform, Part, Plane, Sphere, Surface, Torus, Vector

PARALLEL = 1.0 - 1e-10
"""Cosine above which two directions are one: 0.0008 degrees."""
COAXIAL_MM = 1e-4
"""How far two axes or centres may lie apart and still be one; files carry about this."""
RESOLUTION_DIGITS = 6
"""Exact values are rounded to 1e-6 mm, below what any file or shop can mean, so that a wall of 0.8 reads 0.8."""


_KINDS = (Freeform, Plane, Cylinder, Cone, Sphere, Torus)


def _apart_mm(a: Vector, b: Vector, axis: Vector) -> float:
    """Distance of point b from the line through a along `axis`."""
    gap = b - a
    return float(np.linalg.norm(gap - float(gap @ axis) * axis))


def _choices_mm(a: Surface, b: Surface) -> tuple[float, ...]:
    """The distances along a's normal at which b can lie, empty unless one is an offset of the other."""
    if isinstance(a, Plane) and isinstance(b, Plane):
        if float(a.normal @ b.normal) <= -PARALLEL:
            return (abs(float((b.origin - a.origin) @ a.normal)),)
    elif isinstance(a, Cylinder) and isinstance(b, Cylinder):
        if abs(float(a.axis @ b.axis)) >= PARALLEL and _apart_mm(a.origin, b.origin, a.axis) <= COAXIAL_MM:
            return (abs(a.radius_mm - b.radius_mm), a.radius_mm + b.radius_mm)
    elif isinstance(a, Sphere) and isinstance(b, Sphere):
        if float(np.linalg.norm(a.center - b.center)) <= COAXIAL_MM:
            return (abs(a.radius_mm - b.radius_mm), a.radius_mm + b.radius_mm)
    elif isinstance(a, Cone) and isinstance(b, Cone):
        same = float(a.axis @ b.axis) >= PARALLEL and abs(a.half_angle_deg - b.half_angle_deg) < 1e-4
        if same and _apart_mm(a.origin, b.origin, a.axis) <= COAXIAL_MM:
            slope = math.radians(a.half_angle_deg)
            level = a.radius_mm + float((b.origin - a.origin) @ a.axis) * math.tan(slope)
            return (abs(level - b.radius_mm) * math.cos(slope),)
    elif isinstance(a, Torus) and isinstance(b, Torus):
        one_circle = (
            abs(float(a.axis @ b.axis)) >= PARALLEL
            and float(np.linalg.norm(a.center - b.center)) <= COAXIAL_MM
            and abs(a.major_radius_mm - b.major_radius_mm) <= COAXIAL_MM
        )
        if one_circle:
            return (abs(a.minor_radius_mm - b.minor_radius_mm), a.minor_radius_mm + b.minor_radius_mm)
    return ()


def _sag_mm(surface: Surface, curvature: float) -> float:
    """How deep the facets of a curved face cut into it."""
    radius = 0.0
    if isinstance(surface, Torus):
        radius = surface.minor_radius_mm
    elif isinstance(surface, Cylinder | Cone | Sphere):
        radius = surface.radius_mm
    return radius * (1.0 - math.cos(math.pi / curvature))


def exact_distances(
    part: Part,
    own: NDArray[np.int32],
    other: NDArray[np.int32],
    measured_mm: NDArray[np.float64],
    curvature: float,
) -> NDArray[np.float64]:
    """Exact distances in mm (k,) for k readings between faces `own` and `other`; nan where there is no closed form.

    A reading takes the closed form only where it agrees with what was measured, within what facets of `curvature`
    elements a turn explain: the same pair of faces can also be met across something else.
    """
    exact = np.full(len(own), np.nan)
    kinds = np.array([_KINDS.index(type(face.surface)) for face in part.faces])
    alike = np.flatnonzero((kinds[own] == kinds[other]) & (kinds[own] > 0))
    exact[alike] = _exact_alike(part, own[alike], other[alike], measured_mm[alike], curvature)
    return exact


def _exact_alike(
    part: Part,
    own: NDArray[np.int32],
    other: NDArray[np.int32],
    measured_mm: NDArray[np.float64],
    curvature: float,
) -> NDArray[np.float64]:
    """`exact_distances` of faces of the same kind."""
    exact = np.full(len(own), np.nan)
    keys, where = np.unique(own.astype(np.int64) * len(part.faces) + other, return_inverse=True)
    choices = np.full((len(keys), 2), np.nan)
    slack = np.zeros(len(keys))
    for row, key in enumerate(keys.tolist()):
        a, b = (part.faces[face].surface for face in divmod(key, len(part.faces)))
        found = _choices_mm(a, b)
        choices[row, : len(found)] = found
        slack[row] = 1.5 * (_sag_mm(a, curvature) + _sag_mm(b, curvature))
    off = np.abs(choices[where] - measured_mm[:, None])
    best = np.where(np.isnan(off), np.inf, off).argmin(axis=1)
    rows = np.arange(len(own))
    agrees = off[rows, best] <= slack[where] + 0.03 * measured_mm
    exact[agrees] = np.round(choices[where][rows, best], RESOLUTION_DIGITS)[agrees]
    # Two faces that touch are not a wall of nothing.
    exact[exact <= 0.0] = np.nan
    return exact
