"""Plans of turned parts by the formulas of the books and the numbers of the rate card."""

from __future__ import annotations

import math

import pytest

from fettle.errors import BadRequest
from fettle.plan.facts import making_facts
from fettle.plan.plan import ProcessPlan
from fettle.plan.rate_card import shipped_rates
from fettle.plan.turning.planner import plan_turning
from fettle.results.making import MakingFacts
from tests.fit.parts import analyzed
from tests.quote.made_facts import block, shaft
from tests.rules.seeded.turning import bored, crossed, grooved, stud

RATES = shipped_rates("turning")


def planned(facts: MakingFacts, configuration: str = "bar") -> ProcessPlan:
    return plan_turning(facts, configuration, RATES.material("Steel 1045"), 100, RATES)


def minutes(plan: ProcessPlan, name: str) -> float:
    return sum(step.run_min for step in plan.operations if step.name == name)


def test_a_seat_is_roughed_by_volume_and_finished_along_its_path() -> None:
    """Steel at 200 m/min: 0.25 mm and 2 mm deep remove 100,000 mm3 a minute; 0.10 mm a turn finish."""
    plan = planned(shaft(40, 100, 30))
    assert minutes(plan, "Rough 30 mm") == pytest.approx(math.pi / 4 * (40**2 - 30**2) * 50 / 100_000)
    assert minutes(plan, "Finish 30 mm") == pytest.approx(math.pi * 30 * 50 / (0.10 * 200_000))
    assert minutes(plan, "Rough 40 mm") == 0.0


def test_stock_is_the_next_bar_with_facing_parting_and_remnant() -> None:
    """41 mm comes from a bar of 42; 0.5 mm are faced, 3 parted; 150 of 3000 mm stay in the feeder."""
    stock = planned(shaft(41, 100)).stock
    assert stock.size_mm == (42.0, 103.5)
    assert stock.mass_kg == pytest.approx(math.pi / 4 * 42**2 * 103.5 * 3000 / 2850 * 7870e-9)


def test_a_slender_shaft_is_cut_slower_in_proportion() -> None:
    """12 diameters against the 6 that cost nothing."""
    short, long = (minutes(planned(shaft(20, length)), "Finish 20 mm") / length for length in (120, 240))
    assert long == pytest.approx(2.0 * short)


def names(recipe: dict[str, object], configuration: str = "bar") -> list[str]:
    (facts,) = making_facts(analyzed(recipe), lambda _: None)
    return [step.name for step in planned(facts, configuration).operations]


def test_every_feature_of_a_built_part_has_its_operation() -> None:
    assert "Drill 5 mm, 20.0 deep" in names(bored(5, 20))
    assert "Groove 3 wide, 3 deep" in names(grooved(3, 3))
    assert "Cut thread M10" in names(stud(3))


def test_a_cross_hole_is_a_milling_set_up_on_a_bar_lathe_and_a_driven_tool_on_a_mill_turn_center() -> None:
    assert "Set up the mill" in names(crossed(5))
    assert "Set up the mill" not in names(crossed(5), "mill-turn")
    assert any(name.startswith("Drill 5 mm") for name in names(crossed(5), "mill-turn"))


def test_a_block_is_not_turned() -> None:
    with pytest.raises(BadRequest, match="no turned part"):
        planned(block((40, 30, 20), ()))
