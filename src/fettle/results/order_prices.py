"""The price of an order by a named process."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from fettle.results.price_foundation import OrderedBody, PriceFoundation
from fettle.results.process_prices import FeatureCost, PriceBand, PriceLine, QuantityPrice, Saving
from fettle.results.quotes import PriceBreakdown
from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class OrderPrice(Record):
    """The price of an order by a process; lines add up to `total_price`, and so do `by_feature` and `common_amount`."""

    process: Annotated[str, "Process as module:configuration."]
    process_name: Annotated[str, "Name of the process."]
    material: Annotated[str, "Material."]
    quantity: Annotated[int, "Number of parts."]
    unit_price: Annotated[Decimal, "Price of one part."]
    total_price: Annotated[Decimal, "Price of the order: unit_price times quantity."]
    currency: Annotated[str, "Currency of every amount."]
    breakdown: Annotated[PriceBreakdown, "The lines by kind: material, tooling, work, finishing, margin."]
    lead_time_days: Annotated[int, "Working days until it ships."]
    rate_card_version: Annotated[str, "Rate card it was priced with."]
    lines: Annotated[tuple[PriceLine, ...], "Where the price comes from; set-up apart from run."]
    by_feature: Annotated[tuple[FeatureCost, ...], "What each feature costs, the dearest first."]
    common_amount: Annotated[Decimal, "Sum of all lines that no feature caused, margin included."]
    curve: Annotated[tuple[QuantityPrice, ...], "Unit price at other quantities, finishing left out."]
    band: Annotated[PriceBand, "Low and high unit price with the reason."]
    savings: Annotated[tuple[Saving, ...], "What changes of the part would save, the largest first: estimates."]
    assumptions: Annotated[tuple[str, ...], "What was taken for granted, and what the model does not know."]
    foundation: Annotated[PriceFoundation, "The analysis and the verdict that the price rests on."]
    flag: Annotated[str | None, "Why the price is doubtful: the verdict fails; null where it does not."]
    ordered_bodies: Annotated[tuple[OrderedBody, ...], "Different bodies that are made, with their prices."]
