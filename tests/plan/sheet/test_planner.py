"""Plans of sheet parts: which sheet is used, and times counted by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fettle.plan.rate_card import shipped_rates, typed_data
from fettle.plan.sheet.planner import SheetData, best_yield, plan_sheet, strokes_of
from fettle.results.making.sheet import SheetBend
from tests.plan.formed_facts import body, sheet

CARD = shipped_rates("sheet-metal")
DATA = typed_data(CARD, SheetData)


@pytest.mark.parametrize(
    ("blank_mm", "used", "count"),
    [
        ((480.0, 480.0), (2000.0, 1000.0), 8),
        ((620.0, 480.0), (2000.0, 1000.0), 6),
        ((1400.0, 700.0), (3000.0, 1500.0), 4),
    ],
)
def test_the_sheet_that_a_blank_takes_the_least_of(
    blank_mm: tuple[float, float], used: tuple[float, float], count: int
) -> None:
    """480 x 480: 8, 10 and 18 on the three sheets, 250,000 mm2 on the first and the last. 620 x 480: 6, 6 and 12.
    1400 x 700: 1, 1 and 4."""
    found = best_yield(sheet(blank_mm=blank_mm))
    assert (found.sheet_mm, found.count) == (used, count)


def test_material_is_the_share_of_the_sheet() -> None:
    """480 x 480 of 1.5 mm: 250,000 mm2 at 7850 kg/m3."""
    plan = plan_sheet(body(sheet=sheet(blank_mm=(480.0, 480.0))), "mild-steel-1.5mm", CARD.material("DC01"), 10, CARD)
    assert plan.stock.mass_kg == pytest.approx(0.25 * 1.5e-3 * 7850)


def test_bends_of_a_heavy_part_take_two_people() -> None:
    """A blank of 2 m x 1 m in 2 mm weighs 31 kg."""
    plans = [
        plan_sheet(body(sheet=sheet((2000.0, width), 2.0, 0, 1)), "mild-steel-1.5mm", CARD.material("DC01"), 1, CARD)
        for width in (400.0, 1000.0)
    ]
    one, two = (next(step for step in plan.operations if step.name == "Bend").run_min for plan in plans)
    assert one == pytest.approx(DATA.bend_min + 2.0 * DATA.bend_min_per_m)
    assert two == pytest.approx(2 * one)


@pytest.mark.parametrize(
    ("kind", "angle_deg", "strokes"), [("bend", 90.0, 1), ("hem", 180.0, 2), ("rolled", 180.0, 20), ("curl", 5.0, 1)]
)
def test_strokes(kind: str, angle_deg: float, strokes: int) -> None:
    """A hem is bent and closed; a rolled piece is bumped every 9 degrees."""
    bend = replace(SheetBend("1", "bend", 50.0, angle_deg, 1.5), kind=kind)
    assert strokes_of(bend, DATA) == strokes
