"""How the part's thickness is distributed over its surface."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import unsigned
from fettle.measure.readings import WallField

WINDOW = 0.05
"""Readings within this share of a thickness, either way, are that thickness: the tolerance of rolled sheet."""
EVEN = 1.5
"""Ratio to the median, either way, within which a wall is even: the steepest change between walls that molds well."""


@dataclass(frozen=True, slots=True)
class WallThickness:
    """`median_mm`; `main_mm`: the most frequent thickness, and the share of the area that has it; `even_share`: share
    of the area within a factor of 1.5 of the median. Weighted by area; nan and 0 without readings."""

    median_mm: float
    main_mm: float
    main_share: float
    even_share: float


def wall_thickness(thickness: WallField, area_mm2: NDArray[np.float64]) -> WallThickness:
    """From the readings at n points and the areas (n,) of the points."""
    total = float(area_mm2.sum())
    ranks, count = thickness.ranks
    read = np.flatnonzero((ranks >= 0) & (thickness.value_mm > 0.0) & (area_mm2 > 0.0))
    if len(read) == 0 or not total > 0.0:
        return WallThickness(math.nan, math.nan, 0.0, 0.0)
    order = import_module("fettle.geometry.meshing.counting_sort").sort_by(read, unsigned(ranks), count)
    value = thickness.value_mm.take(order)
    upto = np.concatenate([[0.0], np.cumsum(area_mm2.take(order))])
    median = _at(value, upto, 0, len(value))
    first, last = _compiled().fullest_window(value, upto, (1.0 + WINDOW) / (1.0 - WINDOW))
    low, high = np.searchsorted(value, [median / EVEN, median * EVEN])
    return WallThickness(
        median_mm=median,
        main_mm=_at(value, upto, first, last),
        main_share=float(upto[last] - upto[first]) / total,
        even_share=float(upto[high] - upto[low]) / total,
    )


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.fit.value_window")


def _at(value: NDArray[np.float64], upto: NDArray[np.float64], first: int, last: int) -> float:
    """Median by area of the sorted values `first` to `last`."""
    middle = 0.5 * (upto[first] + upto[last])
    return float(value[min(max(int(np.searchsorted(upto, middle)) - 1, first), last - 1)])
