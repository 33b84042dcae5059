# mypy: allow-untyped-defs, allow-untyped-calls
"""Weighted statistics of values in groups, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit

QUANTILES = (0.05, 0.5, 0.95)
"""Shares of the area below the robust minimum, the median and the robust maximum."""


@njit(cache=True)
def speak_for(points, triangles, area, values, reach):
    """Weights (n,) of values at points (n, 3) with areas (n,): the area of each and of those without a value that it is
    the nearest to, by way of triangles (m, 3), up to its reach (n,).

    The tip of a wedge has no reading. If its area were left out, the thinnest part of the wedge would be that of what
    the mesh happens to reach.
    """
    speaker, near2 = np.full(len(values), -1, np.int64), np.full(len(values), np.inf)
    for i in range(len(values)):
        if np.isfinite(values[i]):
            speaker[i], near2[i] = i, 0.0
    changed = True
    while changed:
        changed = False
        for t in range(len(triangles)):
            for k in range(6):
                i, s = triangles[t, k % 3], speaker[triangles[t, (k + 1 + k // 3) % 3]]
                if s < 0 or s == speaker[i] or near2[i] == 0.0:
                    continue
                x, y, z = points[i, 0] - points[s, 0], points[i, 1] - points[s, 1], points[i, 2] - points[s, 2]
                gap2 = x * x + y * y + z * z
                if gap2 < near2[i] and gap2 < reach[s] * reach[s]:
                    speaker[i], near2[i], changed = s, gap2, True
    weight = np.zeros(len(values))
    for i in range(len(values)):
        if speaker[i] >= 0:
            weight[speaker[i]] += area[i]
    return weight


@njit(cache=True)
def half_steps(triangles, values):
    """Half of the step (n,) that values make at each point of triangles (m, 3), to both sides: where they rise past it,
    on a wedge, the point stands for what lies between; on a plateau and beside a jump it stands for itself, 0."""
    up, down = np.zeros(len(values)), np.zeros(len(values))
    for t in range(len(triangles)):
        for k in range(3):
            i, j = triangles[t, k], triangles[t, (k + 1) % 3]
            step = values[j] - values[i]
            if step > 0.0:
                up[i], down[j] = max(up[i], step), max(down[j], step)
            elif step < 0.0:
                down[i], up[j] = max(down[i], -step), max(up[j], -step)
    return np.minimum(up, down) / 2.0


@njit(cache=True)
def group_statistics(values, area, weight, half, group, order, count):
    """Of each group, shape (count, 7): share of its area (n,) with a reading, smallest reading, the three quantiles,
    mean and standard deviation by weight (n,), each value spread evenly over `half` (n,) to both sides; and where its
    smallest reading is (count,), -1 without any. `order` sorts the values (n,)."""
    figures, least = np.zeros((count, 7)), np.full(count, -1, np.int64)
    whole, covered, ends = np.zeros(count), np.zeros(count), np.zeros(count + 1, np.int64)
    for i in range(len(values)):
        whole[group[i]] += area[i]
        if np.isfinite(values[i]) and area[i] > 0.0:
            # summed in the same order as the whole, so that a field without gaps has a share of exactly 1
            covered[group[i]] += area[i]
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
        upto = np.cumsum(weight[own])
        mean = 0.0
        for i in own:
            mean += weight[i] * values[i] / upto[-1]
        # an average of equal values may differ from them in the last digit; a plate of 3 has a mean of 3
        mean = min(max(mean, values[own[0]]), values[own[-1]])
        variance = 0.0
        for i in own:
            variance += weight[i] * (values[i] - mean) ** 2 / upto[-1]
        figures[g, 0], figures[g, 1] = covered[g] / whole[g], values[own[0]]
        level, mass, reach = values[own], weight[own], half[own]
        for k in range(3):
            figures[g, 2 + k] = _quantile(level, mass, reach, upto, QUANTILES[k] * upto[-1])
        figures[g, 5], figures[g, 6] = mean, np.sqrt(variance)
    return figures, least


@njit(cache=True)
def _quantile(values, weight, half, upto, wanted):
    """The level below which `wanted` of the weight lies, of sorted values (k,); `upto` (k,) adds up their weights."""
    widest = half.max()
    first, last = 0, len(values) - 1
    while first < last:
        middle = (first + last) // 2
        if _below(values, weight, half, upto, widest, values[middle], True) >= wanted:
            last = middle
        else:
            first = middle + 1
    level = values[first]
    before = values[first - 1] if first > 0 else level
    here = _below(values, weight, half, upto, widest, level, False)
    if here <= wanted or before == level:
        return level
    there = _below(values, weight, half, upto, widest, before, True)
    return before + (wanted - there) / (here - there) * (level - before)


@njit(cache=True)
def _below(values, weight, half, upto, widest, level, with_it):
    """Weight that lies below a level; `with_it`: and what lies right on it."""
    start = np.searchsorted(values, level - widest)
    total = upto[start - 1] if start > 0 else 0.0
    for i in range(start, len(values)):
        if values[i] > level + widest:
            break
        if half[i] == 0.0:
            total += weight[i] if values[i] < level or (with_it and values[i] == level) else 0.0
        else:
            total += weight[i] * min(max((level - values[i] + half[i]) / (2.0 * half[i]), 0.0), 1.0)
    return total
