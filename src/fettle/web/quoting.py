"""Quoting: convert a file, list materials and finishing options, make and read quotes."""

from __future__ import annotations

import base64
from typing import Annotated

from fastapi import Header, Query, Request
from fastapi.responses import JSONResponse

from fettle.app import quotes
from fettle.app.access.accounts import Account
from fettle.app.kernel_tasks.size_limits import check_envelope
from fettle.app.pricing.orders import OrderRequest
from fettle.app.service import Service
from fettle.app.state.paging import DEFAULT_LIMIT, PAGE_LIMIT
from fettle.app.state.uploads import Upload
from fettle.app.work.previews import StoredPreview
from fettle.results import (
    Conversion,
    FinishEntry,
    FinishList,
    MaterialEntry,
    MaterialList,
    Quote,
    QuoteAnswer,
    QuotePage,
)
from fettle.web import schemas
from fettle.web.auth import Caller, ServiceDep
from fettle.web.endpoints import Api
from fettle.web.errors import MISSING_FILE_IS_400, error_statuses
from fettle.web.files import preview_url
from fettle.web.forms import read_form, require_file
from fettle.web.kernel_threads import in_kernel
from fettle.web.options import read_units
from fettle.web.responses import FILE, UNITS, send

api = Api("/api/v1", "Quoting")


@api.endpoint("POST", "/convert", Conversion, 400, 422, 504, fields={"file": FILE, "units": UNITS}, required=("file",))
@error_statuses(MISSING_FILE_IS_400)
async def convert(request: Request, service: ServiceDep, _caller: Caller) -> JSONResponse:
    """Geometry and a preview of a part that is to be quoted. It must fit the casting envelope."""
    async with read_form(request, service.settings.upload_limit_bytes) as sent:
        upload, units = require_file(sent), read_units(sent.fields)
        kept, glb = await in_kernel(request, _convert, service, upload, units)
    encoded = base64.b64encode(glb).decode()
    return send(Conversion(kept.geometry.quoted(), encoded, preview_url(request, kept.token), kept.pieces))


def _convert(service: Service, upload: Upload, units: str) -> tuple[StoredPreview, bytes]:
    """The preview and its GLB; refuses a part that does not fit the casting envelope."""
    kept = service.previews.make(upload, units)
    check_envelope(kept.geometry.size_mm, service.settings.envelope_mm, kept.format)
    return kept, service.previews.glb(kept.token)


@api.endpoint("GET", "/materials", MaterialList)
def list_materials(service: ServiceDep, _caller: Caller) -> JSONResponse:
    """Every material that can be quoted."""
    currency = service.catalog.rates.currency
    listed = (
        MaterialEntry(
            id=str(material.id),
            name=material.name,
            description=material.description,
            density_kg_m3=float(material.density_kg_m3),
            cost_per_kg=material.cost_per_kg,
            currency=currency,
            maximum_part_size_mm=material.maximum_part_text,
        )
        for material in service.catalog.materials
        if material.active
    )
    return send(MaterialList(tuple(listed), currency))


@api.endpoint("GET", "/post-processing", FinishList)
def list_post_processing(service: ServiceDep, _caller: Caller) -> JSONResponse:
    """Every finishing option that can be quoted."""
    currency = service.catalog.rates.currency
    listed = (
        FinishEntry(
            id=str(finish.id),
            name=finish.name,
            description=finish.description,
            pricing_model=finish.pricing_model.value,
            cost_per_unit=finish.cost_per_unit,
            currency=currency,
            lead_time_days=finish.days,
        )
        for finish in service.catalog.finishes
        if finish.active
    )
    return send(FinishList(tuple(listed), currency))


@api.endpoint("POST", "/quotes", QuoteAnswer, 404, 409, 422)
def create_quote(
    body: schemas.AnyQuoteBody,
    service: ServiceDep,
    caller: Caller,
    idempotency_key: Annotated[str | None, Header(max_length=255)] = None,
) -> JSONResponse:
    """Price a part and store the quote: by the process of a finished analysis, or as an investment casting of the
    given geometry. With an Idempotency-Key, a repeated request gives the same quote."""
    if isinstance(body, schemas.ProcessQuoteBody):
        return send(QuoteAnswer(_quote_process(body, service, caller, idempotency_key)))
    box = body.geometry.bounding_box
    request = quotes.QuoteRequest(
        file_name=body.file_name,
        volume_cm3=body.geometry.volume_cm3,
        surface_area_cm2=body.geometry.surface_area_cm2,
        box_mm=(box.x_mm, box.y_mm, box.z_mm),
        material_id=str(body.material_id),
        quantity=body.quantity,
        post_processing_option_ids=tuple(str(option) for option in body.post_processing_option_ids or ()),
        pieces=tuple(_piece(piece) for piece in body.bodies or ()),
    )
    kept = quotes.create(service.store, service.catalog, caller, request, idempotency_key, body.letter())
    return send(QuoteAnswer(kept))


def _quote_process(body: schemas.ProcessQuoteBody, service: Service, caller: Account, key: str | None) -> Quote:
    finishes = tuple(str(option) for option in body.post_processing_option_ids or ())
    order = OrderRequest(body.process, body.quantity, body.material, finishes)
    name = body.file_name or service.jobs.read(caller, body.job_id).filename
    request = quotes.ProcessQuoteRequest(body.job_id, name, order)
    part, terms = service.priceable(caller, body.job_id, body.process), service.terms(caller)
    return quotes.create_by_process(service.store, caller, request, part, terms, key, body.letter())


def _piece(sent: schemas.PieceSent) -> quotes.PieceRequest:
    geometry, box = sent.geometry, sent.geometry.bounding_box
    sizes = (geometry.volume_cm3, geometry.surface_area_cm2, (box.x_mm, box.y_mm, box.z_mm))
    return quotes.PieceRequest(sent.body, sent.name, sent.count, *sizes)


@api.endpoint("GET", "/quotes", QuotePage, 422)
def list_quotes(
    service: ServiceDep,
    caller: Caller,
    limit: Annotated[int, Query(ge=PAGE_LIMIT[0], le=PAGE_LIMIT[1])] = DEFAULT_LIMIT,
    cursor: str | None = None,
) -> JSONResponse:
    """Your quotes, newest first."""
    found, next_cursor = quotes.read_all(service.store, caller, limit, cursor)
    return send(QuotePage(tuple(found), next_cursor))


@api.endpoint("GET", "/quotes/{quote_id}", QuoteAnswer, 404)
def read_quote(quote_id: str, service: ServiceDep, caller: Caller) -> JSONResponse:
    """A quote of yours, as it was priced."""
    return send(QuoteAnswer(quotes.read(service.store, caller, quote_id)))
