"""FLAT: planes along the axis that look outwards, grouped by their distance from it."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import NamedTuple

from fettle.geometry.part import Plane
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.extents import boundary_points
from fettle.recognize.feature import Claim, Role
from fettle.recognize.graph import frame, triple
from fettle.recognize.kinds.flat import FLAT, FLAT_END, ShaftFlat
from fettle.recognize.signs import CONCAVE
from fettle.recognize.tolerances import ACROSS_COS, LOOSE_LENGTH_MM, SAME_ANGLE_DEG, SAME_ANGLE_SIN
from fettle.recognize.turned_part import TurnedPart
from fettle.recognize.turning.segments import LEAST_RING_DEG, circle_deg

WALLED_SHARE = 0.1
"""Share of a plane's outline in concave edges to planes along the axis from which it is the floor of a slot."""
SAME_TURN_DEG = 0.5
"""Difference of two angles between flats up to which they are evenly spaced."""
FORMS = {2: "two_flats", 4: "square", 6: "hexagon"}
"""Name of evenly spaced flats by their number."""


class _Plane(NamedTuple):
    region: int
    distance_mm: float
    around_deg: float
    low_mm: float
    high_mm: float
    area_mm2: float


def find_flats(
    contracted: ContractedGraph, turned: TurnedPart | None, taken: Collection[int]
) -> list[Claim[ShaftFlat]]:
    """Every flat or group of flats not taken, by growing z."""
    if turned is None:
        return []
    round_ = {number for one in turned.outside for number in one.regions}
    planes = [plane for plane in (_plane(contracted, turned, number) for number in _free(contracted, taken)) if plane]
    planes = [one for one in planes if any(link.other in round_ for link in contracted.links[one.region])]
    groups: dict[tuple[int, int, int], list[_Plane]] = {}
    for plane, (low, high) in _spans(planes):
        groups.setdefault(_near(groups, (plane.distance_mm, low, high)), []).append(plane)
    found = [_flat(contracted, turned, members, taken) for group in groups.values() for members in _even(group)]
    return sorted(found, key=lambda claim: (claim.feature.z_mm, claim.feature.distance_mm, -claim.feature.count))


def _free(contracted: ContractedGraph, taken: Collection[int]) -> list[int]:
    return [
        region.number
        for region in contracted.graph.regions
        if isinstance(region.surface, Plane) and region.number not in taken and region.number not in contracted.bridges
    ]


def _spans(planes: Sequence[_Plane]) -> list[tuple[_Plane, tuple[float, float]]]:
    """Planes with their range along the axis; pieces of a side that a cut has parted have the range of the whole side
    where another side of the prism has it."""
    found = []
    for plane in planes:
        level = [one for one in planes if abs(one.distance_mm - plane.distance_mm) < LOOSE_LENGTH_MM]
        pieces = [one for one in level if _apart_deg(one.around_deg, plane.around_deg) < SAME_ANGLE_DEG]
        sides = [
            one
            for one in level
            if one.low_mm < plane.low_mm + LOOSE_LENGTH_MM and one.high_mm > plane.high_mm - LOOSE_LENGTH_MM
        ]
        widest = max(sides, key=lambda one: (one.high_mm - one.low_mm, -one.region))
        within = [one for one in pieces if widest.low_mm - LOOSE_LENGTH_MM < one.low_mm < widest.high_mm]
        low, high = min(one.low_mm for one in within), max(one.high_mm for one in within)
        whole = abs(low - widest.low_mm) < LOOSE_LENGTH_MM and abs(high - widest.high_mm) < LOOSE_LENGTH_MM
        found.append((plane, (widest.low_mm, widest.high_mm) if whole else (plane.low_mm, plane.high_mm)))
    return found


def _near(groups: Collection[tuple[int, int, int]], key: tuple[float, float, float]) -> tuple[int, int, int]:
    """The key of a group whose sizes are these within the tolerance, or a new one."""
    a, b, c = (round(value / LOOSE_LENGTH_MM) for value in key)
    for known in groups:
        if max(abs(known[0] - a), abs(known[1] - b), abs(known[2] - c)) <= 1:
            return known
    return a, b, c


def _plane(contracted: ContractedGraph, turned: TurnedPart, number: int) -> _Plane | None:
    """A plane along the axis that looks away from it and is no floor between walls; None for others."""
    region = contracted.graph.regions[number]
    distance = float((region.point - turned.origin) @ region.normal)
    if abs(float(region.normal @ turned.axis)) > SAME_ANGLE_SIN or distance < LOOSE_LENGTH_MM:
        return None
    walled = every = 0.0
    for link in contracted.links[number]:
        length = contracted.graph.part.edges[link.edge].length_mm
        every += length
        if link.sign is CONCAVE and link.other >= 0:
            beyond = contracted.graph.regions[link.other]
            if isinstance(beyond.surface, Plane) and abs(float(beyond.normal @ turned.axis)) < ACROSS_COS:
                walled += length
    if walled > WALLED_SHARE * every:
        return None
    heights = (boundary_points(contracted.graph, [number]) - turned.origin) @ turned.axis
    across, up = frame(turned.axis)
    around = math.degrees(math.atan2(float(region.normal @ up), float(region.normal @ across))) % 360.0
    return _Plane(number, distance, around, float(heights.min()), float(heights.max()), region.area_mm2)


def _even(group: Sequence[_Plane]) -> list[list[_Plane]]:
    """Planes at one distance as one group where they are evenly spaced, else one by one. Pieces of one plane count as
    one."""
    angles: list[float] = []
    for plane in sorted(group, key=lambda one: one.around_deg):
        if not any(_apart_deg(plane.around_deg, known) < SAME_ANGLE_DEG for known in angles):
            angles.append(plane.around_deg)
    gaps = [(two - one) % 360.0 for one, two in zip(angles, [*angles[1:], angles[0] + 360.0], strict=True)]
    if len(angles) > 1 and max(gaps) - min(gaps) < SAME_TURN_DEG:
        return [list(group)]
    return [[plane for plane in group if _apart_deg(plane.around_deg, angle) < SAME_ANGLE_DEG] for angle in angles]


def _apart_deg(one: float, two: float) -> float:
    return abs((one - two + 180.0) % 360.0 - 180.0)


def _flat(
    contracted: ContractedGraph, turned: TurnedPart, members: Sequence[_Plane], taken: Collection[int]
) -> Claim[ShaftFlat]:
    graph = contracted.graph
    angles: list[float] = []
    for plane in members:
        if not any(_apart_deg(plane.around_deg, known) < SAME_ANGLE_DEG for known in angles):
            angles.append(plane.around_deg)
    largest = max(members, key=lambda one: (one.area_mm2, -one.region))
    roles: dict[int, Role] = {plane.region: FLAT for plane in members}
    for plane in members:
        for link in contracted.links[plane.region]:
            if link.sign is CONCAVE and link.other >= 0 and link.other not in taken and link.other not in roles:
                beyond = graph.regions[link.other]
                square = isinstance(beyond.surface, Plane) and abs(float(beyond.normal @ turned.axis)) > ACROSS_COS
                if square and circle_deg(graph, beyond, turned.origin, turned.axis) < LEAST_RING_DEG:
                    roles[link.other] = FLAT_END
    count = len(angles)
    opposite = any(_apart_deg(one, two) > 180.0 - SAME_TURN_DEG for one in angles for two in angles)
    flat = ShaftFlat(
        faces=graph.faces_of(roles),
        confidence=contracted.confidence,
        form="flat" if count == 1 else FORMS.get(count, "polygon"),
        count=count,
        distance_mm=largest.distance_mm,
        across_mm=2 * largest.distance_mm if opposite else None,
        length_mm=max(one.high_mm for one in members) - min(one.low_mm for one in members),
        z_mm=min(one.low_mm for one in members),
        axis=triple(graph.regions[largest.region].normal),
    )
    return Claim(flat, roles)
