"""JSON text of records and plain values: compact for hashes and files, indented for people."""

from __future__ import annotations

import re
from typing import Any

import orjson

from fettle.results.record import jsonable

_OURS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
"""Records and moments are written as `jsonable` says."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_HIGHEST_OF_16_BITS = 0xFFFF


def encode(data: Any) -> bytes:
    """Compact JSON of a record, or of what `to_dict` gives, in the order given. A number of a record that is not finite
    raises ValueError; outside of records it would be written as null."""
    return _dumps(data, _OURS)


def indented(value: Any) -> str:
    """The same for people, two spaces a level and in ASCII: a terminal may know no other characters."""
    text = _dumps(value, _OURS | orjson.OPT_INDENT_2).decode()
    return text if text.isascii() else _NOT_ASCII.sub(_escaped, text)


def _dumps(value: Any, options: int) -> bytes:
    try:
        return orjson.dumps(value, jsonable, options)
    except orjson.JSONEncodeError as fault:
        # what `jsonable` raised, which says what is wrong
        raise fault.__cause__ or fault from None


def _escaped(character: re.Match[str]) -> str:
    """A character as JSON writes it in ASCII: beyond 16 bits as two halves (RFC 8259, section 7)."""
    code = ord(character[0])
    if code <= _HIGHEST_OF_16_BITS:
        return f"\\u{code:04x}"
    high, low = divmod(code - 0x10000, 0x400)
    return f"\\u{0xD800 + high:04x}\\u{0xDC00 + low:04x}"
