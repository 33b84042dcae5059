"""Thickness of a sheet from its two sides: faces back to back that share the same cut edges."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fettle.geometry.part import Cone, Convexity, Cylinder, Plane
from fettle.recognize.graph import Graph, Region, coaxial
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM, SAME_ANGLE_DEG

SAME_THICKNESS_MM = 0.02
"""Two sides whose distance differs by less from the sheet's thickness are that sheet: what exporters round."""

NOT_OPPOSITE_COS = -0.5
"""Cosine of two normals above which planes are seen at once not to be back to back."""


@dataclass(frozen=True, slots=True)
class SheetSides:
    """`partner`: of a region the one on the other side of the sheet, both ways."""

    thickness_mm: float
    partner: dict[int, int]


def find_sides(graph: Graph, body: int) -> SheetSides | None:
    """Thickness of a body's sheet: of all regions, weighted by area, the most frequent distance to the nearest region
    behind that shares a cut edge; None where no two lie back to back."""
    nearest: dict[int, tuple[float, int]] = {}
    beside = [
        {border.other for border in region.borders if border.sign is Convexity.CONVEX and border.other >= 0}
        for region in graph.regions
    ]
    normals = {
        number: tuple(region.surface.normal.tolist())
        for number, region in enumerate(graph.regions)
        if isinstance(region.surface, Plane)
    }
    for region in graph.regions:
        if region.body != body or not isinstance(region.surface, Plane | Cylinder | Cone):
            continue
        across = set().union(*(beside[side] for side in beside[region.number])) - {region.number}
        kind, curved = type(region.surface), region.convex
        if kind is Plane:
            x, y, z = normals[region.number]
            across = {
                number
                for number in across & normals.keys()
                if x * normals[number][0] + y * normals[number][1] + z * normals[number][2] < NOT_OPPOSITE_COS
            }
        behind = []
        for number in across:
            other = graph.regions[number]
            if type(other.surface) is kind and (kind is Plane or other.convex != curved):
                distance = distance_behind(region, other)
                if distance is not None:
                    behind.append((distance, number))
        if behind:
            nearest[region.number] = min(behind)
    if not nearest:
        return None
    thickness = _most_frequent(
        [(distance, graph.regions[number].area_mm2) for number, (distance, _) in nearest.items()]
    )
    partner = {
        number: other for number, (distance, other) in nearest.items() if abs(distance - thickness) < SAME_THICKNESS_MM
    }
    return SheetSides(thickness, partner)


def distance_behind(region: Region, other: Region) -> float | None:
    """Distance in mm through the material to a parallel region on the other side; None where it is not one."""
    one, two = region.surface, other.surface
    distance = None
    if isinstance(one, Plane) and isinstance(two, Plane):
        if float(one.normal @ two.normal) < -COAXIAL_COS:
            distance = -float((other.point - region.point) @ one.normal)
    elif isinstance(one, Cylinder) and isinstance(two, Cylinder):
        if region.convex != other.convex and coaxial(one.origin, one.axis, two.origin, two.axis, LOOSE_LENGTH_MM):
            distance = one.radius_mm - two.radius_mm if region.convex else two.radius_mm - one.radius_mm
    elif isinstance(one, Cone) and isinstance(two, Cone) and region.convex != other.convex:
        distance = _cone_gap(one, two) if region.convex else _cone_gap(two, one)
    return distance if distance is not None and distance > LOOSE_LENGTH_MM else None


def _cone_gap(outer: Cone, inner: Cone) -> float | None:
    """Distance of two coaxial cones of one angle; None where they are not."""
    if (
        abs(outer.half_angle_deg - inner.half_angle_deg) > SAME_ANGLE_DEG
        or not coaxial(outer.origin, outer.axis, inner.origin, inner.axis, LOOSE_LENGTH_MM)
        or float(outer.axis @ inner.axis) < 0
    ):
        return None
    half = math.radians(outer.half_angle_deg)
    apart = float((inner.origin - outer.origin) @ outer.axis)
    return (outer.radius_mm + apart * math.tan(half) - inner.radius_mm) * math.cos(half)


def _most_frequent(weighted: list[tuple[float, float]]) -> float:
    """The value with the most weight within `SAME_THICKNESS_MM`, the smaller of equals."""
    best, best_weight = 0.0, -1.0
    for value, _ in sorted(weighted):
        weight = sum(one for other, one in weighted if abs(other - value) < SAME_THICKNESS_MM)
        if weight > best_weight * (1 + 1e-9):
            best, best_weight = value, weight
    near = [(value, weight) for value, weight in weighted if abs(value - best) < SAME_THICKNESS_MM]
    return sum(value * weight for value, weight in near) / sum(weight for _, weight in near)
