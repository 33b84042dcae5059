"""Outlines of faces as cubics in the parameters of their surface: whether they close, and the cubics as curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]
Index = NDArray[np.int64]

ENCLOSED = 1e-3
"""Least share of the square of its spread that an outline encloses."""
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


@njit(cache=True)
def poles_of(pieces: Array) -> Array:
    """Shape (n, 4, 2): poles of cubics (n, 10), each as of `spline_courses.follow`."""
    poles = np.empty((len(pieces), 4, 2))
    for i in range(len(pieces)):
        third = (pieces[i, 1] - pieces[i, 0]) / 3.0
        for k in range(2):
            first, last = pieces[i, 2 + k], pieces[i, 4 + k]
            poles[i, 0, k] = first
            poles[i, 1, k] = first + third * pieces[i, 6 + k]
            poles[i, 2, k] = last - third * pieces[i, 8 + k]
            poles[i, 3, k] = last
    return poles


@njit(cache=True)
def encloses(poles: Array, start: Index, wire: Index, backwards: NDArray[np.bool_], gap_share: float) -> bool:
    """Whether the cubics (n, 4, 2) of the uses of a face, those of use i from start[i] on, close along each of its
    wires (uses,) but for a share of their extent, the outer one to the left and the holes to the right. The uses of a
    wire follow each other."""
    outer, first = 0, 0
    while first < len(wire):
        last = first
        while last + 1 < len(wire) and wire[last + 1] == wire[first]:
            last += 1
        area = 0.0
        for use in range(first, last + 1):
            enclosed = 0.0
            for i in range(start[use], start[use + 1]):
                enclosed += _integral_u_dv(poles[i])
            area += -enclosed if backwards[use] else enclosed
        extent = 1.0
        for k in range(2):
            own = poles[start[first] : start[last + 1], :, k]
            spread, gap = own.max() - own.min(), 0.0
            for use in range(first, last + 1):
                before = last if use == first else use - 1
                begins = _end(poles, start, use, backwards[use], k)
                gap = max(gap, abs(begins - _end(poles, start, before, not backwards[before], k)))
            if not gap <= gap_share * spread:
                return False
            extent *= spread
        if not abs(area) > ENCLOSED * extent:
            return False
        outer += area > 0.0
        first = last + 1
    return outer == 1


@njit_inner
def _integral_u_dv(poles: Array) -> float:
    """Integral of u dv along a cubic with poles (4, 2)."""
    total = 0.0
    for i in range(len(_NODES)):
        t = 0.5 * (1.0 + _NODES[i])
        s = 1.0 - t
        u = (
            s * s * s * poles[0, 0]
            + 3 * t * s * s * poles[1, 0]
            + 3 * t * t * s * poles[2, 0]
            + t * t * t * poles[3, 0]
        )
        by_v = 3 * s * s * (poles[1, 1] - poles[0, 1]) + 6 * t * s * (poles[2, 1] - poles[1, 1])
        total += 0.5 * _WEIGHTS[i] * u * (by_v + 3 * t * t * (poles[3, 1] - poles[2, 1]))
    return total


@njit_inner
def _end(poles: Array, start: Index, use: int, at_last: bool, axis: int) -> float:
    """Where the cubics of a use end, or begin, along one of the parameters."""
    place: float = poles[start[use + 1] - 1, 3, axis] if at_last else poles[start[use], 0, axis]
    return place


@njit(cache=True)
def join_pieces(pieces: Array, poles: Array, start: Index) -> tuple[Array, Index, Array, NDArray[np.int32], Index]:
    """The cubics (n, 10), with poles (n, 4, 2), of each use as one curve, smooth but for kinks of the edge: poles
    (m, 2) and where those of each curve start (uses + 1,), knots (k,), how often each counts (k,), and where they
    start (uses + 1,)."""
    uses = len(start) - 1
    corners, corner_start = np.empty((4 * len(pieces), 2)), np.zeros(uses + 1, np.int64)
    knots, times = np.empty(len(pieces) + uses), np.empty(len(pieces) + uses, np.int32)
    corner = knot = 0
    for use in range(uses):
        first, last = start[use], start[use + 1] - 1
        times[knot] = 4
        for i in range(first, last + 1):
            is_kink = i < last and (pieces[i, 8] != pieces[i + 1, 6] or pieces[i, 9] != pieces[i + 1, 7])
            knots[knot] = pieces[i, 0]
            knot += 1
            times[knot] = 4 if i == last else 3 if is_kink else 2
            # where two cubics meet smoothly the curve needs no pole
            for k in range(0 if i == first else 1, 4 if is_kink or i == last else 3):
                corners[corner] = poles[i, k]
                corner += 1
        knots[knot] = pieces[last, 1]
        knot += 1
        corner_start[use + 1] = corner
    return corners[:corner], corner_start, knots, times, start + np.arange(uses + 1)
