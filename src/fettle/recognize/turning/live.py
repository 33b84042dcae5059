"""Features of a turned part that are not turned, with their place along its axis and their angle about it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from fettle.geometry.part import Part, Vector
from fettle.recognize.feature import Feature
from fettle.recognize.graph import coaxial, frame
from fettle.recognize.kinds.boss import Boss
from fettle.recognize.kinds.flat import ShaftFlat
from fettle.recognize.kinds.gear import Gear
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.keyway import Keyway
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.shaft_step import ShaftStep
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.kinds.step import Step
from fettle.recognize.tolerances import LOOSE_LENGTH_MM, SAME_ANGLE_COS
from fettle.recognize.turned_part import LiveFeature, TurnedPart

MAX_REFERENCES = 32
"""Features tried as the one that angles count from."""
ANGLE_DECIMALS = 3
"""Decimals of the angles, in degrees, that are compared to choose it."""
CIRCLE_DEG = 360.0
BAR_FLATS = 4
"""Fewest flats of a bar that is not round."""
STOCK_DIAGONAL = 1.45
"""Diameter of the part over the width across flats up to which the flats are those of the bar: a square has 1.414."""


class _Live(NamedTuple):
    """`around_deg`: angle in a frame of the axis, None without a direction; it repeats after `period_deg`."""

    feature: int
    what: str
    z_mm: float
    around_deg: float | None
    period_deg: float = CIRCLE_DEG


def find_live_features(part: Part, turned: TurnedPart | None, features: Sequence[Feature]) -> tuple[LiveFeature, ...]:
    """Features that are not of revolution about the axis, by growing z; none where the part is not turned."""
    if turned is None:
        return ()
    found = [live for number, one in enumerate(features) if (live := _live(part, turned, number, one)) is not None]
    starts = [
        start
        for one in found
        if one.around_deg is not None
        for start in (one.around_deg, one.around_deg + one.period_deg)
    ]
    counted = [_counted(found, start) for start in dict.fromkeys(starts[:MAX_REFERENCES])]
    return tuple(min(counted, key=_key, default=_counted(found, 0.0)))


def _counted(found: Sequence[_Live], start_deg: float) -> list[LiveFeature]:
    """The features with angles counted from a start, by growing z, then angle."""
    live = [
        LiveFeature(one.feature, one.what, one.z_mm, _turned_deg(one.around_deg, start_deg, one.period_deg))
        for one in found
    ]
    return sorted(
        live, key=lambda one: (round(one.z_mm, 3), -1.0 if one.angle_deg is None else one.angle_deg, one.what)
    )


def _turned_deg(around_deg: float | None, start_deg: float, period_deg: float) -> float | None:
    if around_deg is None:
        return None
    angle = (around_deg - start_deg) % period_deg
    return 0.0 if min(angle, period_deg - angle) < 10**-ANGLE_DECIMALS else angle


def _key(live: Iterable[LiveFeature]) -> list[tuple[float, str, float]]:
    return [
        (round(one.z_mm, 3), one.what, -1.0 if one.angle_deg is None else round(one.angle_deg, ANGLE_DECIMALS))
        for one in live
    ]


def _live(part: Part, turned: TurnedPart, number: int, feature: Feature) -> _Live | None:
    if isinstance(feature, Hole):
        return _hole(turned, number, feature)
    if isinstance(feature, ShaftStep):
        if feature.offset_mm == 0.0:
            return None
        middle = feature.z_mm + feature.length_mm / 2
        return _Live(
            number, "eccentric_step", middle, _around_deg(turned, np.array(feature.position_mm) - turned.origin)
        )
    if not isinstance(feature, Gear | ShaftFlat | Slot | Pocket | Step | Boss):
        return None
    z_mm = _middle_mm(part, turned, feature)
    if isinstance(feature, Gear):
        return _Live(number, "gear", z_mm, None)
    if isinstance(feature, ShaftFlat):
        # a hexagon or square that stands out farthest is that of the bar
        bar = feature.count >= BAR_FLATS and turned.diameter_mm < STOCK_DIAGONAL * 2 * feature.distance_mm
        return (
            None
            if bar
            else _Live(number, "flat", z_mm, _around_deg(turned, np.array(feature.axis)), CIRCLE_DEG / feature.count)
        )
    if isinstance(feature, Slot | Pocket | Step):
        axis = np.array(feature.axis)
        if isinstance(feature, Slot) and feature.end_type == "ring":
            return None
        what = "keyway" if isinstance(feature, Keyway) else "slot" if isinstance(feature, Slot) else "pocket"
        if feature.floor_face is not None:
            axis = part.faces[feature.floor_face].normal
        along = abs(float(axis @ turned.axis)) > SAME_ANGLE_COS
        return _Live(number, what, z_mm, None if along else _around_deg(turned, axis))
    position = np.array(feature.position_mm)
    if coaxial(turned.origin, turned.axis, position, np.array(feature.axis), LOOSE_LENGTH_MM):
        return None
    return _Live(number, "boss", z_mm, _around_deg(turned, position - turned.origin))


def _hole(turned: TurnedPart, number: int, hole: Hole) -> _Live | None:
    """A hole across the axis or beside it; a bore on the axis is turned."""
    axis, position = np.array(hole.axis), np.array(hole.position_mm)
    away = position - turned.origin
    z_mm = float(away @ turned.axis)
    if abs(float(axis @ turned.axis)) > SAME_ANGLE_COS:
        if coaxial(turned.origin, turned.axis, position, axis, LOOSE_LENGTH_MM):
            return None
        return _Live(number, "axial_hole", z_mm, _around_deg(turned, away))
    slope = math.hypot(*(axis - float(axis @ turned.axis) * turned.axis).tolist())
    # where the hole's axis comes nearest to that of the part: leaning holes enter at another height
    at = z_mm + float(axis @ turned.axis) * _reach(turned, axis, away) / slope
    return _Live(number, "cross_hole", at, _around_deg(turned, -axis), CIRCLE_DEG / 2 if hole.through else CIRCLE_DEG)


def _reach(turned: TurnedPart, axis: Vector, away: Vector) -> float:
    """Distance across the part from the entry of a cross hole to where it is nearest to the axis, mm."""
    across = axis - float(axis @ turned.axis) * turned.axis
    return -float(away @ across) / float(np.linalg.norm(across))


def _around_deg(turned: TurnedPart, direction: Vector) -> float:
    """Angle of a direction about the axis in the frame of the axis, 0 to 360."""
    across, up = frame(turned.axis)
    return math.degrees(math.atan2(float(direction @ up), float(direction @ across))) % CIRCLE_DEG


def _middle_mm(part: Part, turned: TurnedPart, feature: Feature) -> float:
    """z of the middle of a feature's faces."""
    edges = {edge for face in feature.faces for loop in part.faces[face].loops for edge in loop.edges}
    if not edges:
        return float((part.faces[feature.faces[0]].point - turned.origin) @ turned.axis)
    along = np.concatenate([part.edges[edge].points for edge in sorted(edges)]) - turned.origin
    heights = along @ turned.axis
    return float(heights.min() + heights.max()) / 2
