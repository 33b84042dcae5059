"""CHAMFER: a flat or conical strip that cuts off a convex edge between two supports."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Cone, Convexity, Cylinder, Line, Plane
from fettle.recognize.blends import Bridge
from fettle.recognize.feature import Chamfer, Kind
from fettle.recognize.graph import Graph, Region, axial_of, direction_groups

MIN_ANGLE_DEG, MAX_ANGLE_DEG = 100.0, 172.0
"""Angles through the material at both sides of a chamfer; 135 where 45 degrees are cut off a right corner."""
SLOPE_SLACK_DEG = 1.0
NARROW = 0.5
"""Widest chamfer, as a share of the narrower support, when it is not an even cut off a right corner."""


@dataclass(frozen=True, slots=True, eq=False)
class _Strip:
    """`even`: 45 degrees off a right corner, which is a chamfer at any width."""

    region: int
    supports: tuple[int, int]
    width_mm: float
    length_mm: float
    angle_deg: float
    support_width_mm: float
    even: bool


def find_chamfers(graph: Graph, taken: Collection[int], confidence: float) -> tuple[dict[int, Bridge], list[Chamfer]]:
    """Chamfers among regions not taken, as bridges and as features."""
    strips = [
        strip for region in graph.regions if region.number not in taken and (strip := _strip(graph, region)) is not None
    ]
    facing = _area_by_direction(graph) if strips else {}
    accepted: dict[int, _Strip] = {}
    for strip in sorted(strips, key=lambda strip: (round(strip.width_mm, 6), strip.region)):
        if any(support in accepted for support in strip.supports):
            continue
        narrow = strip.width_mm <= NARROW * strip.support_width_mm
        if narrow or (strip.even and _minor_direction(facing, strip)):
            accepted[strip.region] = strip
    bridges = {number: _as_bridge(strip) for number, strip in sorted(accepted.items())}
    features = [
        Chamfer(
            kind=Kind.CHAMFER,
            faces=graph.regions[number].faces,
            confidence=confidence,
            width_mm=strip.width_mm,
            angle_deg=strip.angle_deg,
            length_mm=strip.length_mm,
        )
        for number, strip in sorted(accepted.items())
    ]
    return bridges, features


def _area_by_direction(graph: Graph) -> dict[int, float]:
    """For every flat region, the area of all flat regions that face its way or the opposite one."""
    flat = [region for region in graph.regions if isinstance(region.surface, Plane)]
    areas = np.array([region.area_mm2 for region in flat])
    groups = direction_groups([region.normal for region in flat])
    totals = np.bincount(groups, weights=areas)
    return {region.number: float(totals[group]) for region, group in zip(flat, groups, strict=True)}


def _minor_direction(facing: Mapping[int, float], strip: _Strip) -> bool:
    """Whether the part has less area this way than its supports' ways: an octagon's sides are no chamfers."""
    return all(facing[strip.region] < 0.8 * facing.get(support, 0.0) for support in strip.supports)


def _as_bridge(strip: _Strip) -> Bridge:
    return Bridge(strip.region, Convexity.CONVEX, strip.supports, 0.0, 0.0, strip.length_mm, 0.0)


def _strip(graph: Graph, region: Region) -> _Strip | None:
    if isinstance(region.surface, Plane):
        straight = True
    elif isinstance(region.surface, Cone) and region.convex:
        straight = False
    else:
        return None
    if any(border.sign is Convexity.CONCAVE for border in region.borders):
        return None
    sides: dict[int, tuple[float, float]] = {}
    for border in region.borders:
        edge = graph.part.edges[border.edge]
        if border.other < 0 or border.sign is not Convexity.CONVEX or (straight and not isinstance(edge.curve, Line)):
            continue
        if MIN_ANGLE_DEG <= edge.angle_deg <= MAX_ANGLE_DEG:
            length, angle = sides.get(border.other, (0.0, edge.angle_deg))
            sides[border.other] = (length + edge.length_mm, angle)
    if len(sides) < 2:
        return None
    order = sorted(sides, key=lambda other: (-sides[other][0], other))
    first = order[0]
    second = next((other for other in order[1:] if not _same_side(graph, first, other)), None)
    if second is None or not _parallel_sides(graph, region, first, second):
        return None
    (length_one, angle_one), (length_two, angle_two) = sides[first], sides[second]
    corner = angle_one + angle_two - 180.0
    if not 30.0 <= corner <= 150.0:
        return None
    length = (length_one + length_two) / 2
    longest = max(length_one, length_two)
    width = region.area_mm2 / longest if straight else _cone_width_mm(region)
    even = abs(angle_one - 135.0) < SLOPE_SLACK_DEG and abs(angle_two - 135.0) < SLOPE_SLACK_DEG
    around = min(graph.regions[first].area_mm2 / length_one, graph.regions[second].area_mm2 / length_two)
    return _Strip(region.number, (first, second), width, length, 180.0 - angle_one, around, even and straight)


def _cone_width_mm(region: Region) -> float:
    surface = axial_of(region)
    half_angle_deg = surface.half_angle_deg if isinstance(surface, Cone) else 0.0
    return (region.high_mm - region.low_mm) / math.cos(math.radians(half_angle_deg))


def _same_side(graph: Graph, one: int, two: int) -> bool:
    first, second = graph.regions[one].surface, graph.regions[two].surface
    if isinstance(first, Plane) and isinstance(second, Plane):
        return float(first.normal @ second.normal) > 0.99
    return isinstance(first, Cylinder) and isinstance(second, Cylinder)


def _parallel_sides(graph: Graph, region: Region, one: int, two: int) -> bool:
    """Whether the borders to the two supports run parallel (always true around a cone)."""
    if isinstance(region.surface, Cone):
        return True
    directions = []
    for support in (one, two):
        edge = next(graph.part.edges[border.edge] for border in region.borders if border.other == support)
        chord = edge.points[-1] - edge.points[0]
        directions.append(chord / max(float(np.linalg.norm(chord)), 1e-12))
    return abs(float(directions[0] @ directions[1])) > 0.99
