"""Prices as a customer may see them: the margin is part of every line, and no rate or time tells what it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import ROUND_FLOOR, Decimal
from typing import TypeVar

from fettle.results import PriceBreakdown, Quote
from fettle.results.order_prices import OrderPrice
from fettle.results.process_prices import FeatureCost, PriceLine

CENT = Decimal("0.01")
Priced = TypeVar("Priced", OrderPrice, Quote)


def without_margin(priced: Priced) -> Priced:
    """The same price with its margin spread over the other amounts, which still add up to `total_price`."""
    lines = spread_lines(priced.lines or ())
    features = _spread_features(priced.by_feature or (), priced.lines or ())
    common = priced.total_price - sum((one.amount for one in features), Decimal(0))
    named = priced.lines is not None
    return replace(
        priced,
        breakdown=spread_breakdown(priced.breakdown),
        lines=lines if named else priced.lines,
        by_feature=features if named else priced.by_feature,
        common_amount=common if named else priced.common_amount,
    )


def spread_lines(lines: Sequence[PriceLine]) -> tuple[PriceLine, ...]:
    """The lines that are not margin, each with its share of it, without minutes and rates."""
    others = [line for line in lines if line.kind != "margin"]
    total = sum((line.amount for line in lines), Decimal(0))
    amounts = share_out(total, [line.amount for line in others])
    return tuple(
        replace(line, amount=amount, minutes=None, rate=None, figures={})
        for line, amount in zip(others, amounts, strict=True)
    )


def spread_breakdown(breakdown: PriceBreakdown) -> PriceBreakdown:
    """The four costs, each with its share of the margin."""
    costs = [breakdown.metal_cost, breakdown.shell_cost, breakdown.labor_cost, breakdown.post_processing_cost]
    metal, shell, labor, finishing = share_out(sum(costs, breakdown.margin), costs)
    return PriceBreakdown(metal, shell, labor, finishing, Decimal(0))


def share_out(total: Decimal, parts: Sequence[Decimal]) -> list[Decimal]:
    """`total` in whole cents in the proportion of the parts; the cents left go to the largest remainders."""
    whole = sum(parts, Decimal(0))
    if not whole:
        return list(parts)
    exact = [total * part / whole for part in parts]
    shares = [one.quantize(CENT, ROUND_FLOOR) for one in exact]
    left = int((total - sum(shares, Decimal(0))) / CENT)
    by_remainder = sorted(range(len(parts)), key=lambda k: (shares[k] - exact[k], k))
    for k in by_remainder[:left]:
        shares[k] += CENT
    return shares


def _spread_features(features: Sequence[FeatureCost], lines: Sequence[PriceLine]) -> tuple[FeatureCost, ...]:
    """Costs of features raised as the lines are, without minutes."""
    total = sum((line.amount for line in lines), Decimal(0))
    margin = sum((line.amount for line in lines if line.kind == "margin"), Decimal(0))
    factor = total / (total - margin) if total > margin else Decimal(1)
    return tuple(replace(one, amount=(one.amount * factor).quantize(CENT), minutes=0.0) for one in features)
