# mypy: allow-untyped-defs, allow-untyped-calls
"""Weighted statistics of values in groups, compiled."""

from __future__ import annotations

import numpy as np
from numba import njit

QUANTILES = (0.05, 0.5, 0.95)
"""Shares of the area below the robust minimum, the median and the robust maximum."""


@njit(cache=True)
def tally(values, area, group, order, count):
    """Of each group, shape (count, 7): share of its area with a reading, smallest reading, the three quantiles, mean,
    standard deviation; and where its smallest reading is (count,), -1 without any. `order` sorts the values (n,)."""
    figures, least = np.zeros((count, 7)), np.full(count, -1, np.int64)
    whole, total, ends = np.zeros(count), np.zeros(count), np.zeros(count + 1, np.int64)
    for i in range(len(values)):
        whole[group[i]] += area[i]
        if np.isfinite(values[i]) and area[i] > 0.0:
            # summed in the same order as the whole, so that a field without gaps has a share of exactly 1
            total[group[i]] += area[i]
            ends[group[i] + 1] += 1
    for g in range(count):
        ends[g + 1] += ends[g]
    sorted_rows, filled = np.empty(ends[count], np.int64), ends[:count].copy()
    for i in order:
        if np.isfinite(values[i]) and area[i] > 0.0:
            sorted_rows[filled[group[i]]] = i
            filled[group[i]] += 1
    for g in range(count):
        own = sorted_rows[ends[g] : ends[g + 1]]
        if len(own) == 0:
            continue
        least[g] = own[0]
        mean = 0.0
        for i in own:
            mean += area[i] * values[i] / total[g]
        # an average of equal values may differ from them in the last digit; a plate of 3 has a mean of 3
        mean = min(max(mean, values[own[0]]), values[own[-1]])
        variance = 0.0
        for i in own:
            variance += area[i] * (values[i] - mean) ** 2 / total[g]
        figures[g, 0], figures[g, 1] = total[g] / whole[g], values[own[0]]
        for k in range(3):
            figures[g, 2 + k] = _quantile(values, area, own, QUANTILES[k] * total[g])
        figures[g, 5], figures[g, 6] = mean, np.sqrt(variance)
    return figures, least


@njit(cache=True)
def _quantile(values, area, own, wanted):
    """The value below which `wanted` of the area lies: linear between the middles of the sorted rows `own` (k,)."""
    before, last_middle, last = 0.0, 0.0, own[0]
    for i in own:
        middle = before + area[i] / 2.0
        if middle >= wanted:
            if i == own[0] or middle <= last_middle:
                return values[i]
            return values[last] + (wanted - last_middle) / (middle - last_middle) * (values[i] - values[last])
        before, last_middle, last = before + area[i], middle, i
    return values[last]
