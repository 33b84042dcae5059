"""Prices without their margin: every cent is still there, in proportion, and nothing tells what the margin was."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fettle.app.customer_price import share_out, spread_breakdown, spread_lines
from fettle.results import PriceBreakdown
from fettle.results.process_prices import PriceLine

cents = st.decimals("0.01", "99999.99", places=2)


def line(kind: str, amount: str) -> PriceLine:
    return PriceLine.from_dict(
        {
            "what": kind, "kind": kind, "fid": None, "fids": [], "body": 1, "count": 2.0, "unit": "", "minutes": 3.0,
            "rate": 60.0, "amount": float(amount), "setup": None, "tool": "", "figures": {"length_mm": 1.0},
        }
    )  # fmt: skip


def test_a_margin_of_a_quarter_raises_every_line_by_a_quarter() -> None:
    lines = spread_lines([line("material", "40.00"), line("operation", "60.00"), line("margin", "25.00")])
    assert [(one.kind, one.amount) for one in lines] == [
        ("material", Decimal("50.00")),
        ("operation", Decimal("75.00")),
    ]
    assert [(one.minutes, one.rate, one.figures) for one in lines] == [(None, None, {})] * 2


def test_the_breakdown_of_a_casting_keeps_its_total() -> None:
    """10 + 20 + 30 + 40 with a margin of 50: each half as much again."""
    spread = spread_breakdown(PriceBreakdown(*(Decimal(cost) for cost in (10, 20, 30, 40, 50))))
    assert spread == PriceBreakdown(*(Decimal(cost) for cost in (15, 30, 45, 60, 0)))


@given(parts=st.lists(cents, min_size=1, max_size=40), margin=cents)
def test_cents_are_neither_lost_nor_made(parts: list[Decimal], margin: Decimal) -> None:
    total = sum(parts, margin)
    shares = share_out(total, parts)
    assert sum(shares, Decimal(0)) == total
    for part, share in zip(parts, shares, strict=True):
        assert float(share) == pytest.approx(float(part * total / sum(parts)), abs=0.01001)
