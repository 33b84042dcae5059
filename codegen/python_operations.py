"""One function of the client per operation of the OpenAPI document."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from codegen.python_models import NOTE, python_type

PREFIX = "/api/v1"
KEY_HEADER = "idempotency-key"


def write_operations(document: Mapping[str, Any]) -> str:
    head = f'''"""Every operation of the service. {NOTE}

`client.run(operations.list_materials())` runs one; `fettle.client.flows` combines them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fettle.client import models
from fettle.client.transport import FilePart, Flow, call, call_for_nothing
'''
    found = [
        _operation(method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    return head + "".join(text for text in found if text)


def _operation(method: str, path: str, operation: Mapping[str, Any]) -> str:
    status, success = next((int(code), one) for code, one in operation["responses"].items() if int(code) < 300)
    answer = success.get("content", {}).get("application/json", {}).get("schema")
    if not answer and status != 204:
        return ""  # a stream of events is no answer that a model could hold
    model = f"models.{python_type(answer)}" if answer else "None"
    parameters = list(_parameters(operation))
    arguments = [f'"{method}"', _path(path), *([model] if answer else []), *_passed(method, operation)]
    return f'''

def {operation["operationId"]}({", ".join(parameters)}) -> Flow[{model}]:
    """{operation.get("description", "")}"""
    return call{"" if answer else "_for_nothing"}({", ".join(arguments)})
'''


def _path(path: str) -> str:
    short = path.removeprefix(PREFIX)
    return f'f"{short}"' if "{" in short else f'"{short}"'


def _parameters(operation: Mapping[str, Any]) -> Iterator[str]:
    """Path parameters and the body by position, all else by name."""
    declared = operation.get("parameters", ())
    yield from (f"{one['name']}: str" for one in declared if one["in"] == "path")
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        yield "body: Mapping[str, Any]"
    elif content:
        yield "fields: Mapping[str, str]"
        sent = content["multipart/form-data"]["schema"]["properties"]
        if "file" in sent:
            yield "file: FilePart | None = None"
        if "files" in sent:
            yield "files: Sequence[FilePart]"
    named = [f"{one['name']}: {_optional(one['schema'])} = None" for one in declared if one["in"] == "query"]
    named += ["idempotency_key: str | None = None"] if _has_key(operation) else []
    if named:
        yield "*"
        yield from named


def _optional(schema: Mapping[str, Any]) -> str:
    kind = python_type(schema)
    return kind if kind.endswith("None") else f"{kind} | None"


def _has_key(operation: Mapping[str, Any]) -> bool:
    return any(one["name"].lower() == KEY_HEADER for one in operation.get("parameters", ()))


def _passed(method: str, operation: Mapping[str, Any]) -> Iterator[str]:
    """Repeating is harmless unless the call is metered (402) or creates something without an Idempotency-Key."""
    if _has_key(operation):
        yield "safe=idempotency_key is not None"
        yield "idempotency_key=idempotency_key"
    else:
        yield f"safe={method in ('GET', 'DELETE') or '402' not in operation['responses']}"
    query = [one["name"] for one in operation.get("parameters", ()) if one["in"] == "query"]
    if query:
        pairs = ", ".join(f'"{name}": {name}' for name in query)
        yield f"query={{{pairs}}}"
    content = operation.get("requestBody", {}).get("content", {})
    if "application/json" in content:
        yield "body=body"
    elif content:
        yield "fields=fields"
        sent = content["multipart/form-data"]["schema"]["properties"]
        yield from (f"{name}={name}" for name in ("file", "files") if name in sent)
