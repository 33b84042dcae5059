"""Standard tolerance grades of ISO 286-1 for nominal sizes up to 500 mm."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

MAX_SIZE_MM = 500.0

_UP_TO_MM = (3, 6, 10, 18, 30, 50, 80, 120, 180, 250, 315, 400, 500)
_TOLERANCE_UM = (
    (0.8, 1.2, 2, 3, 4, 6, 10, 14, 25, 40, 60, 100, 140, 250, 400, 600, 1000, 1400),
    (1, 1.5, 2.5, 4, 5, 8, 12, 18, 30, 48, 75, 120, 180, 300, 480, 750, 1200, 1800),
    (1, 1.5, 2.5, 4, 6, 9, 15, 22, 36, 58, 90, 150, 220, 360, 580, 900, 1500, 2200),
    (1.2, 2, 3, 5, 8, 11, 18, 27, 43, 70, 110, 180, 270, 430, 700, 1100, 1800, 2700),
    (1.5, 2.5, 4, 6, 9, 13, 21, 33, 52, 84, 130, 210, 330, 520, 840, 1300, 2100, 3300),
    (1.5, 2.5, 4, 7, 11, 16, 25, 39, 62, 100, 160, 250, 390, 620, 1000, 1600, 2500, 3900),
    (2, 3, 5, 8, 13, 19, 30, 46, 74, 120, 190, 300, 460, 740, 1200, 1900, 3000, 4600),
    (2.5, 4, 6, 10, 15, 22, 35, 54, 87, 140, 220, 350, 540, 870, 1400, 2200, 3500, 5400),
    (3.5, 5, 8, 12, 18, 25, 40, 63, 100, 160, 250, 400, 630, 1000, 1600, 2500, 4000, 6300),
    (4.5, 7, 10, 14, 20, 29, 46, 72, 115, 185, 290, 460, 720, 1150, 1850, 2900, 4600, 7200),
    (6, 8, 12, 16, 23, 32, 52, 81, 130, 210, 320, 520, 810, 1300, 2100, 3200, 5200, 8100),
    (7, 9, 13, 18, 25, 36, 57, 89, 140, 230, 360, 570, 890, 1400, 2300, 3600, 5700, 8900),
    (8, 10, 15, 20, 27, 40, 63, 97, 155, 250, 400, 630, 970, 1550, 2500, 4000, 6300, 9700),
)
"""ISO 286-1:2010, table 1: a row per range of sizes, a column per grade from IT1 to IT18."""
GRADES = range(1, 19)
_SLACK = 1e-9
"""Relative: limits such as 20.021 - 20 are not exact in binary."""


def tolerance_mm(size_mm: float, grade: int) -> float | None:
    """Width of the tolerance of a grade, IT1 to IT18, at a nominal size; None outside of the table."""
    row = _row(size_mm)
    if row is None or grade not in GRADES:
        return None
    return row[grade - 1] / 1000.0


def grade_of(size_mm: float, width_mm: float) -> int | None:
    """The coarsest grade that keeps within a tolerance of this width: 0 where even IT1 is too wide.

    None outside of the table of sizes, and for a width that is not positive.
    """
    row = _row(size_mm)
    if row is None or not width_mm > 0.0:
        return None
    return bisect_right(row, width_mm * 1000.0 * (1.0 + _SLACK))


def _row(size_mm: float) -> tuple[float, ...] | None:
    if not 0.0 < size_mm <= MAX_SIZE_MM:
        return None
    return _TOLERANCE_UM[bisect_left(_UP_TO_MM, size_mm * (1.0 - _SLACK))]
