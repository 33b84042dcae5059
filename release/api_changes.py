"""Finds changes of the OpenAPI document that break callers of the last release: `python -m release.api_changes`.

Callers read answers and write requests, so the two are held to opposite rules: an answer may gain fields and lose none;
a request may gain optional fields and need no new ones.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from release.lock import ROOT

LAST = ROOT / "release" / "openapi-0.1.0.json"
"""The document of the last release; replaced when the next one is made."""
NOW = ROOT / "docs" / "openapi.json"
Document = Mapping[str, Any]
Schema = Mapping[str, Any]


def breaking_changes(old: Document, new: Document) -> list[str]:
    """What a caller of `old` could trip over in `new`, a line each."""
    found: list[str] = []
    for path, operations in old["paths"].items():
        for method, before in operations.items():
            where = f"{method.upper()} {path}"
            after = new["paths"].get(path, {}).get(method)
            if after is None:
                found.append(f"{where}: is gone")
                continue
            found += _parameters(where, before, after)
            found += _request(where, old, new, before, after)
            found += _answers(where, old, new, before, after)
    return list(dict.fromkeys(found))


def _parameters(where: str, before: Document, after: Document) -> Iterator[str]:
    known = {(one["in"], one["name"].lower()): one for one in before.get("parameters", ())}
    here = {(one["in"], one["name"].lower()): one for one in after.get("parameters", ())}
    for place, name in known.keys() - here.keys():
        yield f"{where}: the {place} parameter {name} is gone"
    for key, one in here.items():
        if one.get("required") and not known.get(key, {}).get("required"):
            yield f"{where}: the {key[0]} parameter {key[1]} is required now"


def _request(where: str, old: Document, new: Document, before: Document, after: Document) -> Iterator[str]:
    contents = before.get("requestBody", {}).get("content", {})
    here = after.get("requestBody", {}).get("content", {})
    for kind, one in contents.items():
        if kind not in here:
            yield f"{where}: takes no {kind} any more"
            continue
        for then, now in _options(old, new, one["schema"], here[kind]["schema"]):
            for name in set(now.get("required", ())) - set(then.get("required", ())):
                yield f"{where}: the body needs {name} now"
            for name in then.get("properties", {}).keys() - now.get("properties", {}).keys():
                yield f"{where}: the body takes no {name} any more"


def _options(old: Document, new: Document, then: Schema, now: Schema) -> Iterator[tuple[Schema, Schema]]:
    """Pairs of bodies where an operation takes one of several."""
    before, after = _resolved(old, then), _resolved(new, now)
    first = before.get("oneOf") or before.get("anyOf") or [before]
    second = after.get("oneOf") or after.get("anyOf") or [after]
    for one, other in zip(first, second, strict=False):
        yield _resolved(old, one), _resolved(new, other)


def _answers(where: str, old: Document, new: Document, before: Document, after: Document) -> Iterator[str]:
    for status, one in before["responses"].items():
        if not status.startswith("2"):
            continue
        if status not in after["responses"]:
            yield f"{where}: does not answer {status} any more"
            continue
        for kind, content in one.get("content", {}).items():
            here = after["responses"][status].get("content", {}).get(kind)
            if here is None:
                yield f"{where}: does not answer {kind} any more"
            elif "schema" in content:
                yield from _answer(f"{where} {status}", old, new, content["schema"], here.get("schema", {}), ())


def _answer(
    where: str, old: Document, new: Document, before: Schema, after: Schema, seen: tuple[str, ...]
) -> Iterator[str]:
    named = before.get("$ref", "")
    if named in seen:
        return
    seen = (*seen, named) if named else seen
    then, now = _resolved(old, before), _resolved(new, after)
    if then.get("type") and now.get("type") and then["type"] != now["type"]:
        yield f"{where}: was {then['type']} and is {now['type']}"
        return
    for name, one in then.get("properties", {}).items():
        if name not in now.get("properties", {}):
            yield f"{where}.{name}: is gone"
            continue
        if name in then.get("required", ()) and name not in now.get("required", ()):
            yield f"{where}.{name}: may be missing now"
        yield from _answer(f"{where}.{name}", old, new, one, now["properties"][name], seen)
    if "items" in then and "items" in now:
        yield from _answer(f"{where}[]", old, new, then["items"], now["items"], seen)


def _resolved(document: Document, schema: Schema) -> Schema:
    while "$ref" in schema:
        schema = document["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
    return schema


if __name__ == "__main__":
    changes = breaking_changes(json.loads(LAST.read_text()), json.loads(NOW.read_text()))
    print("\n".join(changes) or f"nothing in {NOW.name} breaks callers of {LAST.name}")
    sys.exit(1 if changes else 0)
