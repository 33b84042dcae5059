"""The price of what a file holds, as the API writes it, and how it changed from one revision to the next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from fettle.quote import AssemblyPiece, AssemblyPrice, Catalog, Price, exact_geometry, price_pieces
from fettle.results import (
    BodyEntry,
    ListedBody,
    PartGeometry,
    PriceBreakdown,
    PriceSummary,
    QuotedBody,
    QuotedBox,
    QuotedGeometry,
)


def pieces_of(geometry: PartGeometry, bodies: Sequence[BodyEntry | ListedBody]) -> list[AssemblyPiece]:
    """The different bodies of a file that are made; the whole part where it has one body."""
    if len(bodies) <= 1 and all(body.count == 1 for body in bodies):
        name = bodies[0].name if bodies else "part"
        return [
            AssemblyPiece(1, name, 1, exact_geometry(geometry.volume_cm3, geometry.surface_area_cm2, geometry.size_mm))
        ]
    return [
        AssemblyPiece(
            body.body,
            body.name,
            body.count,
            exact_geometry(body.geometry.volume_cm3, body.geometry.surface_area_cm2, body.geometry.size_mm),
        )
        for body in bodies
        if body.made
    ]


def price_file(
    geometry: PartGeometry,
    bodies: Sequence[BodyEntry | ListedBody],
    catalog: Catalog,
    material: str,
    quantity: int,
    finishes: Sequence[str] = (),
) -> AssemblyPrice:
    """The price of `quantity` castings of everything that is made; material and finishes by name or id."""
    chosen = [catalog.finish(finish) for finish in finishes]
    return price_pieces(pieces_of(geometry, bodies), catalog.material(material), quantity, chosen, catalog.rates)


def summarize_price(priced: AssemblyPrice) -> PriceSummary:
    """The price with the breakdown of the order, and body by body for an assembly."""
    whole = priced.whole
    return PriceSummary(
        unit_price=whole.unit_price,
        total_price=whole.total_price,
        currency=whole.currency,
        breakdown=PriceBreakdown(
            whole.metal_cost, whole.shell_cost, whole.labor_cost, whole.post_processing_cost, whole.margin
        ),
        lead_time_days=whole.lead_time_days,
        rate_card_version=whole.rate_card_version,
        bodies=quoted_bodies(priced),
    )


def most_of_one(priced: AssemblyPrice) -> int:
    """Pieces of the body that one assembly needs most of: that many times its quantity is ordered."""
    return max(one.piece.count for one in priced.pieces)


def quoted_bodies(priced: AssemblyPrice) -> tuple[QuotedBody, ...] | None:
    """The price of every different body; None for a part of one."""
    if priced.is_single:
        return None
    return tuple(
        QuotedBody(
            body=one.piece.body,
            name=one.piece.name,
            count=one.piece.count,
            geometry=_quoted_geometry(one.piece),
            unit_price=one.price.unit_price,
            total_price=one.price.total_price,
        )
        for one in priced.pieces
    )


def _quoted_geometry(piece: AssemblyPiece) -> QuotedGeometry:
    geometry = piece.geometry
    x, y, z = (float(side) for side in geometry.box_mm)
    return QuotedGeometry(float(geometry.volume_cm3), float(geometry.surface_area_cm2), QuotedBox(x, y, z))


def price_change(old: Price, new: Price) -> dict[str, Any]:
    """Unit prices of two revisions and their difference."""
    return {
        "currency": new.currency,
        "old_unit_price": float(old.unit_price),
        "new_unit_price": float(new.unit_price),
        "change": float(new.unit_price - old.unit_price),
    }
