# mypy: allow-untyped-defs, allow-untyped-calls
"""Weighted statistics of values in groups: mean, deviation and quantiles, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit

QUANTILES = (0.05, 0.5, 0.95)
"""Fractions of the area below the reported minimum, the median and the reported maximum."""


@njit(cache=True)
def nearest_reading_weights(points, triangles, area, values, reach):
    """Weights (n,) of values at points (n, 3) with areas (n,): the area of each point plus that of the points without
    value to which it is the nearest, found by propagation over the triangles (m, 3), up to its reach (n,) in mm.

    The tip of a wedge has no reading. If its area were left out, the thinnest part of the wedge would depend on how far
    into the tip the mesh happens to measure.
    """
    nearest, nearest2 = np.full(len(values), -1, np.int64), np.full(len(values), np.inf)
    for i in range(len(values)):
        if np.isfinite(values[i]):
            nearest[i], nearest2[i] = i, 0.0
    # where all three corners have a value nothing is propagated: mostly nearly everywhere
    some, n_some = np.empty(len(triangles), np.int64), 0
    for t in range(len(triangles)):
        if nearest[triangles[t, 0]] < 0 or nearest[triangles[t, 1]] < 0 or nearest[triangles[t, 2]] < 0:
            some[n_some] = t
            n_some += 1
    # pass in which a point was last given another reading: between three that were not, nothing is left to be done
    changed_in = np.zeros(len(values), np.int64)
    number, changed = 0, True
    while changed:
        changed = False
        number += 1
        for t in some[:n_some]:
            if max(changed_in[triangles[t, 0]], changed_in[triangles[t, 1]], changed_in[triangles[t, 2]]) < number - 1:
                continue
            for k in range(6):
                i, s = triangles[t, k % 3], nearest[triangles[t, (k + 1 + k // 3) % 3]]
                if s < 0 or s == nearest[i] or nearest2[i] == 0.0:
                    continue
                x, y, z = points[i, 0] - points[s, 0], points[i, 1] - points[s, 1], points[i, 2] - points[s, 2]
                distance2 = x * x + y * y + z * z
                if distance2 < nearest2[i] and distance2 < reach[s] * reach[s]:
                    nearest[i], nearest2[i], changed_in[i], changed = s, distance2, number, True
    weight = np.zeros(len(values))
    for i in range(len(values)):
        if nearest[i] >= 0:
            weight[nearest[i]] += area[i]
    return weight


@njit(cache=True)
def half_steps(triangles, values):
    """Half-width (n,) of the range of values that each point of triangles (m, 3) represents.

    It is half the smaller one of the largest rise and the largest fall to a neighbor: positive where values rise past
    the point, as on a wedge; 0 on a plateau and beside a jump.
    """
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


@njit(cache=True, error_model="numpy")
def group_statistics(values, area, weight, half, rows, group, order, count):
    """Statistics (count, 7) of the values at points rows (k,) in groups (k,), and the place (count,) in `rows` of each
    group's smallest value or -1. values, area, weight, half (n,): of all points.

    Columns: fraction of the area with a value, smallest value, the three quantiles, mean and standard deviation by
    weight. Each value counts as spread evenly over plus or minus `half`. order (k,) sorts the values at `rows`.
    """
    figures, least = np.zeros((count, 7)), np.full(count, -1, np.int64)
    total, covered, ends = np.zeros(count), np.zeros(count), np.zeros(count + 1, np.int64)
    for place in range(len(rows)):
        i, g = rows[place], group[place]
        total[g] += area[i]
        if np.isfinite(values[i]) and area[i] > 0.0:
            # summed in the same order as the total, so that a field without gaps has a fraction of exactly 1
            covered[g] += area[i]
            ends[g + 1] += 1
    for g in range(count):
        ends[g + 1] += ends[g]
    filled, known = ends[:count].copy(), ends[count]
    level, mass, reach, cumulative = np.empty(known), np.empty(known), np.empty(known), np.empty(known)
    for place in order:
        i, g = rows[place], group[place]
        if np.isfinite(values[i]) and area[i] > 0.0:
            if least[g] < 0:
                least[g] = place
            level[filled[g]], mass[filled[g]], reach[filled[g]] = values[i], weight[i], half[i]
            filled[g] += 1
    for g in range(count):
        first, last = ends[g], ends[g + 1]
        if first == last:
            continue
        whole, widest = 0.0, 0.0
        for k in range(first, last):
            whole += mass[k]
            cumulative[k], widest = whole, max(widest, reach[k])
        mean = 0.0
        for k in range(first, last):
            mean += mass[k] * level[k] / whole
        # rounding may put the mean of equal values outside them; a plate of 3 mm has a mean of 3
        mean = min(max(mean, level[first]), level[last - 1])
        variance = 0.0
        for k in range(first, last):
            variance += mass[k] * (level[k] - mean) ** 2 / whole
        figures[g, 0], figures[g, 1] = covered[g] / total[g], level[first]
        own = slice(first, last)
        for k in range(3):
            figures[g, 2 + k] = _quantile(
                level[own], mass[own], reach[own], cumulative[own], widest, QUANTILES[k] * whole
            )
        figures[g, 5], figures[g, 6] = mean, np.sqrt(variance)
    return figures, least


@njit(cache=True)
def values_at_areas(values, rows, point_face, group, area, least, share):
    """Of each group of faces (faces,) the value at which its values up to there cover the area `least`, or this share
    of the group's area if that is more; nan for a group that they never cover so much of. values (k,): sorted, of the
    points rows (k,); face and area (n,) of all points."""
    count = group.max() + 1
    whole, covered, found = np.zeros(count), np.zeros(count), np.full(count, np.nan)
    for i in range(len(point_face)):
        whole[group[point_face[i]]] += area[i]
    for k in range(len(rows)):
        g = group[point_face[rows[k]]]
        wanted = max(least, share * whole[g])
        if covered[g] < wanted:
            covered[g] += area[rows[k]]
            if covered[g] >= wanted:
                found[g] = values[k]
    return found


SAMPLES = 31
"""Values among which a pivot is looked for."""


@njit(cache=True)
def smallest_covering(values, weight, share):
    """Smallest of values (n,) at or below which a share of the weight (n,) of all positive values lies, found by
    partition: a sort takes five times as long. nan where no value is positive and has a weight."""
    level, mass = np.empty(len(values)), np.empty(len(values))
    first, last, total = 0, 0, 0.0
    for i in range(len(values)):
        if 0.0 < values[i] < np.inf and weight[i] > 0.0:
            level[last], mass[last] = values[i], weight[i]
            last, total = last + 1, total + weight[i]
    pivot, wanted = np.nan, share * total
    while first < last:
        pivot = _guess(level, first, last, wanted / total if total > 0.0 else 1.0)
        # below the pivot up to `less`, equal to it up to `at`, above it from `more` on
        less, at, more = first, first, last
        below = equal = 0.0
        while at < more:
            if level[at] < pivot:
                below += mass[at]
                level[at], level[less] = level[less], level[at]
                mass[at], mass[less] = mass[less], mass[at]
                less, at = less + 1, at + 1
            elif level[at] > pivot:
                more -= 1
                level[at], level[more] = level[more], level[at]
                mass[at], mass[more] = mass[more], mass[at]
            else:
                equal += mass[at]
                at += 1
        if below >= wanted:
            last, total = less, below
        elif below + equal >= wanted:
            break
        else:
            wanted, total = wanted - (below + equal), total - (below + equal)
            first = more
    return pivot


@njit(cache=True)
def _guess(values, first, last, share):
    """A value of values[first:last] that about this share lies below. Most comparisons with it go one way, which a
    processor foresees; with a value in the middle it foresees none."""
    tried = values[first : last : max(1, (last - first) // SAMPLES)].copy()
    tried.sort()
    return tried[min(max(int(share * len(tried)), 0), len(tried) - 1)]


@njit(cache=True)
def _quantile(values, weight, half, cumulative, widest, wanted):
    """Level below which `wanted` of the weight lies, of sorted values (k,); cumulative (k,): cumulative weights;
    widest: the largest of half (k,)."""
    first, last = 0, len(values) - 1
    # The weight below a level takes long to sum. Spread or not, it is about the cumulative one, so the place is guessed
    # from that; every third guess halves what is left. Equal values have one answer.
    guess, tried = np.searchsorted(cumulative, wanted), 0
    while first < last:
        at = min(max(guess, first), last - 1)
        below = _below(values, weight, half, cumulative, widest, values[at], True)
        if below >= wanted:
            last = np.searchsorted(values, values[at])
        else:
            first = min(np.searchsorted(values, values[at], side="right"), last)
        tried += 1
        guess = np.searchsorted(cumulative, cumulative[at] + wanted - below) if tried % 3 else (first + last) // 2
    level = values[first]
    before = values[first - 1] if first > 0 else level
    at_level = _below(values, weight, half, cumulative, widest, level, False)
    if at_level <= wanted or before == level:
        return level
    at_before = _below(values, weight, half, cumulative, widest, before, True)
    return before + (wanted - at_before) / (at_level - at_before) * (level - before)


@njit(cache=True, error_model="numpy")
def _below(values, weight, half, cumulative, widest, level, inclusive):
    """Weight below a level; `inclusive`: plus the weight of values equal to it."""
    start, end = np.searchsorted(values, level - widest), np.searchsorted(values, level + widest, side="right")
    at = np.searchsorted(values, level, side="right") if inclusive else np.searchsorted(values, level)
    total = cumulative[start - 1] if start > 0 else 0.0
    value, mass, reach, whole = values[start:end], weight[start:end], half[start:end], at - start
    for i in range(len(value)):
        if reach[i] > 0.0:
            total += mass[i] * min(max((level - value[i] + reach[i]) / (2.0 * reach[i]), 0.0), 1.0)
        elif i < whole:
            total += mass[i]
    return total
