"""Links to a report or quote: made, listed and revoked by their owner."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, Response
from starlette.responses import RedirectResponse

from fettle.app import quotes
from fettle.app.access import sharing
from fettle.app.errors import NotReady
from fettle.errors import BadRequest
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import page
from fettle.web.dashboard.routes import AccountRoute
from fettle.web.dashboard.session import account_of
from fettle.web.urls import base_url

router = APIRouter(prefix="/dashboard/links", route_class=AccountRoute)
ROOT = "/dashboard/links"
PERIODS_DAYS = (1, 7, 30, 90, 365)


@router.get("")
def show_links(request: Request, job: str | None = None, quote: str | None = None) -> Response:
    """Links of the account, or those of one analysis or quote with the form for another."""
    return _shown(request, job, quote)


@router.post("")
def create_link(
    request: Request,
    job: Annotated[str | None, Form()] = None,
    quote: Annotated[str | None, Form()] = None,
    days: Annotated[float | None, Form()] = None,
) -> Response:
    """The address of the new link is in this answer and in no other."""
    service, account = service_of(request), account_of(request)
    _check_owner(request, job, quote)
    try:
        asked = service.settings.share_days if days is None else days
        secret = sharing.create(service.store, account, asked, job_id=job, quote_id=quote)
    except BadRequest as fault:
        return _shown(request, job, quote, 422, fault=str(fault))
    return _shown(request, job, quote, new=f"{base_url(request)}/s/{secret}/{'report' if job else 'quote'}")


@router.post("/{link_id}/revoke")
def revoke_link(request: Request, link_id: str) -> Response:
    sharing.revoke(service_of(request).store, account_of(request), link_id)
    return RedirectResponse(ROOT, status_code=303)


def _check_owner(request: Request, job: str | None, quote: str | None) -> str:
    """Name of the part that is to be shared; refuses what is not the account's, or not finished."""
    service, account = service_of(request), account_of(request)
    if (job is None) == (quote is None):
        raise BadRequest("Name one analysis or one quote to share.")
    if quote is not None:
        return quotes.read(service.store, account, quote).file_name
    found = service.jobs.read(account, str(job))
    if found.status != "done":
        raise NotReady(f"The analysis of {found.filename} is {found.status}; a link needs its report.")
    return found.filename


def _shown(
    request: Request, job: str | None, quote: str | None, status: int = 200, *, new: str = "", fault: str = ""
) -> Response:
    service, account = service_of(request), account_of(request)
    name = _check_owner(request, job, quote) if job or quote else ""
    links = sharing.read_all(service.store, account, job_id=job, quote_id=quote)
    periods = sorted({*PERIODS_DAYS, service.settings.share_days})
    about: dict[str, Any] = {"job": job, "quote": quote, "name": name, "new": new, "fault": fault}
    return page(request, "links.html", status, links=links, periods=periods, **about)
