"""Worked examples of machining time, with the digits of the books they come from."""

from __future__ import annotations

import math

import pytest

from fettle.plan.cutting import (
    cutting_min,
    drill_approach_mm,
    face_approach_mm,
    peripheral_approach_mm,
    removal_mm3_min,
    spindle_rpm,
    table_feed_mm_min,
    turning_min,
    turning_removal_mm3_min,
)

FOOT_M, INCH_MM = 0.3048, 25.4


def test_peripheral_milling() -> None:
    """650 x 50 mm, cutter 60 mm with 5 teeth, 55 m/min, 0.30 mm a tooth, 9 mm deep."""
    rpm = spindle_rpm(55, 60)
    feed = table_feed_mm_min(rpm, 5, 0.30)
    approach = peripheral_approach_mm(60, 9)
    assert rpm == pytest.approx(291.784, abs=5e-4)
    assert feed == pytest.approx(437.676, abs=5e-4)
    assert approach == pytest.approx(21.4243, abs=5e-5)
    assert cutting_min(650, approach, feed) == pytest.approx(1.534067, abs=5e-7)
    assert removal_mm3_min(9, 50, feed) == pytest.approx(196_954, abs=0.5)


def test_face_milling_in_inches() -> None:
    """12 x 2 in, cutter 3.0 in with 5 teeth, 250 ft/min, 0.006 in a tooth."""
    rpm = spindle_rpm(250 * FOOT_M, 3.0 * INCH_MM)
    feed = table_feed_mm_min(rpm, 5, 0.006 * INCH_MM)
    approach = face_approach_mm(3.0 * INCH_MM, 2.0 * INCH_MM)
    assert rpm == pytest.approx(318.310, abs=5e-4)
    assert feed / INCH_MM == pytest.approx(9.54930, abs=5e-6)
    assert approach / INCH_MM == pytest.approx(0.381966, abs=5e-7)
    assert cutting_min(12 * INCH_MM, approach, feed) == pytest.approx(1.296636, abs=5e-7)


def test_turning() -> None:
    """200 mm, 700 long, 2.30 m/s, 0.32 mm a turn, 1.8 mm deep: 9.96 min (Groover)."""
    assert spindle_rpm(2.30 * 60, 200) / 60 == pytest.approx(3.66056, abs=5e-6)
    assert turning_min(200, 700, 0.32, 2.30 * 60) * 60 == pytest.approx(597.586, abs=5e-4)
    assert turning_min(200, 700, 0.32, 2.30 * 60) == pytest.approx(9.96, abs=5e-3)
    assert turning_removal_mm3_min(2.30 * 60, 0.32, 1.8) / 60 == pytest.approx(1324.8, abs=0.05)


def test_drilling_a_blind_hole() -> None:
    """12.7 mm, 60 deep, point of 118 degrees, 25 m/min, 0.30 mm a turn."""
    rpm = spindle_rpm(25, 12.7)
    feed = table_feed_mm_min(rpm, 1, 0.30)
    approach = drill_approach_mm(12.7, 118)
    assert rpm == pytest.approx(626.594, abs=5e-4)
    assert feed == pytest.approx(187.978, abs=5e-4)
    assert approach == pytest.approx(3.815465, abs=5e-7)
    assert cutting_min(60, approach, feed) == pytest.approx(0.339483, abs=5e-7)


def test_roughing_a_pocket() -> None:
    """50 x 30 x 10 mm of aluminum, end mill 10 mm with 3 teeth, 300 m/min, 0.06 mm a tooth, 5 mm deep and wide."""
    rpm = spindle_rpm(300, 10)
    feed = table_feed_mm_min(rpm, 3, 0.06)
    removal = removal_mm3_min(5, 5, feed)
    assert rpm == pytest.approx(9549.3, abs=0.05)
    assert feed == pytest.approx(1718.87, abs=5e-3)
    assert removal / 1000 == pytest.approx(42.972, abs=5e-4)
    assert 50 * 30 * 10 / removal == pytest.approx(0.349066, abs=5e-7)
    assert math.isclose(50 * 30 * 10 / removal, 15 / 42.971835, rel_tol=1e-6)
