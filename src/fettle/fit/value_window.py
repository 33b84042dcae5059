# mypy: allow-untyped-defs, allow-untyped-calls
"""The most frequent value within a tolerance, compiled."""

from __future__ import annotations

from fettle.jit import njit


@njit(cache=True)
def fullest_window(values, upto, ratio):
    """First and end of the sorted values (k,), all above 0, that are at most `ratio` times the first of them and have
    the most weight; of equal ones the first. upto (k + 1,): weight before each value, and of all."""
    first, last, most, end = 0, 0, -1.0, 0
    for start in range(len(values)):
        limit = values[start] * ratio
        while end < len(values) and values[end] <= limit:
            end += 1
        weight = upto[end] - upto[start]
        if weight > most:
            first, last, most = start, end, weight
    return first, last
