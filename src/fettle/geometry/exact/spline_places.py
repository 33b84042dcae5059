"""The place on a B-spline surface that is nearest to a point, in the surface's parameters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.splines import evaluate_surface
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]
Surface = tuple[Array, Array, Array, int, int]
"""Knots along u and v, homogeneous poles (nu, nv, 4), degrees."""
Scratch = tuple[Array, Array, Array]
"""Two of shape (WORK_ROWS, MAX_ORDER), and (6, 4)."""

MOST_STEPS = 30
"""Each leaves of a distance what the point is off the surface, as a share of its radius of curvature."""
STILL = 1e-10
"""Share of the surface's extent that the last step moves."""
GRID_STEPS, SPAN_STEPS, MOST_GRID_STEPS = 8, 2, 100
"""Steps of the grid along each parameter: at least so many, so many in each span of its knots, and at most so many."""


@njit(cache=True)
def grid_of(surface: Surface, scratch: Scratch) -> tuple[Array, Array]:
    """Parameters (n, 2) of places all over a surface, and their points (n, 3)."""
    u_knots, v_knots, _, u_degree, v_degree = surface
    us, vs = _steps(u_knots, u_degree), _steps(v_knots, v_degree)
    places, points = np.empty((len(us) * len(vs), 2)), np.empty((len(us) * len(vs), 3))
    at = np.zeros((6, 3))
    for i in range(len(us)):
        for j in range(len(vs)):
            row = i * len(vs) + j
            evaluate_surface(surface, us[i], vs[j], scratch, at)
            places[row, 0], places[row, 1] = us[i], vs[j]
            points[row] = at[0]
    return places, points


@njit(cache=True)
def _steps(knots: Array, degree: int) -> Array:
    spans = 0
    for k in range(degree, len(knots) - degree - 1):
        spans += knots[k + 1] > knots[k]
    steps = min(max(GRID_STEPS, SPAN_STEPS * spans), MOST_GRID_STEPS)
    return np.linspace(knots[degree], knots[len(knots) - degree - 1], steps + 1)


@njit_inner
def nearest_of(grid: Array, points: Array, point: Array) -> tuple[float, float]:
    """The place of the grid whose point is nearest to `point` (3,)."""
    best, least2 = 0, np.inf
    for row in range(len(points)):
        away2 = (points[row, 0] - point[0]) ** 2 + (points[row, 1] - point[1]) ** 2 + (points[row, 2] - point[2]) ** 2
        if away2 < least2:
            best, least2 = row, away2
    return grid[best, 0], grid[best, 1]


@njit_inner
def nearest(
    surface: Surface, point: Array, u: float, v: float, scratch: Scratch, at: Array
) -> tuple[float, float, bool]:
    """The place nearest to `point` (3,), looked for from a place beside it, and whether there is one; `at` (6, 3) is
    then the surface and its derivatives there."""
    u_knots, v_knots, _, u_degree, v_degree = surface
    u_low, u_high = u_knots[u_degree], u_knots[len(u_knots) - u_degree - 1]
    v_low, v_high = v_knots[v_degree], v_knots[len(v_knots) - v_degree - 1]
    for _ in range(MOST_STEPS):
        evaluate_surface(surface, u, v, scratch, at)
        next_u, next_v = _step(at, point, u, v, u_low, u_high, v_low, v_high)
        if abs(next_u - u) <= STILL * (u_high - u_low) and abs(next_v - v) <= STILL * (v_high - v_low):
            return u, v, True
        u, v = next_u, next_v
    return u, v, False


@njit_inner
def _step(
    at: Array, point: Array, u: float, v: float, u_low: float, u_high: float, v_low: float, v_high: float
) -> tuple[float, float]:
    """The next place: the nearest one if the surface were flat, within its borders; along a border where the way leads
    out of it. nan where both parameters run the same way."""
    f = g = f2 = g2 = fg = 0.0
    for k in range(3):
        away = at[0, k] - point[k]
        f += away * at[1, k]
        g += away * at[2, k]
        f2 += at[1, k] * at[1, k]
        fg += at[1, k] * at[2, k]
        g2 += at[2, k] * at[2, k]
    area2 = f2 * g2 - fg * fg
    by_u, by_v = (g2 * f - fg * g) / area2, (f2 * g - fg * f) / area2
    if (u <= u_low and by_u > 0.0) or (u >= u_high and by_u < 0.0):
        by_u, by_v = 0.0, g / g2
    elif (v <= v_low and by_v > 0.0) or (v >= v_high and by_v < 0.0):
        by_u, by_v = f / f2, 0.0
    return min(max(u - by_u, u_low), u_high), min(max(v - by_v, v_low), v_high)
