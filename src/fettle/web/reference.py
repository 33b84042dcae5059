"""The documentation page of the API: made from its OpenAPI document, needs nothing from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Iterator
from html import escape
from typing import Any

from fastapi import APIRouter, FastAPI, Request
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse

from fettle.results.json_schema import component_schemas
from fettle.web.endpoints import Api, records
from fettle.web.responses import ERRORS

router = APIRouter(prefix="/api/v1", include_in_schema=False)

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Fettle API {version}</title>
<style>
body{{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1d2733}}
h2{{margin-top:2.5rem}} h3{{margin:2rem 0 .3rem;font-family:ui-monospace,monospace}}
pre{{background:#f3f5f7;padding:.8rem;overflow:auto;border-radius:6px;font-size:14px}}
table{{border-collapse:collapse}} td,th{{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}}
.method{{display:inline-block;min-width:4.5rem;color:#0b5cad}}
</style></head><body>
<h1>Fettle API {version}</h1>{introduction}
<p>The same as data: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<ul>{contents}</ul>{operations}</body></html>
"""


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
    """Every operation on one page."""
    return HTMLResponse(render(request.app.openapi()))


def render(document: dict[str, Any]) -> str:
    """The page of an OpenAPI document."""
    operations = [
        (method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    contents = "".join(
        f'<li><a href="#{escape(operation["operationId"])}">{method} {escape(path)}</a></li>'
        for method, path, operation in operations
    )
    paragraphs = document["info"]["description"].split("\n\n")
    return _PAGE.format(
        version=escape(document["info"]["version"]),
        introduction="".join(f"<p>{escape(paragraph)}</p>" for paragraph in paragraphs),
        contents=contents,
        operations="".join(_operation(document, *operation) for operation in operations),
    )


def _operation(document: dict[str, Any], method: str, path: str, operation: dict[str, Any]) -> str:
    parts = [
        f'<h3 id="{escape(operation["operationId"])}"><span class="method">{method}</span>{escape(path)}</h3>',
        f"<p>{escape(operation.get('description', ''))}</p>",
    ]
    rows = "".join(_rows(document, operation))
    if rows:
        parts.append(f"<table>{rows}</table>")
    for status, answer in operation["responses"].items():
        parts.append(f"<p><b>{status}</b> {escape(answer['description'])}</p>")
        example = _example(document, answer)
        if example is not None and int(status) < 300:
            parts.append(f"<pre>{escape(json.dumps(example, indent=2))}</pre>")
    return "".join(parts)


def _rows(document: dict[str, Any], operation: dict[str, Any]) -> Iterator[str]:
    for parameter in operation.get("parameters", ()):
        yield _row(parameter["name"], parameter["in"], parameter.get("description", ""), parameter["required"])
    for kind, body in operation.get("requestBody", {}).get("content", {}).items():
        schema = _resolve(document, body["schema"])
        for name, field in schema.get("properties", {}).items():
            text = _resolve(document, field).get("description", "")
            yield _row(name, kind, text, name in schema.get("required", ()))


def _row(name: str, place: str, text: str, required: bool) -> str:
    need = "required" if required else ""
    return f"<tr><th>{escape(name)}</th><td>{escape(place)}</td><td>{need}</td><td>{escape(text)}</td></tr>"


def _example(document: dict[str, Any], answer: dict[str, Any]) -> Any:
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    examples = _resolve(document, schema).get("examples")
    return examples[0] if examples else None


def _resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The schema itself, where it is only referred to."""
    if "$ref" not in schema:
        return schema
    found: dict[str, Any] = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return found
