"""Whether a flat lies over itself: outlines that cross."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.sheet.plane_curves import Outline, Pair, sample

Array = NDArray[np.float64]
Indices = NDArray[np.intp]

STEP_DEG = 10.0
"""Arcs are followed in steps of this angle: loops that cross do so by more than the sagitta."""
TOUCHING_MM = 0.01
"""Outlines that run into each other by less only touch, as the edges of a closed corner do."""
ROWS = 512
"""Segments that are compared with those beside them at a time."""


def find_crossing(loops: Sequence[Outline]) -> Pair | None:
    """A point where two outlines, or two parts of one, cross; None where the flat lies in one layer."""
    starts, ends = [], []
    for loop in loops:
        points = sample(loop, STEP_DEG)
        starts.append(points)
        ends.append(np.roll(points, -1, axis=0))
    a, b = np.concatenate(starts), np.concatenate(ends)
    along = b - a
    size = np.hypot(*along.T)
    keep = size > 1e-9
    a, b, along, size = a[keep], b[keep], along[keep], size[keep]
    found: list[tuple[int, int]] = []
    for one, other in _near_pairs(np.minimum(a, b), np.maximum(a, b)):
        apart = _parts(a, along, size, b, one, other) & _parts(a, along, size, b, other, one)
        found += zip(one[apart].tolist(), other[apart].tolist(), strict=True)
    if not found:
        return None
    first, second = min(map(sorted, found))
    return _meeting(a[first], along[first], a[second], along[second])


def _near_pairs(low: Array, high: Array) -> Iterator[tuple[Indices, Indices]]:
    """Pairs of boxes with corners `low` and `high`, (n, 2) each, that overlap: numbers of the one and of the other."""
    order = np.argsort(low[:, 0], kind="stable")
    low, high = low[order], high[order]
    # those that begin, in x, before this one ends
    end = np.searchsorted(low[:, 0], high[:, 0], side="right")
    for first in range(0, len(order), ROWS):
        rows = np.arange(first, min(first + ROWS, len(order)))
        count = end[rows] - rows - 1
        one = np.repeat(rows, count)
        other = one + 1 + np.arange(len(one)) - np.repeat(np.cumsum(count) - count, count)
        beside = (low[one, 1] <= high[other, 1]) & (low[other, 1] <= high[one, 1])
        yield order[one[beside]], order[other[beside]]


def _parts(a: Array, along: Array, size: Array, b: Array, line: Indices, segment: Indices) -> NDArray[np.bool_]:
    """Whether the line along one segment has another's ends on both sides, by more than a touch."""
    x, y = (along[line] / size[line, None]).T
    low, high = (x * to[:, 1] - y * to[:, 0] for to in (a[segment] - a[line], b[segment] - a[line]))
    crossed: NDArray[np.bool_] = (np.minimum(low, high) < -TOUCHING_MM) & (np.maximum(low, high) > TOUCHING_MM)
    return crossed


def _meeting(a: Array, along: Array, b: Array, other: Array) -> Pair:
    cross = along[0] * other[1] - along[1] * other[0]
    share = ((b - a)[0] * other[1] - (b - a)[1] * other[0]) / cross
    x, y = (a + share * along).tolist()
    return x, y
