"""Errors of the framework as pages, for people: an unknown address, a form with a field missing. Programs get JSON."""

from __future__ import annotations

import json

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from fettle.app.access import sessions
from fettle.web import errors
from fettle.web.auth import service_of
from fettle.web.dashboard.pages import error_page
from fettle.web.dashboard.routes import wants_page
from fettle.web.dashboard.session import COOKIE

FOR_PROGRAMS = ("/api/", "/files/", "/agent", "/metrics", "/healthz", "/readyz")


def _as_page(request: Request, answer: Response) -> Response:
    """The JSON answer, or a page that says the same."""
    if request.url.path.startswith(FOR_PROGRAMS) or not wants_page(request):
        return answer
    request.state.account = sessions.find_account(service_of(request).store, request.cookies.get(COOKIE))
    return error_page(request, answer.status_code, json.loads(bytes(answer.body))["error"])


def _http_exception(request: Request, error: HTTPException) -> Response:
    return _as_page(request, errors.http_exception(request, error))


def _validation_error(request: Request, error: RequestValidationError) -> Response:
    return _as_page(request, errors.validation_error(request, error))


def install(app: FastAPI) -> None:
    """Replace the handlers of the API for requests of browsers."""
    # the framework's types know handlers of any Exception only
    app.add_exception_handler(HTTPException, _http_exception)  # type: ignore[arg-type]
    app.add_exception_handler(RequestValidationError, _validation_error)  # type: ignore[arg-type]
