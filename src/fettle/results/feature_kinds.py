"""Dimensions of every feature kind as JSON shows them, walked from the classes of the recognizers.

Face numbers become face ids: `floor_face` is `floor_fid`, `support_faces` is `support_fids`; `kind` and `faces` are
shown as `kind`, `fid` and `related_fids`. Unlike the rest of this package it imports the recognizers.
"""

from __future__ import annotations

from dataclasses import is_dataclass
from typing import Any, get_args, get_origin

from fettle.geometry.part import fid
from fettle.results.record import RecordField, reading, record_fields, without_none

_IDENTITY = ("kind", "faces")
_dimension_fields: dict[type[Any], tuple[tuple[str, RecordField], ...]] = {}


def dimension_fields(shape: type[Any]) -> tuple[tuple[str, RecordField], ...]:
    """Key in JSON and field of every dimension of a feature, or of a stage of one."""
    found = _dimension_fields.get(shape)
    if found is None:
        found = tuple((_key(one.name), one) for one in record_fields(shape) if one.name not in _IDENTITY)
        _dimension_fields[shape] = found
    return found


def dimensions(shape: Any) -> dict[str, Any]:
    """The dimensions of a feature as JSON: numbers with nine significant digits, faces as face ids."""
    shown: dict[str, Any] = {}
    for key, one in dimension_fields(type(shape)):
        value = getattr(shape, one.name)
        if key == one.name:
            shown[key] = _plain(value)
        elif one.name.endswith("_face"):
            shown[key] = None if value is None else fid(value)
        else:
            shown[key] = [fid(face) for face in value]
    return shown


def json_type(one: RecordField) -> Any:
    """The type of a dimension in JSON: a face number is a face id."""
    if one.name.endswith("_face"):
        return str | None if without_none(one.type)[1] else str
    if one.name.endswith("_faces"):
        return tuple[str, ...]
    return one.type


def nested_classes(shape: type[Any]) -> list[type[Any]]:
    """Dataclasses that a dimension lists, such as the stages of a hole."""
    found = []
    for _, one in dimension_fields(shape):
        kind, _ = without_none(one.type)
        inner = get_args(kind)[0] if get_origin(kind) is tuple else kind
        if is_dataclass(inner) and isinstance(inner, type):
            found.append(inner)
    return found


def _key(name: str) -> str:
    if name.endswith("_face"):
        return name.removesuffix("face") + "fid"
    return name.removesuffix("faces") + "fids" if name.endswith("_faces") else name


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return reading(value)
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return dimensions(value)
