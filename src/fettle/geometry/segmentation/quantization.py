"""The grid of quantized positions, found from the positions themselves.

Integer accessors, Draco and files of few digits leave every coordinate a multiple of one step. Vertices are then off
their surfaces by up to that step, which nothing in the file says once it was written as float32 again.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

_MIN_VALUES = 100
"""Fewer distinct coordinates may lie on a grid by design: a part drawn in whole millimeters."""

_COARSEST = 1.0 / 200.0
_FLOAT32 = 2.0**-23


def grid_step(points: NDArray[np.float64]) -> float:
    """Largest step of the grids on which all coordinates (n, 3) lie, axis by axis; 0.0 where an axis has none."""
    steps = [_axis_step(np.unique(points[:, axis])) for axis in range(3)]
    known = [step for step in steps if step is not None]
    return max(known) if known and min(known) > 0.0 else 0.0


def _axis_step(values: NDArray[np.float64]) -> float | None:
    """Step of sorted values, 0.0 when they lie on no grid, None when they are too few to decide."""
    jitter = _FLOAT32 * max(float(np.abs(values[[0, -1]]).max()), 1e-300)
    values = values[np.concatenate([[True], np.diff(values) > 4.0 * jitter])]
    if len(values) < _MIN_VALUES:
        return None
    gap = float(np.diff(values).min())
    # among few values no two need be neighbors on the grid
    for parts in range(1, 9):
        step = gap / parts
        if step < 20.0 * jitter:
            break
        step = _locked(values - values[0], step)
        away = np.abs((values - values[0]) / step - np.round((values - values[0]) / step))
        if float(away.max()) < 0.05 + 2.0 * jitter / step:
            return step if step < _COARSEST * float(values[-1] - values[0]) else 0.0
    return 0.0


def _locked(offsets: NDArray[np.float64], step: float) -> float:
    """The step refined over distances that double: a sharper step is never off by one in the next count."""
    at = 1
    while True:
        at = min(at, len(offsets) - 1)
        count = round(float(offsets[at]) / step)
        if count:
            step = float(offsets[at]) / count
        if at == len(offsets) - 1:
            return step
        at *= 2
