# mypy: allow-untyped-defs, allow-untyped-calls
"""Weighted statistics of values in groups: mean, deviation and quantiles, compiled."""

from __future__ import annotations

import numpy as np

from fettle.geometry.meshing.counting_sort import sort_by
from fettle.jit import njit, njit_inner

QUANTILES = (0.05, 0.5, 0.95)
"""Fractions of the area below the reported minimum, the median and the reported maximum."""


@njit(cache=True)
def nearest_reading_weights(points, triangles, area, values, reach):
    """Weights (n,) of values at points (n, 3) with areas (n,): the area of each point plus that of the points without
    value to which it is the nearest, found by propagation over the triangles (m, 3), up to its reach (n,) in mm.

    The tip of a wedge has no reading. If its area were left out, the thinnest part of the wedge would depend on how far
    into the tip the mesh happens to measure.
    """
    nearest, nearest2, read = np.full(len(values), -1, np.int64), np.full(len(values), np.inf), 0
    for i in range(len(values)):
        if np.isfinite(values[i]):
            nearest[i], nearest2[i] = i, 0.0
            read += 1
    if read == len(values):
        return area.copy()
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


@njit(cache=True)
def rank_values(values, order):
    """Rank (n,) of each value among the different ones, those of the rows order (k,) that sorts them, -1 for the other
    rows; and the number of ranks."""
    ranks, rank = np.full(len(values), -1, np.int32), -1
    for k in range(len(order)):
        if k == 0 or values[order[k]] != values[order[k - 1]]:
            rank += 1
        ranks[order[k]] = rank
    return ranks, rank + 1


@njit(cache=True)
def group_statistics(values, area, weight, half, ranks, rank_count, rows, first, faces, ends):
    """Statistics (g, 7) of values (n,) over groups of faces, and the point (g,) of each group's smallest value or -1.

    Columns: fraction of the area (n,) with a value, smallest value, the three quantiles, mean and standard deviation by
    weight (n,). Each value counts as spread evenly over plus or minus `half` (n,). ranks (n,): of `rank_values`;
    points without and those without area do not count. rows (n,): the points face after face, those of face f at
    first[f]:first[f + 1]; faces (k,) of the groups, those of group g at ends[g]:ends[g + 1].
    """
    count, most = len(ends) - 1, 0
    for face in faces:
        most += first[face + 1] - first[face]
    read, rank, group = np.empty(most, np.uint32), np.empty(most, np.uint32), np.empty(most, np.uint32)
    fraction, starts, n = np.zeros(count), np.zeros(count + 1, np.int64), 0
    for g in range(count):
        total = covered = 0.0
        for face in faces[ends[g] : ends[g + 1]]:
            for k in range(first[face], first[face + 1]):
                row = rows[k]
                total += area[row]
                if ranks[row] >= 0 and area[row] > 0.0:
                    # summed in the same order as the total, so that a field without gaps has a fraction of exactly 1
                    covered += area[row]
                    read[n], rank[n], group[n] = row, ranks[row], g
                    n += 1
        starts[g + 1] = n
        if n > starts[g]:
            fraction[g] = covered / total
    order = sort_by(sort_by(np.arange(n, dtype=np.uint32), rank, rank_count), group, count)
    level, mass, reach, upto = np.empty(n), np.empty(n), np.empty(n), np.empty(n)
    figures, least = np.zeros((count, 7)), np.full(count, -1, np.int64)
    for g in range(count):
        start, end = starts[g], starts[g + 1]
        if start == end:
            continue
        least[g], sum_of_weights = read[order[start]], 0.0
        for k in range(np.uint64(start), np.uint64(end)):
            row = read[order[k]]
            sum_of_weights += weight[row]
            level[k], mass[k], reach[k], upto[k] = values[row], weight[row], half[row], sum_of_weights
        figures[g, 0], figures[g, 1] = fraction[g], level[start]
        own = level[start:end], mass[start:end], reach[start:end], upto[start:end]
        for q in range(3):
            figures[g, 2 + q] = _quantile(*own, QUANTILES[q] * sum_of_weights)
        figures[g, 5], figures[g, 6] = _mean_and_deviation(*own[:2], sum_of_weights)
    return figures, least


@njit(cache=True)
def _mean_and_deviation(values, weight, sum_of_weights):
    """Of sorted values (k,) by weight (k,)."""
    mean = variance = 0.0
    for i in range(len(values)):
        mean += weight[i] * values[i] / sum_of_weights
    # rounding may put the mean of equal values outside them; a plate of 3 mm has a mean of 3
    mean = min(max(mean, values[0]), values[-1])
    for i in range(len(values)):
        variance += weight[i] * (values[i] - mean) ** 2 / sum_of_weights
    return mean, np.sqrt(variance)


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
def _quantile(values, weight, half, cumulative, wanted):
    """Level below which `wanted` of the weight lies, of sorted values (k,); cumulative (k,): cumulative weights."""
    widest = half.max()
    first, last = 0, len(values) - 1
    # The weight below a level takes long to sum. Spread or not, it is about the cumulative one, so the place is guessed
    # from that; every third guess halves what is left. Equal values have one answer.
    guess, tried = np.searchsorted(cumulative, wanted), 0
    before = at_before = np.nan
    while first < last:
        at = min(max(guess, first), last - 1)
        below = _below(values, weight, half, cumulative, widest, values[at], True)
        if below >= wanted:
            last = np.searchsorted(values, values[at])
        else:
            first = min(np.searchsorted(values, values[at], side="right"), last)
            before, at_before = values[at], below
        tried += 1
        guess = np.searchsorted(cumulative, cumulative[at] + wanted - below) if tried % 3 else (first + last) // 2
    level = values[first]
    if first == 0 or values[first - 1] == level:
        return level
    at_level = _below(values, weight, half, cumulative, widest, level, False)
    if at_level <= wanted:
        return level
    if before != values[first - 1]:
        before = values[first - 1]
        at_before = _below(values, weight, half, cumulative, widest, before, True)
    return before + (wanted - at_before) / (at_level - at_before) * (level - before)


@njit_inner
def _below(values, weight, half, cumulative, widest, level, inclusive):
    """Weight below a level; `inclusive`: plus the weight of values equal to it."""
    start = np.searchsorted(values, level - widest)
    total, highest = cumulative[start - 1] if start > 0 else 0.0, level + widest
    # without sign: of every index that has one it is asked whether it counts from the end
    for i in range(np.uint64(start), np.uint64(len(values))):
        if values[i] > highest:
            break
        part, whole = level - values[i] + half[i], 2.0 * half[i]
        if part >= whole:
            total += weight[i] if part > 0.0 or inclusive else 0.0
        elif part > 0.0:
            total += weight[i] * (part / whole)
    return total
