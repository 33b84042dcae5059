"""Time of laser cutting, and blanks on a sheet, counted by hand."""

from __future__ import annotations

import pytest

from fettle.errors import BadRequest
from fettle.plan.sheet.cutting import CuttingRow, cutting_at, cutting_min
from fettle.sheet.nesting import blanks_per_sheet, count_rows, gap_mm

ROWS = (
    CuttingRow(thickness_mm=1.0, speed_m_min=20.0, pierce_s=0.1),
    CuttingRow(thickness_mm=4.0, speed_m_min=5.0, pierce_s=0.5),
)


def test_time_of_contours() -> None:
    """2 m at 10 m/min are 12 s; 5 contours with 0.2 s of piercing and 0.8 s of moving are 5 s."""
    row = CuttingRow(thickness_mm=2.0, speed_m_min=10.0, pierce_s=0.2)
    assert cutting_min(2000.0, 5, row, 0.8) == pytest.approx(17 / 60)


def test_between_two_rows_the_logarithms_are_interpolated() -> None:
    """2 mm is halfway from 1 to 4 by ratio: the speed is the geometric mean, the piercing halfway."""
    row = cutting_at(ROWS, 2.0)
    assert row.speed_m_min == pytest.approx(10.0)
    assert row.pierce_s == pytest.approx(0.3)
    assert (cutting_at(ROWS, 1.0), cutting_at(ROWS, 4.0)) == ROWS


def test_thinner_than_the_first_row_and_thicker_than_the_last() -> None:
    assert cutting_at(ROWS, 0.5).speed_m_min == 20.0
    with pytest.raises(BadRequest, match=r"6 mm thick.*up to 4 mm"):
        cutting_at(ROWS, 6.0)


def test_rows_both_ways() -> None:
    """Blanks of 300 x 200 on 1000 x 500 with a rim of 10 and gaps of 2: (980 + 2) / 302 = 3 by (480 + 2) / 202 = 2
    along, (980 + 2) / 202 = 4 by (480 + 2) / 302 = 1 across."""
    assert count_rows((300.0, 200.0), (1000.0, 500.0), 2.0) == 6
    assert count_rows((200.0, 300.0), (1000.0, 500.0), 2.0) == 4


def test_a_blank_pays_its_share_of_the_sheet() -> None:
    """480 x 480 on 2000 x 1000: 4 x 2 of them, so each pays 250,000 mm2; the gap is half the thickness, 2 mm at
    least."""
    small = blanks_per_sheet((480.0, 480.0), 200_000.0, 1.5)[0]
    assert (small.sheet_mm, small.count) == ((2000.0, 1000.0), 8)
    assert small.charged_mm2 == 250_000.0
    assert small.used_fraction == pytest.approx(0.8)
    assert (gap_mm(1.5), gap_mm(10.0)) == (2.0, 5.0)
