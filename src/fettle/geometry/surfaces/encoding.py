"""Surfaces as a kind and a row of eight numbers, which compiled loops read.

A row is (origin or center 3, axis or normal 3, first size, second size), in mm and radians:

    plane     origin, normal, 0, 0
    cylinder  point on the axis, axis, radius, 0
    cone      point on the axis, axis along which the radius grows, radius there, half angle
    sphere    center, 0 0 0, radius, 0
    torus     center, axis, major radius, minor radius
    freeform  zeros; nan where patches of a mesh are meant
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import degrees, radians

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Face, Freeform, Plane, Sphere, Surface, Torus
from fettle.jit import njit

PLANE, CYLINDER, CONE, SPHERE, TORUS, FREEFORM = range(6)
"""Kinds, simpler ones first: of two that explain the same facets the lower is taken."""

COLUMNS = 8

_MIN_HALF_ANGLE_RAD = 0.0017
_MAX_HALF_ANGLE_RAD = 1.55
"""Cones narrower or wider than this are not told from cylinders and planes by a fit."""


@lru_cache(maxsize=1)
def pack(faces: tuple[Face, ...]) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Kinds (f,) and rows (f, 8) of the faces' surfaces, read only. Kept for the last part: its mesh is refined, and
    both kinds of walls and what a point sees are measured, by them."""
    kinds, rows = pack_surfaces([face.surface for face in faces])
    for packed in (kinds, rows):
        packed.setflags(write=False)
    return kinds, rows


def pack_surfaces(surfaces: Sequence[Surface]) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Kinds (n,) and rows (n, 8)."""
    encoded = [to_row(surface) for surface in surfaces]
    kinds = np.array([kind for kind, _ in encoded], np.int8)
    return kinds, np.array([row for _, row in encoded]).reshape(-1, COLUMNS)


def to_row(surface: Surface) -> tuple[int, list[float]]:
    """Kind and eight numbers of a surface."""
    match surface:
        case Plane(origin, normal):
            return PLANE, [*origin.tolist(), *normal.tolist(), 0.0, 0.0]
        case Cylinder(origin, axis, radius):
            return CYLINDER, [*origin.tolist(), *axis.tolist(), radius, 0.0]
        case Cone(origin, axis, radius, half_deg):
            return CONE, [*origin.tolist(), *axis.tolist(), radius, radians(half_deg)]
        case Sphere(center, radius):
            return SPHERE, [*center.tolist(), 0.0, 0.0, 0.0, radius, 0.0]
        case Torus(center, axis, major, minor):
            return TORUS, [*center.tolist(), *axis.tolist(), major, minor]
        case Freeform():
            return FREEFORM, [0.0] * COLUMNS


def from_row(kind: int, row: NDArray[np.float64]) -> Surface:
    """The surface of a kind other than freeform; its arrays are read-only copies."""
    origin, axis = row[:3].copy(), row[3:6].copy()
    origin.setflags(write=False)
    axis.setflags(write=False)
    first, second = float(row[6]), float(row[7])
    match kind:
        case 0:
            return Plane(origin, axis)
        case 1:
            return Cylinder(origin, axis, first)
        case 2:
            return Cone(origin, axis, first, degrees(second))
        case 3:
            return Sphere(origin, first)
        case 4:
            return Torus(origin, axis, first, second)
        case _:
            raise ValueError(f"kind {kind} has no closed form")


@njit(cache=True)
def is_valid(kind: int, row: NDArray[np.float64]) -> bool:
    """Whether the numbers of a row are finite, and its sizes those that a surface of this kind can have."""
    for k in range(COLUMNS):
        if not np.isfinite(row[k]):
            return False
    if kind == CONE:
        return bool(row[6] > 0 and _MIN_HALF_ANGLE_RAD < row[7] < _MAX_HALF_ANGLE_RAD)
    if kind == TORUS:
        return bool(row[6] > 0 and row[7] > 0)
    return bool(kind == PLANE or row[6] > 0)
