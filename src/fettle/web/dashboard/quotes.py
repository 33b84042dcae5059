"""Quotes for people: the list, a quote with its letter, its PDF and picture."""

from __future__ import annotations

from datetime import date
from typing import Annotated, Any
from urllib.parse import quote as quote_name

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import quote_letters, quotes
from fettle.app.access import preferences
from fettle.app.customer_price import without_margin
from fettle.app.errors import NotFound
from fettle.app.part_pictures import read_quote_picture
from fettle.app.quote_letters import LetterRequest
from fettle.app.reports.quote_sheet import quote_pdf, quote_sheet
from fettle.app.reports.typeset import can_write_pdf
from fettle.app.service import Service
from fettle.errors import BadRequest
from fettle.results import Quote
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.price_figures import breakdown_bars
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of
from fettle.web.kernel_threads import in_kernel

router = APIRouter(prefix="/dashboard/quotes", route_class=AccountRoute)
ROOT = "/dashboard/quotes"


@router.get("")
def show_quotes(request: Request, cursor: str | None = None, job: str | None = None) -> Response:
    service, account = service_of(request), account_of(request)
    found, following = quotes.read_all(service.store, account, cursor=cursor, job_id=job)
    letters = quote_letters.read_all(service.store, [one.id for one in found])
    part = service.jobs.read(account, job).filename if job else ""
    shown: dict[str, Any] = {
        "quotes": found,
        "letters": letters,
        "names": catalog_names(service),
        "job": job,
        "part": part,
    }
    return page(request, "quotes.html", cursor=following, **shown)


@router.get("/{quote_id}")
def show_quote(request: Request, quote_id: str) -> Response:
    return _shown(request, quote_id)


@router.post("/{quote_id}/letter")
def change_letter(
    request: Request,
    quote_id: str,
    valid_until: Annotated[date, Form()],
    customer: Annotated[str, Form()] = "",
    reference: Annotated[str, Form()] = "",
    notes: Annotated[str, Form()] = "",
) -> Response:
    """Change what the letter says; the prices stay as they were."""
    service, account = service_of(request), account_of(request)
    kept = quotes.read(service.store, account, quote_id)
    before = quote_letters.read(service.store, kept.id)
    asked = LetterRequest(customer, reference, valid_until, notes)
    try:
        chosen = preferences.read(service.store, account)
        quote_letters.keep(service.store, kept.id, asked, chosen, before.breaks if before else ())
    except BadRequest as fault:
        return _shown(request, quote_id, 422, str(fault))
    return RedirectResponse(f"{ROOT}/{quote_id}", status_code=303)


@router.get("/{quote_id}/quote.pdf")
async def download_pdf(request: Request, quote_id: str) -> Response:
    """The quote to send: without the margin, whatever the account sees itself."""
    return await in_kernel(request, _pdf, request, quote_id)


def _pdf(request: Request, quote_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    kept = quotes.read(service.store, account, quote_id)
    sheet = quote_sheet(kept, quote_letters.read(service.store, quote_id), catalog_names(service))
    document = quote_pdf(sheet, read_quote_picture(service, account, kept))
    name = quote_name(f"Quote {sheet['number']}.pdf")
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{name}", "Cache-Control": "no-store"}
    return Response(document, media_type="application/pdf", headers=headers)


@router.get("/{quote_id}/part.png")
async def show_picture(request: Request, quote_id: str) -> Response:
    return await in_kernel(request, _picture, request, quote_id)


def _picture(request: Request, quote_id: str) -> Response:
    service, account = service_of(request), account_of(request)
    drawn = read_quote_picture(service, account, quotes.read(service.store, account, quote_id))
    if drawn is None:
        raise NotFound("The analysis of this quote is gone, and no picture of its part was kept.")
    return Response(drawn, media_type="image/png", headers={"Cache-Control": "private, max-age=86400"})


def catalog_names(service: Service) -> dict[str, str]:
    """Names of materials and finishes by id."""
    materials = {str(one.id): one.name for one in service.catalog.materials}
    return materials | {str(one.id): one.name for one in service.catalog.finishes}


def _shown(request: Request, quote_id: str, status: int = 200, fault: str = "") -> Response:
    service, account = service_of(request), account_of(request)
    kept = quotes.read(service.store, account, quote_id)
    shown: Quote = kept if preferences.read(service.store, account).shows_margin else without_margin(kept)
    job_id = kept.foundation.job_id if kept.foundation else None
    about: dict[str, Any] = {
        "letter": quote_letters.read(service.store, quote_id),
        "names": catalog_names(service),
        "bars": breakdown_bars(shown.breakdown, kept.process),
        "job_id": job_id if job_id is not None and service.jobs.exists(account, job_id) else None,
        "writes_pdf": can_write_pdf(),
        "fault": fault,
    }
    return page(request, "quote.html", status, quote=shown, **about)
