"""Drawings of a price: its breakdown as a bar, the unit price against the quantity."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.results import PriceBreakdown
from fettle.results.process_prices import QuantityPrice

LINES = (
    ("metal_cost", "Material"),
    ("shell_cost", "Tooling"),
    ("labor_cost", "Work"),
    ("post_processing_cost", "Finishing"),
    ("margin", "Margin"),
)
CASTING_LINES = (
    ("metal_cost", "Metal"),
    ("shell_cost", "Shell"),
    ("labor_cost", "Labor"),
    ("post_processing_cost", "Finishing"),
    ("margin", "Margin"),
)


def breakdown_bars(breakdown: PriceBreakdown, process: str) -> list[dict[str, Any]]:
    """The breakdown as shares of a bar 100 wide; a margin that is not shown has no share."""
    lines = CASTING_LINES if process == INVESTMENT else LINES
    costs = {key: getattr(breakdown, key) for key, _ in lines}
    total = sum(costs.values()) or Decimal(1)
    bars, at = [], 0.0
    for key, name in lines:
        if key == "margin" and not costs[key]:
            continue
        width = max(float(100 * costs[key] / total), 0.0)
        bars.append({"key": key, "name": name, "cost": costs[key], "x": at, "width": width})
        at += width
    return bars


def drawn_curve(curve: Sequence[QuantityPrice]) -> dict[str, Any]:
    """Unit price against quantity on a sheet of 300 x 110, both scales logarithmic."""
    low, high = float(curve[-1].unit_price.ln()), float(curve[0].unit_price.ln())
    most = math.log(max(curve[-1].quantity, 2))
    points = [
        {
            "x": round(300 * math.log(one.quantity) / most, 1),
            "y": round(110 - 95 * (float(one.unit_price.ln()) - low) / max(high - low, 1e-9), 1),
            "quantity": one.quantity,
            "price": one.unit_price,
            "labeled": str(one.quantity).strip("0") == "1",
        }
        for one in curve
    ]
    return {"points": points, "line": " ".join(f"{point['x']},{point['y']}" for point in points)}
