"""An order of one body by one process: planned, calibrated and priced by the rate card of an account."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from decimal import Context, Decimal, localcontext

from fettle.errors import BadRequest
from fettle.plan.plan import ProcessPlan
from fettle.plan.processes import planner
from fettle.plan.rate_card import ProcessRates, StockMaterial, shipped_rates
from fettle.quote.break_even import OrderCurve
from fettle.quote.calibrated import Calibrations, applied, describe, scaled
from fettle.quote.lines import MINUTES_PER_HOUR, FinishCharge, check_quantity, marked_up, price_plan
from fettle.results.making import MakingFacts
from fettle.results.process_prices import PriceBand, ProcessPrice
from fettle.results.record import rounded


def split_process(process: str) -> tuple[str, str]:
    """Keys of module and configuration of "cnc:3-axis"; raises BadRequest."""
    module, _, configuration = process.partition(":")
    if not module or not configuration:
        raise BadRequest(f"The process is {process!r}; name it as module:configuration, for example cnc:3-axis.")
    return module, configuration


def plan_order(
    facts: MakingFacts, process: str, quantity: int, material: StockMaterial, rates: ProcessRates
) -> ProcessPlan:
    """The plan of `quantity` pieces from a material of the card; raises BadRequest where the process does not make
    the body."""
    module, configuration = split_process(process)
    make = planner(module)
    check_quantity(quantity)
    return make(facts, configuration, material, quantity, rates)


def price_order(
    plan: ProcessPlan,
    body: int,
    rates: ProcessRates,
    finishes: Sequence[FinishCharge] = (),
    learned: Calibrations | None = None,
) -> ProcessPrice:
    """The price of a plan with what past jobs taught, and with the band that they earned."""
    process = f"{plan.process}:{plan.configuration}"
    used = applied(process, plan, learned or {})
    if not learned or not used:
        return price_plan(plan, body, rates, finishes)
    low, middle, high = (
        price_plan(calibrated, body, card, finishes)
        for calibrated, card in (scaled(process, plan, rates, learned, end) for end in (-1, 0, 1))
    )
    ends = (min(low.unit_price, middle.unit_price), max(high.unit_price, middle.unit_price))
    return replace(middle, band=PriceBand(*ends, describe(used)))


@dataclass(frozen=True, slots=True)
class OrderCost:
    """Cost of an order before the markup: `fixed` once, `each` for a piece."""

    fixed: Decimal
    each: Decimal


def order_cost(plan: ProcessPlan, rates: ProcessRates) -> OrderCost:
    """What the lines of a plan add up to before they are rounded, without the lines."""
    with localcontext(Context(prec=28)):
        fixed, each = Decimal(0), _exact(plan.stock.mass_kg) * rates.material(plan.material).price_per_kg
        for operation in plan.operations:
            rate = rates.machine(operation.machine).rate_per_hour / MINUTES_PER_HOUR
            if operation.setup_min > 0.0:
                fixed += _exact(operation.setup_min) * rate
            if operation.run_min > 0.0:
                each += _exact(operation.run_min) * rate
        for purchase in plan.purchases:
            amount = _exact(purchase.amount) * rates.purchase(purchase.key).price
            fixed, each = (fixed + amount, each) if purchase.per_order else (fixed, each + amount)
        return OrderCost(fixed, each)


def unit_price(cost: OrderCost, quantity: int, rates: ProcessRates) -> Decimal:
    """The unit price of an order, to the cent as `price_plan` gives it."""
    check_quantity(quantity)
    with localcontext(Context(prec=28)):
        return marked_up(cost.fixed + cost.each * quantity, quantity, rates)


def fast_unit_price(
    facts: MakingFacts,
    process: str,
    quantity: int,
    material: str | None = None,
    rates: ProcessRates | None = None,
    learned: Calibrations | None = None,
) -> Decimal:
    """The unit price of `price_order`, without its lines: several times as fast."""
    module, configuration = split_process(process)
    card = rates or shipped_rates(module)
    stock = card.material(material, configuration) if material else card.default_of(configuration)
    plan, scaled_card = scaled(process, plan_order(facts, process, quantity, stock, card), card, learned or {})
    return unit_price(order_cost(plan, scaled_card), quantity, scaled_card)


def price_curve(
    planned: Callable[[int], ProcessPlan],
    quantities: Sequence[int],
    rates: ProcessRates,
    learned: Calibrations | None = None,
) -> list[Decimal]:
    """Unit price at each of the quantities, without finishes.

    A plan that is the same for the least and the most of them is taken for the others, too.
    """

    def cost(plan: ProcessPlan) -> tuple[OrderCost, ProcessRates]:
        calibrated, card = scaled(f"{plan.process}:{plan.configuration}", plan, rates, learned or {})
        return order_cost(calibrated, card), card

    first, last = planned(min(quantities)), planned(max(quantities))
    if replace(last, quantity=first.quantity) == first:
        steady, card = cost(first)
        return [unit_price(steady, quantity, card) for quantity in quantities]
    costs = [(quantity, *cost(planned(quantity))) for quantity in quantities]
    return [unit_price(one, quantity, card) for quantity, one, card in costs]


def order_curve(plan: ProcessPlan, rates: ProcessRates) -> OrderCurve:
    """The price of a plan against the quantity, before anything is rounded; the plan itself stays."""
    cost, markup = order_cost(plan, rates), rates.markup
    return OrderCurve(
        fixed=float(cost.fixed),
        each=float(cost.each),
        base=float(markup.base),
        small_order=float(markup.small_order),
        small_order_quantity=float(markup.small_order_quantity),
        minimum_order=float(markup.minimum_order),
    )


def _exact(value: float) -> Decimal:
    """The number with nine significant digits, as lines have it."""
    return Decimal(repr(rounded(value)))
