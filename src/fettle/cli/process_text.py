"""Prices by process as text: the lines of an order, and the processes ranked."""

from __future__ import annotations

from decimal import Decimal
from itertools import groupby

from fettle.app.wording import cost, duration
from fettle.results.order_prices import OrderPrice
from fettle.results.process_choices import PricedProcess, ProcessChoices
from fettle.results.process_prices import PriceLine

SHOWN_FEATURES = 5
"""Features that the text names; JSON has them all."""


def order_text(name: str, order: OrderPrice) -> list[str]:
    """An order with its lines, band, features and assumptions."""
    currency = order.currency
    lines = [f"{name}: {order.quantity} x {order.material}, {order.process_name} ({order.process})"]
    if order.flag:
        lines.append(f"  WARNING {order.flag}")
    lines.append(f"  verdict {order.foundation.severity or 'none'}; result {order.foundation.result_sha256[:12]}")
    if len(order.ordered_bodies) > 1 or any(body.count > 1 for body in order.ordered_bodies):
        lines += [
            f"  body {body.body}: {body.count} x {body.name}, {body.unit_price:,.2f} each, "
            f"{body.total_price:,.2f} together"
            for body in order.ordered_bodies
        ]
    lines += [_lines(list(alike)) for _, alike in groupby(order.lines, key=_kind)]
    lines += [
        f"  {'total':<44}{'':>24}{order.total_price:>12,.2f} {currency}",
        f"  {'each':<44}{'':>24}{order.unit_price:>12,.2f} {currency}",
        f"  band {order.band.low:,.2f} to {order.band.high:,.2f} each: {order.band.reason}",
        f"  lead time {order.lead_time_days} working days; rate card {order.rate_card_version}",
        "  each at " + ", ".join(f"{point.quantity}: {point.unit_price:,.2f}" for point in order.curve),
    ]
    if order.by_feature:
        shown = ", ".join(f"face {cost.fid} {cost.amount:,.2f}" for cost in order.by_feature[:SHOWN_FEATURES])
        lines.append(f"  dearest features: {shown}; common to all {order.common_amount:,.2f}")
    lines += [f"  would save: {saving.message}" for saving in order.savings]
    lines += [f"  assumed: {said}" for said in order.assumptions]
    return lines


def _kind(line: PriceLine) -> tuple[object, ...]:
    """What lines that are shown as one have in common."""
    return line.what, line.kind, line.setup, line.body, line.rate


def _lines(alike: list[PriceLine]) -> str:
    """One line of text for neighboring lines of one kind."""
    first, work = alike[0], ""
    if first.minutes is not None and first.rate is not None:
        minutes = sum(line.minutes or 0.0 for line in alike)
        work = f"{first.count:g} x {duration(minutes)} at {float(first.rate):g}/h"
    elif first.rate is not None:
        work = f"{sum(line.count for line in alike):.4g} {first.unit} at {float(first.rate):g}"
    what = f"{first.what} (set up)" if first.kind == "setup" else first.what
    places = f", {len(alike)} places" if len(alike) > 1 else ""
    amount = cost(sum((line.amount for line in alike), Decimal(0)), first.rate)
    return f"  {what[: 42 - len(places)] + places:<44}{work:>24}{amount:>12}"


def choices_text(choices: ProcessChoices) -> list[str]:
    """The processes ranked, and where another becomes cheaper."""
    lines = [f"Processes for {choices.quantity}, each in {choices.currency}:"]
    lines += [_choice(number, one) for number, one in enumerate(choices.processes, 1)]
    lines += [
        f"  {one.process} is cheaper than {one.than} from {one.cheaper_from} pieces ({one.quantity:.1f})"
        for one in choices.break_even
    ]
    return lines


def _choice(number: int, one: PricedProcess) -> str:
    if one.price is None:
        return f"  {number:>2}. {one.process:<30} {'no price':>12}  {one.severity}: {one.refusal}"
    days = f"{one.lead_time_days} days"
    said = f": {one.causes[0].message}" if one.causes else ""
    return f"  {number:>2}. {one.process:<30} {one.price:>12,.2f}  {one.severity}{said} ({one.material}, {days})"
