"""Mold and cycle against the formulas and examples of Boothroyd, Dewhurst and Knight, recomputed by hand."""

from __future__ import annotations

import math

import pytest

from fettle.plan.molding.cycle import cooling_s, fill_s, reset_s
from fettle.plan.molding.mold import base_size, cavities_factor, grid_rows, mold_hours, plate_cm2, plates_cm
from fettle.plan.molding.press import MoldingData, shot_cm3
from fettle.plan.rate_card import shipped_rates, typed_data


def test_cooling_of_an_abs_wall() -> None:
    """2.5 mm, 0.09 mm2/s, 240 / 50 / 90 degrees: 12.663 s; the shipped ABS is that ABS."""
    assert cooling_s(2.5, 0.09, 240.0, 50.0, 90.0) == pytest.approx(12.663, abs=5e-4)
    abs_resin = typed_data(shipped_rates("injection"), MoldingData).resins["ABS"]
    shipped = (abs_resin.diffusivity_mm2_s, abs_resin.melt_deg_c, abs_resin.mold_deg_c, abs_resin.ejection_deg_c)
    assert cooling_s(2.5, *shipped) == pytest.approx(12.663, abs=5e-4)


def test_twice_the_wall_cools_four_times_as_long() -> None:
    assert cooling_s(5.0, 0.09, 240.0, 50.0, 90.0) == pytest.approx(4 * 12.6631011, abs=1e-5)


def test_hours_of_the_tool_room() -> None:
    """A part of 100 cm2 with 40 patches, one side pull, two lifters, one thread."""
    hours = mold_hours(100.0, 40, side_pulls=1, lifters=2, unscrewing=1)
    assert hours.ejection == pytest.approx(25.0)
    assert hours.points == pytest.approx(5 + 0.085 * 251.18864, abs=1e-4)
    assert hours.form == pytest.approx(33.9066, abs=1e-3)  # 4^1.27 is 5.81589
    assert (hours.side_pulls, hours.lifters, hours.unscrewing) == (65.0, 300.0, 250.0)
    assert hours.total == pytest.approx(25.0 + 26.351035 + 33.9066 + 615.0, abs=1e-3)


def test_price_of_a_mold_base() -> None:
    """Cb = 1000 + 0.45 Ac hp^0.4: a cup of 10 cm and 20 cm depth with 7.5 cm of steel around has plates of 25 x 25 cm,
    35 cm together: 625 cm2, and 35^0.4 is 4.1460."""
    assert plate_cm2((10.0, 10.0), 1) == 625.0
    assert plates_cm(20.0) == 35.0
    assert 1000 + 0.45 * base_size(625.0, 35.0) == pytest.approx(2166.05, abs=0.05)


def test_cavities() -> None:
    """Twice the cavities cost 2^0.7 = 1.6245 times the hours; they lie in the most square grid."""
    assert cavities_factor(1) == 1.0
    assert cavities_factor(2) == pytest.approx(1.624505)
    assert [grid_rows(number) for number in (1, 2, 4, 8, 16, 32)] == [1, 1, 2, 2, 4, 4]
    assert plate_cm2((10.0, 10.0), 4) == 42.5**2  # 2 parts and 3 clearances either way


def test_fill_and_reset() -> None:
    """85 cm3 at 1000 bar with 7.5 kW: 2 x 85e-6 m3 x 1e8 Pa / 7500 W. Dry cycle 1.9 s, stroke 23 cm, depth 4 cm."""
    assert fill_s(85.0, 1000.0, 7.5) == pytest.approx(2 * 85e-6 * 1e8 / 7500)
    assert reset_s(1.9, 4.0, 23.0) == pytest.approx(1 + 1.75 * 1.9 * math.sqrt(13 / 23))


@pytest.mark.parametrize(("part_cm3", "share"), [(16, 0.37), (32, 0.27), (64, 0.19), (256, 0.10), (1024, 0.05)])
def test_runners_as_in_the_table_of_the_book(part_cm3: float, share: float) -> None:
    data = typed_data(shipped_rates("injection"), MoldingData)
    assert shot_cm3(part_cm3, data) / part_cm3 - 1 == pytest.approx(share, abs=0.01)
