"""What castings of a part cost, from the geometry that a result or a preview tells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fettle.quote import Catalog, Price, exact_geometry, price


def price_geometry(
    geometry: Mapping[str, Any], catalog: Catalog, material: str, quantity: int, finishes: Sequence[str] = ()
) -> Price:
    """`geometry`: as quick-info and results show it; material and finishes by name or id."""
    box = geometry["bounding_box_mm"]
    exact = exact_geometry(geometry["volume_cm3"], geometry["surface_area_cm2"], (box["x"], box["y"], box["z"]))
    chosen = [catalog.finish(finish) for finish in finishes]
    return price(exact, catalog.material(material), quantity, chosen, catalog.rates)
