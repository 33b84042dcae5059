"""Grades of ISO 286 against published values and the standard's own rules."""

from __future__ import annotations

import math

import pytest

from fettle.pmi.iso286 import grade_of, tolerance_mm

RANGES_MM = (
    (3, 6),
    (6, 10),
    (10, 18),
    (18, 30),
    (30, 50),
    (50, 80),
    (80, 120),
    (120, 180),
    (180, 250),
    (250, 315),
    (315, 400),
    (400, 500),
)
PUBLISHED_UM = {
    1: (1, 1, 1.2, 1.5, 1.5, 2, 2.5, 3.5, 4.5, 6, 7, 8),
    2: (1.5, 1.5, 2, 2.5, 2.5, 3, 4, 5, 7, 8, 9, 10),
    3: (2.5, 2.5, 3, 4, 4, 5, 6, 8, 10, 12, 13, 15),
    4: (4, 4, 5, 6, 7, 8, 10, 12, 14, 16, 18, 20),
    5: (5, 6, 8, 9, 11, 13, 15, 18, 20, 23, 25, 27),
    6: (8, 9, 11, 13, 16, 19, 22, 25, 29, 32, 36, 40),
    7: (12, 15, 18, 21, 25, 30, 35, 40, 46, 52, 57, 63),
    8: (18, 22, 27, 33, 39, 46, 54, 63, 72, 81, 89, 97),
    9: (30, 36, 43, 52, 62, 74, 87, 100, 115, 130, 140, 155),
    10: (48, 58, 70, 84, 100, 120, 140, 160, 185, 210, 230, 250),
    11: (75, 90, 110, 130, 160, 190, 220, 250, 290, 320, 360, 400),
    12: (120, 150, 180, 210, 250, 300, 350, 400, 460, 520, 570, 630),
    13: (180, 220, 270, 330, 390, 460, 540, 630, 720, 810, 890, 970),
    14: (300, 360, 430, 520, 620, 740, 870, 1000, 1150, 1300, 1400, 1550),
}
"""ISO 286, table 1, up to 315 mm as published at engineersvault.blogspot.com/2007/02/index-of-iso-hole-and-shaft.html.
Above, IT5 to IT11 as published at mechguru.com (DIN ISO 286 standard tolerance zone size table), the others as ten
public calculators of fits have them alike. The rules of the standard below reach up to IT18."""
MULTIPLES_OF_I = {
    6: 10,
    7: 16,
    8: 25,
    9: 40,
    10: 64,
    11: 100,
    12: 160,
    13: 250,
    14: 400,
    15: 640,
    16: 1000,
    17: 1600,
    18: 2500,
}


@pytest.mark.parametrize("grade", sorted(PUBLISHED_UM))
def test_tolerances_are_the_published_ones(grade: int) -> None:
    for (over, up_to), published in zip(RANGES_MM, PUBLISHED_UM[grade], strict=True):
        for size in (over * 1.0001, (over * up_to) ** 0.5, up_to):
            assert tolerance_mm(size, grade) == published / 1000


@pytest.mark.parametrize("grade", sorted(MULTIPLES_OF_I))
def test_tolerances_are_multiples_of_the_standards_unit_up_to_its_rounding(grade: int) -> None:
    """i = 0.45 D^(1/3) + 0.001 D micrometers, D the geometric mean of the range; the table rounds by up to 5 %.
    IT6 of 3 to 6 mm is rounded up from 7.3 to 8."""
    for over, up_to in RANGES_MM[grade == 6 :]:
        mean = math.sqrt(over * up_to)
        unit_um = 0.45 * mean ** (1 / 3) + 0.001 * mean
        assert tolerance_mm(up_to, grade) == pytest.approx(MULTIPLES_OF_I[grade] * unit_um / 1000, rel=0.05)


def test_five_grades_make_ten_times_the_tolerance() -> None:
    """ISO 286-1: tolerances are ten times as wide every fifth step."""
    for _, up_to in RANGES_MM:
        for grade in (9, 10, 11, 12, 13):
            narrow, wide = tolerance_mm(up_to, grade), tolerance_mm(up_to, grade + 5)
            assert narrow is not None
            assert wide == pytest.approx(10 * narrow)


def test_the_grade_of_a_width_is_the_coarsest_that_keeps_within_it() -> None:
    assert grade_of(20, 0.021) == 7
    assert grade_of(20, 20.021 - 20) == 7
    assert grade_of(20, 0.0209) == 6
    assert grade_of(20, 0.15) == 11
    assert grade_of(25, 0.006) == 4
    assert grade_of(100, 0.001) == 0
    assert grade_of(100, 50) == 18


def test_outside_of_the_table_there_is_no_grade() -> None:
    assert grade_of(500.1, 1.0) is None
    assert grade_of(0.0, 1.0) is None
    assert grade_of(20, 0.0) is None
    assert tolerance_mm(20, 19) is None
