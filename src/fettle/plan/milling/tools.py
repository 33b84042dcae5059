"""End mills, drills and taps: what each does in a material, and which is the fastest for a job."""

from __future__ import annotations

import math
from dataclasses import dataclass

from fettle.plan.cutting import drill_approach_mm, removal_mm3_min, spindle_rpm, table_feed_mm_min
from fettle.plan.milling.cutting_data import MillingData, MillingFamily


@dataclass(frozen=True, slots=True)
class EndMill:
    """An end mill at work at a depth: speed, feed slowed by its overhang, and depths of a roughing pass."""

    diameter_mm: float
    rpm: float
    feed_mm_min: float
    axial_mm: float
    radial_mm: float

    @property
    def name(self) -> str:
        return f"end mill {self.diameter_mm:g} mm"

    @property
    def removal_mm3_min(self) -> float:
        return removal_mm3_min(self.axial_mm, self.radial_mm, self.feed_mm_min)


def end_mills(data: MillingData, family: MillingFamily, depth_mm: float) -> tuple[EndMill, ...]:
    """Every end mill of the shop, the smallest first, as it cuts at a depth below the rim; computed once for a depth,
    because a price plans a part several times."""
    key = (id(data), id(family), depth_mm)
    kept = _mills.get(key)
    if kept is None or kept[0] is not data or kept[1] is not family:
        mills = tuple(end_mill(data, family, diameter, depth_mm) for diameter in data.mill.end_mills_mm)
        if len(_mills) >= MOST_DEPTHS:
            _mills.clear()
        kept = _mills[key] = (data, family, mills)
    return kept[2]


MOST_DEPTHS = 4096
"""Depths whose end mills are kept."""
_mills: dict[tuple[int, int, float], tuple[MillingData, MillingFamily, tuple[EndMill, ...]]] = {}


def end_mill(data: MillingData, family: MillingFamily, diameter_mm: float, depth_mm: float) -> EndMill:
    """An end mill of a diameter: beyond its free overhang it is fed slower in proportion."""
    rpm = min(spindle_rpm(family.speed_m_min, diameter_mm), data.mill.largest_rpm)
    chip = min(family.chip_per_diameter * diameter_mm, family.largest_chip_mm)
    feed = min(table_feed_mm_min(rpm, data.mill.teeth, chip), data.mill.largest_feed_mm_min)
    slowed = min(1.0, data.slender.free_mill * diameter_mm / depth_mm) if depth_mm > 0.0 else 1.0
    return EndMill(diameter_mm, rpm, feed * slowed, family.axial * diameter_mm, family.radial * diameter_mm)


def fitting(mills: tuple[EndMill, ...], largest_mm: float) -> tuple[EndMill, ...]:
    """The end mills up to a diameter; the smallest one where none is small enough."""
    return tuple(mill for mill in mills if mill.diameter_mm <= largest_mm + 1e-6) or mills[:1]


def drill_feed_mm_min(data: MillingData, family: MillingFamily, diameter_mm: float, depth_mm: float) -> float:
    """Feed of a drill; beyond its free depth it pecks, and is slower in proportion."""
    rpm = min(spindle_rpm(family.drill_m_min, diameter_mm), data.mill.largest_rpm)
    slowed = min(1.0, data.slender.free_drill * diameter_mm / depth_mm) if depth_mm > 0.0 else 1.0
    return rpm * family.drill_feed_per_diameter * diameter_mm * slowed


def drilling_min(
    data: MillingData, family: MillingFamily, diameter_mm: float, depth_mm: float, *, through: bool
) -> float:
    """Time of drilling one hole: spotting, point and depth, and the way beyond a through hole."""
    way = depth_mm + drill_approach_mm(diameter_mm, data.drilling.point_deg)
    way += data.drilling.through_mm if through else 0.0
    return data.drilling.spot_min + way / drill_feed_mm_min(data, family, diameter_mm, depth_mm)


def tapping_min(family: MillingFamily, diameter_mm: float, pitch_mm: float, depth_mm: float) -> float:
    """Time of tapping one hole, in and out at the same speed."""
    return 2.0 * depth_mm / (spindle_rpm(family.tap_m_min, diameter_mm) * pitch_mm)


def ball_step_mm(ball_mm: float, ridge_mm: float) -> float:
    """Distance of two lines of a ball-nose cutter that leave ridges of a height on a plane."""
    radius = ball_mm / 2.0
    return 2.0 * math.sqrt(2.0 * radius * ridge_mm - ridge_mm * ridge_mm)
