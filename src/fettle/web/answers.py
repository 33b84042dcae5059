"""How routes describe the answers they may give, for the API documentation."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from fettle.web.shapes import Error, QuotaError

_MEANING = {
    400: "The file field is missing or invalid.",
    401: "The key is missing, malformed, unknown or revoked.",
    402: "The included units of this billing period are used up.",
    404: "Unknown, expired, or of another account.",
    409: "The job is not in a state that allows this.",
    413: "The body is larger than allowed.",
    422: "The request was understood and cannot be done; the error says why.",
    500: "A fault of the service; the error carries an id for the operator.",
    503: "Too many jobs wait; Retry-After says when to come back.",
    504: "The geometry kernel passed its time limit; try a coarser max_edge.",
}
_RATE_HEADERS = {
    "X-RateLimit-Limit": {"description": "Included units of the meter on the plan.", "schema": {"type": "integer"}},
    "X-RateLimit-Remaining": {"description": "Included units left this month.", "schema": {"type": "integer"}},
    "X-Billing-Tier": {"description": "The plan.", "schema": {"type": "string"}},
}


def answers(
    success: int, model: type[BaseModel] | None, *errors: int, metered: bool = False, example: Any = None
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of a route: its success, 401, the named errors, 413 and 500."""
    shown: dict[str, Any] = {"description": "Success."}
    if model is not None:
        shown["model"] = model
    if example is not None:
        shown["content"] = {"application/json": {"example": example}}
    if metered:
        shown["headers"] = _RATE_HEADERS
    found: dict[int | str, dict[str, Any]] = {success: shown}
    for status in sorted({401, 413, 500, *errors}):
        found[status] = {"description": _MEANING[status], "model": QuotaError if status == 402 else Error}
    return found


def form(
    properties: dict[str, dict[str, Any]], required: tuple[str, ...] = (), *, urlencoded: bool = False
) -> dict[str, Any]:
    """The `openapi_extra` of a route that reads a form."""
    schema = {"type": "object", "properties": properties, "required": list(required)}
    kinds = ["multipart/form-data", *(["application/x-www-form-urlencoded"] if urlencoded else [])]
    return {"requestBody": {"required": True, "content": {kind: {"schema": schema} for kind in kinds}}}


FILE = {"type": "string", "format": "binary", "description": "A .step, .stp, .gltf or .glb file of at most 25 MB."}
UNITS = {
    "type": "string",
    "enum": ["m", "mm", "cm", "in"],
    "default": "m",
    "description": "Length unit of a glTF file, where its exporter did not keep to metres.",
}
