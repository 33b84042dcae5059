# mypy: allow-untyped-defs
"""Connected components of things joined in pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit


def components(count: int, first: NDArray[np.integer], second: NDArray[np.integer]) -> NDArray[np.int32]:
    """Component (count,) of each of `count` things, first[i] and second[i] being joined; components are numbered in the
    order of their smallest members."""
    # One type of number for all callers: one compiled version serves them, and is found stored.
    label: NDArray[np.int32] = _component_numbers(
        count, np.ascontiguousarray(first, dtype=np.int64), np.ascontiguousarray(second, dtype=np.int64)
    )
    return label


@njit(cache=True)
def _component_numbers(count, first, second):
    """Union-find; the root of a component is its smallest member, so that no thing lies before the one above it."""
    above = np.arange(count)
    for i in range(len(first)):
        one, two = first[i], second[i]
        while above[one] != one:
            above[one] = above[above[one]]
            one = above[one]
        while above[two] != two:
            above[two] = above[above[two]]
            two = above[two]
        above[max(one, two)] = min(one, two)
    number = np.empty(count, np.int32)
    found = 0
    for thing in range(count):
        if above[thing] == thing:
            number[thing] = found
            found += 1
        else:
            number[thing] = number[above[thing]]
    return number
