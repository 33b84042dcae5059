"""What a share link shows: one report or one quote, to whoever has the address; nothing of the account."""

from __future__ import annotations

import base64
from collections.abc import Callable, Coroutine
from pathlib import PurePath
from typing import Any
from urllib.parse import quote as quote_name

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse

from fettle.app import quote_letters, quotes
from fettle.app.access import sharing
from fettle.app.access.sharing import NoSuchLink, Shared
from fettle.app.errors import NotFound
from fettle.app.part_pictures import read_quote_picture
from fettle.app.reports.quote_sheet import quote_pdf, quote_sheet
from fettle.app.reports.stored import ReportForm, read_report
from fettle.app.reports.typeset import can_write_pdf
from fettle.errors import FettleError
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import render
from fettle.web.dashboard.quotes import catalog_names
from fettle.web.errors import status_of
from fettle.web.kernel_threads import in_kernel

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex, nofollow, noarchive",
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
READ = ["GET", "HEAD"]


class SharedRoute(APIRoute):
    """Reads no session; an error is a page that says nothing about what there is."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        inner = super().get_route_handler()

        async def handle(request: Request) -> Response:
            try:
                return await inner(request)
            except FettleError as error:
                status = status_of(error)
                if status is None:
                    raise
                told = NoSuchLink() if isinstance(error, NotFound) else error
                html = render("shared-error.html", message=str(told))
                return HTMLResponse(html, status_code=status, headers=HEADERS)

        return handle


router = APIRouter(prefix="/s", route_class=SharedRoute, include_in_schema=False)


@router.api_route("/{secret}/report", methods=READ)
async def show_report(request: Request, secret: str) -> Response:
    return await in_kernel(request, _report, request, secret, ReportForm.LINKED)


@router.api_route("/{secret}/report.pdf", methods=READ)
async def download_report(request: Request, secret: str) -> Response:
    return await in_kernel(request, _report, request, secret, ReportForm.PDF)


def _report(request: Request, secret: str, form: ReportForm) -> Response:
    service, shared = service_of(request), find_shared(request, secret)
    if shared.job_id is None:
        raise NoSuchLink
    document = read_report(service, shared.account, shared.job_id, form)
    if form is ReportForm.LINKED:
        return HTMLResponse(document, headers=HEADERS)
    name = service.jobs.read(shared.account, shared.job_id).filename
    return send_pdf(document, f"{PurePath(name).stem}-report.pdf")


@router.api_route("/{secret}/quote", methods=READ)
async def show_quote(request: Request, secret: str) -> Response:
    return await in_kernel(request, _quote, request, secret)


def _quote(request: Request, secret: str) -> Response:
    sheet, picture = _sheet(request, secret)
    drawn = None if picture is None else "data:image/png;base64," + base64.b64encode(picture).decode()
    return HTMLResponse(
        render("shared-quote.html", picture=drawn, writes_pdf=can_write_pdf(), **sheet), headers=HEADERS
    )


@router.api_route("/{secret}/quote.pdf", methods=READ)
async def download_quote(request: Request, secret: str) -> Response:
    return await in_kernel(request, _quote_pdf, request, secret)


def _quote_pdf(request: Request, secret: str) -> Response:
    sheet, picture = _sheet(request, secret)
    return send_pdf(quote_pdf(sheet, picture), f"Quote {sheet['number']}.pdf")


def _sheet(request: Request, secret: str) -> tuple[dict[str, Any], bytes | None]:
    """What the customer of a quote reads, and the picture of the part."""
    service, shared = service_of(request), find_shared(request, secret)
    if shared.quote_id is None:
        raise NoSuchLink
    quote = quotes.read(service.store, shared.account, shared.quote_id)
    letter = quote_letters.read(service.store, quote.id)
    return quote_sheet(quote, letter, catalog_names(service)), read_quote_picture(service, shared.account, quote)


def find_shared(request: Request, secret: str) -> Shared:
    return sharing.find(service_of(request).store, secret)


def send_pdf(document: bytes, name: str) -> Response:
    headers = {**HEADERS, "Content-Disposition": f"attachment; filename*=UTF-8''{quote_name(name)}"}
    return Response(document, media_type="application/pdf", headers=headers)
