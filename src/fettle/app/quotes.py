"""Quotes: priced once, stored as they were, readable by their own account alone."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from fettle.app.access import idempotency
from fettle.app.access.accounts import Account
from fettle.app.errors import BadField, NotFound
from fettle.app.state.paging import DEFAULT_LIMIT, read_page
from fettle.app.state.store import Store, jobs, quotes
from fettle.errors import BadRequest
from fettle.quote import Catalog, exact_geometry, price
from fettle.results import PriceBreakdown, Quote, QuotedAnalysis, QuotedGeometry
from fettle.results.record import record_fields

BREAKDOWN = tuple(one.name for one in record_fields(PriceBreakdown))


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """What a caller wants priced. Lengths in mm, volume in cm3, area in cm2, as convert gives them."""

    file_name: str
    volume_cm3: float
    surface_area_cm2: float
    box_mm: tuple[float, float, float]
    material_id: str
    quantity: int
    post_processing_option_ids: tuple[str, ...] = ()


def create(store: Store, catalog: Catalog, account: Account, request: QuoteRequest, key: str | None = None) -> Quote:
    """Price and keep a quote; with the same Idempotency-Key and the same request, the one kept before."""
    once = idempotency.once("quotes", key, asdict(request))
    row = _price(catalog, account, request)
    with store.write() as connection:
        if once is not None:
            earlier = idempotency.claim(connection, account, once)
            if earlier is not None:
                return _read(connection, account, earlier["id"])
        connection.execute(quotes.insert(), row)
        if once is not None:
            idempotency.remember(connection, account, once, {"id": row["id"]})
        return _read(connection, account, str(row["id"]))


def read(store: Store, account: Account, quote_id: str) -> Quote:
    """The quote as it was priced; refuses what is not this account's."""
    with store.read() as connection:
        return _read(connection, account, quote_id)


def read_all(
    store: Store, account: Account, limit: int = DEFAULT_LIMIT, cursor: str | None = None
) -> tuple[list[Quote], str | None]:
    """A page of the account's quotes, newest first, and the cursor of the next page."""
    with store.read() as connection:
        page = read_page(connection, sa.select(quotes).where(quotes.c.account_id == account.id), quotes, limit, cursor)
        attached = _analyses(connection, [row.id for row in page.rows])
    return [_quote(row, attached.get(row.id, [])) for row in page.rows], page.cursor


def check_owner(connection: Connection, account: Account, quote_id: str) -> None:
    """Refuse a quote_id that names no quote of this account."""
    found = sa.select(quotes.c.id).where(quotes.c.id == quote_id, quotes.c.account_id == account.id)
    if connection.execute(found).one_or_none() is None:
        raise BadField("quote_id", f"quote_id {quote_id!r} names no quote of this account.")


def _price(catalog: Catalog, account: Account, request: QuoteRequest) -> dict[str, object]:
    material = catalog.material(request.material_id)
    ids = request.post_processing_option_ids
    finishes = [catalog.finish(option) for option in ids]
    if len({finish.id for finish in finishes}) < len(finishes):
        raise BadRequest("post_processing_option_ids names an option twice; name each once.")
    geometry = exact_geometry(request.volume_cm3, request.surface_area_cm2, request.box_mm)
    it = price(geometry, material, request.quantity, finishes, catalog.rates)
    return {
        "id": str(uuid.uuid4()),
        "account_id": account.id,
        "status": "draft",
        "file_name": request.file_name,
        "geometry": {
            "volume_cm3": request.volume_cm3,
            "surface_area_cm2": request.surface_area_cm2,
            "bounding_box": dict(zip(("x_mm", "y_mm", "z_mm"), request.box_mm, strict=True)),
        },
        "material_id": str(material.id),
        "quantity": request.quantity,
        "post_processing_option_ids": [str(finish.id) for finish in finishes],
        "unit_price": it.unit_price,
        "total_price": it.total_price,
        **{line: getattr(it, line) for line in BREAKDOWN},
        "currency": it.currency,
        "lead_time_days": it.lead_time_days,
        "rate_card_version": it.rate_card_version,
        "created_at": datetime.now(UTC),
    }


def _read(connection: Connection, account: Account, quote_id: str) -> Quote:
    query = sa.select(quotes).where(quotes.c.id == quote_id, quotes.c.account_id == account.id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("No such quote.")
    return _quote(row, _analyses(connection, [quote_id]).get(quote_id, []))


def _analyses(connection: Connection, quote_ids: list[str]) -> Mapping[str, list[QuotedAnalysis]]:
    """The analyses attached to each quote, oldest first."""
    query = (
        sa.select(jobs.c.quote_id, jobs.c.id, jobs.c.status)
        .where(jobs.c.quote_id.in_(quote_ids))
        .order_by(jobs.c.created_at, jobs.c.id)
    )
    attached: dict[str, list[QuotedAnalysis]] = {}
    for quote_id, job_id, status in connection.execute(query):
        attached.setdefault(quote_id, []).append(QuotedAnalysis(job_id, status))
    return attached


def _quote(row: Row[Any], analyses: list[QuotedAnalysis]) -> Quote:
    return Quote(
        id=row.id,
        status=row.status,
        unit_price=row.unit_price,
        total_price=row.total_price,
        currency=row.currency,
        breakdown=PriceBreakdown(*(getattr(row, line) for line in BREAKDOWN)),
        lead_time_days=row.lead_time_days,
        rate_card_version=row.rate_card_version,
        file_name=row.file_name,
        geometry=QuotedGeometry.from_dict(row.geometry),
        material_id=row.material_id,
        quantity=row.quantity,
        post_processing_option_ids=tuple(row.post_processing_option_ids),
        created_at=row.created_at,
        analyses=tuple(analyses),
    )
