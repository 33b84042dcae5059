"""Processes of a part ranked by verdict, then by unit price, with the quantities at which another is cheaper.

A warning leaves a process among those that make the part: it is shown, and the price decides. Break-even quantities are
told between processes that make the part alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from fettle.app.pricing.makers import Maker, find_maker
from fettle.app.pricing.orders import price_body
from fettle.app.pricing.parts import PriceableBody, PriceablePart, check_priceable
from fettle.app.pricing.terms import PricingTerms
from fettle.errors import BadRequest
from fettle.quote.chooser import Contender, break_evens
from fettle.results import RankedProcess
from fettle.results.process_choices import PricedProcess, ProcessChoices
from fettle.results.process_prices import PriceBand, ProcessPrice

SUITED = 0.75
"""Share of the best fit from which a process suits the part like the best one, so that the price decides; one that
suits it less comes after, however cheap. Fettle's judgment: on parts really made, the process that made them has the
best fit, and those of a fit near it are true alternatives."""


@dataclass(frozen=True, slots=True)
class _Option:
    """A process that was judged; `prices`: of every body with its count; `refusal`: the reason that there is none."""

    ranked: RankedProcess
    process: str
    maker: Maker | None
    prices: tuple[tuple[ProcessPrice, int], ...]
    unit_price: Decimal | None
    refusal: str | None


def choose(part: PriceablePart, quantity: int, terms: PricingTerms, material: str | None = None) -> ProcessChoices:
    """Every process that was judged, the one to choose first. `material`: only processes that have it get a price."""
    check_priceable(part)
    best = max((ranked.fit or 0.0 for ranked in part.processes if ranked.severity != "fail"), default=0.0)

    def order(option: _Option) -> tuple[float, ...]:
        """Those with a price, then those whose verdict does not fail, then those that suit the part; by price."""
        fit, price = option.ranked.fit, option.unit_price
        unsuited = fit is not None and fit < SUITED * best
        return price is None, option.ranked.severity == "fail", unsuited, float(price or 0)

    options = sorted((_option(part, ranked, quantity, terms, material) for ranked in part.processes), key=order)
    contenders = [
        _contender(part.bodies[0], option.maker, option.process)
        for option in options
        if option.maker is not None
        and option.unit_price is not None
        and option.ranked.severity != "fail"
        and part.is_single
    ]
    return ProcessChoices(
        quantity=quantity,
        currency=terms.catalog.rates.currency,
        processes=tuple(_record(option) for option in options),
        break_even=break_evens(contenders),
    )


def best_process(choices: ProcessChoices) -> str:
    """The process to choose; raises BadRequest with the reasons where none has a price."""
    first = next((one for one in choices.processes if one.price is not None), None)
    if first is None:
        reasons = dict.fromkeys(one.refusal for one in choices.processes if one.refusal)
        raise BadRequest(f"No process has a price. {' '.join(reasons)}")
    return first.process


def _option(
    part: PriceablePart, ranked: RankedProcess, quantity: int, terms: PricingTerms, material: str | None
) -> _Option:
    process, maker = f"{ranked.module_key}:{ranked.configuration_key}", None
    try:
        maker = find_maker(process, terms, material)
        prices = [(price_body(part, body, maker, quantity), body.count) for body in part.bodies]
    except BadRequest as refusal:
        return _Option(ranked, process, maker, (), None, str(refusal))
    unit_price = sum((one.unit_price * count for one, count in prices), Decimal(0))
    return _Option(ranked, process, maker, tuple(prices), unit_price, None)


def _contender(body: PriceableBody, maker: Maker, process: str) -> Contender:
    return Contender(process, lambda quantity: maker.curve(body, quantity))


def _record(option: _Option) -> PricedProcess:
    ranked, prices = option.ranked, option.prices
    low, high = (sum((getattr(one.band, end) * count for one, count in prices), Decimal(0)) for end in ("low", "high"))
    return PricedProcess(
        process=option.process,
        module_key=ranked.module_key,
        configuration_key=ranked.configuration_key,
        name=ranked.name,
        severity=ranked.severity,
        fit=ranked.fit,
        fit_reason=ranked.fit_reason,
        causes=ranked.causes,
        price=None if option.unit_price is None else float(option.unit_price),
        total_price=sum((one.total_price for one, _ in prices), Decimal(0)) if prices else None,
        band=PriceBand(low, high, prices[0][0].band.reason) if prices else None,
        lead_time_days=max(one.lead_time_days for one, _ in prices) if prices else None,
        material=None if option.maker is None else option.maker.material_name,
        materials=() if option.maker is None else option.maker.material_names,
        refusal=option.refusal,
    )
