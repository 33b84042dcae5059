"""JSON Schema (2020-12) of records and feature kinds: what OpenAPI, the client and the viewer are generated from."""

from __future__ import annotations

import keyword
import re
import types
from collections.abc import Iterable, Mapping
from dataclasses import is_dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Union, get_args, get_origin

from fettle.recognize.kinds import feature_classes
from fettle.results.feature_kinds import dimension_fields, json_type, nested_classes
from fettle.results.features import FeatureEntry
from fettle.results.record import (
    JsonObject,
    Record,
    RecordField,
    is_pair_map,
    is_record,
    literal_values,
    record_fields,
    without_none,
)

FEATURE = "Feature"
"""Name of the union of all kinds."""

OPENAPI_REFS = "#/components/schemas/"
SCHEMA_REFS = "#/$defs/"
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_UNIT = re.compile(r"_(mm|mm2|mm3|cm2|cm3|deg|kg|days)$")
_PLAIN: Mapping[Any, JsonObject] = {
    str: {"type": "string"},
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    Decimal: {"type": "number", "format": "decimal"},
    datetime: {"type": "string", "format": "date-time"},
    Any: {},
}


def component_schemas(records: Iterable[type[Record]], refs: str = OPENAPI_REFS) -> dict[str, JsonObject]:
    """Schemas of these records and of everything they hold, by class name; references begin with `refs`."""
    found: dict[str, JsonObject] = {}
    waiting = list(records)
    while waiting:
        record = waiting.pop(0)
        if schema_name(record) in found:
            continue
        found |= _feature_schemas(refs) if record is FeatureEntry else {record.__name__: _record_schema(record, refs)}
        waiting += [inner for one in record_fields(record) for inner in _records_in(one.type)]
    return dict(sorted(found.items()))


def record_schema(record: type[Record]) -> JsonObject:
    """A self-contained JSON Schema of one record."""
    title = record.__name__
    return {"$schema": DIALECT, "$ref": f"{SCHEMA_REFS}{title}", "$defs": component_schemas([record], SCHEMA_REFS)}


def schema_name(record: type[Record]) -> str:
    """Name of a record's schema."""
    return FEATURE if record is FeatureEntry else record.__name__


def _record_schema(record: type[Record], refs: str) -> JsonObject:
    every = [(one.key, one, one.type) for one in record_fields(record)]
    shown = _object(record, every, refs)
    return shown if record.EXAMPLE is None else {**shown, "examples": [record.EXAMPLE]}


def _feature_schemas(refs: str) -> dict[str, JsonObject]:
    """One schema per kind, told apart by `kind`, and their union."""
    found: dict[str, JsonObject] = {}
    names = {}
    for kind, shape in feature_classes().items():
        names[kind] = f"{kind.title().replace('_', '')}Feature"
        found[names[kind]] = _kind_schema(kind, shape, refs)
        found |= {one.__name__: _shape_schema(one, refs) for one in nested_classes(shape)}
    found[FEATURE] = {
        "description": "A recognized feature; `kind` tells which dimensions it has.",
        "oneOf": [{"$ref": refs + name} for name in names.values()],
        "discriminator": {
            "propertyName": "kind",
            "mapping": {kind: refs + name for kind, name in names.items()},
        },
    }
    return found


def _kind_schema(kind: str, shape: type[Any], refs: str) -> JsonObject:
    rows: list[tuple[str, RecordField, Any]] = []
    for one in record_fields(FeatureEntry):
        if one.name == "dimensions":
            rows += [(key, dimension, json_type(dimension)) for key, dimension in dimension_fields(shape)]
        else:
            rows.append((one.key, one, one.type))
    shown = _object(shape, rows, refs)
    shown["description"] = shown["description"] or f"A feature of the kind {kind}."
    shown["properties"]["kind"] = {"const": kind, "type": "string", "description": "Kind of the feature."}
    return shown


def _shape_schema(shape: type[Any], refs: str) -> JsonObject:
    return _object(shape, [(key, one, json_type(one)) for key, one in dimension_fields(shape)], refs)


def _object(owner: type[Any], rows: Iterable[tuple[str, RecordField, Any]], refs: str) -> JsonObject:
    rows = list(rows)
    # a dimension's default is for whoever builds a feature; JSON shows every dimension
    always = not is_record(owner)
    return {
        "type": "object",
        "description": _sentence(owner),
        "properties": {key: _property(key, one, kind, refs) for key, one, kind in rows},
        "required": [key for key, one, _ in rows if one.required or always],
    }


def _sentence(owner: type[Any]) -> str:
    """The docstring in one line; the signature that dataclasses put where there is none says nothing new."""
    text = owner.__doc__ or ""
    return "" if text.startswith(f"{owner.__name__}(") else " ".join(text.split())


def _property(key: str, one: RecordField, kind: Any, refs: str) -> JsonObject:
    shown = dict(_type_schema(kind, refs, one.format))
    if one.meaning:
        shown["description"] = one.meaning
    if keyword.iskeyword(key):
        shown["x-name"] = one.name
    unit = _UNIT.search(key)
    return {**shown, "x-unit": unit[1]} if unit else shown


def _type_schema(kind: Any, refs: str, form: str | None = None) -> JsonObject:
    kind, optional = without_none(kind)
    if optional:
        return {"anyOf": [_type_schema(kind, refs, form), {"type": "null"}]}
    if is_record(kind):
        return {"$ref": refs + schema_name(kind)}
    if is_dataclass(kind) and isinstance(kind, type):
        return {"$ref": refs + kind.__name__}
    if kind in _PLAIN:
        return {**_PLAIN[kind], "format": form} if form else _PLAIN[kind]
    values = literal_values(kind)
    if values is not None:
        return {"type": "string", "enum": list(values)}
    if get_origin(kind) is tuple:
        return _array(get_args(kind), refs, form)
    if is_pair_map(kind):
        inner = _type_schema(get_args(kind)[1], refs)
        return {"type": "object", "additionalProperties": inner or True}
    if get_origin(kind) in (Union, types.UnionType):
        return {"anyOf": [_type_schema(one, refs) for one in get_args(kind)]}
    raise TypeError(f"no JSON Schema for {kind!r}")


def _array(items: tuple[Any, ...], refs: str, form: str | None) -> JsonObject:
    shown: JsonObject = {"type": "array", "items": _type_schema(items[0], refs, form)}
    return shown if items[-1] is Ellipsis else {**shown, "minItems": len(items), "maxItems": len(items)}


def _records_in(kind: Any) -> list[type[Record]]:
    if is_record(kind):
        return [kind]
    return [found for inner in get_args(kind) for found in _records_in(inner)]
