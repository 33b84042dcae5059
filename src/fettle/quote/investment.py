"""Investment casting behind the interface of all processes: the price of `quote.price`, to the cent, as lines."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from decimal import Decimal
from typing import Literal

from fettle.errors import BadRequest
from fettle.quote.catalog import Catalog, Finish, PricingModel, shipped_catalog
from fettle.quote.lines import FinishCharge
from fettle.quote.price import CENT, Geometry, exact_geometry, price
from fettle.results.making import MakingFacts
from fettle.results.process_prices import PriceBand, PriceLine, ProcessPrice, StockPiece
from fettle.results.record import rounded

PROCESS = "casting:investment"
LOW, HIGH = Decimal("0.75"), Decimal("1.35")
BAND_REASON = "Foundries differ in yield, pattern equipment and batch sizes; gating is not designed here."
ASSUMPTIONS = (
    "Patterns are printed, so there is no die; parts of other orders fill the rest of the last tree.",
    "Not included are machining, heat treatment, X-ray and certificates unless they are ordered as finishes.",
)


def price_investment(
    facts: MakingFacts,
    quantity: int,
    material: str | None = None,
    catalog: Catalog | None = None,
    finishes: Sequence[FinishCharge] = (),
) -> ProcessPrice:
    """The price of `quantity` investment castings of a body. `material`: name or id in the catalog, the first active
    one where None; `catalog`: the shipped one where None."""
    catalog = catalog or shipped_catalog()
    alloy = catalog.material(material or next(one.name for one in catalog.materials if one.active))
    it = price(geometry_of(facts), alloy, quantity, [_finish(one) for one in finishes], catalog.rates)
    costs: list[tuple[str, Literal["material", "operation", "tooling", "finish", "margin"], Decimal]] = [
        (f"{alloy.name}, poured", "material", it.metal_cost),
        ("Patterns and ceramic shells", "tooling", it.shell_cost),
        ("Labor", "operation", it.labor_cost),
        ("Finishes", "finish", it.post_processing_cost),
        ("Margin", "margin", it.margin),
    ]
    return ProcessPrice(
        process=PROCESS,
        body=facts.body,
        material=alloy.name,
        quantity=quantity,
        unit_price=it.unit_price,
        total_price=it.total_price,
        currency=it.currency,
        stock=StockPiece("melt", (), rounded(float(it.mass_kg))),
        lines=tuple(_line(what, kind, facts.body, amount) for what, kind, amount in costs if amount),
        by_feature=(),
        common_amount=it.total_price,
        setup_minutes=0.0,
        run_minutes=0.0,
        curve=(),
        lead_time_days=it.lead_time_days,
        band=PriceBand((it.unit_price * LOW).quantize(CENT), (it.unit_price * HIGH).quantize(CENT), BAND_REASON),
        assumptions=(f"{it.parts_per_tree} on a tree.", *ASSUMPTIONS),
        rate_card_version=it.rate_card_version,
    )


def geometry_of(facts: MakingFacts) -> Geometry:
    """Volume, area and box of a body as the price model of castings takes them."""
    if facts.volume_mm3 is None or facts.area_mm2 is None:
        raise BadRequest(f"Volume or area of body {facts.body} could not be told; the warnings say why.")
    return exact_geometry(rounded(facts.volume_mm3 / 1000.0), rounded(facts.area_mm2 / 100.0), facts.box_mm)


def _finish(charge: FinishCharge) -> Finish:
    """What a finish costs the order, as the price model takes it."""
    return Finish(
        id=uuid.uuid5(uuid.NAMESPACE_OID, charge.name),
        name=charge.name,
        description="",
        pricing_model=PricingModel.PER_ORDER,
        cost_per_unit=charge.amount,
        days=charge.days,
        active=True,
    )


def _line(
    what: str, kind: Literal["material", "operation", "tooling", "finish", "margin"], body: int, amount: Decimal
) -> PriceLine:
    return PriceLine(
        what=what,
        kind=kind,
        fid=None,
        fids=(),
        body=body,
        count=1.0,
        unit="order",
        minutes=None,
        rate=None,
        amount=amount,
        setup=None,
        tool="",
        figures={},
    )
