"""Metrics of turning: slenderness, corners, necks, bores, tube walls, stock, and the share of live tooling."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fettle.geometry.part import Cylinder
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.gear import Gear
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.turned_part import Segment, TurnedPart
from fettle.rules.bar_sizes import next_bar_mm
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import (
    ANGLE_DEG,
    COUNT,
    EDGE,
    EXACT_MM,
    RATIO,
    Answer,
    Given,
    Measured,
    per_feature,
    whole_part,
)

SAME_STIFFNESS = 1.2
"""Diameters up to this factor bend as one: twice the second moment of area."""
LEVEL_MM = 1e-3
"""Change of radius below which a stretch of the profile is level."""
LEAST_COUNTED, MOST_COUNTED = "least_tube_diameter_mm", "most_tube_diameter_mm"
"""Parameters of the metric of tube walls."""


@whole_part("turned.slenderness", "ratio", RATIO)
def slenderness(context: RuleContext, given: Given) -> Answer:
    """Longest stretch of the outside that is no thicker than 1.2 times some diameter, over that diameter; no reading
    where the part is not turned."""
    turned = context.analysis.recognition.turned
    steps = _levels(turned) if turned else []
    worst: tuple[float, Segment] | None = None
    for one in steps:
        start, end = _stretch(steps, one)
        ratio = (end - start) / (2 * one.outer_mm)
        if worst is None or ratio > worst[0]:
            worst = ratio, one
    return None if worst is None else Measured(worst[0], worst[1].faces)


@whole_part("turned.diameter", "mm", EXACT_MM)
def turned_diameter(context: RuleContext, given: Given) -> Answer:
    """Diameter of the round bar that holds a turned part; no reading where it is not turned."""
    turned = context.analysis.recognition.turned
    return None if turned is None else turned.diameter_mm


@whole_part("turned.length", "mm", EXACT_MM)
def turned_length(context: RuleContext, given: Given) -> Answer:
    """Length of a turned part along its axis; no reading where it is not turned."""
    turned = context.analysis.recognition.turned
    return None if turned is None else turned.length_mm


@whole_part("turned.bar_waste", "ratio", RATIO)
def bar_waste(context: RuleContext, given: Given) -> Answer:
    """Share of the next stocked round bar that lies outside the largest diameter: 0 where the bar has its size; no
    reading beyond the largest bar and where the part is not turned."""
    turned = context.analysis.recognition.turned
    bar = None if turned is None else next_bar_mm(turned.diameter_mm)
    if turned is None or bar is None:
        return None
    waste = max(1.0 - (turned.diameter_mm / bar) ** 2, 0.0)
    return Measured(waste, note=f"Next bar: {bar:g} mm")


@whole_part("turned.live_count", "count", COUNT)
def live_count(context: RuleContext, given: Given) -> Answer:
    """Number of features of a turned part that are not turned: cross holes, flats, keyways, slots and the like; no
    reading where the part is not turned."""
    recognition = context.analysis.recognition
    if recognition.turned is None:
        return None
    faces = tuple(recognition.features[one.feature].faces[0] for one in recognition.live)
    return Measured(float(len(recognition.live)), faces)


@whole_part("turned.live_share", "ratio", RATIO)
def live_share(context: RuleContext, given: Given) -> Answer:
    """Share of the area of a turned part in features that are not turned; teeth are left out, which are hobbed into a
    turned blank. No reading where the part is not turned."""
    recognition = context.analysis.recognition
    if recognition.turned is None:
        return None
    every = (recognition.features[one.feature] for one in recognition.live)
    live = [one for one in every if not isinstance(one, Gear)]
    area_mm2 = sum(context.face(face).area_mm2 for face in {face for one in live for face in one.faces})
    return Measured(area_mm2 / context.part.area_mm2, tuple(one.faces[0] for one in live))


@whole_part("turned.tube_wall", "mm", EXACT_MM)
def tube_wall(context: RuleContext, given: Given) -> Answer:
    """Thinnest wall between the outside of a turned part and a bore on its axis, across the axis and a thickness away
    from where it ends: the tip of a taper is stiff. No reading without such a bore."""
    thinnest = min(_tube_walls(context), key=lambda wall: wall.thickness_mm, default=None)
    return None if thinnest is None else Measured(thinnest.thickness_mm, thinnest.faces)


@whole_part("turned.tube_wall_ratio", "ratio", RATIO, parameters=(LEAST_COUNTED, MOST_COUNTED))
def tube_wall_ratio(context: RuleContext, given: Given) -> Answer:
    """Least ratio of such a wall to the diameter outside it: rings of the same proportions give way alike. Smaller
    diameters count as `least_tube_diameter_mm`, larger ones as `most_tube_diameter_mm`. No reading without a bore."""

    def counted_mm(wall: _TubeWall) -> float:
        return min(max(wall.diameter_mm, given[LEAST_COUNTED]), given[MOST_COUNTED])

    weakest = min(_tube_walls(context), key=lambda wall: wall.thickness_mm / counted_mm(wall), default=None)
    if weakest is None:
        return None
    counted = counted_mm(weakest)
    note = f"Thinnest for its diameter: {weakest.thickness_mm:.2f} mm at {weakest.diameter_mm:.4g} mm"
    if counted != weakest.diameter_mm:
        note += f", counted as {counted:g} mm"
    return Measured(weakest.thickness_mm / counted, weakest.faces, note=note)


@whole_part("turned.wall_angle", "deg", ANGLE_DEG)
def wall_angle(context: RuleContext, given: Given) -> Answer:
    """Steepest angle to the axis of the outside of a turned part: 90 is a shoulder, what has more leans over the groove
    or neck below it; no reading where the part is not turned."""
    turned = context.analysis.recognition.turned
    if turned is None or not turned.outside:
        return None
    worst = max(turned.outside, key=_slope_deg)
    return Measured(_slope_deg(worst), worst.faces)


@per_feature("corner.turned_radius", "mm", EXACT_MM, reads=[Fillet.kind, EDGE])
def corner_turned_radius(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Radius that is drawn in an inside corner of the profile; no reading where the corner is sharp."""
    return subject.feature.radius_mm if isinstance(subject.feature, Fillet) else None


@per_feature("corner.turned_sharp", "mm", EXACT_MM, reads=[Fillet.kind, EDGE])
def corner_turned_sharp(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """0 for a sharp inside corner of the profile; no reading where a radius is drawn."""
    return 0.0 if subject.edge is not None else None


@per_feature("bore.reach_over_diameter", "ratio", RATIO, reads=[Hole.kind])
def bore_reach_over_diameter(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """How deep a tool must reach into a bore, over the bore's diameter; half the depth of a bore that is open at both
    ends."""
    hole = subject.feature
    if not isinstance(hole, Hole) or hole.diameter_mm <= 0:
        return None
    return (0.5 if hole.through else 1.0) * hole.depth_mm / hole.diameter_mm


def _levels(turned: TurnedPart) -> list[Segment]:
    return [one for one in turned.outside if isinstance(one.surface, Cylinder) and one.convex]


def _stretch(steps: Sequence[Segment], thin: Segment) -> tuple[float, float]:
    """Ends of the stretch around a diameter that is no thicker than 1.2 times it."""
    limit = SAME_STIFFNESS * thin.outer_mm + LEVEL_MM
    place = next(number for number, one in enumerate(steps) if one is thin)
    first = last = place
    while first > 0 and steps[first - 1].outer_mm <= limit:
        first -= 1
    while last + 1 < len(steps) and steps[last + 1].outer_mm <= limit:
        last += 1
    return steps[first].low_mm, steps[last].high_mm


@dataclass(frozen=True, slots=True)
class _TubeWall:
    """A wall between an outer and an inner surface of revolution, one face of each, and the diameter outside it."""

    thickness_mm: float
    diameter_mm: float
    faces: tuple[int, ...]


def _tube_walls(context: RuleContext) -> list[_TubeWall]:
    turned = context.analysis.recognition.turned
    if turned is None:
        return []
    return [wall for inner in turned.inside for outer in turned.outside if (wall := _wall_between(outer, inner))]


def _wall_between(outer: Segment, inner: Segment) -> _TubeWall | None:
    """The least distance across the axis between an outer and an inner surface that lie at one height."""
    low, high = max(outer.low_mm, inner.low_mm), min(outer.high_mm, inner.high_mm)
    if high - low < LEVEL_MM or inner.convex is not False or outer.convex is not True:
        return None
    ends = [(_radius_at(outer, z) - _radius_at(inner, z), _radius_at(outer, z)) for z in (low, high)]
    (thin, at_thin), (thick, at_thick) = sorted(ends)
    share = min(max(thin, 0.0) / (high - low), 0.5)
    least, radius = thin + share * (thick - thin), at_thin + share * (at_thick - at_thin)
    return _TubeWall(least, 2.0 * radius, _first(outer.faces, inner.faces)) if least > 0 else None


def _first(*groups: Iterable[int]) -> tuple[int, ...]:
    return tuple(next(iter(group)) for group in groups)


def _radius_at(segment: Segment, z_mm: float) -> float:
    (z, r), (end_z, end_r) = segment.start, segment.end
    return r if abs(end_z - z) < LEVEL_MM else r + (end_r - r) * (z_mm - z) / (end_z - z)


def _slope_deg(segment: Segment) -> float:
    """Angle of a stretch of the outside to the axis; above 90 where it leans over what lies below it."""
    rise, run = segment.end[1] - segment.start[1], segment.end[0] - segment.start[0]
    return math.degrees(math.atan2(abs(rise), run))
