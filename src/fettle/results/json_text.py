"""JSON text of records and plain values: compact for hashes and files, indented for people."""

from __future__ import annotations

import struct
from typing import Any

import orjson

from fettle.results.record import jsonable

_OURS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
"""Records and moments are written as `jsonable` says."""
_SHORT = 64
"""Length in bytes up to which a text is looked at character by character."""


def encode(data: Any) -> bytes:
    """Compact JSON of a record, or of what `to_dict` gives, in the order given. A number of a record that is not finite
    raises ValueError; outside of records it would be written as null."""
    return _dumps(data, _OURS)


def indented(value: Any) -> str:
    """The same for people, two spaces a level and in ASCII: a terminal may know no other characters."""
    return _in_ascii(_dumps(value, _OURS | orjson.OPT_INDENT_2))


def _dumps(value: Any, options: int) -> bytes:
    try:
        return orjson.dumps(value, jsonable, options)
    except orjson.JSONEncodeError as fault:
        # what `jsonable` raised, which says what is wrong
        raise fault.__cause__ or fault from None


def _in_ascii(text: bytes) -> str:
    """JSON with every character beyond ASCII escaped. A text is halved until its parts are ASCII or short: a megabyte
    with a degree sign takes a hundredth of the time of a regular expression."""
    if text.isascii():
        return text.decode("ascii")
    if len(text) <= _SHORT:
        return "".join(map(_escaped, text.decode()))
    middle = len(text) // 2
    while text[middle] & 0xC0 == 0x80:  # within a character
        middle += 1
    return _in_ascii(text[:middle]) + _in_ascii(text[middle:])


def _escaped(character: str) -> str:
    """A character in ASCII: itself, or its units of UTF-16 (RFC 8259, section 7)."""
    if character.isascii():
        return character
    return "".join(f"\\u{unit:04x}" for (unit,) in struct.iter_unpack(">H", character.encode("utf-16-be")))
