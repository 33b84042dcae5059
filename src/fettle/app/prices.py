"""The price of a result's geometry, and how it changed from one revision to the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fettle.quote import Catalog, Price, exact_geometry, price


def price_geometry(
    geometry: Mapping[str, Any], catalog: Catalog, material: str, quantity: int, finishes: Sequence[str] = ()
) -> Price:
    """What `quantity` castings of a result's `geometry` object cost; material and finishes by name or id."""
    box = geometry["bounding_box_mm"]
    exact = exact_geometry(geometry["volume_cm3"], geometry["surface_area_cm2"], (box["x"], box["y"], box["z"]))
    chosen = [catalog.finish(finish) for finish in finishes]
    return price(exact, catalog.material(material), quantity, chosen, catalog.rates)


def price_change(old: Price, new: Price) -> dict[str, Any]:
    return {
        "currency": new.currency,
        "old_unit_price": float(old.unit_price),
        "new_unit_price": float(new.unit_price),
        "change": float(new.unit_price - old.unit_price),
    }
