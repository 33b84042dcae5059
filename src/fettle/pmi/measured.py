"""Sizes, distances and angles of the model's own surfaces, to hold against what a file says of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import combinations, islice, product

import numpy as np

from fettle.geometry.part import Cone, Cylinder, Face, Part, Plane, Sphere, Torus, Vector
from fettle.geometry.pmi.records import StatedDimension

_PARALLEL = 1e-4
"""Sine of the angle below which two directions count as parallel: 0.006 degrees."""
_MAX_PAIRS = 10_000
"""Pairs of faces that one distance is looked for between."""


@dataclass(frozen=True, slots=True)
class MeasuredPlace:
    """What some faces of the model measure: several values where a dimension can be read in several ways (between axes
    or between walls, an angle or its supplement). mm or degrees."""

    faces: tuple[int, ...]
    values: tuple[float, ...]


def measure_dimension(part: Part, dimension: StatedDimension) -> list[MeasuredPlace]:
    """What the model measures where the dimension is: of a size every face for itself, as each hole of a pattern has
    it. Empty where the surfaces do not tell."""
    place = dimension.place
    if not place.direct:
        return []
    if dimension.kind in ("diameter", "spherical_diameter"):
        return _each(part, place.faces, _diameters)
    if dimension.kind in ("radius", "spherical_radius"):
        return _each(part, place.faces, lambda face: [diameter / 2.0 for diameter in _diameters(face)])
    if dimension.angular and not place.sides:
        return _each(part, place.faces, _opening_angle)
    if dimension.kind == "thickness":
        planes = [part.faces[number] for number in place.faces]
        return _together(place.faces, combinations(planes, 2), _distances)
    if len(place.sides) == 2 and (dimension.angular or dimension.kind.startswith("linear_distance")):
        first, second = ([part.faces[number] for number in side] for side in place.sides)
        between = _angles_between if dimension.angular else _distances
        return _together(place.faces, product(first, second), between)
    return []


def _each(part: Part, faces: Iterable[int], values_of: Callable[[Face], list[float]]) -> list[MeasuredPlace]:
    found = ((number, values_of(part.faces[number])) for number in faces)
    return [MeasuredPlace((number,), tuple(values)) for number, values in found if values]


def _together(
    faces: tuple[int, ...], pairs: Iterable[tuple[Face, Face]], values_of: Callable[[Face, Face], list[float]]
) -> list[MeasuredPlace]:
    values = tuple(value for one, two in islice(pairs, _MAX_PAIRS) for value in values_of(one, two))
    return [MeasuredPlace(faces, values)] if values else []


def _diameters(face: Face) -> list[float]:
    surface = face.surface
    if isinstance(surface, Cylinder | Sphere):
        return [2.0 * surface.radius_mm]
    if isinstance(surface, Cone) and all(math.isfinite(end) for end in face.v_range_mm):
        slope = math.tan(math.radians(surface.half_angle_deg))
        ends = (2.0 * abs(surface.radius_mm + end * slope) for end in face.v_range_mm)
        return list(ends)
    if isinstance(surface, Torus):
        return [2.0 * surface.minor_radius_mm]
    return []


def _opening_angle(face: Face) -> list[float]:
    return [2.0 * face.surface.half_angle_deg] if isinstance(face.surface, Cone) else []


def _direction(face: Face) -> Vector | None:
    surface = face.surface
    if isinstance(surface, Plane):
        return surface.normal
    return surface.axis if isinstance(surface, Cylinder | Cone) else None


def _angles_between(one: Face, two: Face) -> list[float]:
    first, second = _direction(one), _direction(two)
    if first is None or second is None:
        return []
    angle = math.degrees(math.atan2(float(np.linalg.norm(np.cross(first, second))), float(first @ second)))
    if isinstance(one.surface, Plane) != isinstance(two.surface, Plane):
        angle = abs(90.0 - angle)
    return [angle, 180.0 - angle]


def _distances(one: Face, two: Face) -> list[float]:
    """Distances between planes, axes and centers; for round faces also to their near and far walls."""
    if isinstance(two.surface, Plane) and not isinstance(one.surface, Plane):
        one, two = two, one
    if isinstance(one.surface, Plane):
        return _from_plane(one.surface, two)
    return _between_axes(one, two)


def _from_plane(plane: Plane, other: Face) -> list[float]:
    surface = other.surface
    if isinstance(surface, Plane):
        if np.linalg.norm(np.cross(plane.normal, surface.normal)) > _PARALLEL:
            return []
        return [abs(float(plane.normal @ (surface.origin - plane.origin)))]
    if isinstance(surface, Cylinder) and abs(float(plane.normal @ surface.axis)) <= _PARALLEL:
        return _with_walls(float(plane.normal @ (surface.origin - plane.origin)), surface.radius_mm)
    if isinstance(surface, Sphere):
        return _with_walls(float(plane.normal @ (surface.center - plane.origin)), surface.radius_mm)
    return []


def _between_axes(one: Face, two: Face) -> list[float]:
    if not isinstance(one.surface, Cylinder) or not isinstance(two.surface, Cylinder):
        return []
    axis = one.surface.axis
    if np.linalg.norm(np.cross(axis, two.surface.axis)) > _PARALLEL:
        return []
    across = two.surface.origin - one.surface.origin
    distance = float(np.linalg.norm(across - float(across @ axis) * axis))
    radii = (one.surface.radius_mm, two.surface.radius_mm)
    return [distance, *(abs(distance + a * radii[0] + b * radii[1]) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b)]


def _with_walls(distance: float, radius_mm: float) -> list[float]:
    return [abs(distance), abs(distance - radius_mm), abs(distance + radius_mm)]
