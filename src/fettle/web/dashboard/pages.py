"""Rendering: templates, the page's security headers, and errors as pages."""

from __future__ import annotations

from collections.abc import Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

from fastapi import FastAPI, Request
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from starlette.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

import fettle
from fettle.app.assets import assets_folder
from fettle.app.reports.price_rows import quantity_text
from fettle.app.wording import amount, cost, counted, duration
from fettle.errors import FettleError
from fettle.geometry.file_formats import HTTP_EXTENSIONS
from fettle.web.auth import service_of
from fettle.web.dashboard.session import csrf_token

PREFIX = "/dashboard"
STATIC = f"{PREFIX}/static"

# No inline script or style, nothing from elsewhere, no framing; blob: and data: are for pictures the viewer makes.
SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
        "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    ),
    # Not "no-referrer": that makes browsers name the origin of our own forms "null".
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}

_templates = Environment(
    loader=PackageLoader("fettle.web", "templates"),
    autoescape=select_autoescape(default=True),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_templates.globals["accepted_extensions"] = ",".join(HTTP_EXTENSIONS)
_templates.filters["amount"] = amount
_templates.globals["quantity_text"] = quantity_text
_templates.globals["duration"] = duration
_templates.globals["cost"] = cost
_templates.globals["counted"] = counted
_templates.globals["static"] = lambda name: f"{STATIC}/{name}?v={fettle.__version__}"


def render(template: str, **values: Any) -> str:
    """The text of a template."""
    return _templates.get_template(template).render(values)


def page(
    request: Request,
    template: str,
    status: int = HTTPStatus.OK,
    headers: Mapping[str, str] | None = None,
    **values: Any,
) -> HTMLResponse:
    """One page. The template sees who is signed in (`account`), the form token (`csrf`) and `values`."""
    shown = {
        "account": getattr(request.state, "account", None),
        "csrf": csrf_token(request),
        "path": request.url.path,
        "settings": service_of(request).settings,
        "version": fettle.__version__,
    }
    html = render(template, **(shown | values))
    return HTMLResponse(html, status_code=status, headers={**SECURITY_HEADERS, **(headers or {})})


TITLES = {
    HTTPStatus.BAD_REQUEST: "That could not be read",
    HTTPStatus.PAYMENT_REQUIRED: "The included calls are used up",
    HTTPStatus.FORBIDDEN: "This form cannot be taken",
    HTTPStatus.NOT_FOUND: "There is nothing here",
    HTTPStatus.METHOD_NOT_ALLOWED: "There is nothing to send here",
    HTTPStatus.CONFLICT: "Not yet",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Too large",
    HTTPStatus.UNPROCESSABLE_ENTITY: "That did not work",
    HTTPStatus.TOO_MANY_REQUESTS: "Too many attempts",
    HTTPStatus.SERVICE_UNAVAILABLE: "Busy just now",
    HTTPStatus.GATEWAY_TIMEOUT: "It took too long",
}
"""What people read in place of the names of HTTP statuses."""


def error_page(request: Request, status: int, error: FettleError | str) -> HTMLResponse:
    """What went wrong, in a sentence, with the way back."""
    title = TITLES.get(HTTPStatus(status), HTTPStatus(status).phrase)
    return page(request, "error.html", status, title=title, message=str(error), back=_came_from(request))


def _came_from(request: Request) -> str:
    """Path of the page of ours that led here; empty where there is none, or it is this one."""
    came = urlsplit(request.headers.get("referer", ""))
    ours = came.netloc == request.headers.get("host", "") and came.path.startswith(PREFIX)
    return came.path if ours and came.path != request.url.path else ""


def mount_static(app: FastAPI) -> None:
    app.mount(STATIC, StaticFiles(directory=str(assets_folder())), name="static")
