"""The price of a body by any process: plan, lines and quantity curve from one call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from fettle.errors import BadRequest
from fettle.plan.processes import planner
from fettle.plan.rate_card import ProcessRates, shipped_rates
from fettle.quote import investment
from fettle.quote.catalog import Catalog
from fettle.quote.lines import FinishCharge, check_quantity, price_plan
from fettle.results.making import MakingFacts
from fettle.results.process_prices import ProcessPrice, QuantityPrice

CURVE_QUANTITIES = (1, 5, 10, 25, 50, 100, 250, 500, 1000)
"""Quantities of the curve; the one asked for is added."""


def price_process(
    facts: MakingFacts,
    process: str,
    quantity: int,
    material: str | None = None,
    rates: ProcessRates | None = None,
    finishes: Sequence[FinishCharge] = (),
    catalog: Catalog | None = None,
) -> ProcessPrice:
    """The price of `quantity` pieces of a body by a process ("cnc:3-axis"), with its quantity curve.

    `material`: name in the rate card, its default where None. `rates`: the shipped card where None; `catalog`: that of
    investment casting, which has no rate card, the shipped one where None. Raises BadRequest
    where the process does not make the body. The curve leaves the finishes out.
    """
    asked = price_once(facts, process, quantity, material, rates, finishes, catalog)
    points = sorted({*CURVE_QUANTITIES, quantity})
    curve = tuple(
        QuantityPrice(count, price_once(facts, process, count, material, rates, (), catalog).unit_price)
        for count in points
    )
    return replace(asked, curve=curve)


def price_once(
    facts: MakingFacts,
    process: str,
    quantity: int,
    material: str | None = None,
    rates: ProcessRates | None = None,
    finishes: Sequence[FinishCharge] = (),
    catalog: Catalog | None = None,
) -> ProcessPrice:
    """The same without the quantity curve."""
    key, _, configuration = process.partition(":")
    if not configuration:
        raise BadRequest(f"The process is {process!r}; name it as module:configuration, for example cnc:3-axis.")
    if process == investment.PROCESS:
        return investment.price_investment(facts, quantity, material, catalog, finishes)
    plan = planner(key)
    check_quantity(quantity)
    card = rates or shipped_rates(key)
    stock = card.material(material, configuration) if material else card.default_of(configuration)
    return price_plan(plan(facts, configuration, stock, quantity, card), facts.body, card, finishes)
