"""JSON text of records and plain values: compact for hashes and files, indented for people."""

from __future__ import annotations

import codecs
import struct
from typing import Any

import orjson

from fettle.results.record import jsonable

_OURS = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME
"""Records and moments are written as `jsonable` says."""
_ESCAPES = "fettle.json_escapes"
"""Name under which the codec of ASCII finds `_escape`."""


def encode(data: Any) -> bytes:
    """Compact JSON of a record, or of what `to_dict` gives, in the order given. A number of a record that is not finite
    raises ValueError; outside of records it would be written as null."""
    return _dumps(data, _OURS)


def indented(value: Any) -> str:
    """The same for people, two spaces a level and in ASCII: a terminal may know no other characters."""
    text = _dumps(value, _OURS | orjson.OPT_INDENT_2)
    return (text if text.isascii() else text.decode().encode("ascii", _ESCAPES)).decode("ascii")


def _dumps(value: Any, options: int) -> bytes:
    try:
        return orjson.dumps(value, jsonable, options)
    except orjson.JSONEncodeError as fault:
        # what `jsonable` raised, which says what is wrong
        raise fault.__cause__ or fault from None


def _escape(fault: UnicodeError) -> tuple[str, int]:
    """The characters that the codec stopped at as JSON writes them in ASCII, in units of UTF-16 (RFC 8259, section 7),
    and where it goes on."""
    if not isinstance(fault, UnicodeEncodeError):
        raise fault
    units = fault.object[fault.start : fault.end].encode("utf-16-be")
    return "".join(f"\\u{unit:04x}" for (unit,) in struct.iter_unpack(">H", units)), fault.end


# the codec passes over what is ASCII ten times as fast as a regular expression
codecs.register_error(_ESCAPES, _escape)
