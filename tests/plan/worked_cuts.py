"""Worked examples of machining time with the digits of the textbooks they come from (Groover, Fundamentals of Modern
Manufacturing, and exercises of its kind).
"""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Step:
    """A figure on the way to the time: as published, half of its last digit, and as computed."""

    name: str
    published: float
    half_digit: float
    computed: float


@dataclass(frozen=True, slots=True)
class WorkedCut:
    """`minutes`: the time that the example asks for; `steps`: what it is computed from."""

    what: str
    minutes: Step
    steps: tuple[Step, ...]


def _peripheral() -> WorkedCut:
    rpm = spindle_rpm(55, 60)
    feed = table_feed_mm_min(rpm, 5, 0.30)
    approach = peripheral_approach_mm(60, 9)
    return WorkedCut(
        "peripheral milling, 650 x 50 mm, cutter 60 mm of 5 teeth, 55 m/min, 0.30 mm a tooth, 9 mm deep",
        Step("min", 1.534067, 5e-7, cutting_min(650, approach, feed)),
        (
            Step("rpm", 291.784, 5e-4, rpm),
            Step("feed mm/min", 437.676, 5e-4, feed),
            Step("approach mm", 21.4243, 5e-5, approach),
            Step("removal mm3/min", 196_954, 0.5, removal_mm3_min(9, 50, feed)),
        ),
    )


def _face() -> WorkedCut:
    rpm = spindle_rpm(250 * FOOT_M, 3.0 * INCH_MM)
    feed = table_feed_mm_min(rpm, 5, 0.006 * INCH_MM)
    approach = face_approach_mm(3.0 * INCH_MM, 2.0 * INCH_MM)
    return WorkedCut(
        "face milling, 12 x 2 in, cutter 3 in of 5 teeth, 250 ft/min, 0.006 in a tooth",
        Step("min", 1.296636, 5e-7, cutting_min(12 * INCH_MM, approach, feed)),
        (
            Step("rpm", 318.310, 5e-4, rpm),
            Step("feed in/min", 9.54930, 5e-6, feed / INCH_MM),
            Step("approach in", 0.381966, 5e-7, approach / INCH_MM),
        ),
    )


def _turning() -> WorkedCut:
    minutes = turning_min(200, 700, 0.32, 2.30 * 60)
    return WorkedCut(
        "turning, 200 x 700 mm, 2.30 m/s, 0.32 mm a turn, 1.8 mm deep (Groover)",
        Step("min", 9.96, 5e-3, minutes),
        (
            Step("turns/s", 3.66056, 5e-6, spindle_rpm(2.30 * 60, 200) / 60),
            Step("s", 597.586, 5e-4, minutes * 60),
            Step("removal mm3/s", 1324.8, 0.05, turning_removal_mm3_min(2.30 * 60, 0.32, 1.8) / 60),
        ),
    )


def _drilling() -> WorkedCut:
    rpm = spindle_rpm(25, 12.7)
    feed = table_feed_mm_min(rpm, 1, 0.30)
    approach = drill_approach_mm(12.7, 118)
    return WorkedCut(
        "drilling a blind hole, 12.7 mm, 60 deep, point of 118 degrees, 25 m/min, 0.30 mm a turn",
        Step("min", 0.339483, 5e-7, cutting_min(60, approach, feed)),
        (
            Step("rpm", 626.594, 5e-4, rpm),
            Step("feed mm/min", 187.978, 5e-4, feed),
            Step("approach mm", 3.815465, 5e-7, approach),
        ),
    )


def _roughing() -> WorkedCut:
    rpm = spindle_rpm(300, 10)
    feed = table_feed_mm_min(rpm, 3, 0.06)
    removal = removal_mm3_min(5, 5, feed)
    return WorkedCut(
        "roughing a pocket of 50 x 30 x 10 mm, end mill 10 mm of 3 teeth, 300 m/min, 0.06 mm a tooth, 5 mm deep and "
        "wide",
        Step("min", 0.349066, 5e-7, 50 * 30 * 10 / removal),
        (
            Step("rpm", 9549.3, 0.05, rpm),
            Step("feed mm/min", 1718.87, 5e-3, feed),
            Step("removal cm3/min", 42.972, 5e-4, removal / 1000),
        ),
    )


def worked_cuts() -> tuple[WorkedCut, ...]:
    return _peripheral(), _face(), _turning(), _drilling(), _roughing()
