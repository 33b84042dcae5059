"""Instances of a STEP file (ISO 10303-21) by number and by type, parsed one at a time when they are asked for.

Without the geometry kernel on purpose: it dies on some damaged files, and what a file says about tolerances is no
reason to lose its geometry.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters, digits
from typing import TypeAlias, cast

import numpy as np

from fettle.geometry.pmi.instance_scan import find_instances, fingerprint_of

MAX_NESTING = 32
"""Deepest list within lists that is read; files of CAD systems stay below 5."""
MAX_INSTANCE_BYTES = 1_000_000
"""Longest instance that is parsed: a note of a million letters is no note."""

STRING_OR_COMMENT = re.compile(rb"'[^']*'|/\*.*?(?:\*/|\Z)", re.DOTALL)
"""A comment without an end reaches to that of the file: were it none, every one would be searched to there."""
_TOKEN = re.compile(
    r"[\s,]*('(?>[^']+|'')*+'|#\d+|\.[A-Za-z0-9_]+\.|[A-Za-z_!][A-Za-z0-9_]*|[-+]?[\d.][-+\d.Ee]*|.)", re.DOTALL
)
"""Commas say nothing more than that a value ends, which it does without them."""
_LETTERS, _DIGITS, _SIGNS = frozenset(f"{ascii_letters}_!"), frozenset(f"{digits}."), frozenset("+-")
"""What words and numbers begin with."""
_UNSET = frozenset("$*")
"""A value that is not given, and one that follows from others."""
_PARTS = re.compile(rb"([A-Z][A-Z0-9_]*)\s*\(")
_STRING = re.compile(rb"'[^']*'")


class Unreadable(ValueError):
    """An instance that is missing, damaged, or not what it must be at its place."""


class Ref(int):
    """Number of another instance."""


class Enum(str):
    """An enumeration value, without its dots."""


@dataclass(frozen=True, slots=True)
class Typed:
    """A value with its type, for example LENGTH_MEASURE(2.5)."""

    type: str
    values: list[Value]


Value: TypeAlias = "str | float | Ref | Enum | Typed | list[Value] | None"


@dataclass(frozen=True, slots=True)
class Instance:
    """`parts`: attributes by type; one entry for a simple instance, several for a complex one."""

    number: int
    parts: dict[str, list[Value]]

    @property
    def type(self) -> str:
        return "+".join(self.parts)

    def attribute(self, position: int, *types: str) -> Value:
        """An attribute of the first of the types that the instance has; without types, of a simple instance."""
        values = next((self.parts[one] for one in types if one in self.parts), None)
        if values is None and not types:
            values = next(iter(self.parts.values()))
        if values is None or position >= len(values):
            raise Unreadable(f"#{self.number} ({self.type}) lacks an attribute")
        return values[position]

    def refs(self) -> list[int]:
        """Numbers of all instances that this one refers to, in order."""
        return [ref for values in self.parts.values() for ref in refs_in(values)]


def refs_in(value: Value) -> list[int]:
    """Numbers of instances inside a value, in order."""
    found: list[int] = []
    waiting: list[Value] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, Ref):
            found.append(int(one))
        elif isinstance(one, Typed):
            waiting.extend(reversed(one.values))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
    return found


class StepFile:
    """Instances of a file. `order[n]`: position of instance n among all, counted from 0."""

    def __init__(self, text: bytes) -> None:
        if b"/*" in text:
            text = STRING_OR_COMMENT.sub(lambda match: match[0] if match[0].startswith(b"'") else b" ", text)
        self._text = text
        self._instances = find_instances(text)
        self.order = dict(zip(self._instances.number.tolist(), range(len(self._instances.number)), strict=True))
        self._complex: dict[str, list[int]] | None = None
        self._parsed: dict[int, Instance] = {}

    def mentions(self, word: str) -> bool:
        """Whether a word is anywhere in the file: a look that saves reading what is not there."""
        return word.encode("latin-1") in self._text

    def has(self, number: int) -> bool:
        return number in self.order

    def keyword(self, number: int) -> str:
        """Type of a simple instance; empty for a complex or a missing one."""
        position = self.order.get(number)
        if position is None:
            return ""
        start, end = self._instances.start[position], self._instances.keyword_end[position]
        return self._text[start:end].decode("latin-1")

    def _body(self, number: int) -> bytes:
        """Text of an instance after its equals sign."""
        position = self.order[number]
        return self._text[self._instances.start[position] : self._instances.end[position]]

    def _simple(self, keyword: str) -> list[int]:
        """Numbers of the instances with a keyword; of the complex ones where it is empty."""
        found = self._instances.number[self._instances.fingerprint == np.uint64(fingerprint_of(keyword))]
        return cast(list[int], found.tolist())

    def of_type(self, *types: str) -> Iterator[Instance]:
        """Instances of the types, simple or complex, in the order of the file; unreadable ones are left out."""
        if self._complex is None:
            self._complex = self._complex_by_part()
        numbers: set[int] = set()
        for name in types:
            numbers.update(self._simple(name), self._complex.get(name, ()))
        for number in sorted(numbers, key=self.order.__getitem__):
            try:
                yield self[number]
            except Unreadable:
                continue

    def _complex_by_part(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for number in self._simple(""):
            body = self._body(number)
            # spline curves and surfaces are complex instances too, many and long; they start with these words
            if body[1:16].lstrip().startswith((b"BOUNDED_", b"B_SPLINE_")):
                continue
            for name in set(_PARTS.findall(_STRING.sub(b"''", body))):
                found.setdefault(name.decode(), []).append(number)
        return found

    def __getitem__(self, number: int) -> Instance:
        instance = self._parsed.get(number)
        if instance is None:
            if number not in self.order:
                raise Unreadable(f"#{number} is referred to and not in the file")
            body = self._body(number)
            if len(body) > MAX_INSTANCE_BYTES:
                raise Unreadable(f"#{number} has {len(body)} bytes, more than {MAX_INSTANCE_BYTES}")
            instance = self._parsed[number] = Instance(number, _parse(body, number))
        return instance


def _parse(body: bytes, number: int) -> dict[str, list[Value]]:
    text = body.decode("latin-1")
    if text.startswith("("):
        values = _values(text, number)
        inner = values[0] if len(values) == 1 and isinstance(values[0], list) else []
        parts = {one.type: one.values for one in inner if isinstance(one, Typed)}
    else:
        parts = {one.type: one.values for one in _values(text, number)[:1] if isinstance(one, Typed)}
    if not parts:
        raise Unreadable(f"#{number} is not written as ISO 10303-21 asks")
    return parts


def _values(text: str, number: int) -> list[Value]:
    """Values of a text, nested as its parentheses are. Parts of a complex instance follow each other without commas."""
    top: list[Value] = []
    stack: list[list[Value]] = [top]
    name = ""
    for token in _TOKEN.findall(text):
        first = token[0]
        if first == "#" and len(token) > 1:
            stack[-1].append(Ref(token[1:]))
        elif first == "(":
            inner: list[Value] = []
            stack[-1].append(Typed(name, inner) if name else inner)
            stack.append(inner)
            name = ""
            if len(stack) > MAX_NESTING:
                raise Unreadable(f"#{number} nests lists deeper than {MAX_NESTING}")
        elif first == ")":
            stack.pop()
            if not stack:
                raise Unreadable(f"#{number} closes more parentheses than it opens")
        elif first == "'" and len(token) > 1:
            stack[-1].append(decode_text(token[1:-1]))
        elif first in _LETTERS:
            name = token
        elif first in _UNSET:
            stack[-1].append(None)
        elif first == "." and token[-1] == "." and token[1:-1].replace("_", "0").isalnum():
            stack[-1].append(Enum(token[1:-1].upper()))
        elif first in _DIGITS or (first in _SIGNS and len(token) > 1):
            stack[-1].append(_figure(token, number))
        elif first == ";" and len(stack) == 1:
            break
        elif first != "," and not first.isspace():
            raise Unreadable(f"#{number} has a stray {first!r}")
    if len(stack) != 1:
        raise Unreadable(f"#{number} leaves a parenthesis open")
    return top


def _figure(figure: str, number: int) -> float:
    try:
        return float(figure)
    except ValueError as error:
        raise Unreadable(f"#{number} has {figure!r} where a number belongs") from error


_ESCAPE = re.compile(
    r"\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\|\\X\\([0-9A-Fa-f]{2})|\\S\\(.)|\\P[A-I]\\|(\\\\)"
)


def decode_text(raw: str) -> str:
    """A string of the file with its doubled quotes, line breaks and escapes of ISO 10303-21 resolved."""
    text = raw.replace("''", "'").replace("\r", "").replace("\n", "")
    return _ESCAPE.sub(_unescape, text) if "\\" in text else text


def _unescape(match: re.Match[str]) -> str:
    wide, widest, narrow, shifted, backslash = match.groups()
    if backslash:
        return "\\"
    if narrow:
        return chr(int(narrow, 16))
    if shifted:
        return chr(min(ord(shifted) + 128, 0x10FFFF))
    digits, size = (wide, 4) if wide is not None else (widest or "", 8)
    codes = (int(digits[start : start + size], 16) for start in range(0, len(digits), size))
    # UTF-16 halves stand beside each other in \X2\; what is no letter is shown as one unknown letter
    text = "".join(chr(code) if code <= 0x10FFFF else "\ufffd" for code in codes)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
