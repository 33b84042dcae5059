"""Orders: the fast unit price is the price of the lines, and past jobs change times or rates as they should."""

from __future__ import annotations

from decimal import Decimal

import pytest

from fettle.plan.rate_card import ProcessRates, shipped_rates
from fettle.quote.calibration import Calibration, CalibrationBasis
from fettle.quote.orders import (
    fast_unit_price,
    order_cost,
    order_curve,
    plan_order,
    price_curve,
    price_order,
    unit_price,
)
from fettle.quote.process_price import price_once
from tests.plan.formed_facts import body, casting, molding, printing, sheet

FACTS = body(sheet=sheet(), molding=molding(), printing=printing(), casting=casting())
PROCESSES = ["sheet-metal:mild-steel-1.5mm", "injection:standard", "additive:fdm", "casting:sand"]
QUANTITIES = [1, 5, 100, 1000, 10_000]


def card(process: str) -> ProcessRates:
    return shipped_rates(process.partition(":")[0])


def learned(key: str, basis: CalibrationBasis, factor: float, low: float = 0.8, high: float = 1.25) -> Calibration:
    return Calibration(key, basis, 30, factor, low, high, 0.8, 0.15, 0.3)


@pytest.mark.parametrize("process", PROCESSES)
def test_the_fast_price_and_the_curve_are_the_price_of_the_lines(process: str) -> None:
    rates = card(process)
    stock = rates.default_of(process.partition(":")[2])
    known = [price_once(FACTS, process, quantity).unit_price for quantity in QUANTITIES]
    assert [fast_unit_price(FACTS, process, quantity) for quantity in QUANTITIES] == known
    assert price_curve(lambda number: plan_order(FACTS, process, number, stock, rates), QUANTITIES, rates) == known
    for quantity, price in zip(QUANTITIES, known, strict=True):
        curve = order_curve(plan_order(FACTS, process, quantity, stock, rates), rates)
        assert curve.unit_price(quantity) == pytest.approx(float(price), abs=0.005000001)


def order(process: str, quantity: int, calibration: Calibration | None) -> tuple[Decimal, Decimal, Decimal, float]:
    """Unit price, low and high of its band, and machine minutes of a piece."""
    rates = card(process)
    plan = plan_order(FACTS, process, quantity, rates.default_of(process.partition(":")[2]), rates)
    price = price_order(plan, 1, rates, (), {} if calibration is None else {calibration.key: calibration})
    return price.unit_price, price.band.low, price.band.high, price.run_minutes


def test_a_factor_on_prices_multiplies_every_line() -> None:
    process = "sheet-metal:mild-steel-1.5mm"
    plain, _, _, minutes = order(process, 500, None)
    dear, low, high, same = order(process, 500, learned(process, CalibrationBasis.PRICE, 1.5))
    assert float(dear) == pytest.approx(1.5 * float(plain), abs=0.02)
    assert float(low) == pytest.approx(1.2 * float(plain), abs=0.02)
    assert float(high) == pytest.approx(1.875 * float(plain), abs=0.02)
    assert same == minutes


def test_a_factor_on_times_multiplies_minutes_and_leaves_material_alone() -> None:
    process = "sheet-metal:mild-steel-1.5mm"
    rates, factor = card(process), 2.0
    plan = plan_order(FACTS, process, 500, rates.default_of("mild-steel-1.5mm"), rates)
    work = sum(
        (one.setup_min / 500 + one.run_min) * float(rates.machines[one.machine].rate_per_hour) / 60
        for one in plan.operations
    )
    markup = float(rates.markup.base) + float(rates.markup.small_order) / (
        1 + 500 / float(rates.markup.small_order_quantity)
    )
    plain, _, _, minutes = order(process, 500, None)
    slow, low, high, longer = order(process, 500, learned(process, CalibrationBasis.MINUTES, factor))
    assert longer == pytest.approx(2 * minutes)
    assert float(slow - plain) == pytest.approx(work * (1 + markup), abs=0.02)
    assert low < slow < high


def test_a_factor_of_one_machine_changes_its_operations_alone() -> None:
    process = "sheet-metal:mild-steel-1.5mm"
    rates = card(process)
    plan = plan_order(FACTS, process, 100, rates.default_of("mild-steel-1.5mm"), rates)
    laser = sum(one.run_min for one in plan.operations if one.machine == "laser")
    _, _, _, minutes = order(process, 100, None)
    _, _, _, longer = order(process, 100, learned(f"{process}/laser", CalibrationBasis.MINUTES, 3.0))
    assert laser > 0
    assert longer - minutes == pytest.approx(2 * laser)


def test_a_calibration_of_another_process_changes_nothing() -> None:
    other = learned("cnc:3-axis", CalibrationBasis.PRICE, 9.0)
    assert order("additive:fdm", 10, other) == order("additive:fdm", 10, None)


def test_a_calibrated_band_says_what_it_rests_on() -> None:
    process = "additive:fdm"
    rates = card(process)
    plan = plan_order(FACTS, process, 10, rates.default_of("fdm"), rates)
    price = price_order(plan, 1, rates, (), {process: learned(process, CalibrationBasis.PRICE, 1.2)})
    assert price.band.reason == (
        "Calibrated by past jobs to hold 80 % of new ones (additive:fdm: 30 jobs, prices x 1.2, 80 % of held-back jobs "
        "inside)."
    )


def test_a_cost_is_what_is_paid_once_and_for_each() -> None:
    rates = card("injection:standard")
    plan = plan_order(FACTS, "injection:standard", 1000, rates.default_of("standard"), rates)
    cost = order_cost(plan, rates)
    tooling = sum(one.amount * float(rates.purchases[one.key].price) for one in plan.purchases if one.per_order)
    assert float(cost.fixed) >= tooling > 1000
    assert unit_price(cost, 1000, rates) == price_once(FACTS, "injection:standard", 1000).unit_price
