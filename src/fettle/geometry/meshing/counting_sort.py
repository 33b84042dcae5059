# mypy: allow-untyped-defs
"""Sorting by small whole numbers: counted instead of compared, several times as fast."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit


@njit(cache=True)
def sort_by(order, keys, key_count):
    """The row numbers `order` (k,) sorted by their keys, out of keys (n,) from 0 to key_count - 1; rows with equal keys
    stay in their order. To sort by several keys, sort by the last one first."""
    ends = np.zeros(key_count + 1, np.int64)
    for row in order:
        ends[keys[row] + 1] += 1
    for key in range(key_count):
        ends[key + 1] += ends[key]
    ordered = np.empty_like(order)
    for row in order:
        ordered[ends[keys[row]]] = row
        ends[keys[row]] += 1
    return ordered
