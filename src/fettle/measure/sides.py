"""Sides of a part: the directions that its planes and round faces have, weighed by area."""

from __future__ import annotations

from fettle.geometry.part import Cylinder, Part, Plane
from fettle.measure.pull import unit
from fettle.measure.readings import Triple

ROUND_WEIGHT = 1e-3
"""Weight of a cylinder's area against a plane's: a part stands, and is clamped, on plane sides, on round ones if it has
no other."""


def weigh_sides(part: Part, same_cos: float) -> list[tuple[float, Triple]]:
    """Normals of planes and axes of cylinders as unit vectors, up to sign, each with its weight in mm2, in the order of
    their first faces; directions whose cosine is at least `same_cos` are one."""
    sides: list[tuple[float, Triple]] = []
    for face in part.faces:
        if isinstance(face.surface, Plane):
            way, weight = face.surface.normal, face.area_mm2
        elif isinstance(face.surface, Cylinder):
            way, weight = face.surface.axis, ROUND_WEIGHT * face.area_mm2
        else:
            continue
        x, y, z = unit(way.tolist())
        for k, (area, (a, b, c)) in enumerate(sides):
            if abs(a * x + b * y + c * z) >= same_cos:
                sides[k] = (area + weight, (a, b, c))
                break
        else:
            sides.append((weight, (x, y, z)))
    return sides
