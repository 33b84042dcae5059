"""What a share link shows: one report or one quote, to whoever has the address; nothing of the account."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import PurePath
from typing import Any
from urllib.parse import quote as quote_name

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from starlette.responses import HTMLResponse

from fettle.app.access import sharing
from fettle.app.access.sharing import NoSuchLink, Shared
from fettle.app.errors import NotFound
from fettle.app.reports.stored import ReportForm, read_report
from fettle.errors import FettleError
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import render
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


def find_shared(request: Request, secret: str) -> Shared:
    return sharing.find(service_of(request).store, secret)


def send_pdf(document: bytes, name: str) -> Response:
    headers = {**HEADERS, "Content-Disposition": f"attachment; filename*=UTF-8''{quote_name(name)}"}
    return Response(document, media_type="application/pdf", headers=headers)
