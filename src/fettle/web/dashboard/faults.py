"""Errors of the framework as pages, for people: an unknown address, a form with a field missing. Programs get JSON."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from fettle.app.access import sessions
from fettle.web import errors
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import error_page
from fettle.web.dashboard.routes import wants_page
from fettle.web.dashboard.session import COOKIE

WORDS = {
    "missing": "is missing",
    "int_parsing": "must be a whole number",
    "float_parsing": "must be a number",
    "date_from_datetime_parsing": "must be a date such as 2026-12-31",
}
"""Faults of fields by the names that pydantic gives them."""
FOR_PROGRAMS = ("/api/", "/files/", "/agent", "/metrics", "/healthz", "/readyz")


def _as_page(request: Request, answer: Response, text: str | None = None) -> Response:
    """The JSON answer, or a page that says the same, `text` where that is plainer."""
    if request.url.path.startswith(FOR_PROGRAMS) or not wants_page(request):
        return answer
    request.state.account = sessions.find_account(service_of(request).store, request.cookies.get(COOKIE))
    return error_page(request, answer.status_code, text or json.loads(bytes(answer.body))["error"])


def _http_exception(request: Request, error: HTTPException) -> Response:
    return _as_page(request, errors.http_exception(request, error))


def _validation_error(request: Request, error: RequestValidationError) -> Response:
    return _as_page(request, errors.validation_error(request, error), "; ".join(map(_fault, error.errors())) + ".")


def _fault(fault: Mapping[str, Any]) -> str:
    """A fault of a field in the words of a page: `job is missing`."""
    field = ".".join(str(part) for part in fault["loc"][1:]) or "The form"
    return f"{field} {WORDS[fault['type']]}" if fault["type"] in WORDS else f"{field}: {fault['msg']}"


def install(app: FastAPI) -> None:
    """Replace the handlers of the API for requests of browsers."""
    # the framework's types know handlers of any Exception only
    app.add_exception_handler(HTTPException, _http_exception)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _validation_error)  # type: ignore[arg-type]
