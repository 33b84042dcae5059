"""GROOVE: valleys of the outside profile, ring grooves in faces, and grooves inside bores on the axis."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple, TypedDict

import numpy as np

from fettle.geometry.part import Cone, Cylinder, Plane
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.feature import Claim, Role
from fettle.recognize.graph import Graph, coaxial, triple
from fettle.recognize.grooves import MAX_INSERT_MM, NECK_WIDTH, find_ring_grooves
from fettle.recognize.kinds.groove import GROOVE_FLOOR, GROOVE_WALL, Groove
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.tolerances import LOOSE_LENGTH_MM, ROUNDING, SAME_LENGTH_MM
from fettle.recognize.turned_part import Point, Segment, TurnedPart

WIDTH_OVER_DEPTH = 3.0
"""Widest groove in depths; what is wider is a diameter of its own."""


class Valley(NamedTuple):
    """A run of the outside profile that goes down and comes up again. `first`, `last`: places of its outermost
    segments in the profile; `low`, `high`: of its floor, `high` below `low` where two slopes meet in a V."""

    first: int
    low: int
    high: int
    last: int


def find_grooves(
    contracted: ContractedGraph, turned: TurnedPart | None, holes: Sequence[Claim[Hole]], taken: Collection[int]
) -> list[Claim[Groove]]:
    """Every groove about the axis: outside by growing z, then in faces, then in bores."""
    if turned is None:
        return []
    found = [
        groove
        for valley in _valleys(turned.outside)
        if (groove := _outside_groove(contracted, turned, valley, taken)) is not None
    ]
    used = {number for groove in found for number in groove.roles}
    for ring in find_ring_grooves(contracted, {*taken, *used}):
        groove = _face_groove(contracted, turned, ring)
        if groove is not None:
            found.append(groove)
    for hole in holes:
        found.extend(_inside_grooves(contracted.graph, turned, hole, contracted.confidence))
    return found


def _valleys(profile: Sequence[Segment]) -> Iterator[Valley]:
    """Valleys of the profile, each with the slopes that lead down to it and up again."""
    for low in range(1, len(profile)):
        for high in (low, low - 1):
            # one level segment or one round bottom; or, for a V, no segment at all between the slopes
            if high == low and not (_is_level(profile[low]) or _is_trough(profile[low])):
                continue
            first, last = low, high
            while first > 0 and _falls(profile[first - 1]) and _meets(profile[first - 1], profile[first]):
                first -= 1
            while last + 1 < len(profile) and _rises(profile[last + 1]) and _meets(profile[last], profile[last + 1]):
                last += 1
            alone = high == low and _is_trough(profile[low])
            walled = first < low and last > high
            if alone or (walled and (high == low or _meets(profile[high], profile[low]))):
                yield Valley(first, low, high, last)


def _is_level(segment: Segment) -> bool:
    return isinstance(segment.surface, Cylinder)


def _is_trough(segment: Segment) -> bool:
    """Whether a hollow arc has its lowest point between its ends."""
    if segment.center is None or segment.convex is not False:
        return False
    return segment.low_mm + SAME_LENGTH_MM < segment.center[0] < segment.high_mm - SAME_LENGTH_MM


def _falls(segment: Segment) -> bool:
    return not _is_trough(segment) and segment.end[1] < segment.start[1] - SAME_LENGTH_MM


def _rises(segment: Segment) -> bool:
    return not _is_trough(segment) and segment.end[1] > segment.start[1] + SAME_LENGTH_MM


def _meets(one: Segment, two: Segment) -> bool:
    """Whether the profile runs on from one segment to the next."""
    return abs(one.end[0] - two.start[0]) < LOOSE_LENGTH_MM and abs(one.end[1] - two.start[1]) < LOOSE_LENGTH_MM


def _outside_groove(
    contracted: ContractedGraph, turned: TurnedPart, valley: Valley, taken: Collection[int]
) -> Claim[Groove] | None:
    profile = turned.outside
    chain = profile[valley.first : valley.last + 1]
    floors = profile[valley.low : valley.high + 1]
    walls = [one for one in chain if not any(one is floor for floor in floors)]
    solid = [one for one in walls if not contracted.bridges.keys() & set(one.regions) or _is_hollow(one)]
    left = [one for one in solid if one.low_mm < _middle(floors, chain)]
    right = [one for one in solid if not any(one is other for other in left)]
    if any(number in taken for one in chain for number in one.regions):
        return None
    bottom = min(_lowest(one) for one in chain)
    rims = _rims(left, right, floors)
    if rims is None:
        return None
    rim = min(rims)
    if not floors and any(isinstance(one.surface, Cone) and one.outer_mm > rim + LOOSE_LENGTH_MM for one in walls):
        return None  # a taper that begins at a shoulder
    depth = rim - bottom
    start = _crossing(left[::-1], rim) if left else floors[0].start[0]
    end = _crossing(right, rim) if right else floors[-1].end[0]
    width = end - start
    if depth < SAME_LENGTH_MM or width > max(WIDTH_OVER_DEPTH * depth, min(MAX_INSERT_MM, 2 * bottom)):
        return None
    if width > max(MAX_INSERT_MM, NECK_WIDTH * 2 * bottom):
        return None
    own = [one for one in walls if not isinstance(one.surface, Plane) or one.outer_mm <= rim + LOOSE_LENGTH_MM]
    roles: dict[int, Role] = {number: GROOVE_FLOOR for one in floors for number in one.regions}
    for one in own:
        roles.update({number: GROOVE_WALL for number in one.regions if number not in contracted.bridges})
    members = {number for one in (*floors, *own) for number in one.regions if one in floors or _belongs(one, solid)}
    groove = Groove(
        faces=contracted.graph.faces_of(members),
        confidence=contracted.confidence,
        form="outside",
        **_ring(width, depth, 2 * bottom, contracted.graph.regions[floors[0].regions[0]].face if floors else None),
        axis=triple(turned.axis),
        diameter_mm=2 * bottom,
        corner_radius_mm=_corner_radius(chain),
        relief=abs(rims[0] - rims[1]) > LOOSE_LENGTH_MM,
        z_mm=start,
    )
    return Claim(groove, {number: role for number, role in roles.items() if number in members})


def _rims(left: Sequence[Segment], right: Sequence[Segment], floors: Sequence[Segment]) -> tuple[float, float] | None:
    """Radii of the two rims of a valley; without a wall on a side, that where its round bottom ends; else None."""
    trough = bool(floors) and _is_trough(floors[0])
    if not trough and not (left and right):
        return None
    return (
        max(one.outer_mm for one in left) if left else floors[0].start[1],
        max(one.outer_mm for one in right) if right else floors[-1].end[1],
    )


class _Ring(TypedDict):
    width_mm: float
    depth_mm: float
    length_mm: float
    through: bool
    floor_face: int | None
    end_type: str
    open_ends: int
    mouth_width_mm: float
    undercut: bool


def _ring(width_mm: float, depth_mm: float, diameter_mm: float, floor: int | None) -> _Ring:
    """What a groove has as a slot that closes on itself."""
    return _Ring(
        width_mm=width_mm,
        depth_mm=depth_mm,
        length_mm=math.pi * diameter_mm,
        through=False,
        floor_face=floor,
        end_type="ring",
        open_ends=0,
        mouth_width_mm=width_mm,
        undercut=False,
    )


def _middle(floors: Sequence[Segment], chain: Sequence[Segment]) -> float:
    """z of the middle of a valley's floor, or of the point of a V."""
    if floors:
        return (floors[0].low_mm + floors[-1].high_mm) / 2
    return min((point for one in chain for point in (one.start, one.end)), key=lambda point: point[1])[0]


def _belongs(segment: Segment, solid: Sequence[Segment]) -> bool:
    return any(segment is one for one in solid)


def _is_hollow(segment: Segment) -> bool:
    """Whether a blend lies in an inside corner."""
    return segment.convex is False


def _lowest(segment: Segment) -> float:
    if _is_trough(segment) and segment.center is not None and segment.radius_mm is not None:
        return segment.center[1] - segment.radius_mm
    return segment.inner_mm


def _crossing(slope: Sequence[Segment], radius_mm: float) -> float:
    """z at which a slope, from its foot upwards, reaches a radius."""
    for one in slope:
        if one.outer_mm >= radius_mm - ROUNDING:
            low, high = sorted((one.start, one.end), key=_radius)
            rise = high[1] - low[1]
            return low[0] if rise < ROUNDING else low[0] + (high[0] - low[0]) * (radius_mm - low[1]) / rise
    return slope[-1].end[0]


def _radius(point: Point) -> float:
    return point[1]


def _corner_radius(chain: Sequence[Segment]) -> float:
    """Smallest radius of the inside corners of a valley: of its hollow arcs, 0 where two lines meet inside."""
    radii = [one.radius_mm for one in chain if one.radius_mm is not None and _is_hollow(one)]
    for one, two in pairwise(chain):
        if one.radius_mm is None and two.radius_mm is None and _turns_up(one, two):
            return 0.0
    return min(radii, default=0.0)


def _turns_up(one: Segment, two: Segment) -> bool:
    """Whether the profile turns away from the axis from one line to the next."""
    a = np.subtract(one.end, one.start)
    b = np.subtract(two.end, two.start)
    return bool(a[0] * b[1] - a[1] * b[0] > ROUNDING)


def _face_groove(contracted: ContractedGraph, turned: TurnedPart, ring: Claim[Slot]) -> Claim[Groove] | None:
    """A ring groove in a face, about the axis."""
    graph, slot = contracted.graph, ring.feature
    regions = [graph.regions[number] for number in ring.roles]
    floor = next((one for one in regions if isinstance(one.surface, Plane)), None)
    walls = [one.surface for one in regions if isinstance(one.surface, Cylinder)]
    if floor is None or len(walls) != 2:
        return None
    if not all(coaxial(turned.origin, turned.axis, wall.origin, wall.axis, LOOSE_LENGTH_MM) for wall in walls):
        return None
    blends = [
        contracted.bridges[link.via].radius_mm
        for link in contracted.links[floor.number]
        if link.via is not None and link.other in ring.roles
    ]
    sharp = any(border.other in ring.roles for border in floor.borders)
    groove = Groove(
        faces=slot.faces,
        confidence=slot.confidence,
        form="face",
        **_ring(slot.width_mm, slot.depth_mm, walls[0].radius_mm + walls[1].radius_mm, slot.floor_face),
        axis=slot.axis,
        diameter_mm=walls[0].radius_mm + walls[1].radius_mm,
        corner_radius_mm=0.0 if sharp else min(blends, default=0.0),
        relief=False,
        z_mm=float((floor.point - turned.origin) @ turned.axis),
    )
    return Claim(groove, {one.number: GROOVE_FLOOR if one is floor else GROOVE_WALL for one in regions})


def _inside_grooves(graph: Graph, turned: TurnedPart, hole: Claim[Hole], confidence: float) -> Iterator[Claim[Groove]]:
    """The grooves among the stages of a bore on the axis; the hole keeps their faces."""
    feature = hole.feature
    axis, position = np.array(feature.axis), np.array(feature.position_mm)
    if not coaxial(turned.origin, turned.axis, position, axis, LOOSE_LENGTH_MM):
        return
    sense = 1.0 if float(axis @ turned.axis) > 0 else -1.0
    at, entry = 0.0, float((position - turned.origin) @ turned.axis)
    stages = feature.stages
    for place, stage in enumerate(stages):
        begin, at = at, at + stage.depth_mm
        if stage.type != "groove":
            continue
        beside = [one.diameter_mm for one in (*stages[place - 1 : place], *stages[place + 1 : place + 2])]
        ends = sorted((entry + sense * begin, entry + sense * at))
        members = [
            number
            for one in turned.inside
            for number in one.regions
            if number in hole.roles
            and one.low_mm > ends[0] - LOOSE_LENGTH_MM
            and one.high_mm < ends[1] + LOOSE_LENGTH_MM
        ]
        if not members or not beside:
            continue
        within = [one for one in turned.inside if set(one.regions) & set(members) and one.radius_mm is not None]
        yield Claim(
            Groove(
                faces=graph.faces_of(members),
                confidence=confidence,
                form="inside",
                **_ring(
                    stage.depth_mm,
                    (stage.diameter_mm - max(beside)) / 2,
                    stage.diameter_mm,
                    graph.faces_of(members)[0],
                ),
                axis=triple(turned.axis),
                diameter_mm=stage.diameter_mm,
                corner_radius_mm=min((one.radius_mm for one in within if one.radius_mm is not None), default=0.0),
                relief=max(beside) - min(beside) > LOOSE_LENGTH_MM,
                z_mm=ends[0],
            ),
            {},
        )
