"""Price of an assembly: the sum of the prices of its different bodies, each ordered as often as it is needed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from fettle.errors import BadRequest
from fettle.quote.catalog import Finish, Material, RateCard
from fettle.quote.price import Geometry, Price, price


@dataclass(frozen=True, slots=True)
class AssemblyPiece:
    """A body that is made: its number in the file, its name, and how many of it one assembly has."""

    body: int
    name: str
    count: int
    geometry: Geometry


@dataclass(frozen=True, slots=True)
class PricedPiece:
    """`price`: of `count` pieces for every assembly ordered."""

    piece: AssemblyPiece
    price: Price


@dataclass(frozen=True, slots=True)
class AssemblyPrice:
    """`whole`: unit price of one assembly, amounts of the order; every one the sum over the pieces."""

    whole: Price
    pieces: tuple[PricedPiece, ...]

    @property
    def is_single(self) -> bool:
        """One body, needed once: no assembly."""
        return len(self.pieces) == 1 and self.pieces[0].piece.count == 1


def price_pieces(
    pieces: Sequence[AssemblyPiece],
    material: Material,
    quantity: int,
    finishes: Sequence[Finish] = (),
    rates: RateCard | None = None,
) -> AssemblyPrice:
    """Price of `quantity` assemblies of castings; raises BadRequest with the body's name where one cannot be cast."""
    if not pieces:
        raise BadRequest("Nothing is to be made: every body of the file is a bought part.")
    priced = [
        PricedPiece(piece, _price(piece, len(pieces) > 1, material, quantity, finishes, rates)) for piece in pieces
    ]
    return AssemblyPrice(_sum(priced), tuple(priced))


def _price(
    piece: AssemblyPiece,
    named: bool,
    material: Material,
    quantity: int,
    finishes: Sequence[Finish],
    rates: RateCard | None,
) -> Price:
    try:
        return price(piece.geometry, material, quantity * piece.count, finishes, rates)
    except BadRequest as refusal:
        if not named:
            raise
        raise type(refusal)(f"Body {piece.body} ({piece.name!r}, {piece.count} needed): {refusal}") from refusal


def _sum(priced: Sequence[PricedPiece]) -> Price:
    first = priced[0].price
    if len(priced) == 1 and priced[0].piece.count == 1:
        return first
    prices = [one.price for one in priced]
    return Price(
        unit_price=sum((one.price.unit_price * one.piece.count for one in priced), Decimal(0)),
        total_price=sum((one.total_price for one in prices), Decimal(0)),
        metal_cost=sum((one.metal_cost for one in prices), Decimal(0)),
        shell_cost=sum((one.shell_cost for one in prices), Decimal(0)),
        labor_cost=sum((one.labor_cost for one in prices), Decimal(0)),
        post_processing_cost=sum((one.post_processing_cost for one in prices), Decimal(0)),
        margin=sum((one.margin for one in prices), Decimal(0)),
        currency=first.currency,
        lead_time_days=max(one.lead_time_days for one in prices),
        rate_card_version=first.rate_card_version,
        mass_kg=sum((one.price.mass_kg * one.piece.count for one in priced), Decimal(0)),
        parts_per_tree=min(one.parts_per_tree for one in prices),
    )
