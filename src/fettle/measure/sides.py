"""Sides of a part: the directions that its planes and round faces have, weighed by area."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fettle.geometry.part import Cylinder, Face, Part, Plane
from fettle.measure.pull import unit
from fettle.measure.readings import Triple

ROUND_WEIGHT = 1e-3
"""Weight of a cylinder's area against a plane's: a part stands, and is clamped, on plane sides, on round ones if it has
no other."""


def weigh_sides(part: Part, same_cos: float) -> list[tuple[float, Triple]]:
    """Normals of planes and axes of cylinders as unit vectors, up to sign, each with its weight in mm2, in the order of
    their first faces; directions whose cosine is at least `same_cos` are one."""
    ways = ((weight, unit(way)) for face in part.faces for weight, way in _side(face))
    return merge_directions(ways, same_cos)


def merge_directions(ways: Iterable[tuple[float, Sequence[float]]], same_cos: float) -> list[tuple[float, Triple]]:
    """Unit vectors with weights, up to sign, those whose cosine is at least `same_cos` as the first of them with the
    sum of their weights. In plain numbers: a part has few, and arrays of three numbers take several times as long."""
    merged: list[tuple[float, Triple]] = []
    for weight, (x, y, z) in ways:
        for k, (sum_of_weights, (a, b, c)) in enumerate(merged):
            if abs(a * x + b * y + c * z) >= same_cos:
                merged[k] = (sum_of_weights + weight, (a, b, c))
                break
        else:
            merged.append((weight, (x, y, z)))
    return merged


def _side(face: Face) -> Iterator[tuple[float, list[float]]]:
    if isinstance(face.surface, Plane):
        yield face.area_mm2, face.surface.normal.tolist()
    elif isinstance(face.surface, Cylinder):
        yield ROUND_WEIGHT * face.area_mm2, face.surface.axis.tolist()
