"""Kernel B-spline curves, in space or in the parameters of a surface, collected into flat arrays for compiled loops."""

from __future__ import annotations

from array import array
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.kernel import arrays as kernel_arrays

Array = NDArray[np.float64]
Index = NDArray[np.int64]


class PackedCurves(NamedTuple):
    """Curve c owns knots[knot_start[c] : knot_start[c + 1]], poles (homogeneous rows) in the same way, degrees[c], and
    runs from ranges[c, 0] to ranges[c, 1]."""

    knots: Array
    knot_start: Index
    poles: Array
    pole_start: Index
    degrees: Index
    ranges: Array


class SplineCurves:
    """Curves of one dimension, collected."""

    def __init__(self, dimension: int) -> None:
        self._dimension = dimension
        self._knots: list[bytes] = []
        self._poles: list[bytes] = []
        self._weights: list[bytes] = []
        self._degrees: list[int] = []
        self._ranges: list[tuple[float, float]] = []

    def add(self, curve: Any, first: float, last: float) -> None:
        """A kernel B-spline curve from `first` to `last`; a periodic one is opened."""
        if curve.IsPeriodic():
            curve = curve.Copy()
            curve.Segment(first, last)
            first, last = curve.FirstParameter(), curve.LastParameter()
        count, degree = curve.NbPoles(), curve.Degree()
        self._knots.append(kernel_arrays.reals(curve.KnotSequence(), count + degree + 1))
        self._weights.append(kernel_arrays.reals(curve.WeightsArray(), count))
        self._poles.append(kernel_arrays.reals(curve.Poles(), count, self._dimension))
        self._degrees.append(degree)
        self._ranges.append((first, last))

    def add_line(self, ends: list[list[float]], first: float, last: float) -> None:
        self._knots.append(array("d", [first, first, last, last]).tobytes())
        self._weights.append(array("d", [1.0, 1.0]).tobytes())
        self._poles.append(array("d", [*ends[0], *ends[1]]).tobytes())
        self._degrees.append(1)
        self._ranges.append((first, last))

    def packed(self) -> PackedCurves:
        weights = np.frombuffer(b"".join(self._weights))[:, None]
        poles = np.empty((len(weights), self._dimension + 1))
        poles[:, :-1] = np.frombuffer(b"".join(self._poles)).reshape(-1, self._dimension) * weights
        poles[:, -1:] = weights
        return PackedCurves(
            np.frombuffer(b"".join(self._knots)),
            np.cumsum([0] + [len(own) // 8 for own in self._knots]),
            poles,
            np.cumsum([0] + [len(own) // 8 for own in self._weights]),
            np.array(self._degrees, np.int64),
            np.array(self._ranges).reshape(-1, 2),
        )


def pole_bounds(poles: Array, pole_start: Index) -> Array:
    """Shape (curves, 2, dimension): lowest and highest coordinates of the poles, whose hull a curve never leaves."""
    points = poles[:, :-1] / poles[:, -1:]
    return np.stack(
        [np.minimum.reduceat(points, pole_start[:-1]), np.maximum.reduceat(points, pole_start[:-1])], axis=1
    )
