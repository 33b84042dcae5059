"""Quotes: priced once, stored as they were, readable by their own account alone."""

from __future__ import annotations

import json
import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Row

from fettle.app import quote_letters
from fettle.app.access import idempotency, preferences
from fettle.app.access.accounts import Account
from fettle.app.errors import BadField, NotFound
from fettle.app.prices import quoted_bodies
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import PriceablePart
from fettle.app.pricing.terms import PricingTerms
from fettle.app.quote_letters import LetterRequest
from fettle.app.state.dashboard_tables import quote_letters as letter_table
from fettle.app.state.paging import DEFAULT_LIMIT, read_page
from fettle.app.state.store import Store, jobs, quotes
from fettle.errors import BadRequest
from fettle.quote import AssemblyPiece, Catalog, exact_geometry, price_pieces
from fettle.quote.investment import PROCESS as INVESTMENT
from fettle.results import BodyEntry, PriceBreakdown, Quote, QuotedAnalysis, QuotedBody, QuotedGeometry, encode
from fettle.results.order_prices import OrderPrice
from fettle.results.record import record_fields

BREAKDOWN = tuple(one.name for one in record_fields(PriceBreakdown))
LETTER = ("customer", "reference", "valid_until", "notes")
"""Fields that only a quote with a letter has."""
OF_PROCESS = tuple(one.name for one in record_fields(Quote) if not one.required and one.name not in ("bodies", *LETTER))
"""Fields that only a quote by a named process has."""
MATERIALS = uuid.UUID("5d2c3f4e-4f0e-5c63-9d57-0a1f6c1f5a11")
"""Namespace of the ids of materials in rate cards, which have names alone."""


@dataclass(frozen=True, slots=True)
class PieceRequest:
    """A body of an assembly that is made, `count` times in each. Units as in `QuoteRequest`."""

    body: int
    name: str
    count: int
    volume_cm3: float
    surface_area_cm2: float
    box_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class QuoteRequest:
    """What a caller wants priced. Lengths in mm, volume in cm3, area in cm2, as convert gives them. `pieces`: the
    bodies of an assembly, whose prices are added; none: the geometry is one part."""

    file_name: str
    volume_cm3: float
    surface_area_cm2: float
    box_mm: tuple[float, float, float]
    material_id: str
    quantity: int
    post_processing_option_ids: tuple[str, ...] = ()
    pieces: tuple[PieceRequest, ...] = ()


def piece_of(body: BodyEntry) -> PieceRequest:
    """A made body of a result, to be priced."""
    geometry = body.geometry
    if geometry.volume_cm3 is None or geometry.surface_area_cm2 is None:
        raise BadRequest(f"Body {body.body} ({body.name!r}) has no volume or area that could be told; it has no price.")
    sizes = (geometry.volume_cm3, geometry.surface_area_cm2, geometry.size_mm)
    return PieceRequest(body.body, body.name, body.count, *sizes)


@dataclass(frozen=True, slots=True)
class ProcessQuoteRequest:
    """A quote by a process, from the analysis of a job."""

    job_id: str
    file_name: str
    order: OrderRequest


def create(
    store: Store,
    catalog: Catalog,
    account: Account,
    request: QuoteRequest,
    key: str | None = None,
    letter: LetterRequest | None = None,
) -> Quote:
    """Price and keep a quote; with the same Idempotency-Key and the same request, the one kept before."""
    once = idempotency.once("quotes", key, _asked(request) | _said(letter))
    return _keep(store, account, _price(catalog, account, request), once, letter)


def create_by_process(
    store: Store,
    account: Account,
    request: ProcessQuoteRequest,
    part: PriceablePart,
    terms: PricingTerms,
    key: str | None = None,
    letter: LetterRequest | None = None,
) -> Quote:
    """Price a part by a process and keep the quote; with the same Idempotency-Key the one kept before."""
    once = idempotency.once("quotes", key, asdict(request) | _said(letter))
    return _keep(store, account, _order_row(account, request, part, terms), once, letter)


def _said(letter: LetterRequest | None) -> dict[str, object]:
    """A letter as it is compared with that of an earlier request; without one as versions before them wrote it."""
    return {} if letter is None else {"letter": [str(getattr(letter, name)) for name in LETTER]}


def _keep(
    store: Store,
    account: Account,
    row: dict[str, object],
    once: idempotency.Once | None,
    letter: LetterRequest | None,
) -> Quote:
    chosen = preferences.read(store, account)
    with store.write() as connection:
        if once is not None:
            earlier = idempotency.claim(connection, account, once)
            if earlier is not None:
                return _read(connection, account, earlier["id"])
        connection.execute(quotes.insert(), row)
        if letter is not None:
            quote_letters.write(connection, str(row["id"]), letter, chosen)
        if once is not None:
            idempotency.remember(connection, account, once, {"id": row["id"]})
        return _read(connection, account, str(row["id"]))


def read(store: Store, account: Account, quote_id: str) -> Quote:
    """The quote as it was priced; refuses what is not this account's."""
    with store.read() as connection:
        return _read(connection, account, quote_id)


def read_all(
    store: Store, account: Account, limit: int = DEFAULT_LIMIT, cursor: str | None = None, job_id: str | None = None
) -> tuple[list[Quote], str | None]:
    """A page of the account's quotes, newest first, and the cursor of the next page; of one job where it is named."""
    query = sa.select(quotes).where(quotes.c.account_id == account.id)
    if job_id is not None:
        query = query.where(quotes.c.job_id == job_id)
    with store.read() as connection:
        page = read_page(connection, query, quotes, limit, cursor)
        ids = [row.id for row in page.rows]
        attached, letters = _analyses(connection, ids), _letters(connection, ids)
    return [_quote(row, attached.get(row.id, []), letters.get(row.id, {})) for row in page.rows], page.cursor


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
    pieces = [
        AssemblyPiece(one.body, one.name, one.count, exact_geometry(one.volume_cm3, one.surface_area_cm2, one.box_mm))
        for one in request.pieces
    ]
    whole = [AssemblyPiece(1, request.file_name, 1, geometry)]
    priced = price_pieces(pieces or whole, material, request.quantity, finishes, catalog.rates)
    it, bodies = priced.whole, quoted_bodies(priced)
    return {
        "id": str(uuid.uuid4()),
        "account_id": account.id,
        "status": "draft",
        "file_name": request.file_name,
        "geometry": {
            "volume_cm3": request.volume_cm3,
            "surface_area_cm2": request.surface_area_cm2,
            "bounding_box": dict(zip(("x_mm", "y_mm", "z_mm"), request.box_mm, strict=True)),
            **({} if bodies is None else {"bodies": [body.to_dict() for body in bodies]}),
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


def _order_row(
    account: Account, request: ProcessQuoteRequest, part: PriceablePart, terms: PricingTerms
) -> dict[str, object]:
    order = price_part(part, request.order, terms)
    finishes = [terms.catalog.finish(name) for name in request.order.finishes]
    return {
        "id": str(uuid.uuid4()),
        "account_id": account.id,
        "status": "draft",
        "file_name": request.file_name,
        "geometry": part.geometry.quoted().to_dict(),
        "material_id": material_id(order.process, order.material, terms.catalog),
        "quantity": order.quantity,
        "post_processing_option_ids": [str(finish.id) for finish in finishes],
        "unit_price": order.unit_price,
        "total_price": order.total_price,
        **{line: getattr(order.breakdown, line) for line in BREAKDOWN},
        "currency": order.currency,
        "lead_time_days": order.lead_time_days,
        "rate_card_version": order.rate_card_version,
        "created_at": datetime.now(UTC),
        "process": order.process,
        "order_price": json.loads(encode(order)),
        "job_id": request.job_id,
    }


def material_id(process: str, material: str, catalog: Catalog) -> str:
    """Id of a material of a process: that of the catalog for castings, else derived from the names."""
    if process == INVESTMENT:
        return str(catalog.material(material).id)
    return str(uuid.uuid5(MATERIALS, f"{process.partition(':')[0]}/{material}"))


def _asked(request: QuoteRequest) -> dict[str, object]:
    """The request as it is compared with an earlier one; without pieces as versions before them wrote it."""
    asked = asdict(request)
    if not request.pieces:
        del asked["pieces"]
    return asked


def _read(connection: Connection, account: Account, quote_id: str) -> Quote:
    query = sa.select(quotes).where(quotes.c.id == quote_id, quotes.c.account_id == account.id)
    row = connection.execute(query).one_or_none()
    if row is None:
        raise NotFound("No such quote.")
    attached, letters = _analyses(connection, [quote_id]), _letters(connection, [quote_id])
    return _quote(row, attached.get(quote_id, []), letters.get(quote_id, {}))


def _letters(connection: Connection, quote_ids: list[str]) -> dict[str, dict[str, str | None]]:
    """What was said to the customer, by quote; None for what was left empty."""
    columns = [letter_table.c[name] for name in LETTER]
    query = sa.select(letter_table.c.quote_id, *columns).where(letter_table.c.quote_id.in_(quote_ids))
    said = {}
    for row in connection.execute(query):
        texts = (row.customer, row.reference, row.valid_until.isoformat(), row.notes)
        said[row.quote_id] = {name: text or None for name, text in zip(LETTER, texts, strict=True)}
    return said


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


def _quote(row: Row[Any], analyses: list[QuotedAnalysis], letter: Mapping[str, Any]) -> Quote:
    bodies = row.geometry.get("bodies")  # kept beside the sizes that they were priced by
    order = None if row.order_price is None else OrderPrice.from_dict(row.order_price)
    of_process = {} if order is None else {name: getattr(order, name) for name in OF_PROCESS}
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
        process=row.process or INVESTMENT,
        bodies=None if bodies is None else tuple(QuotedBody.from_dict(body) for body in bodies),
        **of_process,
        **letter,
    )
