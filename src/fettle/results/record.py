"""Frozen dataclasses that know their JSON: `to_dict` gives the API's object, `from_dict` reads one back.

Both are compiled once per class from its fields, so that a result of many thousand findings is written quickly.
"""

from __future__ import annotations

import math
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields
from datetime import datetime
from decimal import Decimal
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Literal, NoReturn, Self, Union, get_args, get_origin, get_type_hints

DIGITS = 9
"""Significant digits of a number in a result."""
_WITH_DIGITS = f"%.{DIGITS}g"

JsonObject = dict[str, Any]
Triple = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class JsonName:
    """Key of a field in JSON where Python needs another name, for example `pass`."""

    key: str


@dataclass(frozen=True, slots=True)
class Format:
    """Format of a string as JSON Schema names it, for example `uuid`."""

    name: str


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of a record: its name in Python, its key in JSON, its type without annotations, and its meaning."""

    name: str
    key: str
    type: Any
    meaning: str
    format: str | None
    required: bool


class Record:
    """Base of every part of the answer; subclasses are frozen dataclasses."""

    __slots__ = ()
    EXAMPLE: ClassVar[JsonObject | None] = None
    """An answer as the API documentation shows it."""

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        # several times faster than the dataclasses' own way, which sets one attribute after the other
        return type(self), _codec(type(self)).values_of(self)

    def to_dict(self) -> JsonObject:
        """The JSON object of the API: plain dicts, lists, strings and numbers; one that is not finite is a
        ValueError."""
        return _codec(type(self)).write(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Reads what `to_dict` wrote; unknown keys are left out, a missing one is a KeyError."""
        return cls(**_codec(cls).read(data))


def jsonable(value: Any) -> Any:
    """A value of dictionaries, texts and numbers for one that JSON does not know."""
    if isinstance(value, Record):
        return value.to_dict()
    convert = next((change for kind, change in _PLAIN.items() if isinstance(value, kind)), None)
    if convert is None:
        raise TypeError(f"{type(value).__name__} has no JSON")
    return convert(value)


def rounded(value: float) -> float:
    """The number with nine significant digits; never minus zero."""
    return float(_WITH_DIGITS % value) + 0.0


def reading(value: float | None) -> float | None:
    """A measured number with nine significant digits; None where nothing was measured."""
    return None if value is None or not math.isfinite(value) else rounded(value)


def record_fields(record: type[Any]) -> tuple[RecordField, ...]:
    """The fields of a dataclass with what their annotations say."""
    found = _fields.get(record)
    if found is None:
        hints = get_type_hints(record, include_extras=True)
        found = _fields[record] = tuple(
            _field(one.name, hints[one.name], one.default is MISSING and one.default_factory is MISSING)
            for one in fields(record)
        )
    return found


def _field(name: str, hint: Any, required: bool) -> RecordField:
    notes = hint.__metadata__ if get_origin(hint) is Annotated else ()
    plain = get_args(hint)[0] if notes else hint
    return RecordField(
        name=name,
        key=next((note.key for note in notes if isinstance(note, JsonName)), name),
        type=plain,
        meaning=next((note for note in notes if isinstance(note, str)), ""),
        format=next((note.name for note in notes if isinstance(note, Format)), None),
        required=required,
    )


Convert = Callable[[Any], Any]

_PLAIN: dict[type, Convert] = {Decimal: float, datetime: datetime.isoformat, Mapping: dict, float: float}
"""How values are written that JSON does not know; the last are numbers of types derived from float, as numpy's are."""


@dataclass(frozen=True, slots=True)
class _Codec:
    """How a class is written and read: the values of its fields in order, and by key as plain JSON; and of every field
    name, key, conversion and whether it is required."""

    values_of: Callable[[Any], tuple[Any, ...]]
    write: Callable[[Any], JsonObject]
    read_by: tuple[tuple[str, str, Convert | None, bool], ...]

    def read(self, data: Mapping[str, Any]) -> JsonObject:
        found = {}
        for name, key, convert, required in self.read_by:
            if required or key in data:
                found[name] = data[key] if convert is None else convert(data[key])
        return found


def _codec(record: type[Record]) -> _Codec:
    found = _codecs.get(record)
    if found is None:
        found = _codecs[record] = _compile(record)
    return found


def _compile(record: type[Record]) -> _Codec:
    every = record_fields(record)
    names = [one.name for one in every]
    getter = attrgetter(*names)
    return _Codec(
        values_of=getter if len(names) > 1 else lambda it: (getter(it),),
        write=_object_writer(every),
        read_by=tuple((one.name, one.key, _reader(one.type), one.required) for one in every),
    )


def _object_writer(every: Sequence[RecordField]) -> Callable[[Any], JsonObject]:
    """A function from a record to a dict, without the keys of fields with a default that are None. It is compiled from
    one dict display, as dataclasses compile theirs, because a result has thousands of records: five times as fast as a
    loop over the fields."""
    called: dict[str, Any] = {"inf": math.inf, "refuse": _refuse, "finite_each": _finite_each}
    entries = [f"{one.key!r}: {_json_text(one.type, f'it.{one.name}', called)}" for one in every]
    write: Callable[[Any], JsonObject] = eval(f"lambda it: {{{', '.join(entries)}}}", called)  # noqa: S307
    optional = [one.key for one in every if not one.required]

    def write_known(it: Any) -> JsonObject:
        shown = write(it)
        for key in optional:
            if shown[key] is None:
                del shown[key]
        return shown

    return write_known if optional else write


def is_record(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Record)


def without_none(kind: Any) -> tuple[Any, bool]:
    """The type without None, and whether None was one of its choices."""
    if get_origin(kind) not in (Union, types.UnionType):
        return kind, False
    chosen = [one for one in get_args(kind) if one is not type(None)]
    rest = chosen[0] if len(chosen) == 1 else Union[tuple(chosen)]  # noqa: UP007 - built at run time
    return rest, len(chosen) < len(get_args(kind))


def is_pair_map(kind: Any) -> bool:
    return get_origin(kind) in (dict, Mapping)


def _json_text(kind: Any, value: str, called: dict[str, Any]) -> str:
    """Python text of the JSON of a value of this type, itself given as text. What it calls is added to `called`."""
    kind, optional = without_none(kind)
    if kind is float:
        # false for nan as well
        text = f"({value} if -inf < {value} < inf else refuse({value}))"
    elif get_origin(kind) is tuple and get_args(kind)[0] is float:
        # the sum of several tells at once that each is finite; only where it is not are they looked at one by one
        text = f"(list({value}) if -inf < sum({value}) < inf else finite_each({value}))"
    elif get_origin(kind) is tuple:
        one = _json_text(get_args(kind)[0], "one", called)
        text = f"list({value})" if one == "one" else f"[{one} for one in {value}]"
    elif (convert := _writer(kind)) is not None:
        name = f"convert_{len(called)}"
        called[name] = convert
        text = f"{name}({value})"
    else:
        text = value
    return f"(None if {value} is None else {text})" if optional and text != value else text


def _writer(kind: Any) -> Convert | None:
    """What turns a value of this type into JSON; None where it is JSON already."""
    if is_record(kind):
        # one that shows itself in another way, or the compiled writer itself
        own: Convert = kind.to_dict
        return own if own is not Record.to_dict else _codec(kind).write
    if is_pair_map(kind):
        return dict if get_args(kind)[1] in (int, str) else _finite_values
    return _PLAIN.get(kind)


def _refuse(value: float) -> NoReturn:
    raise ValueError(f"{value} has no JSON: numbers in results are finite, or None where nothing was measured")


def _finite_each(values: Sequence[float]) -> list[float]:
    if not all(map(math.isfinite, values)):
        _refuse(next(value for value in values if not math.isfinite(value)))
    return list(values)


def _finite_values(entries: Mapping[str, Any]) -> JsonObject:
    return {key: _finite_inside(value) for key, value in entries.items()}


def _finite_inside(value: Any) -> Any:
    """A value of plain JSON, each of its numbers finite."""
    if isinstance(value, float):
        return value if math.isfinite(value) else _refuse(value)
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, list | tuple):
        return [_finite_inside(one) for one in value]
    return _finite_values(value) if isinstance(value, Mapping) else value


def _reader(kind: Any) -> Convert | None:
    """What turns JSON into a value of this type; None where it is one already."""
    kind, optional = without_none(kind)
    if is_record(kind):
        convert: Convert | None = kind.from_dict
    elif kind is Decimal:
        convert = _exact
    elif kind is datetime:
        convert = datetime.fromisoformat
    elif get_origin(kind) is tuple:
        one = _reader(get_args(kind)[0])
        convert = tuple if one is None else _tuple_of(one)
    else:
        convert = None
    return _or_none(convert) if optional and convert is not None else convert


def _exact(value: float) -> Decimal:
    """Digit for digit as JSON shows the number."""
    return Decimal(repr(value))


def _tuple_of(convert: Convert) -> Convert:
    return lambda values: tuple(convert(value) for value in values)


def _or_none(convert: Convert) -> Convert:
    return lambda value: None if value is None else convert(value)


def literal_values(kind: Any) -> tuple[Any, ...] | None:
    return get_args(kind) if get_origin(kind) is Literal else None


_fields: dict[type[Any], tuple[RecordField, ...]] = {}
_codecs: dict[type[Record], _Codec] = {}
