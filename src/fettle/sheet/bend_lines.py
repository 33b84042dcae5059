"""Bend lines in the flat: the middles of bends, those of one line joined."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder
from fettle.recognize.graph import coaxial, rings
from fettle.recognize.tolerances import LOOSE_LENGTH_MM
from fettle.sheet.development import ConeBend, RoundBend
from fettle.sheet.flat import BendKind, FlatBend
from fettle.sheet.outline import ring_outline
from fettle.sheet.plane_curves import Pair, PlaneMotion, sample
from fettle.sheet.skin import Bending, Skin, Zone

Array = NDArray[np.float64]

SAME_LINE_MM = 0.02
"""Bend lines whose axes, radii and lines in the flat differ by less are one line: what exporters round."""
SAME_ANGLE_RAD = math.radians(0.1)
HEM_DEG = 170.0
"""From this angle on a bend is a hem where a lip follows, a curl where none does."""
ROLLED_RATIO = 10.0
"""Inside radius over thickness from which a bend is rolled, not folded (Fettle's judgment: no press brake has such
punches in stock)."""


@dataclass(frozen=True, slots=True, eq=False)
class ZoneLine:
    """One bend in the plane of the skin: a point of its middle line, the direction along it, and its segments as ranges
    along it from that point."""

    zone: int
    bending: Bending
    point: Array
    along: Array
    ranges: tuple[tuple[float, float], ...]


def zone_lines(skin: Skin) -> list[ZoneLine]:
    """The line of every bent zone, in their order."""
    return [
        _line(skin, number, zone, zone.bending) for number, zone in enumerate(skin.zones) if zone.bending is not None
    ]


def bend_lines(
    skin: Skin, lines: Sequence[ZoneLine], partner: dict[int, int], motion: PlaneMotion, mirror: bool
) -> tuple[tuple[FlatBend, ...], list[int]]:
    """The bend lines in the flat, and of every zone its bend, -1 for walls. `partner`: regions on the other side."""
    groups: list[list[ZoneLine]] = []
    for found in lines:
        group = next((group for group in groups if _same_line(skin, group[0], found)), None)
        if group is None:
            groups.append([found])
        else:
            group.append(found)
    order = _folding_order(skin, groups)
    bend_of = [-1] * len(skin.zones)
    for position, group in enumerate(groups):
        for member in group:
            bend_of[member.zone] = position
    bends = tuple(_bend(skin, group, partner, order[at], motion, mirror) for at, group in enumerate(groups))
    return bends, bend_of


def bent_length_up_mm(lines: Sequence[ZoneLine]) -> float:
    """Length of the bends that fold towards the developed side minus that of the others."""
    total = 0.0
    for line in lines:
        reach = sum(high - low for low, high in line.ranges)
        total += reach if line.bending.inside else -reach
    return round(total, 6)


def _line(skin: Skin, number: int, zone: Zone, bending: Bending) -> ZoneLine:
    joint = zone.joint
    point, along = joint.flat_point, joint.flat_along
    if zone.region < 0:
        point = point + 0.5 * bending.developed.length_mm * joint.flat_into
        return ZoneLine(number, bending, point, along, _sharp_ranges(skin, number, zone))
    development = skin.map_of(zone.region)
    if isinstance(development, RoundBend):
        point = point - development.neutral_mm * development.sense * development.at_joint_rad * joint.flat_into
    elif isinstance(development, ConeBend):
        tip, direction = development.flat_apex()
        turn = (
            -development.sense * development.at_joint_rad * math.sin(math.radians(development.surface.half_angle_deg))
        )
        along = math.cos(turn) * direction + math.sin(turn) * joint.flat_into
        point = tip
    crossings: list[float] = []
    for ring in rings(skin.graph, zone.region):
        crossings += _crossings(sample(ring_outline(skin, zone.region, ring), 1.0), point, along)
    crossings.sort()
    pairs = zip(crossings[::2], crossings[1::2], strict=False)
    return ZoneLine(number, bending, point, along, tuple((low, high) for low, high in pairs if high - low > 1e-6))


def _sharp_ranges(skin: Skin, number: int, zone: Zone) -> tuple[tuple[float, float], ...]:
    found = []
    for edge, bend in skin.sharp.items():
        if bend == number:
            points = skin.graph.part.edges[edge].points
            ends = (points[[0, -1]] - zone.joint.point) @ zone.joint.along
            found.append((float(ends.min()), float(ends.max())))
    return tuple(sorted(found))


def _crossings(points: Array, origin: Array, along: Array) -> list[float]:
    """Where a closed polygon (n, 2) crosses a line, as distances along it."""
    away = points - origin
    height = away[:, 1] * along[0] - away[:, 0] * along[1]
    run = away @ along
    after_height, after_run = np.roll(height, -1), np.roll(run, -1)
    crossed = (height > 0) != (after_height > 0)
    share = height[crossed] / (height[crossed] - after_height[crossed])
    found: list[float] = (run[crossed] + share * (after_run[crossed] - run[crossed])).tolist()
    return found


def _same_line(skin: Skin, one: ZoneLine, two: ZoneLine) -> bool:
    a, b = one.bending, two.bending
    if (
        a.inside != b.inside
        or abs(a.inner_radius_mm - b.inner_radius_mm) > SAME_LINE_MM
        or abs(a.angle_rad - b.angle_rad) > SAME_ANGLE_RAD
        or abs(float(one.along[0] * two.along[1] - one.along[1] * two.along[0])) > 1e-4
    ):
        return False
    away = two.point - one.point
    if abs(float(away[0] * one.along[1] - away[1] * one.along[0])) > SAME_LINE_MM:
        return False
    surfaces = [_surface(skin, line) for line in (one, two)]
    return coaxial(
        surfaces[0].origin, surfaces[0].axis, surfaces[1].origin, surfaces[1].axis, LOOSE_LENGTH_MM + SAME_LINE_MM
    )


def _surface(skin: Skin, found: ZoneLine) -> Cylinder | Cone:
    zone = skin.zones[found.zone]
    surface = skin.graph.regions[zone.region if zone.region >= 0 else zone.outer].surface
    if not isinstance(surface, Cylinder | Cone):
        raise TypeError(f"a bend is a cylinder or cone, not a {type(surface).__name__}")
    return surface


def _folding_order(skin: Skin, groups: list[list[ZoneLine]]) -> list[int]:
    """Numbers from 1: what lies farthest from the first wall is folded first, while it is still free."""

    def depth(zone: int) -> int:
        steps = 0
        while zone >= 0:
            zone, steps = skin.zones[zone].parent, steps + 1
        return steps

    ranked = sorted(range(len(groups)), key=lambda at: (-depth(groups[at][0].zone), at))
    order = [0] * len(groups)
    for position, at in enumerate(ranked, 1):
        order[at] = position
    return order


def _bend(
    skin: Skin, group: list[ZoneLine], partner: dict[int, int], order: int, motion: PlaneMotion, mirror: bool
) -> FlatBend:
    first = group[0]
    bending = first.bending
    segments = []
    faces: list[int] = []
    for line in group:
        for low, high in line.ranges:
            ends = motion.points(np.array([line.point + low * line.along, line.point + high * line.along]))
            start, end = sorted((_pair(ends[0]), _pair(ends[1])))
            segments.append((start, end))
        zone = skin.zones[line.zone]
        own = zone.region if zone.region >= 0 else zone.outer
        faces += skin.graph.faces_of([own, partner[own]] if own in partner else [own])
    segments.sort()
    return FlatBend(
        angle_deg=math.degrees(bending.angle_rad),
        inner_radius_mm=bending.inner_radius_mm,
        up=bending.inside != mirror,
        length_mm=sum(math.dist(*segment) for segment in segments),
        segments=tuple(segments),
        faces=tuple(dict.fromkeys(faces)),
        order=order,
        kind=_kind(skin, first),
        developed=bending.developed,
    )


def _kind(skin: Skin, line: ZoneLine) -> BendKind:
    bending = line.bending
    followed = any(zone.parent == line.zone for zone in skin.zones)
    if math.degrees(bending.angle_rad) >= HEM_DEG and bending.inner_radius_mm < ROLLED_RATIO * skin.thickness_mm:
        return "hem" if followed else "curl"
    return "rolled" if bending.inner_radius_mm >= ROLLED_RATIO * skin.thickness_mm else "bend"


def _pair(point: Array) -> Pair:
    return float(point[0]), float(point[1])
