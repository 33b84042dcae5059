"""TypeScript types of a result, from its schemas."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from codegen.python_models import NOTE, in_order

Schema = Mapping[str, Any]
_PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def write_types(schemas: Mapping[str, Schema]) -> str:
    """An interface per object, and a union where a schema has several forms."""
    return f"// An analysis result as the API writes it. {NOTE}\n" + "".join(
        declare(name, schemas[name]) for name in in_order(schemas)
    )


def typescript_type(schema: Schema) -> str:
    """The type of a schema."""
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[-1]
    if "const" in schema:
        return json.dumps(schema["const"])
    if "enum" in schema:
        return " | ".join(map(json.dumps, schema["enum"]))
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(typescript_type(option) for option in schema[several])
    kind = schema.get("type")
    if kind == "array":
        item = typescript_type(schema["items"])
        fixed = schema.get("minItems")
        return f"[{', '.join([item] * fixed)}]" if fixed else f"{f'({item})' if ' ' in item else item}[]"
    if kind == "object":
        inner = schema.get("additionalProperties", True)
        return f"Record<string, {'unknown' if inner is True else typescript_type(inner)}>"
    return _PLAIN.get(kind or "", "unknown")


def declare(name: str, schema: Schema) -> str:
    """The interface or type of one schema."""
    head = f"\n/** {schema['description']} */\nexport " if "description" in schema else "\nexport "
    if "properties" not in schema:
        return f"{head}type {name} = {typescript_type(schema)};\n"
    rows = []
    for key, one in schema["properties"].items():
        meaning = f" // {one['description']}" if one.get("description") else ""
        rows.append(f"  {key}{'' if key in schema.get('required', ()) else '?'}: {typescript_type(one)};{meaning}")
    return f"{head}interface {name} {{\n" + "\n".join(rows) + "\n}\n"
