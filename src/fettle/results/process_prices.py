"""The price of a part by a process: its lines, what each feature costs, and what it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Literal

from fettle.results.record import Record

LineKind = Literal["material", "setup", "operation", "tooling", "finish", "overhead", "margin"]


@dataclass(frozen=True, slots=True)
class PriceLine(Record):
    """One line of a price; amounts are for the whole order and add up to the total."""

    what: Annotated[str, "The operation or cost."]
    kind: Annotated[LineKind, "material, setup, operation, tooling, finish, overhead or margin."]
    fid: Annotated[str | None, "Face that names the feature that caused it; null where the part as a whole did."]
    fids: Annotated[tuple[str, ...], "Every feature that caused it, by its face."]
    body: Annotated[int, "Number of the body in the file, from 1."]
    count: Annotated[float, "How often in the order: 1, the pieces, or the amount bought."]
    unit: Annotated[str, "Unit of `count`: order, piece, kg, or that of what is bought."]
    minutes: Annotated[float | None, "Minutes each time; null for what is bought."]
    rate: Annotated[Decimal | None, "Price of an hour or of a unit; null for the margin."]
    amount: Annotated[Decimal, "Amount of the whole order."]
    setup: Annotated[int | None, "Clamping that it is done in, from 1; null for what is bought."]
    tool: Annotated[str, "Tool in words; empty where there is none."]
    figures: Annotated[dict[str, float], "What the time was computed from, each named with its unit."]


@dataclass(frozen=True, slots=True)
class FeatureCost(Record):
    """What a feature costs in an order, margin left out."""

    fid: Annotated[str, "Face that names the feature."]
    amount: Annotated[Decimal, "Sum of its lines; a line of several features is shared equally."]
    minutes: Annotated[float, "Machine minutes for each piece."]


@dataclass(frozen=True, slots=True)
class PriceBand(Record):
    """How far the true unit price may lie from the computed one."""

    low: Annotated[Decimal, "Low unit price."]
    high: Annotated[Decimal, "High unit price."]
    reason: Annotated[str, "Where the band comes from."]


@dataclass(frozen=True, slots=True)
class QuantityPrice(Record):
    """A point of the quantity curve."""

    quantity: Annotated[int, "Pieces ordered."]
    unit_price: Annotated[Decimal, "Price of one."]


@dataclass(frozen=True, slots=True)
class StockPiece(Record):
    """The piece of material that one part is made from."""

    form: Annotated[str, "bar, plate, sheet, billet, granulate, powder or melt."]
    size_mm: Annotated[tuple[float, ...], "Its size; diameter and length of a bar."]
    mass_kg: Annotated[float, "Mass charged for one part, scrap included."]


@dataclass(frozen=True, slots=True)
class ProcessPrice(Record):
    """The price of an order of one body by one process. Lines add up to `total_price` to the cent, and so do
    `by_feature` and `common_amount`."""

    process: Annotated[str, "Process as module:configuration."]
    body: Annotated[int, "Number of the body in the file, from 1."]
    material: Annotated[str, "Material."]
    quantity: Annotated[int, "Pieces ordered."]
    unit_price: Annotated[Decimal, "Price of one."]
    total_price: Annotated[Decimal, "Unit price times quantity."]
    currency: Annotated[str, "Currency of every amount."]
    stock: Annotated[StockPiece, "What one is made from."]
    lines: Annotated[tuple[PriceLine, ...], "Where the price comes from; set-up apart from run."]
    by_feature: Annotated[tuple[FeatureCost, ...], "What each feature costs, the dearest first."]
    common_amount: Annotated[Decimal, "Sum of all lines that no feature caused, margin included."]
    setup_minutes: Annotated[float, "Minutes of setting up, once for an order."]
    run_minutes: Annotated[float, "Minutes of work for each piece."]
    curve: Annotated[tuple[QuantityPrice, ...], "Unit price at other quantities."]
    lead_time_days: Annotated[int, "Working days from order to shipping."]
    band: Annotated[PriceBand, "Low and high unit price with the reason."]
    assumptions: Annotated[tuple[str, ...], "What was taken for granted, and what the model does not know."]
    rate_card_version: Annotated[str, "Version of the rate card."]


@dataclass(frozen=True, slots=True)
class Saving(Record):
    """What the price would be with the dimensions of one cause at the limit of its rule: an estimate, the geometry is
    not edited."""

    rule: Annotated[str, "Key of the rule."]
    fids: Annotated[tuple[str, ...], "Features that would change, by their faces."]
    what: Annotated[str, "The dimension that would change."]
    value: Annotated[float, "The dimension at the worst place."]
    limit: Annotated[float, "The dimension at the limit of the rule."]
    unit: Annotated[str, "Unit of both."]
    quantity: Annotated[int, "Pieces ordered."]
    saves_each: Annotated[Decimal, "Difference of the unit prices."]
    unit_price: Annotated[Decimal, "Unit price after the change."]
    message: Annotated[str, "The same in a sentence."]
