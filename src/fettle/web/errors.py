"""Every error as the same JSON: one table from error classes to statuses, looked up along the class's MRO."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, TypeAlias, TypeVar

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from fettle.app import errors as service
from fettle.app.state.unavailable import PASSING, unavailable
from fettle.errors import (
    BadRequest,
    CannotUnfold,
    FettleError,
    InputRefused,
    InvalidModule,
    KernelFailure,
    KernelTimedOut,
    NotThatFormat,
    TooDetailed,
)
from fettle.web.schemas import CASTING_ORDER, PROCESS_ORDER
from fettle.web.urls import upgrade_url

log = logging.getLogger("fettle.web")

Statuses: TypeAlias = Mapping[type[FettleError], HTTPStatus]

STATUSES: Statuses = {
    service.KeyRefused: HTTPStatus.UNAUTHORIZED,
    service.QuotaExceeded: HTTPStatus.PAYMENT_REQUIRED,
    service.ForeignForm: HTTPStatus.FORBIDDEN,
    service.NotFound: HTTPStatus.NOT_FOUND,
    service.NotReady: HTTPStatus.CONFLICT,
    service.TooLarge: HTTPStatus.REQUEST_ENTITY_TOO_LARGE,
    service.TooManyAttempts: HTTPStatus.TOO_MANY_REQUESTS,
    service.RateExceeded: HTTPStatus.TOO_MANY_REQUESTS,
    service.QueueFull: HTTPStatus.SERVICE_UNAVAILABLE,
    service.Unavailable: HTTPStatus.SERVICE_UNAVAILABLE,
    BadRequest: HTTPStatus.UNPROCESSABLE_ENTITY,
    InputRefused: HTTPStatus.UNPROCESSABLE_ENTITY,
    TooDetailed: HTTPStatus.UNPROCESSABLE_ENTITY,
    CannotUnfold: HTTPStatus.UNPROCESSABLE_ENTITY,
    KernelFailure: HTTPStatus.UNPROCESSABLE_ENTITY,
    KernelTimedOut: HTTPStatus.GATEWAY_TIMEOUT,
}

# For a route that tells a file that is missing, or plainly not a part, from one whose geometry cannot be used.
MISSING_FILE_IS_400: Statuses = {
    service.BadUpload: HTTPStatus.BAD_REQUEST,
    NotThatFormat: HTTPStatus.BAD_REQUEST,
}

TAGS = (CASTING_ORDER, PROCESS_ORDER)
"""Parts of the place of a fault that name a kind of body, which the caller did not write."""

NO_ADDRESS = "There is nothing at this address."
_HTTP_TEXTS = {
    404: (NO_ADDRESS, "not_found"),
    405: ("This address does not take this method.", "method_not_allowed"),
    413: ("", "too_large"),
}


Endpoint = TypeVar("Endpoint", bound=Callable[..., Any])
_OWN_STATUSES = "error_statuses"


def error_statuses(statuses: Statuses) -> Callable[[Endpoint], Endpoint]:
    """Declare statuses of one endpoint that differ from the table's; put it below the route's decorator."""

    def declare(endpoint: Endpoint) -> Endpoint:
        setattr(endpoint, _OWN_STATUSES, statuses)
        return endpoint

    return declare


def status_of(error: FettleError, first: Statuses | None = None) -> HTTPStatus | None:
    """The status of an error, from `first` and then from the table; None for one that nobody should ever see."""
    for table in (first or {}, STATUSES):
        for kind in type(error).__mro__:
            if kind in table:
                return table[kind]
    return None


class AsciiJSON(JSONResponse):
    """For texts that may repeat what a caller sent: half a surrogate pair is JSON, but no UTF-8."""

    def render(self, content: Any) -> bytes:
        return json.dumps(content, allow_nan=False, separators=(",", ":")).encode("ascii")


def answer(status: int, text: str, code: str, headers: Mapping[str, str] | None = None, **beside: Any) -> JSONResponse:
    """An error as JSON."""
    return AsciiJSON({"error": text, "code": code, **beside}, status_code=status, headers=dict(headers or {}))


def _fettle_error(request: Request, error: FettleError) -> JSONResponse:
    endpoint = request.scope.get("endpoint")
    status = status_of(error, getattr(endpoint, _OWN_STATUSES, None))
    if status is None:
        raise error
    beside: dict[str, Any] = {}
    headers: dict[str, str] = dict(getattr(request.state, "answer_headers", {}))
    headers |= getattr(request.state, "rate_headers", {})
    if isinstance(error, service.QuotaExceeded):
        beside["upgrade_url"] = upgrade_url(request)
    if isinstance(error, service.TooManyAttempts | service.RateExceeded | service.QueueFull | service.Unavailable):
        headers["Retry-After"] = str(error.retry_after_s)
    if isinstance(error, service.KeyRefused):
        headers["WWW-Authenticate"] = 'ApiKey realm="fettle"'
    if isinstance(error, service.BadField | service.BadUpload):
        beside["details"] = [{"loc": ["body", error.field], "msg": str(error)}]
    if isinstance(error, service.BatchRefused):
        beside["details"] = [{"loc": ["body", "files", n], "msg": why} for n, (_, why) in enumerate(error.reasons)]
    if isinstance(error, InvalidModule):
        beside["details"] = [{"loc": fault.pointer, "msg": fault.message} for fault in error.faults]
    return answer(status, str(error), error.code, headers, **beside)


def _passing(request: Request, error: Exception) -> JSONResponse:
    """The database or the store is away or full: 503. Any other error of these classes is a fault of ours."""
    told = unavailable(error)
    if told is None:
        raise error
    log.error("request %s: %s", request.scope["fettle.request_id"], error, exc_info=error)
    return _fettle_error(request, told)


def validation_error(_request: Request, error: RequestValidationError) -> JSONResponse:
    """A body, field or parameter that does not fit its declaration."""
    details = [
        {
            "loc": [part if isinstance(part, str | int) else str(part) for part in fault["loc"] if part not in TAGS],
            "msg": fault["msg"],
        }
        for fault in error.errors()
    ]
    first = details[0]
    if error.errors()[0]["type"] == "json_invalid":
        return answer(422, "The body is not JSON.", "invalid_request", details=details)
    place = ".".join(str(part) for part in first["loc"][1:]) or "The body"
    more = f" ({len(details) - 1} more in details)" if len(details) > 1 else ""
    return answer(422, f"{place}: {first['msg']}{more}.", "invalid_request", details=details)


def http_exception(_request: Request, error: HTTPException) -> JSONResponse:
    """An error of the framework itself, such as an unknown address."""
    text, code = _HTTP_TEXTS.get(error.status_code, (str(error.detail), "refused"))
    return answer(error.status_code, text or str(error.detail), code, error.headers)


def internal_error(identity: str) -> JSONResponse:
    """The cause is in the log under the same id; the answer says nothing of it."""
    return answer(500, f"Something went wrong on our side. Tell the operator this id: {identity}.", "internal_error")


def _unexpected(request: Request, _error: Exception) -> JSONResponse:
    return internal_error(request.scope["fettle.request_id"])


def install(app: FastAPI) -> None:
    """Register the handlers that turn every error into this JSON."""
    # the framework's types know handlers of any Exception only
    app.add_exception_handler(FettleError, _fettle_error)  # type: ignore[arg-type]
    for kind in PASSING:
        app.add_exception_handler(kind, _passing)
    app.add_exception_handler(RequestValidationError, validation_error)  # type: ignore[arg-type]
    app.add_exception_handler(HTTPException, http_exception)  # type: ignore[arg-type]
    app.add_exception_handler(Exception, _unexpected)
