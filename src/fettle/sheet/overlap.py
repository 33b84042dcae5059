"""Whether a flat lies over itself: outlines that cross."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.sheet.plane_curves import Outline, Pair, sample

Array = NDArray[np.float64]

STEP_DEG = 10.0
"""Arcs are followed in steps of this angle: loops that cross do so by more than the sagitta."""
TOUCHING_MM = 0.01
"""Outlines that run into each other by less only touch, as the edges of a closed corner do."""
ROWS = 512
"""Segments that are compared with all others at a time."""


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
    for first in range(0, len(a), ROWS):
        rows = slice(first, first + ROWS)
        one = _sides(a[rows], along[rows], size[rows], a, b)
        two = _sides(a, along, size, a[rows], b[rows]).T
        found = np.argwhere(one & two)
        if len(found):
            row, other = found[0]
            return _meeting(a[first + row], along[first + row], a[other], along[other])
    return None


def _sides(origin: Array, along: Array, size: Array, start: Array, end: Array) -> NDArray[np.bool_]:
    """Whether segments (m) lie on both sides of lines (n), by more than a touch: shape (n, m)."""
    normal = np.column_stack([-along[:, 1], along[:, 0]]) / size[:, None]
    offset = (normal * origin).sum(axis=1)[:, None]
    low, high = normal @ start.T - offset, normal @ end.T - offset
    crossed: NDArray[np.bool_] = (np.minimum(low, high) < -TOUCHING_MM) & (np.maximum(low, high) > TOUCHING_MM)
    return crossed


def _meeting(a: Array, along: Array, b: Array, other: Array) -> Pair:
    cross = along[0] * other[1] - along[1] * other[0]
    share = ((b - a)[0] * other[1] - (b - a)[1] * other[0]) / cross
    x, y = (a + share * along).tolist()
    return x, y
