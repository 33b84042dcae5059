"""A body through plan and price: sums to the cent, and the parts of a price that follow from the rate card alone."""

from __future__ import annotations

from decimal import Decimal

import pytest

import fettle
from fettle.errors import BadRequest
from fettle.geometry.csg import build
from fettle.plan.facts import making_facts
from fettle.plan.plan import Operation, ProcessPlan, RawStock
from fettle.plan.rate_card import shipped_rates
from fettle.quote.lines import price_plan
from fettle.quote.process_price import price_process
from fettle.results.making import MakingFacts
from tests.parts import BLOCK


@pytest.fixture(scope="module")
def block() -> MakingFacts:
    analysis = fettle.analyze(fettle.read(build(BLOCK), name="block.step"))
    (facts,) = making_facts(analysis, lambda _: None)
    return facts


@pytest.mark.parametrize("quantity", [1, 7, 100, 10_000])
@pytest.mark.parametrize("process", ["cnc:3-axis", "cnc:5-axis"])
def test_lines_and_features_add_up_to_the_total(block: MakingFacts, process: str, quantity: int) -> None:
    price = price_process(block, process, quantity)
    assert price.total_price == price.unit_price * quantity
    assert sum(line.amount for line in price.lines) == price.total_price
    assert sum((one.amount for one in price.by_feature), price.common_amount) == price.total_price


def test_the_block_is_milled_from_the_next_plate(block: MakingFacts) -> None:
    """60 x 40 x 30 mm and 1.5 mm of facing a side need 33 mm: a plate of 35; the saw leaves 2 mm a side."""
    price = price_process(block, "cnc:3-axis", 10, "6061")
    assert price.stock.size_mm == (64.0, 44.0, 35.0)
    assert price.stock.mass_kg == pytest.approx(66 * 46 * 35 * 2700e-9)
    material = price.lines[0]
    assert material.amount == Decimal(str(round(66 * 46 * 35 * 2700e-9 * 10 * 7.5, 2)))


def test_a_material_of_more_than_one_name_is_refused_with_the_choices(block: MakingFacts) -> None:
    with pytest.raises(BadRequest, match="Aluminum 6061-T6, Aluminum 7075-T6"):
        price_process(block, "cnc:3-axis", 10, "aluminum")
    with pytest.raises(BadRequest, match="3-axis, 5-axis"):
        price_process(block, "cnc:7-axis", 10)
    with pytest.raises(BadRequest, match="Processes with one: cnc"):
        price_process(block, "forging:hammer", 10)


def turned(*run_min: float) -> ProcessPlan:
    steps = tuple(
        Operation(f"Rough seat {number}", "bar", 0.0, minutes, (str(number),))
        for number, minutes in enumerate(run_min, 1)
    )
    return ProcessPlan("turning", "bar", "Brass C360", 1, RawStock("bar", (10.0, 30.0), 0.02), steps, (), ())


def test_steps_that_come_to_nothing_are_one_line_together() -> None:
    """At 65 an hour 0.003 min cost 0.00325: nothing each, a cent for the three."""
    rates = shipped_rates("turning")
    assert rates.machine("bar").rate_per_hour == 65
    price = price_plan(turned(2.0, 0.003, 0.003, 0.003), 1, rates)
    (long, short) = (line for line in price.lines if line.kind == "operation")
    assert (long.what, long.amount) == ("Rough seat 1", Decimal("2.17"))
    assert (short.what, short.amount, short.minutes) == ("Rough seat 2 and 2 more short steps", Decimal("0.01"), 0.009)
    assert short.fids == ("2", "3", "4")
    assert sum(line.amount for line in price.lines) == price.total_price
    assert sum((one.amount for one in price.by_feature), price.common_amount) == price.total_price
    assert price.run_minutes == 2.009


def test_a_step_that_comes_to_nothing_alone_is_not_shown() -> None:
    lines = price_plan(turned(2.0, 0.003), 1, shipped_rates("turning")).lines
    assert [line.what for line in lines if line.kind == "operation"] == ["Rough seat 1"]
