"""Instances that a STEP file defines a second time.

The kernel resolves the references of such a file by a search that reads memory nobody has set: it gives other answers
from run to run, or never ends.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.pmi.part21 import STRING_OR_COMMENT
from fettle.jit import njit

_INSTANCE = re.compile(rb"#0*+(\d++)\s*+=")
_LINE_END = b"\n"
_NUMBER_SIGN, _EQUALS, _ZERO, _NINE, _SPACE, _TAB, _RETURN = b"#=09 \t\r"


def repeated_instance(text: bytes) -> tuple[int, int, int] | None:
    """Number of the first instance that is defined a second time, and the lines of both; None where there is none."""
    codes = np.frombuffer(text, np.uint8)
    numbers = np.sort(_defined_numbers(codes, np.flatnonzero(codes == _EQUALS)))
    if not (numbers[1:] == numbers[:-1]).any():
        return None
    # texts and comments may hold what looks like an instance; their line ends are kept, for the lines that are told
    bare = STRING_OR_COMMENT.sub(lambda match: _LINE_END * match[0].count(_LINE_END), text)
    starts: dict[bytes, int] = {}
    for match in _INSTANCE.finditer(bare):
        first = starts.setdefault(match[1], match.start())
        if first != match.start():
            return int(match[1]), _line_of(bare, first), _line_of(bare, match.start())
    return None


@njit(cache=True)
def _defined_numbers(text: NDArray[np.uint8], equals: NDArray[np.int64]) -> NDArray[np.int64]:
    """What `_INSTANCE` finds in a text with signs = at `equals`; numbers too long for an integer lose their first
    digits, so that others may seem to be the same."""
    numbers = np.empty(len(equals), np.int64)
    count = 0
    for sign in equals:
        at = sign - 1
        while at >= 0 and (text[at] == _SPACE or _TAB <= text[at] <= _RETURN):
            at -= 1
        number, place, is_zero = 0, 1, True
        while at >= 0 and _ZERO <= text[at] <= _NINE:
            number += (text[at] - _ZERO) * place
            is_zero &= text[at] == _ZERO
            place *= 10
            at -= 1
        if at >= 0 and text[at] == _NUMBER_SIGN and not is_zero:
            numbers[count] = number
            count += 1
    return numbers[:count]


def _line_of(text: bytes, position: int) -> int:
    return text.count(_LINE_END, 0, position) + 1
