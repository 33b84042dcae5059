"""CHAMFER: a flat or conical strip that cuts off a convex edge between two supports, or fills a concave one."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Line, Plane
from fettle.recognize.bridge import Bridge
from fettle.recognize.directions import flat_directions
from fettle.recognize.feature import Claim, Feature, Triple, claimed_regions
from fettle.recognize.graph import Graph, Region, axial_of
from fettle.recognize.kinds.chamfer import CHAMFER, Chamfer
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.tolerances import ALONG_COS

MIN_ANGLE_DEG, MAX_ANGLE_DEG = 100.0, 172.0
"""Angles through the material at both sides of a chamfer; 135 where 45 degrees are cut off a right corner."""
MIN_CONCAVE_DEG, MAX_CONCAVE_DEG = 200.0, 250.0
"""The same for a strip laid into a concave corner; 225 where it is even, which it must be."""
SLOPE_SLACK_DEG = 1.0
LEAST_LENGTH = 3.0
"""Least length, in widths, of a chamfer that ends in a concave corner."""
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
    concave: bool
    flat: bool


class _Side(NamedTuple):
    """The border of a strip to one support. `points`: shape (k, 3), of one of its edges."""

    length_mm: float
    angle_deg: float
    points: NDArray[np.float64]

    @property
    def direction(self) -> Triple:
        """Of a straight border, in plain numbers: every second face of a part has two such borders."""
        x, y, z = (self.points[-1] - self.points[0]).tolist()
        size = max(math.hypot(x, y, z), 1e-12)
        return x / size, y / size, z / size


class ChamferStrips(NamedTuple):
    """Chamfers as bridges by region number, and as features, those of corners between chamfers last."""

    bridges: Mapping[int, Bridge]
    claims: Sequence[Claim[Chamfer]]


def find_chamfers(
    graph: Graph, blends: Mapping[int, Bridge], taken: Collection[int], confidence: float
) -> ChamferStrips:
    """Chamfers among regions that are neither blends nor taken."""
    taken = {*blends, *taken}
    strips = [
        strip for region in graph.regions if region.number not in taken and (strip := _strip(graph, region)) is not None
    ]
    facing = _area_by_direction(graph) if strips else {}
    accepted: dict[int, _Strip] = {}
    for strip in sorted(strips, key=lambda strip: (round(strip.width_mm, 6), strip.region)):
        if any(support in accepted for support in strip.supports):
            continue
        narrow = strip.width_mm <= NARROW * strip.support_width_mm
        if strip.concave:
            fits = strip.even and (narrow or _minor_direction(facing, strip))
        elif strip.flat:
            fits = (narrow and strip.even) or ((narrow or strip.even) and _minor_direction(facing, strip))
        else:
            fits = narrow or (strip.even and _beside_larger_round(graph, strip))
        if fits:
            accepted[strip.region] = strip
    _follow(graph, strips, accepted)
    _broken(graph, taken, facing, accepted)
    bridges = {number: _as_bridge(strip) for number, strip in sorted(accepted.items())}
    claims = [
        Claim(
            Chamfer(
                faces=graph.regions[number].faces,
                confidence=confidence,
                width_mm=strip.width_mm,
                angle_deg=strip.angle_deg,
                length_mm=strip.length_mm,
            ),
            {number: CHAMFER},
        )
        for number, strip in sorted(accepted.items())
    ]
    for region in _corners(graph, taken, accepted):
        bridges[region.number] = Bridge(region.number, CONVEX, (), 0.0, 0.0, 0.0, 0.0)
        claims.append(Claim(_corner(graph, region, confidence), {region.number: CHAMFER}))
    return ChamferStrips(bridges, claims)


def chamfer_claims(
    chamfer_strips: ChamferStrips, gears: Sequence[Claim[Feature]], knurls: Sequence[Claim[Feature]]
) -> Sequence[Claim[Chamfer]]:
    """Chamfers as features, those of teeth left out."""
    toothed = claimed_regions([*gears, *knurls])
    return [claim for claim in chamfer_strips.claims if toothed.isdisjoint(claim.roles)]


def _area_by_direction(graph: Graph) -> dict[int, float]:
    """For every flat region, the area of all flat regions that face its way or the opposite one."""
    groups = flat_directions(graph)
    totals = dict.fromkeys(groups, 0.0)
    for region, group in zip(graph.regions, groups, strict=True):
        totals[group] += region.area_mm2
    return {number: totals[group] for number, group in enumerate(groups) if group >= 0}


def _minor_direction(facing: Mapping[int, float], strip: _Strip) -> bool:
    """Whether the part has less area this way than its supports' ways: an octagon's sides are no chamfers."""
    return all(facing[strip.region] < 0.8 * facing.get(support, 0.0) for support in strip.supports)


def _beside_larger_round(graph: Graph, strip: _Strip) -> bool:
    """Whether a conical strip is at most half as wide as the radius that it bevels."""
    radii = [
        surface.radius_mm
        for support in strip.supports
        if isinstance(surface := graph.regions[support].surface, Cylinder)
    ]
    return bool(radii) and strip.width_mm / math.sqrt(2.0) <= NARROW * max(radii)


def _follow(graph: Graph, strips: Sequence[_Strip], accepted: dict[int, _Strip]) -> None:
    """Even strips that run on smoothly from an accepted one are chamfers too, whatever their width."""
    waiting = {strip.region: strip for strip in strips if strip.even and strip.region not in accepted}
    queue = sorted(accepted)
    while queue:
        number = queue.pop()
        for border in graph.regions[number].borders:
            if border.sign is SMOOTH and border.other in waiting:
                accepted[border.other] = waiting.pop(border.other)
                queue.append(border.other)


def _broken(graph: Graph, taken: Collection[int], facing: Mapping[int, float], accepted: dict[int, _Strip]) -> None:
    """A chamfer whose own two edges have been broken lies between two accepted ones: it is measured across them."""
    lookup = dict(accepted)
    beside = {support for strip in lookup.values() for support in strip.supports} - lookup.keys() - set(taken)
    for number in sorted(beside):
        region = graph.regions[number]
        if not isinstance(region.surface, Plane):
            continue
        sides: dict[int, _Side] = {}
        for border in region.borders:
            strip = lookup.get(border.other)
            if strip is None or strip.concave or number not in strip.supports:
                continue
            edge = graph.part.edges[border.edge]
            far = strip.supports[1] if strip.supports[0] == number else strip.supports[0]
            angle = math.degrees(math.acos(max(-1.0, min(1.0, float(region.normal @ graph.regions[far].normal)))))
            sides[far] = _Side(edge.length_mm, 180.0 - angle, edge.points)
        if len(sides) != 2:
            continue
        first, second = sorted(sides)
        if _same_side(graph, first, second) or not _parallel(sides[first], sides[second]):
            continue
        strip = _measure(graph, region, (first, second), (sides[first], sides[second]))
        if strip is not None and strip.even and _minor_direction(facing, strip):
            accepted[number] = strip


def _corners(graph: Graph, taken: Collection[int], accepted: Mapping[int, _Strip]) -> list[Region]:
    """Flat faces with nothing but chamfers around them: where three chamfered edges meet."""
    around = sorted(
        {border.other for number in accepted for border in graph.regions[number].borders} - accepted.keys() - set(taken)
    )
    return [
        region
        for number in around
        if number >= 0
        and isinstance((region := graph.regions[number]).surface, Plane)
        and all(border.other in accepted and border.sign is CONVEX for border in region.borders)
        and all(number not in accepted[border.other].supports for border in region.borders)
    ]


def _corner(graph: Graph, region: Region, confidence: float) -> Chamfer:
    edges = [graph.part.edges[border.edge] for border in region.borders]
    longest = max(edge.length_mm for edge in edges)
    return Chamfer(
        faces=region.faces,
        confidence=confidence,
        width_mm=region.area_mm2 / longest,
        angle_deg=abs(180.0 - edges[0].angle_deg),
        length_mm=longest,
    )


def _as_bridge(strip: _Strip) -> Bridge:
    return Bridge(
        strip.region,
        CONCAVE if strip.concave else CONVEX,
        strip.supports,
        0.0,
        0.0,
        strip.length_mm,
        0.0,
    )


def _strip(graph: Graph, region: Region) -> _Strip | None:
    if not isinstance(region.surface, Plane | Cone):
        return None
    straight = isinstance(region.surface, Plane)
    for sides in _sides(graph, region, straight):
        if len(sides) < 2:
            continue
        order = sorted(sides, key=lambda other: (-sides[other].length_mm, other))
        first = order[0]
        second = next((other for other in order[1:] if not _same_side(graph, first, other)), None)
        if second is None or (straight and not _parallel(sides[first], sides[second])):
            continue
        strip = _measure(graph, region, (first, second), (sides[first], sides[second]))
        if strip is not None:
            return strip
    return None


def _sides(graph: Graph, region: Region, straight: bool) -> tuple[dict[int, _Side], dict[int, _Side]]:
    """Convex and concave borders whose angle a chamfer could have, by the region across them; most corners are right.

    `straight`: straight borders only.
    """
    convex: dict[int, _Side] = {}
    concave: dict[int, _Side] = {}
    edges = graph.part.edges
    for number, other, sign, _ in region.borders:
        edge = edges[number]
        angle = edge.angle_deg
        if MIN_ANGLE_DEG <= angle <= MAX_ANGLE_DEG and sign is CONVEX:
            sides = convex
        elif MIN_CONCAVE_DEG <= angle <= MAX_CONCAVE_DEG and sign is CONCAVE:
            sides = concave
        else:
            continue
        if other < 0 or (straight and not isinstance(edge.curve, Line)):
            continue
        before = sides.get(other)
        length = edge.length_mm + (before.length_mm if before is not None else 0.0)
        sides[other] = _Side(length, angle, edge.points)
    return convex, concave


def _measure(graph: Graph, region: Region, supports: tuple[int, int], sides: tuple[_Side, _Side]) -> _Strip | None:
    """The strip between two sides, None when what it would replace is no corner or other borders are concave."""
    one, two = sides
    concave = one.angle_deg > 180.0
    corner = one.angle_deg + two.angle_deg - 180.0
    if not (30.0 <= corner <= 150.0 or (concave and 210.0 <= corner <= 330.0)):
        return None
    along = one.length_mm + two.length_mm
    middle = 225.0 if concave else 135.0
    even = abs(one.angle_deg - middle) < SLOPE_SLACK_DEG and abs(two.angle_deg - middle) < SLOPE_SLACK_DEG
    # A strip between two walls, or a long one, may end at them; any other on a floor is the wall of a corner step.
    ends = [border for border in region.borders if border.other not in supports]
    between = len({border.other for border in ends}) >= 2 and all(end.sign is CONCAVE for end in ends)
    across = sum(graph.part.edges[end.edge].length_mm for end in ends if end.sign is CONCAVE)
    flat = isinstance(region.surface, Plane)
    width = _apart_mm(one, two) if flat else _cone_width_mm(region)
    if across > 0.0 and not between and (across > 0.5 * along or along / 2 < LEAST_LENGTH * width):
        return None
    if concave and width > along / 2 and any(end.sign is CONVEX for end in ends):
        return None  # the slope of a gusset
    room = min(graph.regions[support].area_mm2 / side.length_mm for support, side in zip(supports, sides, strict=True))
    return _Strip(
        region=region.number,
        supports=supports,
        width_mm=width,
        length_mm=along / 2,
        angle_deg=abs(180.0 - one.angle_deg),
        support_width_mm=room,
        even=even,
        concave=concave,
        flat=flat,
    )


def _apart_mm(one: _Side, two: _Side) -> float:
    """Distance between two straight sides that are parallel."""
    (x, y, z), (a, b, c) = (two.points[0] - one.points[0]).tolist(), one.direction
    along = x * a + y * b + z * c
    return math.hypot(x - along * a, y - along * b, z - along * c)


def _cone_width_mm(region: Region) -> float:
    surface = axial_of(region)
    half_angle_deg = surface.half_angle_deg if isinstance(surface, Cone) else 0.0
    return (region.high_mm - region.low_mm) / math.cos(math.radians(half_angle_deg))


def _same_side(graph: Graph, one: int, two: int) -> bool:
    first, second = graph.regions[one].surface, graph.regions[two].surface
    if isinstance(first, Plane) and isinstance(second, Plane):
        return float(first.normal @ second.normal) > ALONG_COS
    return isinstance(first, Cylinder) and isinstance(second, Cylinder)


def _parallel(one: _Side, two: _Side) -> bool:
    (a, b, c), (x, y, z) = one.direction, two.direction
    return abs(a * x + b * y + c * z) > ALONG_COS
