"""Price lines: the rates of a card put on a plan, exact to the cent.

Every line is rounded to the cent; steps that come to nothing are one line together. The order costs max(cost (1 +
markup), minimum); the unit price is that divided by the quantity, rounded, the total is unit price times quantity, and
the margin is what the total has beyond the lines.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_HALF_UP, Context, Decimal, localcontext
from typing import Literal

from fettle.plan.plan import Operation, ProcessPlan, Purchase
from fettle.plan.rate_card import ProcessRates
from fettle.quote.price import CENT, QuantityOutOfRange
from fettle.results.process_prices import FeatureCost, PriceBand, PriceLine, ProcessPrice, StockPiece
from fettle.results.record import rounded

SMALLEST_QUANTITY, LARGEST_QUANTITY = 1, 10_000
"""Pieces that an order may have, as in the price model of investment casting."""
MINUTES_PER_HOUR = 60


@dataclass(frozen=True, slots=True)
class FinishCharge:
    """A finish of the whole order: its name, what it costs, and the working days it takes."""

    name: str
    amount: Decimal
    days: int


def price_plan(
    plan: ProcessPlan, body: int, rates: ProcessRates, finishes: Sequence[FinishCharge] = ()
) -> ProcessPrice:
    """The price of an order of one body, without quantity curve."""
    check_quantity(plan.quantity)
    with localcontext(Context(prec=28)):
        costs = [
            _material_line(plan, body, rates),
            *(line for operation in plan.operations for line in _operation_lines(operation, plan, body, rates)),
            *(_purchase_line(purchase, plan, body, rates) for purchase in plan.purchases),
            *(_finish_line(finish, body) for finish in finishes),
        ]
        cost = sum((exact for _, exact in costs), Decimal(0))
        unit_price = marked_up(cost, plan.quantity, rates)
        total = unit_price * plan.quantity
        lines = list(_shown(costs))
        margin = total - sum((line.amount for line in lines), Decimal(0))
        lines.append(_line("Margin", "margin", body, margin))
        by_feature = _by_feature(lines)
        setup_min = sum(operation.setup_min for operation in plan.operations)
        run_min = sum(operation.run_min for operation in plan.operations)
        return ProcessPrice(
            process=f"{plan.process}:{plan.configuration}",
            body=body,
            material=plan.material,
            quantity=plan.quantity,
            unit_price=unit_price,
            total_price=total,
            currency=rates.currency,
            stock=StockPiece(
                plan.stock.form, tuple(rounded(side) for side in plan.stock.size_mm), rounded(plan.stock.mass_kg)
            ),
            lines=tuple(lines),
            by_feature=by_feature,
            common_amount=total - sum((one.amount for one in by_feature), Decimal(0)),
            setup_minutes=rounded(setup_min),
            run_minutes=rounded(run_min),
            curve=(),
            lead_time_days=_lead_time_days(setup_min + run_min * plan.quantity, rates)
            + plan.further_days
            + sum(finish.days for finish in finishes),
            band=PriceBand(
                _cents(unit_price * rates.band.low), _cents(unit_price * rates.band.high), rates.band.reason
            ),
            assumptions=(*plan.assumptions, *rates.assumptions),
            rate_card_version=rates.version,
        )


def marked_up(cost: Decimal, quantity: int, rates: ProcessRates) -> Decimal:
    """The unit price of an order that costs `cost`, to the cent."""
    markup = rates.markup.base + rates.markup.small_order / (1 + quantity / rates.markup.small_order_quantity)
    return _cents(max(cost * (1 + markup), rates.markup.minimum_order) / quantity)


def check_quantity(quantity: int) -> None:
    """Refuses quantities out of range."""
    if not SMALLEST_QUANTITY <= quantity <= LARGEST_QUANTITY:
        raise QuantityOutOfRange(f"quantity is {quantity}; it must be from {SMALLEST_QUANTITY} to {LARGEST_QUANTITY}.")


_Costed = tuple[PriceLine, Decimal]
"""A line, and its amount before it was rounded."""


def _shown(costs: Sequence[_Costed]) -> Iterator[PriceLine]:
    """The lines, but steps of work that come to less than half a cent: of those of one kind, clamping and rate one line
    together, none where that comes to nothing as well. What they cost stays in the price."""
    short: dict[tuple[str, int | None, Decimal], list[_Costed]] = defaultdict(list)
    for line, exact in costs:
        if line.minutes is not None and line.rate and not line.amount:
            short[line.kind, line.setup, line.rate].append((line, exact))
        else:
            yield line
    for steps in short.values():
        amount, (first, _) = _cents(sum((exact for _, exact in steps), Decimal(0))), steps[0]
        if amount:
            yield replace(
                first,
                what=f"{first.what} and {len(steps) - 1} more short steps",
                fids=tuple(dict.fromkeys(fid for line, _ in steps for fid in line.fids)),
                minutes=rounded(sum(line.minutes or 0.0 for line, _ in steps)),
                amount=amount,
                tool="",
                figures={},
            )


def _material_line(plan: ProcessPlan, body: int, rates: ProcessRates) -> _Costed:
    material, mass_kg = rates.material(plan.material), _exact(plan.stock.mass_kg)
    size = " x ".join(f"{round(side, 1):g}" for side in plan.stock.size_mm)
    exact = mass_kg * plan.quantity * material.price_per_kg
    form = "" if material.name.endswith(plan.stock.form) else f", {plan.stock.form}"
    line = _line(
        f"{material.name}{form}{' ' + size + ' mm' if size else ''}",
        "material",
        body,
        _cents(exact),
        count=float(mass_kg * plan.quantity),
        unit="kg",
        rate=material.price_per_kg,
    )
    return line, exact


def _operation_lines(operation: Operation, plan: ProcessPlan, body: int, rates: ProcessRates) -> list[_Costed]:
    """Setting up once for the order, and the work on each piece."""
    rate = rates.machine(operation.machine).rate_per_hour
    found: list[_Costed] = []
    for kind, minutes, count, unit in (
        ("setup", operation.setup_min, 1, "order"),
        ("operation", operation.run_min, plan.quantity, "piece"),
    ):
        if minutes <= 0.0:
            continue
        spent_min = _exact(minutes)
        exact = spent_min * count * rate / MINUTES_PER_HOUR
        line = PriceLine(
            what=operation.name,
            kind="setup" if kind == "setup" else "operation",
            fid=operation.fids[0] if operation.fids else None,
            fids=operation.fids,
            body=body,
            count=float(count),
            unit=unit,
            minutes=float(spent_min),
            rate=rate,
            amount=_cents(exact),
            setup=operation.setup,
            tool=operation.tool,
            figures={name: rounded(value) for name, value in operation.figures.items()},
        )
        found.append((line, exact))
    return found


def _purchase_line(purchase: Purchase, plan: ProcessPlan, body: int, rates: ProcessRates) -> _Costed:
    price = rates.purchase(purchase.key).price
    amount = _exact(purchase.amount) * (1 if purchase.per_order else plan.quantity)
    exact = amount * price
    line = _line(
        purchase.name,
        "tooling" if purchase.per_order else "material",
        body,
        _cents(exact),
        count=float(amount),
        unit=purchase.unit,
        rate=price,
        fids=purchase.fids,
    )
    return line, exact


def _finish_line(finish: FinishCharge, body: int) -> _Costed:
    return _line(finish.name, "finish", body, _cents(finish.amount)), finish.amount


def _line(
    what: str,
    kind: Literal["material", "tooling", "finish", "margin"],
    body: int,
    amount: Decimal,
    count: float = 1.0,
    unit: str = "order",
    rate: Decimal | None = None,
    fids: tuple[str, ...] = (),
) -> PriceLine:
    """A line without time."""
    return PriceLine(
        what=what,
        kind=kind,
        fid=fids[0] if fids else None,
        fids=fids,
        body=body,
        count=rounded(count),
        unit=unit,
        minutes=None,
        rate=rate,
        amount=amount,
        setup=None,
        tool="",
        figures={},
    )


def _by_feature(lines: Sequence[PriceLine]) -> tuple[FeatureCost, ...]:
    """What each feature costs, the dearest first; of a line of several features the first take the odd cents."""
    amounts: dict[str, Decimal] = defaultdict(Decimal)
    minutes: dict[str, float] = defaultdict(float)
    for line in lines:
        shares = _shares(line.amount, len(line.fids))
        for fid, share in zip(line.fids, shares, strict=True):
            amounts[fid] += share
            if line.kind == "operation" and line.minutes is not None:
                minutes[fid] += line.minutes / len(line.fids)
    order = sorted(amounts, key=lambda fid: (-amounts[fid], int(fid)))
    return tuple(FeatureCost(fid, amounts[fid], rounded(minutes[fid])) for fid in order)


def _shares(amount: Decimal, count: int) -> list[Decimal]:
    """An amount in cents divided into `count` shares that differ by a cent at most and add up to it."""
    if count == 0:
        return []
    whole, odd = divmod(int(amount / CENT), count)
    return [(whole + (number < odd)) * CENT for number in range(count)]


def _lead_time_days(minutes: float, rates: ProcessRates) -> int:
    hours = _exact(minutes) / MINUTES_PER_HOUR
    days = hours / _exact(rates.lead_time.machine_hours_per_day)
    return rates.lead_time.order + int(days.to_integral_value(ROUND_CEILING))


def _exact(value: float) -> Decimal:
    """The number with nine significant digits, as results show it."""
    return Decimal(repr(rounded(value)))


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)
