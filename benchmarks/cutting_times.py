"""Machining times of worked examples with the digits of the textbooks they come from (Groover, Fundamentals of Modern
Manufacturing, and exercises of its kind): what plans, and so prices, compute with.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.table import Table
from fettle.plan.cutting import (
    cutting_min,
    drill_approach_mm,
    face_approach_mm,
    peripheral_approach_mm,
    removal_mm3_min,
    spindle_rpm,
    table_feed_mm_min,
    turning_min,
)

FOOT_M, INCH_MM = 0.3048, 25.4


def examples() -> dict[str, tuple[float, float]]:
    """Published and computed time in minutes by what is cut."""
    peripheral = table_feed_mm_min(spindle_rpm(55, 60), 5, 0.30)
    face = table_feed_mm_min(spindle_rpm(250 * FOOT_M, 3.0 * INCH_MM), 5, 0.006 * INCH_MM)
    drill = table_feed_mm_min(spindle_rpm(25, 12.7), 1, 0.30)
    rough = removal_mm3_min(5, 5, table_feed_mm_min(spindle_rpm(300, 10), 3, 0.06))
    return {
        "peripheral milling, 650 x 50 mm, cutter 60 mm of 5 teeth, 55 m/min, 0.30 mm a tooth, 9 mm deep": (
            1.534067,
            cutting_min(650, peripheral_approach_mm(60, 9), peripheral),
        ),
        "face milling, 12 x 2 in, cutter 3 in of 5 teeth, 250 ft/min, 0.006 in a tooth": (
            1.296636,
            cutting_min(12 * INCH_MM, face_approach_mm(3.0 * INCH_MM, 2.0 * INCH_MM), face),
        ),
        "turning, 200 x 700 mm, 2.30 m/s, 0.32 mm a turn (Groover)": (9.96, turning_min(200, 700, 0.32, 2.30 * 60)),
        "drilling, 12.7 mm, 60 deep, point of 118 degrees, 25 m/min, 0.30 mm a turn": (
            0.339483,
            cutting_min(60, drill_approach_mm(12.7, 118), drill),
        ),
        "roughing a pocket of 50 x 30 x 10 mm, end mill 10 mm of 3 teeth, 300 m/min, 5 mm deep and wide": (
            0.349066,
            50 * 30 * 10 / rough,
        ),
    }


def tables() -> Iterator[Table]:
    rows = tuple((what, f"{book:g}", f"{ours:.6f}") for what, (book, ours) in examples().items())
    yield Table("", ("operation", "published min", "ours min"), rows)
