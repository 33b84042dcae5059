"""Ways to make a body, each with its prices: by the plan of a process, or by the price model of investment casting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import Protocol

from fettle.app.pricing.parts import PriceableBody
from fettle.app.pricing.terms import PricingTerms
from fettle.errors import BadRequest
from fettle.plan.plan import ProcessPlan
from fettle.plan.processes import SAME_AT_ANY_QUANTITY
from fettle.plan.rate_card import ProcessRates, StockMaterial
from fettle.quote import Finish, Material, PricingModel, price
from fettle.quote.break_even import OrderCurve
from fettle.quote.calibrated import Calibrations, scaled
from fettle.quote.catalog import Catalog
from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.quote.investment import geometry_of, price_investment
from fettle.quote.lines import FinishCharge, check_quantity
from fettle.quote.orders import order_curve, plan_order, price_curve, price_order, split_process
from fettle.results.making import MakingFacts
from fettle.results.process_prices import ProcessPrice


class Maker(Protocol):
    """A process with material and finishes chosen."""

    @property
    def process(self) -> str: ...

    @property
    def material_name(self) -> str: ...

    @property
    def material_names(self) -> tuple[str, ...]:
        """Materials to choose from, the chosen one first."""

    def price(self, body: PriceableBody, quantity: int) -> ProcessPrice:
        """Price of `quantity` pieces; raises BadRequest where the process does not make the body."""

    def unit_prices(self, body: PriceableBody, quantities: Sequence[int]) -> list[Decimal]:
        """Unit price at each of the quantities, ascending, finishes left out."""

    def curve(self, body: PriceableBody, quantity: int) -> OrderCurve:
        """Price against quantity, finishes left out, as it holds at this quantity."""


def find_maker(process: str, terms: PricingTerms, material: str | None = None, finishes: tuple[str, ...] = ()) -> Maker:
    """The process by its key; raises BadRequest with the choices where process, material and finishes do not go
    together. `material`: by any part of its name that only one has, None for the usual one."""
    process = terms.priced_as(process)
    module, configuration = split_process(process)
    if process == INVESTMENT:
        chosen = _casting_material(terms.catalog, material)
        return InvestmentMaker(process, chosen, _finishes(terms, process, chosen.name, finishes), terms.catalog)
    if module not in terms.cards:
        raise BadRequest(f"{process!r} has no price model. Processes with one: {', '.join(sorted(terms.cards))}.")
    rates = terms.cards[module]
    stock = rates.material(material, configuration) if material else rates.default_of(configuration)
    done = _finishes(terms, process, stock.name, finishes)
    batch_cm3 = terms.catalog.rates.finishing.batch_cm3
    return PlannedMaker(process, stock, rates, done, terms.learned, batch_cm3)


@dataclass(frozen=True, slots=True)
class PlannedMaker:
    """A process with a planner and a rate card. `batch_cm3`: volume of a furnace or tank lot."""

    process: str
    material: StockMaterial
    rates: ProcessRates
    finishes: tuple[Finish, ...]
    learned: Calibrations
    batch_cm3: Decimal
    _plans: dict[tuple[int, int], ProcessPlan] = field(default_factory=dict, repr=False, compare=False)

    def plan(self, body: PriceableBody, quantity: int) -> ProcessPlan:
        """The plan of an order, made once; once for all quantities where it does not depend on them."""
        check_quantity(quantity)
        steady = split_process(self.process)[0] in SAME_AT_ANY_QUANTITY
        key = (body.facts.body, 0 if steady else quantity)
        if key not in self._plans:
            self._plans[key] = plan_order(body.facts, self.process, quantity, self.material, self.rates)
        return replace(self._plans[key], quantity=quantity)

    @property
    def material_name(self) -> str:
        return self.material.name

    @property
    def material_names(self) -> tuple[str, ...]:
        offered = self.rates.materials_of(split_process(self.process)[1])
        return (self.material.name, *(one.name for one in offered if one is not self.material))

    def price(self, body: PriceableBody, quantity: int) -> ProcessPrice:
        density = self.material.density_kg_m3
        charges = [_charge(finish, body.facts, quantity, density, self.batch_cm3) for finish in self.finishes]
        return price_order(self.plan(body, quantity), body.facts.body, self.rates, charges, self.learned)

    def curve(self, body: PriceableBody, quantity: int) -> OrderCurve:
        return order_curve(*scaled(self.process, self.plan(body, quantity), self.rates, self.learned))

    def unit_prices(self, body: PriceableBody, quantities: Sequence[int]) -> list[Decimal]:
        return price_curve(lambda quantity: self.plan(body, quantity), quantities, self.rates, self.learned)


@dataclass(frozen=True, slots=True)
class InvestmentMaker:
    """Investment casting by its own price model, to the cent as a quote without process."""

    process: str
    material: Material
    finishes: tuple[Finish, ...]
    catalog: Catalog

    @property
    def material_name(self) -> str:
        return self.material.name

    @property
    def material_names(self) -> tuple[str, ...]:
        others = (one.name for one in self.catalog.materials if one.active and one is not self.material)
        return (self.material.name, *others)

    def price(self, body: PriceableBody, quantity: int) -> ProcessPrice:
        density, batch_cm3 = float(self.material.density_kg_m3), self.catalog.rates.finishing.batch_cm3
        charges = [_charge(finish, body.facts, quantity, density, batch_cm3) for finish in self.finishes]
        return price_investment(body.facts, quantity, self.material.name, self.catalog, charges)

    def unit_prices(self, body: PriceableBody, quantities: Sequence[int]) -> list[Decimal]:
        geometry, rates = geometry_of(body.facts), self.catalog.rates
        return [price(geometry, self.material, number, (), rates).unit_price for number in quantities]

    def curve(self, body: PriceableBody, quantity: int) -> OrderCurve:
        return OrderCurve(0.0, float(self.unit_prices(body, [quantity])[0]), 0.0, 0.0, 1.0, 0.0)


def _charge(
    finish: Finish, facts: MakingFacts, quantity: int, density_kg_m3: float, batch_cm3: Decimal
) -> FinishCharge:
    """What a finish costs an order of parts of that density."""
    geometry = geometry_of(facts)
    mass_kg = geometry.volume_cm3 * Decimal(repr(density_kg_m3)) / 1_000_000
    units = {
        PricingModel.PER_PART: Decimal(quantity),
        PricingModel.PER_KG: mass_kg * quantity,
        PricingModel.PER_CM2: geometry.surface_area_cm2 * quantity,
        PricingModel.PER_BATCH: max(Decimal(1), quantity * geometry.box_cm3 / batch_cm3),
        PricingModel.PER_ORDER: Decimal(1),
    }
    return FinishCharge(finish.name, finish.cost_per_unit * units[finish.pricing_model], finish.days)


def _casting_material(catalog: Catalog, name: str | None) -> Material:
    """By id, name, or any part of its name that only one has."""
    active = [one for one in catalog.materials if one.active]
    if name is None:
        return active[0]
    within = [one for one in active if name.strip().casefold() in one.name.casefold()]
    return within[0] if len(within) == 1 else catalog.material(name)


def _finishes(terms: PricingTerms, process: str, material: str, names: tuple[str, ...]) -> tuple[Finish, ...]:
    """Finishing options by name or id; raises BadRequest with those that suit process and material."""
    found = tuple(terms.catalog.finish(name) for name in names)
    if len({one.id for one in found}) < len(found):
        raise BadRequest("A finishing option is named twice; name each once.")
    unfit = [one.name for one in found if not one.suits(process, material)]
    if unfit:
        suited = [one.name for one in terms.catalog.finishes if one.active and one.suits(process, material)]
        raise BadRequest(
            f"{', '.join(unfit)}: not done on {material} made by {process}. Choose from: {', '.join(suited) or 'none'}."
        )
    return found
