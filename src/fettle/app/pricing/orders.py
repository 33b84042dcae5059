"""The price of everything in a file that is made, by one process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from fettle.app.pricing.makers import Maker, PlannedMaker, find_maker
from fettle.app.pricing.parts import PriceableBody, PriceablePart, check_priceable
from fettle.app.pricing.terms import PricingTerms
from fettle.errors import BadRequest
from fettle.quote.lines import LARGEST_QUANTITY
from fettle.quote.process_price import CURVE_QUANTITIES
from fettle.quote.savings import find_savings
from fettle.results import PriceBreakdown, RankedProcess
from fettle.results.order_prices import OrderPrice
from fettle.results.price_foundation import OrderedBody, PriceFoundation
from fettle.results.process_prices import LineKind, PriceBand, PriceLine, ProcessPrice, QuantityPrice, Saving
from fettle.results.verdicts import SeverityCounts, Verdict

NAMED_CAUSES = 3
"""Causes of a failing verdict that a flag names."""


@dataclass(frozen=True, slots=True)
class OrderRequest:
    """`material`: by any part of its name that only one has, None for the usual one; `finishes`: names or ids."""

    process: str
    quantity: int
    material: str | None = None
    finishes: tuple[str, ...] = ()


def price_part(part: PriceablePart, request: OrderRequest, terms: PricingTerms) -> OrderPrice:
    """The price of an order, with the verdict that it rests on; raises BadRequest where the process does not make a
    body, or where process, material and finishes do not go together."""
    check_priceable(part)
    maker = find_maker(request.process, terms, request.material, request.finishes)
    ranked = judgement(part.processes, request.process)
    priced = [price_body(part, body, maker, request.quantity) for body in part.bodies]
    lines = tuple(line for one in priced for line in one.lines)
    unit_price = _sum(one.unit_price * body.count for one, body in zip(priced, part.bodies, strict=True))
    by_feature = sorted((cost for one in priced for cost in one.by_feature), key=lambda cost: -cost.amount)
    low, high = (
        _sum(getattr(one.band, end) * body.count for one, body in zip(priced, part.bodies, strict=True))
        for end in ("low", "high")
    )
    return OrderPrice(
        process=request.process,
        process_name=request.process if ranked is None else ranked.name,
        material=maker.material_name,
        quantity=request.quantity,
        unit_price=unit_price,
        total_price=_sum(one.total_price for one in priced),
        currency=priced[0].currency,
        breakdown=by_kind(lines),
        lead_time_days=max(one.lead_time_days for one in priced),
        rate_card_version=priced[0].rate_card_version,
        lines=lines,
        by_feature=tuple(by_feature),
        common_amount=_sum(one.common_amount for one in priced),
        curve=price_curve(part, maker, request.quantity),
        band=PriceBand(low, high, priced[0].band.reason),
        savings=_savings(part, maker, request),
        assumptions=(
            *_one_process(part, request.process),
            *dict.fromkeys(said for one in priced for said in one.assumptions),
        ),
        foundation=_foundation(part, ranked),
        flag=_flag(ranked),
        ordered_bodies=tuple(
            OrderedBody(
                body=body.facts.body,
                name=body.name,
                count=body.count,
                process=request.process,
                material=maker.material_name,
                unit_price=one.unit_price,
                total_price=one.total_price,
            )
            for one, body in zip(priced, part.bodies, strict=True)
        ),
    )


def judgement(processes: Sequence[RankedProcess], process: str) -> RankedProcess | None:
    """The verdict of a process ("cnc:3-axis"); None where it was not judged."""
    return next((one for one in processes if f"{one.module_key}:{one.configuration_key}" == process), None)


def price_body(part: PriceablePart, body: PriceableBody, maker: Maker, quantity: int) -> ProcessPrice:
    """Price of `quantity` times the pieces that one part needs; a refusal names the body where there are several."""
    try:
        return maker.price(body, quantity * body.count)
    except BadRequest as refusal:
        if len(part.bodies) == 1:
            raise
        text = f"Body {body.facts.body} ({body.name!r}, {body.count} needed): {refusal}"
        raise type(refusal)(text) from refusal


def price_curve(part: PriceablePart, maker: Maker, quantity: int) -> tuple[QuantityPrice, ...]:
    """Unit price of the part at other quantities, finishes left out."""
    most = LARGEST_QUANTITY // max(body.count for body in part.bodies)
    numbers = [number for number in sorted({*CURVE_QUANTITIES, quantity}) if number <= most]
    by_body = [maker.unit_prices(body, [number * body.count for number in numbers]) for body in part.bodies]
    return tuple(
        QuantityPrice(number, _sum(price * body.count for price, body in zip(prices, part.bodies, strict=True)))
        for number, *prices in zip(numbers, *by_body, strict=True)
    )


def _savings(part: PriceablePart, maker: Maker, request: OrderRequest) -> tuple[Saving, ...]:
    """What changes of the part would save; of a part of one body."""
    rules, quantity = part.rules_of(request.process), request.quantity
    if not rules or not part.is_single or not isinstance(maker, PlannedMaker):
        return ()
    (body,), verdict = part.bodies, Verdict("fail", SeverityCounts(0, 0, 0), rules, ())
    (now,) = maker.unit_prices(body, [quantity])
    return find_savings(
        body.facts, maker.process, quantity, verdict, maker.material.name, maker.rates, maker.learned, now
    )


def by_kind(lines: Sequence[PriceLine]) -> PriceBreakdown:
    """The lines as the five amounts of a quote: material, tooling, work, finishing, margin."""

    def total(*kinds: LineKind) -> Decimal:
        return _sum(line.amount for line in lines if line.kind in kinds)

    work = total("setup", "operation", "overhead")
    return PriceBreakdown(total("material"), total("tooling"), work, total("finish"), total("margin"))


def _one_process(part: PriceablePart, process: str) -> Iterator[str]:
    """What the price of several bodies takes for granted."""
    if len(part.bodies) > 1:
        yield f"All {len(part.bodies)} bodies are made by {process} of one material; another may suit some better."


def _foundation(part: PriceablePart, ranked: RankedProcess | None) -> PriceFoundation:
    if ranked is None:
        return PriceFoundation(part.job_id, part.result_sha256, None, None, ())
    said = tuple(cause.message for cause in ranked.causes)
    return PriceFoundation(part.job_id, part.result_sha256, ranked.severity, ranked.fit, said)


def _flag(ranked: RankedProcess | None) -> str | None:
    if ranked is None:
        return "This process was not judged for the part."
    failing = [cause.message for cause in ranked.causes if cause.severity == "fail"]
    if ranked.severity != "fail":
        return None
    more = f" (and {len(failing) - NAMED_CAUSES} more)" if len(failing) > NAMED_CAUSES else ""
    return f"The part fails {ranked.name}: {' '.join(failing[:NAMED_CAUSES])}{more}"


def _sum(amounts: Iterable[Decimal]) -> Decimal:
    return sum(amounts, Decimal(0))
