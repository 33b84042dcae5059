"""Pockets by the worked example, and what corners leave to a smaller end mill."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from fettle.plan.milling.cutting_data import MillingData
from fettle.plan.milling.recesses import recess_time
from fettle.plan.rate_card import shipped_rates, typed_data
from tests.quote.made_facts import pocket

DATA = typed_data(shipped_rates("cnc"), MillingData)
ALUMINUM = replace(
    DATA.families["aluminum"], speed_m_min=300.0, chip_per_diameter=0.006, largest_chip_mm=0.06, axial=0.5, radial=0.5
)


def with_mills(*diameters_mm: float) -> MillingData:
    return replace(DATA, mill=replace(DATA.mill, end_mills_mm=diameters_mm, teeth=3))


def test_the_worked_example_of_a_pocket() -> None:
    """50 x 30 x 10 mm, end mill 10 mm with 3 teeth, 300 m/min, 0.06 mm a tooth, 5 mm deep and wide: 0.349066 min."""
    recess = replace(pocket(50, 30, 10, 5), volume_mm3=15_000.0)
    time = recess_time(with_mills(10.0), ALUMINUM, recess)
    assert time.rough_min == pytest.approx(0.349066, abs=5e-7)
    assert time.mill.rpm == pytest.approx(9549.3, abs=0.05)
    assert time.corner_mill is None


def test_corners_are_left_to_a_smaller_end_mill() -> None:
    """An end mill of 10 mm leaves (4 - pi) (5^2 - 2^2) x 8 mm3 in four corners of 2 mm, which one of 4 mm clears."""
    time = recess_time(with_mills(4.0, 10.0), ALUMINUM, pocket(50, 30, 8, 2))
    assert time.mill.diameter_mm == 10.0
    assert time.corner_mill is not None
    assert time.corner_mill.diameter_mm == 4.0
    left_mm3 = (4.0 - math.pi) * (25.0 - 4.0) * 8.0
    passes = math.ceil(8.0 / (1.5 * 4.0))
    path_mm = 4.0 * (2.0 * 3.0 + math.pi / 2.0 * 2.0)
    # 12,000 revolutions, 3 teeth, 0.024 mm: 864 mm/min; 2 x 2 mm2 of roughing; finishing at 0.8 of the feed
    feed = 12_000 * 3 * 0.006 * 4.0
    assert time.corner_min == pytest.approx(left_mm3 / (4.0 * feed) + passes * path_mm / (0.8 * feed))


def test_beyond_three_diameters_an_end_mill_is_fed_slower_in_proportion() -> None:
    """10 mm sticks out 60 instead of 30: half the feed, so twice the time for each mm3."""
    shallow = recess_time(with_mills(10.0), ALUMINUM, pocket(50, 30, 30, 5))
    deep = recess_time(with_mills(10.0), ALUMINUM, pocket(50, 30, 60, 5))
    assert deep.rough_min / 60 == pytest.approx(2.0 * shallow.rough_min / 30)


def test_a_wall_of_one_millimeter_is_finished_half_as_fast_as_one_of_two() -> None:
    floorless = replace(pocket(50, 30, 10, 5), floor_mm2=0.0)
    thick = recess_time(with_mills(10.0), ALUMINUM, replace(floorless, wall_mm=2.0))
    thin = recess_time(with_mills(10.0), ALUMINUM, replace(floorless, wall_mm=1.0))
    assert thin.finish_min == pytest.approx(2.0 * thick.finish_min)
