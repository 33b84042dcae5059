"""Pockets, slots and steps: cut with the fastest end mill that fits, their corners cleared by a smaller one."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

from fettle.plan.milling.cutting_data import MillingData, MillingFamily
from fettle.plan.milling.tools import EndMill, end_mills, fitting
from fettle.results.making.machining import MachinedFeature

CLOSED_SHARE = 0.8
"""Share of the width of a closed pocket up to which an end mill can still enter on a helix."""
SHARP_CORNER_MM = 0.5
"""Radius that a sharp inside corner is left with: that of the smallest ordinary end mill (1 mm)."""
CORNER_SHARE = 1.0 - math.pi / 4.0
"""Area that a circle of radius 1 leaves in a right-angled corner."""


@dataclass(frozen=True, slots=True)
class RecessTime:
    """Minutes of roughing, of finishing walls and floor, and of clearing the corners, with the tools of each;
    `change_min`: of changing to those that are not in use yet."""

    rough_min: float
    finish_min: float
    corner_min: float
    change_min: float
    mill: EndMill
    corner_mill: EndMill | None

    @property
    def total_min(self) -> float:
        return self.rough_min + self.finish_min + self.corner_min + self.change_min


def recess_time(
    data: MillingData, family: MillingFamily, recess: MachinedFeature, in_use: Collection[str] = ()
) -> RecessTime:
    """The fastest way to cut a recess, changes to tools that are not in use included; beside a thin wall finishing is
    slower."""
    wall = recess.wall_mm
    thin = 1.0 if not wall else max(1.0, data.thin_wall.from_mm / wall)
    mills = end_mills(data, family, recess.depth_mm)
    share = CLOSED_SHARE if recess.kind == "POCKET" else 1.0
    radius = None if recess.corner_radius_mm is None else max(recess.corner_radius_mm, SHARP_CORNER_MM)
    corner_mills = () if radius is None else fitting(mills, 2.0 * radius)
    ways = (
        _with_mill(data, recess, mill, radius, corner_mills, thin, in_use)
        for mill in fitting(mills, _clear_width_mm(recess) * share)
    )
    return min(ways, key=lambda way: way.total_min)


def _clear_width_mm(recess: MachinedFeature) -> float:
    """Width in which the cutter moves."""
    return math.inf if recess.open else recess.width_mm


def _with_mill(
    data: MillingData,
    recess: MachinedFeature,
    mill: EndMill,
    radius_mm: float | None,
    corner_mills: tuple[EndMill, ...],
    thin: float,
    in_use: Collection[str],
) -> RecessTime:
    depth, left_mm3, corner_min, corner_mill = recess.depth_mm, 0.0, 0.0, None
    change_min = _change_min(data, mill, in_use)
    left_by = mill.diameter_mm / 2.0
    if radius_mm is not None and left_by > radius_mm + 1e-6:
        turns = recess.corner_turns
        left_mm3 = turns * CORNER_SHARE * (left_by**2 - radius_mm**2) * depth
        path_mm = turns * (2.0 * (left_by - radius_mm) + math.pi / 2.0 * radius_mm)
        ways = (
            (
                left_mm3 / one.removal_mm3_min + thin * _walls_min(data, path_mm, depth, one),
                _change_min(data, one, in_use),
                one,
            )
            for one in corner_mills
        )
        corner_min, corner_change_min, corner_mill = min(ways, key=lambda way: way[0] + way[1])
        change_min += corner_change_min
    perimeter_mm = recess.wall_mm2 / depth if depth > 0.0 else 0.0
    floor_min = recess.floor_mm2 / (data.finishing.radial * mill.diameter_mm * _finish_feed(data, mill))
    return RecessTime(
        rough_min=max(0.0, recess.volume_mm3 - left_mm3) / mill.removal_mm3_min,
        finish_min=thin * _walls_min(data, perimeter_mm, depth, mill) + floor_min,
        corner_min=corner_min,
        change_min=change_min,
        mill=mill,
        corner_mill=corner_mill,
    )


def _change_min(data: MillingData, mill: EndMill, in_use: Collection[str]) -> float:
    return 0.0 if mill.name in in_use else data.times.tool_change_min


def _walls_min(data: MillingData, path_mm: float, depth_mm: float, mill: EndMill) -> float:
    """Time of finishing upright walls along a path, in as many passes as the depth needs."""
    passes = math.ceil(depth_mm / (data.finishing.axial * mill.diameter_mm) - 1e-9)
    return passes * path_mm / _finish_feed(data, mill)


def _finish_feed(data: MillingData, mill: EndMill) -> float:
    return data.finishing.feed_share * mill.feed_mm_min
