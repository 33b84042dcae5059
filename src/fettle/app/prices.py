"""The price of a result's geometry, as the API writes it, and how it changed from one revision to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fettle.quote import Catalog, Price, exact_geometry, price
from fettle.results import PartGeometry, PriceBreakdown, PriceSummary


def price_geometry(
    geometry: PartGeometry, catalog: Catalog, material: str, quantity: int, finishes: Sequence[str] = ()
) -> Price:
    """The price of `quantity` castings; material and finishes by name or id."""
    exact = exact_geometry(geometry.volume_cm3, geometry.surface_area_cm2, geometry.size_mm)
    chosen = [catalog.finish(finish) for finish in finishes]
    return price(exact, catalog.material(material), quantity, chosen, catalog.rates)


def summarize_price(priced: Price) -> PriceSummary:
    """The price with the breakdown of the order."""
    return PriceSummary(
        unit_price=priced.unit_price,
        total_price=priced.total_price,
        currency=priced.currency,
        breakdown=PriceBreakdown(
            priced.metal_cost, priced.shell_cost, priced.labor_cost, priced.post_processing_cost, priced.margin
        ),
        lead_time_days=priced.lead_time_days,
        rate_card_version=priced.rate_card_version,
    )


def price_change(old: Price, new: Price) -> dict[str, Any]:
    """Unit prices of two revisions and their difference."""
    return {
        "currency": new.currency,
        "old_unit_price": float(old.unit_price),
        "new_unit_price": float(new.unit_price),
        "change": float(new.unit_price - old.unit_price),
    }
