"""JSON text of records and plain values: compact for hashes and files, indented for people.

Records are written by functions compiled once per class from its fields, without a dictionary of each in between: a
result has thousands of findings. Numbers, and the faces and places that findings share, are written once.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from json.encoder import encode_basestring, encode_basestring_ascii
from math import isfinite
from typing import Any, get_origin

from fettle.results.record import Record, RecordField, jsonable, literal_values, record_fields, without_none

Scalar = Callable[[Any], str]
KnownScalar = Callable[[type], Scalar | None]
"""How a value without parts is written, by its type; None for others."""
Write = Callable[[Any, str], str]
"""From a value, and the line break and indentation of its own line, to its text."""
Seen = dict[int, tuple[str, str, object]]
"""Texts of tuples by their id, with the indentation they have and the tuple itself, so that its id stays its own."""
WriteRecord = Callable[[Any, str, KnownScalar, Seen, Write], str]


def encode(data: Any) -> bytes:
    """Compact JSON of a record, or of what `to_dict` gives, in the order given; a number that is not finite raises
    ValueError."""
    return _COMPACT.writer()(data, "").encode()


def encode_fields(fields: Mapping[str, Any]) -> dict[str, bytes]:
    """The same of several values by key; what they share is written once."""
    write = _COMPACT.writer()
    return {key: write(value, "").encode() for key, value in fields.items()}


def indented(value: Any) -> str:
    """The same for people, two spaces a level and in ASCII: the text of `json.dumps(value.to_dict(), indent=2)`."""
    return _INDENTED.writer()(value, "\n")


class _FloatTexts(dict[float, str]):
    """Texts of numbers, each written once, also of a result that is written compact and then for people."""

    MOST = 20_000

    def __missing__(self, value: float) -> str:
        if not isfinite(value):
            raise ValueError(f"{value} has no JSON")
        text = repr(value)
        if value:  # minus zero is equal to zero and has another text
            if len(self) >= self.MOST:
                self.clear()
            self[value] = text
        return text


_FLOAT_TEXTS = _FloatTexts()


@dataclass(frozen=True, slots=True)
class _Style:
    """How JSON is laid out. `quoted` writes a text, `colon` stands after a key, and `step` is the indentation that
    every level adds; `records`: the compiled functions by class."""

    quoted: Callable[[str], str]
    colon: str
    step: str
    records: dict[type, WriteRecord] = field(default_factory=dict)

    def writer(self) -> Write:
        """Writes any value; `start`: line break and indentation of its own line, "" in compact JSON. What values share
        is written once."""
        scalars: dict[type, Scalar] = {
            str: self.quoted,
            float: _FLOAT_TEXTS.__getitem__,
            int: int.__repr__,
            bool: {True: "true", False: "false"}.__getitem__,
            type(None): {None: "null"}.__getitem__,
        }
        known, step, records = scalars.get, self.step, self.records
        seen: Seen = {}

        def write(value: Any, start: str) -> str:
            kind = type(value)
            if kind is tuple:
                found = seen.get(id(value))
                if found is None or found[1] != start:
                    found = seen[id(value)] = array(value, start), start, value
                return found[0]
            if kind in records:
                return records[kind](value, start, known, seen, write)
            if isinstance(value, Record):
                records[kind] = self._record_writer(kind)
                return records[kind](value, start, known, seen, write)
            if isinstance(value, dict):
                return self._object(value, start, known, write)
            if isinstance(value, list | tuple):
                return array(value, start)
            if kind in scalars:
                return scalars[kind](value)
            # of derived types, such as enumerations and numbers of numpy
            if isinstance(value, str):
                return self.quoted(value)
            if isinstance(value, int | float):
                return _ENCODER.encode(value)
            return write(jsonable(value), start)

        def array(values: Sequence[Any], start: str) -> str:
            if not values:
                return "[]"
            inner = start + step
            kind = type(values[0])
            rows: Iterable[str]
            if len(set(map(type, values))) > 1:
                rows = [scalar(one) if (scalar := known(type(one))) else write(one, inner) for one in values]
            elif kind in scalars:
                rows = map(scalars[kind], values)
            elif kind in records:
                record = records[kind]
                rows = [record(one, inner, known, seen, write) for one in values]
            else:
                rows = [write(one, inner) for one in values]
            return f"[{inner}{f',{inner}'.join(rows)}{start}]"

        return write

    def _object(self, entries: Mapping[str, Any], start: str, known: KnownScalar, write: Write) -> str:
        if not entries:
            return "{}"
        inner = start + self.step
        rows = [
            f"{self.quoted(key)}{self.colon}{scalar(one) if (scalar := known(type(one))) else write(one, inner)}"
            for key, one in entries.items()
        ]
        return f"{{{inner}{f',{inner}'.join(rows)}{start}}}"

    def _record_writer(self, record: type[Record]) -> WriteRecord:
        """A function compiled from one f-string, as dataclasses compile theirs."""
        fields = record_fields(record)
        if record.fields_by_key is not Record.fields_by_key or not all(one.required for one in fields):
            return lambda it, start, known, seen, write: self._object(it.fields_by_key(), start, known, write)
        rows = ",{inner}".join(f"{self.quoted(one.key)}{self.colon}{{{_expression(one)}}}" for one in fields)
        source = f"lambda it, start, known, seen, write: f'''{{{{{{(inner := start + step)}}{rows}{{start}}}}}}'''"
        names = {"step": self.step, "quoted": self.quoted, "float_texts": _FLOAT_TEXTS}
        written: WriteRecord = eval(source, names)  # noqa: S307 - names of fields
        return written


def _expression(one: RecordField) -> str:
    """Python source of the text of a field of the record `it`; its type saves looking at that of each value."""
    kind, is_optional = without_none(one.type)
    words = literal_values(kind)
    if kind is str or (words and all(isinstance(word, str) for word in words)):
        written = f"quoted(it.{one.name})"
        return f"'null' if it.{one.name} is None else {written}" if is_optional else written
    if one.type is bool:
        return f"'true' if it.{one.name} else 'false'"
    if kind is float:
        return f"float_texts[one] if type(one := it.{one.name}) is float else write(one, inner)"
    if get_origin(kind) is tuple:
        found = f"(found := seen.get(id(one := it.{one.name}))) and found[1] == inner"
        return f"found[0] if {found} else 'null' if one is None else write(one, inner)"
    return f"scalar(one) if (scalar := known(type(one := it.{one.name}))) else write(one, inner)"


_ENCODER = json.JSONEncoder(allow_nan=False)
_COMPACT = _Style(encode_basestring, ":", "")
_INDENTED = _Style(encode_basestring_ascii, ": ", "  ")
