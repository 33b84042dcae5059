"""JSON for people, two spaces a level: the text of `json.dumps(value, indent=2)` in less than half of its time, as the
standard library indents without its compiled encoder."""

from __future__ import annotations

import json
from collections.abc import Callable
from json.encoder import encode_basestring_ascii as quoted
from math import isfinite
from typing import Any


def _float(value: float) -> str:
    if not isfinite(value):
        raise ValueError(f"{value} has no JSON")
    return repr(value)


SCALARS: dict[type, Callable[[Any], str]] = {
    str: quoted,
    float: _float,
    int: int.__repr__,
    bool: lambda value: "true" if value else "false",
    type(None): lambda value: "null",
}
"""How values without parts are written, by their type."""
_ENCODER = json.JSONEncoder(allow_nan=False)
"""For values of other types, such as enumerations and numbers of numpy."""


def indented(value: Any, start: str = "\n") -> str:
    """The JSON of a value of dictionaries with texts as keys, lists, tuples, texts, numbers, booleans and None.

    `start`: line break and indentation of the value's own line. Raises ValueError for a number that is not finite.
    """
    write = SCALARS.get
    inner = f"{start}  "
    if isinstance(value, dict):
        rows = [
            f"{quoted(key)}: {scalar(one) if (scalar := write(type(one))) else indented(one, inner)}"
            for key, one in value.items()
        ]
        return f"{{{inner}{f',{inner}'.join(rows)}{start}}}" if rows else "{}"
    if isinstance(value, list | tuple):
        rows = [scalar(one) if (scalar := write(type(one))) else indented(one, inner) for one in value]
        return f"[{inner}{f',{inner}'.join(rows)}{start}]" if rows else "[]"
    return _ENCODER.encode(value)
