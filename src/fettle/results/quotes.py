"""Materials, finishing options, prices and quotes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from fettle.results.jobs import JobStatus
from fettle.results.part import QuotedGeometry
from fettle.results.price_foundation import OrderedBody, PriceFoundation
from fettle.results.process_prices import FeatureCost, PriceBand, PriceLine, QuantityPrice, Saving
from fettle.results.record import Format, JsonObject, Record


@dataclass(frozen=True, slots=True)
class MaterialEntry(Record):
    """A material that can be quoted."""

    id: Annotated[str, "Id to quote with.", Format("uuid")]
    name: Annotated[str, "Name."]
    description: Annotated[str, "What it is."]
    density_kg_m3: Annotated[float, "Density in kg per m3."]
    cost_per_kg: Annotated[Decimal, "Price of a kilogram."]
    currency: Annotated[str, "Currency of the price."]
    maximum_part_size_mm: Annotated[str, "Largest part, for example 300mm x 195mm x 290mm."]


@dataclass(frozen=True, slots=True)
class MaterialList(Record):
    """Every material that can be quoted."""

    EXAMPLE: ClassVar[JsonObject] = {
        "materials": [
            {
                "id": "b3cd5540-79c7-4e4f-867c-e0444d03ada6",
                "name": "Aluminium A356",
                "description": "AlSi7Mg.",
                "density_kg_m3": 2670.0,
                "cost_per_kg": 4.5,
                "currency": "USD",
                "maximum_part_size_mm": "300mm x 195mm x 290mm",
            }
        ],
        "currency": "USD",
    }

    materials: Annotated[tuple[MaterialEntry, ...], "Materials."]
    currency: Annotated[str, "Currency of all prices."]


@dataclass(frozen=True, slots=True)
class FinishEntry(Record):
    """A finishing (post-processing) option that can be quoted."""

    id: Annotated[str, "Id to quote with.", Format("uuid")]
    name: Annotated[str, "Name."]
    description: Annotated[str, "What it does."]
    pricing_model: Annotated[
        Literal["per_part", "per_kg", "per_cm2", "per_batch", "per_order"], "What one unit of the price is."
    ]
    cost_per_unit: Annotated[Decimal, "Price of one unit."]
    currency: Annotated[str, "Currency of the price."]
    lead_time_days: Annotated[int, "Working days the option adds."]


@dataclass(frozen=True, slots=True)
class FinishList(Record):
    """Every finishing option that can be quoted."""

    EXAMPLE: ClassVar[JsonObject] = {
        "post_processing_options": [
            {
                "id": "5f0c58c4-6f3d-4a0e-9c55-1f6d3c1a2b3c",
                "name": "Sandblast",
                "description": "Removes scale.",
                "pricing_model": "per_part",
                "cost_per_unit": 4.0,
                "currency": "USD",
                "lead_time_days": 1,
            }
        ],
        "currency": "USD",
    }

    post_processing_options: Annotated[tuple[FinishEntry, ...], "Finishing options."]
    currency: Annotated[str, "Currency of all prices."]


@dataclass(frozen=True, slots=True)
class PriceBreakdown(Record):
    """Costs of the whole order; the five lines add up to total_price."""

    metal_cost: Annotated[Decimal, "Poured metal."]
    shell_cost: Annotated[Decimal, "Patterns and ceramic shell."]
    labor_cost: Annotated[Decimal, "Labor."]
    post_processing_cost: Annotated[Decimal, "Finishing options."]
    margin: Annotated[Decimal, "Margin."]


@dataclass(frozen=True, slots=True)
class QuotedBody(Record):
    """One of the different bodies that an assembly is made of, with its part of the price."""

    body: Annotated[int, "Number of the body in the file's order, from 1."]
    name: Annotated[str, "Name of the body."]
    count: Annotated[int, "Pieces in one assembly."]
    geometry: Annotated[QuotedGeometry, "Size of one piece."]
    unit_price: Annotated[Decimal, "Price of one piece."]
    total_price: Annotated[Decimal, "Price of all pieces of the order: unit_price times count times quantity."]


_BODIES = "Bodies of an assembly, whose prices add up to these; left out for a single body."


_NAMED = "Left out where no process was asked for."


@dataclass(frozen=True, slots=True)
class PriceSummary(Record):
    """A price with its breakdown; money of the whole order except `unit_price`."""

    unit_price: Annotated[Decimal, "Price of one part."]
    total_price: Annotated[Decimal, "Price of the order: unit_price times quantity."]
    currency: Annotated[str, "Currency of every amount."]
    breakdown: Annotated[PriceBreakdown, "Costs of the whole order."]
    lead_time_days: Annotated[int, "Working days until it ships."]
    rate_card_version: Annotated[str, "Rate card it was priced with."]
    bodies: Annotated[tuple[QuotedBody, ...] | None, _BODIES] = None


@dataclass(frozen=True, slots=True)
class QuotedAnalysis(Record):
    """An analysis attached to a quote."""

    job_id: Annotated[str, "Id of the job."]
    status: Annotated[JobStatus, "State of the job."]


@dataclass(frozen=True, slots=True)
class Quote(Record):
    """A price that was kept, with what was asked for."""

    id: Annotated[str, "Id of the quote.", Format("uuid")]
    status: Annotated[Literal["draft"], "State of the quote."]
    unit_price: Annotated[Decimal, "Price of one part."]
    total_price: Annotated[Decimal, "Price of the order: unit_price times quantity."]
    currency: Annotated[str, "Currency of every amount."]
    breakdown: Annotated[PriceBreakdown, "Costs of the whole order."]
    lead_time_days: Annotated[int, "Working days until it ships."]
    rate_card_version: Annotated[str, "Rate card it was priced with."]
    file_name: Annotated[str, "Name of the part file."]
    geometry: Annotated[QuotedGeometry, "Size of the part."]
    material_id: Annotated[str, "Material.", Format("uuid")]
    quantity: Annotated[int, "Number of parts."]
    post_processing_option_ids: Annotated[tuple[str, ...], "Ids of the finishing options."]
    created_at: Annotated[datetime, "When it was priced."]
    analyses: Annotated[tuple[QuotedAnalysis, ...], "Analyses attached to it, oldest first."]
    process: Annotated[str, "Process as module:configuration; casting:investment where none was asked for."]
    bodies: Annotated[tuple[QuotedBody, ...] | None, _BODIES] = None
    process_name: Annotated[str | None, f"Name of the process. {_NAMED}"] = None
    material: Annotated[str | None, f"Name of the material. {_NAMED}"] = None
    lines: Annotated[tuple[PriceLine, ...] | None, f"Where the price comes from. {_NAMED}"] = None
    by_feature: Annotated[tuple[FeatureCost, ...] | None, f"What each feature costs, the dearest first. {_NAMED}"] = (
        None
    )
    common_amount: Annotated[Decimal | None, f"Sum of the lines that no feature caused. {_NAMED}"] = None
    curve: Annotated[tuple[QuantityPrice, ...] | None, f"Unit price at other quantities. {_NAMED}"] = None
    band: Annotated[PriceBand | None, f"Low and high unit price with the reason. {_NAMED}"] = None
    savings: Annotated[tuple[Saving, ...] | None, f"What changes of the part would save: estimates. {_NAMED}"] = None
    assumptions: Annotated[tuple[str, ...] | None, f"What was taken for granted. {_NAMED}"] = None
    foundation: Annotated[PriceFoundation | None, f"Analysis and verdict that it rests on. {_NAMED}"] = None
    flag: Annotated[str | None, "Why the price is doubtful: the verdict of the process fails; else left out."] = None
    ordered_bodies: Annotated[tuple[OrderedBody, ...] | None, f"Bodies that are made, with prices. {_NAMED}"] = None
    customer: Annotated[str | None, "Whom it is for; left out where nothing was said."] = None
    reference: Annotated[str | None, "The customer's reference; left out where nothing was said."] = None
    valid_until: Annotated[
        str | None, "Last day on which it holds; left out where nothing was said.", Format("date")
    ] = None
    notes: Annotated[str | None, "Notes to the customer; left out where nothing was said."] = None


@dataclass(frozen=True, slots=True)
class QuoteAnswer(Record):
    """One quote."""

    EXAMPLE: ClassVar[JsonObject] = {
        "quote": {
            "id": "b4b72b8b-6a9b-4afa-a91b-f2f03ec2fd94",
            "status": "draft",
            "unit_price": 57.49,
            "total_price": 574.9,
            "currency": "USD",
            "breakdown": {
                "metal_cost": 39.36,
                "shell_cost": 112.72,
                "labor_cost": 249.53,
                "post_processing_cost": 22.0,
                "margin": 151.29,
            },
            "lead_time_days": 13,
            "rate_card_version": "2026-01",
            "file_name": "bracket.step",
            "geometry": {
                "volume_cm3": 25.0,
                "surface_area_cm2": 110.0,
                "bounding_box": {"x_mm": 60.0, "y_mm": 40.0, "z_mm": 30.0},
            },
            "material_id": "b3cd5540-79c7-4e4f-867c-e0444d03ada6",
            "quantity": 10,
            "post_processing_option_ids": [],
            "created_at": "2026-11-15T12:35:47+00:00",
            "analyses": [],
            "process": "casting:investment",
        }
    }

    quote: Annotated[Quote, "The quote."]


@dataclass(frozen=True, slots=True)
class QuotePage(Record):
    """A page of quotes, newest first."""

    quotes: Annotated[tuple[Quote, ...], "Quotes of this page."]
    cursor: Annotated[str | None, "Ask with it for the next page; null on the last."]
