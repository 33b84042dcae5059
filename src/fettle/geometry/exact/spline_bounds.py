"""Bounds of a B-spline surface beyond a given box, by convex hulls of its pieces, subdivided where they reach out.

A piece is written by its Bezier poles, which the polar form gives for any interval within one span (Ramshaw, Blossoms
are polar forms, 1989). Each halving takes the hull four times closer to the surface.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.splines import MAX_ORDER, surface_samples
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

MAX_PIECES = 4000
"""With more pieces the bound is given up."""

FINE = 0.01
"""A surface that reaches out at all is followed to this share of what is allowed."""

HILL_PLACES = 16
"""Places along each parameter at which hills are looked for; a mesh would show those between them."""


@njit(cache=True)
def reach(
    u_knots: Array, v_knots: Array, poles: Array, u_degree: int, v_degree: int, domain: Array, box: Array, slack: float
) -> tuple[bool, Array, Array]:
    """The box (2, 3) widened to where the surface over `domain` (2, 2), lowest and highest (u, v), reaches out of it by
    more than `slack`; and (u, v) of each place it was widened to, shape (2, 3, 2), nan where it was not.

    poles (nu, nv, 4) are homogeneous. The last value is False where the pieces were too many for a bound.
    """
    box = box.copy()
    fine = FINE * slack
    where = np.full((2, 3, 2), np.nan)
    waiting = np.empty((MAX_PIECES, 6))
    count = 0
    for i in range(u_degree, len(u_knots) - u_degree - 1):
        u_low, u_high = max(u_knots[i], domain[0, 0]), min(u_knots[i + 1], domain[1, 0])
        for j in range(v_degree, len(v_knots) - v_degree - 1):
            v_low, v_high = max(v_knots[j], domain[0, 1]), min(v_knots[j + 1], domain[1, 1])
            own = poles[i - u_degree : i + 1, j - v_degree : j + 1]
            if u_low < u_high and v_low < v_high and _worst_reach(own, box)[0] > slack:
                if count == MAX_PIECES:
                    return False, box, where
                waiting[count, 0], waiting[count, 1], waiting[count, 2], waiting[count, 3] = (
                    u_low,
                    u_high,
                    v_low,
                    v_high,
                )
                waiting[count, 4], waiting[count, 5] = i, j
                count += 1
    half = np.empty((u_degree + 1, v_degree + 1, 4))
    piece = np.empty((u_degree + 1, v_degree + 1, 4))
    work = np.empty((MAX_ORDER, 4))
    looked = 0
    while count > 0:
        count -= 1
        looked += 1
        u_low, u_high, v_low, v_high = waiting[count, 0], waiting[count, 1], waiting[count, 2], waiting[count, 3]
        i, j = int(waiting[count, 4]), int(waiting[count, 5])
        own = poles[i - u_degree : i + 1, j - v_degree : j + 1]
        for column in range(v_degree + 1):
            _bezier(u_knots, u_degree, i, own[:, column], u_low, u_high, half[:, column], work)
        for row in range(u_degree + 1):
            _bezier(v_knots, v_degree, j, half[row], v_low, v_high, piece[row], work)
        if _widen(box, where, piece[::u_degree, ::v_degree], (u_low, u_high), (v_low, v_high), slack):
            slack = min(slack, fine)
        beyond, axis = _worst_reach(piece, box)
        if not beyond > slack:
            continue
        if looked >= MAX_PIECES or count + 2 > MAX_PIECES:
            return False, box, where
        along_u, along_v = _bends(piece, axis)
        for k in range(2):
            waiting[count + k, 4], waiting[count + k, 5] = i, j
            waiting[count + k, 0], waiting[count + k, 1] = u_low, u_high
            waiting[count + k, 2], waiting[count + k, 3] = v_low, v_high
        at = 0 if along_u >= along_v else 2
        middle = 0.5 * (waiting[count, at] + waiting[count, at + 1])
        waiting[count, at + 1] = middle
        waiting[count + 1, at] = middle
        count += 2
    return True, box, where


def hill_tops(
    u_knots: Array, v_knots: Array, poles: Array, u_degree: int, v_degree: int, domain: Array, box: Array, slack: float
) -> Array:
    """(u, v) of a place (n, 2) near each top of the surface over `domain` that reaches out of the box by more than
    `slack`; arguments as of `reach`, the domain being bounded."""
    u, v = (np.linspace(low, high, HILL_PLACES) for low, high in domain.T)
    uv = np.stack(np.meshgrid(u, v, indexing="ij"), axis=-1)
    samples = np.empty((HILL_PLACES**2, 6, 3))
    surface_samples(u_knots, v_knots, poles, u_degree, v_degree, uv.reshape(-1, 2), samples)
    points = samples[:, 0].reshape(HILL_PLACES, HILL_PLACES, 3)
    heights = np.concatenate([box[0] - points, points - box[1]], axis=-1)
    around = np.pad(heights, ((1, 1), (1, 1), (0, 0)), constant_values=-np.inf)
    is_top = heights > slack
    for i, j in np.ndindex(3, 3):
        is_top &= heights >= around[i : i + HILL_PLACES, j : j + HILL_PLACES]
    tops: Array = uv[is_top.any(axis=-1)]
    return tops


@njit_inner
def _widen(
    box: Array, where: Array, corners: Array, us: tuple[float, float], vs: tuple[float, float], slack: float
) -> bool:
    """Take in the corner poles (2, 2, 4) of a piece, points of the surface itself; whether any reached out."""
    widened = False
    for i in range(2):
        for j in range(2):
            for axis in range(3):
                value = corners[i, j, axis] / corners[i, j, 3]
                for side in range(2):
                    if (value - box[side, axis]) * (2 * side - 1) > slack:
                        box[side, axis] = value
                        where[side, axis, 0], where[side, axis, 1] = us[i], vs[j]
                        widened = True
    return widened


@njit_inner
def _worst_reach(poles: Array, box: Array) -> tuple[float, int]:
    """How far the poles (m, n, 4) reach out of the box, and along which axis."""
    worst, worst_axis = -np.inf, 0
    for i in range(poles.shape[0]):
        for j in range(poles.shape[1]):
            for axis in range(3):
                value = poles[i, j, axis] / poles[i, j, 3]
                reach = max(box[0, axis] - value, value - box[1, axis])
                if reach > worst:
                    worst, worst_axis = reach, axis
    return worst, worst_axis


@njit_inner
def _bends(poles: Array, axis: int) -> tuple[float, float]:
    """Largest second differences of a coordinate of the poles along u and along v: what splitting there would mend."""
    along_u = along_v = 0.0
    rows, columns = poles.shape[0], poles.shape[1]
    for i in range(rows):
        for j in range(columns):
            value = 2.0 * poles[i, j, axis] / poles[i, j, 3]
            if 0 < i < rows - 1:
                sides = poles[i - 1, j, axis] / poles[i - 1, j, 3] + poles[i + 1, j, axis] / poles[i + 1, j, 3]
                along_u = max(along_u, abs(sides - value))
            if 0 < j < columns - 1:
                sides = poles[i, j - 1, axis] / poles[i, j - 1, 3] + poles[i, j + 1, axis] / poles[i, j + 1, 3]
                along_v = max(along_v, abs(sides - value))
    return along_u, along_v


@njit_inner
def _bezier(
    knots: Array, degree: int, span: int, poles: Array, low: float, high: float, out: Array, work: Array
) -> None:
    """Bezier poles (degree + 1, 4) of a B-spline curve over an interval within one span, from the span's own poles."""
    for b in range(degree + 1):
        for r in range(degree + 1):
            for k in range(4):
                work[r, k] = poles[r, k]
        for level in range(1, degree + 1):
            t = high if level <= b else low
            for r in range(degree, level - 1, -1):
                at = span - degree + r
                width = knots[at + degree - level + 1] - knots[at]
                share = (t - knots[at]) / width if width != 0.0 else 0.0
                for k in range(4):
                    work[r, k] = (1.0 - share) * work[r - 1, k] + share * work[r, k]
        for k in range(4):
            out[b, k] = work[degree, k]
