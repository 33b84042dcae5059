"""Answers of the API: how they are sent, and how routes describe them in the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi.responses import JSONResponse

from fettle.app import errors as service
from fettle.app.isolation.sandbox import REMEDY
from fettle.app.settings import Settings
from fettle.app.state.uploads import too_large
from fettle.geometry.file_formats import HTTP_EXTENSIONS
from fettle.geometry.length_units import UNITS_MM
from fettle.results import ErrorAnswer, QuotaErrorAnswer, Record

SCHEMAS = "#/components/schemas/"
ERRORS = (ErrorAnswer, QuotaErrorAnswer)
"""Records that every operation may answer with."""

_MEANING = {
    400: "The file field is missing or invalid.",
    401: "The key is missing, malformed, unknown or revoked.",
    402: "The included units of this billing period are used up.",
    404: "Unknown, expired, or of another account.",
    409: "The job is not in a state that allows this.",
    413: "The body, or the file in it, is larger than allowed.",
    422: "The request was understood and cannot be done; the error says why.",
    429: "More requests than a minute allows; Retry-After says when to come back.",
    500: "A fault of the service; the error carries an id for the operator.",
    503: "Too many jobs wait, or database or store are away; Retry-After says when to come back.",
    504: "The geometry kernel passed its time limit; try a coarser max_edge.",
}
_DEFAULTS = Settings.model_construct()
_REFUSED_KEYS = (service.MissingKey(), service.MalformedKey(), service.UnknownKey(), service.RevokedKey())
_EXAMPLES: dict[int, dict[str, dict[str, Any]]] = {
    400: {"missing": {"error": "The form field 'file' is missing; send the part file in it.", "code": "bad_upload"}},
    401: {refusal.code: {"error": str(refusal), "code": refusal.code} for refusal in _REFUSED_KEYS},
    402: {
        "at the cap": {
            "error": str(service.QuotaExceeded()),
            "code": service.QuotaExceeded.code,
            "upgrade_url": "https://fettle.example/dashboard/api",
        }
    },
    404: {"unknown": {"error": "No such job: it is unknown, or has expired.", "code": "not_found"}},
    409: {"running": {"error": "Job job_... is running; wait until its status is done.", "code": "not_ready"}},
    413: {"too large": {"error": str(too_large(_DEFAULTS.upload_limit_bytes)), "code": "too_large"}},
    422: {
        "body": {
            "error": "quantity: Input should be greater than or equal to 1.",
            "code": "invalid_request",
            "details": [{"loc": ["body", "quantity"], "msg": "Input should be greater than or equal to 1"}],
        }
    },
    429: {"too fast": {"error": str(service.RateExceeded(3)), "code": service.RateExceeded.code}},
    500: {
        "fault": {
            "error": "Something went wrong on our side. Tell the operator this id: 0f1e.",
            "code": "internal_error",
        }
    },
    503: {"full": {"error": str(service.QueueFull(30)), "code": service.QueueFull.code}},
    504: {
        "slow": {
            "error": f"The geometry kernel passed its limit of {_DEFAULTS.kernel_wall_s:g} s and was stopped. {REMEDY}",
            "code": "kernel_timed_out",
        }
    },
}
_RATE_HEADERS = {
    "X-RateLimit-Limit": {"description": "Included units of the meter on the plan.", "schema": {"type": "integer"}},
    "X-RateLimit-Remaining": {"description": "Included units left this month.", "schema": {"type": "integer"}},
    "X-Billing-Tier": {"description": "The plan.", "schema": {"type": "string"}},
}
_RETRY_AFTER = {"Retry-After": {"description": "Seconds to wait.", "schema": {"type": "integer"}}}


def answers(
    success: int, record: type[Record] | None, *errors: int, metered: bool = False
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: its success, the named errors, and those that every route may have."""
    shown: dict[str, Any] = {"description": "Success."}
    if record is not None:
        shown["content"] = {"application/json": {"schema": _reference(record)}}
    found: dict[int | str, dict[str, Any]] = {success: shown}
    for status in sorted({401, 413, 429, 500, 503, *errors}):
        examples = {name: {"value": value} for name, value in _EXAMPLES[status].items()}
        found[status] = {
            "description": _MEANING[status],
            "content": {
                "application/json": {
                    "schema": _reference(QuotaErrorAnswer if status == 402 else ErrorAnswer),
                    "examples": examples,
                }
            },
        }
        if status in (429, 503):
            found[status]["headers"] = _RETRY_AFTER
    if metered:
        for status in (success, 402, 422):
            found[status]["headers"] = _RATE_HEADERS
    return found


def send(record: Record, status: int = 200, headers: Mapping[str, str] | None = None) -> JSONResponse:
    """A record as a JSON response."""
    return JSONResponse(record.to_dict(), status_code=status, headers=headers)


def _reference(record: type[Record]) -> dict[str, str]:
    return {"$ref": SCHEMAS + record.__name__}


def form(
    properties: dict[str, dict[str, Any]], required: tuple[str, ...] = (), *, urlencoded: bool = False
) -> dict[str, Any]:
    """The `openapi_extra` of a route that reads a form."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    kinds = ["multipart/form-data", *(["application/x-www-form-urlencoded"] if urlencoded else [])]
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}


FILE: dict[str, Any] = {
    "type": "string",
    "format": "binary",
    "contentMediaType": "application/octet-stream",
    "description": f"A {', '.join(HTTP_EXTENSIONS[:-1])} or {HTTP_EXTENSIONS[-1]} file "
    f"of at most {_DEFAULTS.upload_limit_text}.",
}
UNITS: dict[str, Any] = {
    "type": "string",
    "enum": list(UNITS_MM),
    "default": "m",
    "description": "Length unit of a glTF file, where its exporter did not keep to meters.",
}
