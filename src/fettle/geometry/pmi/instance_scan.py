# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="no-any-return"
"""Where the instances of a STEP file (ISO 10303-21) begin and end: one pass over its bytes.

Compiled, because a file has tens of thousands of instances and little of it is PMI: cut up by a regular expression and
held as strings, they took three times as long as what is read of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit

_DATA = re.compile(rb"ENDSEC\s*;\s*DATA\b")
"""An apostrophe too many in the header is no reason to take all that follows for strings."""
_MOST_DIGITS = 18
"""Numbers of instances with more do not fit into 64 bits; what begins so is none."""
_FIRST_ROWS = 1024
_QUOTE, _SEMICOLON, _NUMBER_SIGN, _EQUALS, _SPACE, _UNDERSCORE = (ord(sign) for sign in "';#= _")
_TAB, _CARRIAGE_RETURN = ord("\t"), ord("\r")
_0, _9, _A, _Z = (ord(sign) for sign in "09AZ")
_HASH_START, _HASH_FACTOR = np.uint64(0xCBF29CE484222325), np.uint64(0x100000001B3)
"""FNV-1a in 64 bits: no two keywords of the standard have one fingerprint."""


class Instances(NamedTuple):
    """`number`, and offsets in the file: `start` and `keyword_end` of the keyword, `end` of the instance before its
    semicolon, shape (n,); `fingerprint` (n,): of the keyword, as `fingerprint_of` has it."""

    number: NDArray[np.int64]
    start: NDArray[np.int64]
    keyword_end: NDArray[np.int64]
    end: NDArray[np.int64]
    fingerprint: NDArray[np.uint64]


def find_instances(text: bytes) -> Instances:
    """All instances in the order of the file, those written inside of strings left out. `text`: without comments."""
    header = _DATA.search(text)
    rows, fingerprints = _scan(np.frombuffer(text, np.uint8), header.end() if header else 0)
    number, start, keyword_end, end = rows.T
    return Instances(number, start, keyword_end, end, fingerprints)


def fingerprint_of(keyword: str) -> int:
    """A number that tells keywords apart; that of a complex instance is empty."""
    _, fingerprint = _read_keyword(np.frombuffer(keyword.encode() + b"(", np.uint8), 0)
    return fingerprint


@njit(cache=True)
def _scan(text, first):
    """Numbers, starts and ends of keywords, and ends of instances (n, 4), and fingerprints (n,), from an offset on."""
    rows, fingerprints = np.empty((_FIRST_ROWS, 4), np.int64), np.empty(_FIRST_ROWS, np.uint64)
    found, at, in_string = 0, first, False
    while at < len(text):
        if text[at] == _QUOTE:
            in_string = not in_string
        elif text[at] == _SEMICOLON and not in_string:
            number, start = _read_number(text, at + 1)
            if start > 0:
                if found == len(rows):
                    rows = np.concatenate((rows, np.empty_like(rows)))
                    fingerprints = np.concatenate((fingerprints, np.empty_like(fingerprints)))
                if found > 0:
                    rows[found - 1, 3] = at
                end, fingerprints[found] = _read_keyword(text, start)
                rows[found, 0], rows[found, 1], rows[found, 2], rows[found, 3] = number, start, end, len(text)
                found += 1
                at = end
                continue
        at += 1
    return rows[:found], fingerprints[:found]


@njit(cache=True)
def _read_number(text, at):
    """Number of the instance that begins at an offset, and where its keyword does; 0 for both where none begins."""
    at = _skip_space(text, at)
    if at == len(text) or text[at] != _NUMBER_SIGN:
        return 0, 0
    first = at + 1
    at, number = first, 0
    while at < len(text) and _0 <= text[at] <= _9:
        number = 10 * number + (text[at] - _0)
        at += 1
    digits = at - first
    at = _skip_space(text, at)
    if not 0 < digits <= _MOST_DIGITS or at == len(text) or text[at] != _EQUALS:
        return 0, 0
    return number, _skip_space(text, at + 1)


@njit(cache=True)
def _read_keyword(text, at):
    """Offset behind a keyword of capital letters, digits and underscores, and its fingerprint."""
    fingerprint = _HASH_START
    while at < len(text) and (_A <= text[at] <= _Z or _0 <= text[at] <= _9 or text[at] == _UNDERSCORE):
        fingerprint = (fingerprint ^ np.uint64(text[at])) * _HASH_FACTOR
        at += 1
    return at, fingerprint


@njit(cache=True)
def _skip_space(text, at):
    while at < len(text) and (text[at] == _SPACE or _TAB <= text[at] <= _CARRIAGE_RETURN):
        at += 1
    return at
