"""The TypeScript client: types of every schema, and a method per operation of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.python_models import NOTE, in_order
from codegen.typescript import declare, typescript_type

PREFIX = "/api/v1"
FORM, JSON = "multipart/form-data", "application/json"
SENT_FILE = "Blob | { name: string; data: Blob }"


def write_client(document: Mapping[str, Any]) -> str:
    """Types, then one class."""
    schemas = document["components"]["schemas"]
    methods = [
        _method(method.upper(), path, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    return (
        f"// Every operation of the service. {NOTE}\n"
        'import { Transport } from "./transport.js";\n'
        'export { FettleError, type FettleOptions } from "./transport.js";\n'
        + "".join(declare(name, schemas[name]) for name in in_order(schemas))
        + "\n/** A caller of the service. */\nexport class Fettle extends Transport {\n"
        + "\n".join(text for text in methods if text)
        + "}\n"
    )


def _method(method: str, path: str, operation: Mapping[str, Any]) -> str:
    status, success = next((int(code), one) for code, one in operation["responses"].items() if int(code) < 300)
    answer = success.get("content", {}).get(JSON, {}).get("schema")
    if not answer and status != 204:
        return ""  # a stream of events is no answer that a type could hold
    kind = typescript_type(answer) if answer else "void"
    short = path.removeprefix(PREFIX)
    declared = operation.get("parameters", ())
    for one in declared:
        if one["in"] == "path":
            short = short.replace(f"{{{one['name']}}}", f"${{encodeURIComponent({one['name']})}}")
    given = ", ".join(f"{key}: {value}" for key, value in _given(operation))
    text = " ".join(operation.get("description", "").split())
    name = _camel(operation["operationId"])
    return (
        f"  /** {text} */\n"
        f"  {name}({', '.join(_parameters(operation))}): Promise<{kind}> {{\n"
        f"    return this.call({method!r}, `{short}`, {{ {given} }});\n  }}\n"
    ).replace("'", '"')


def _camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(word.capitalize() for word in others)


def _body(operation: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]] | None:
    content = operation.get("requestBody", {}).get("content", {})
    for kind in (JSON, FORM):
        if kind in content:
            return kind, content[kind]["schema"]
    return None


def _parameters(operation: Mapping[str, Any]) -> Iterator[str]:
    declared = operation.get("parameters", ())
    yield from (f"{one['name']}: string" for one in declared if one["in"] == "path")
    body = _body(operation)
    if body and body[0] == JSON:
        yield f"body: {typescript_type(body[1])}"
    elif body:
        required = set(body[1].get("required", ()))
        fields = [
            f"{name}{'' if name in required else '?'}: {_field_type(one)}"
            for name, one in body[1]["properties"].items()
        ]
        yield f"form: {{ {'; '.join(fields)} }}"
    query = [f"{one['name']}?: {typescript_type(one['schema'])}" for one in declared if one["in"] == "query"]
    if query:
        yield f"query: {{ {'; '.join(query)} }} = {{}}"
    if _has_key(operation):
        yield "idempotencyKey?: string"


def _field_type(field: Mapping[str, Any]) -> str:
    if field.get("format") == "binary":
        return SENT_FILE
    if field.get("type") == "array" and field["items"].get("format") == "binary":
        return f"({SENT_FILE})[]"
    return f"{typescript_type(field)} | string"


def _has_key(operation: Mapping[str, Any]) -> bool:
    return any(one["name"].lower() == "idempotency-key" for one in operation.get("parameters", ()))


def _given(operation: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    body = _body(operation)
    if body:
        yield ("body", "body") if body[0] == JSON else ("form", "form")
    if any(one["in"] == "query" for one in operation.get("parameters", ())):
        yield "query", "query"
    if _has_key(operation):
        yield "idempotencyKey", "idempotencyKey"
