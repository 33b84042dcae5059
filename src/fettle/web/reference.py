"""The OpenAPI document of the service, and the page that shows it with Swagger UI from our own static files."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse

from fettle.results.json_schema import component_schemas
from fettle.web.dashboard.pages import page
from fettle.web.endpoints import Api, records
from fettle.web.responses import ERRORS

router = APIRouter(prefix="/api/v1", include_in_schema=False)


def describe(app: FastAPI, apis: list[Api]) -> dict[str, Any]:
    """The OpenAPI document: schemas of answers come from the records, and errors from `answers`, not from FastAPI."""
    if app.openapi_schema is None:
        document = get_openapi(
            title=app.title,
            version=app.version,
            summary=app.summary,
            description=app.description,
            routes=app.routes,
        )
        for methods in document["paths"].values():
            for operation in methods.values():
                if "HTTPValidationError" in str(operation["responses"].get("422")):
                    del operation["responses"]["422"]
        for name in ("HTTPValidationError", "ValidationError"):
            document["components"]["schemas"].pop(name, None)
        document["components"]["schemas"] |= component_schemas([*ERRORS, *records(apis)])
        app.openapi_schema = document
    return app.openapi_schema


@router.get("/docs")
def read_reference(request: Request) -> HTMLResponse:
    """Every operation with its parameters, schemas and examples; requests can be tried from the page."""
    return page(request, "reference.html")
