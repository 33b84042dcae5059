"""B-spline curves and surfaces evaluated in bulk, in homogeneous form (The NURBS Book, A2.1 to A4.4).

Every spline here is rational: poles are rows (w x, w y, ..., w), weights of one where the file has none.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner

MAX_ORDER = 26
"""Degree plus one; the kernel allows degree 25."""

WORK_ROWS = 8
_LEFT, _RIGHT, _LOWER, _LOWEST, _SLOPE = 3, 4, 5, 6, 7


@njit_inner
def find_span(knots: NDArray[np.float64], degree: int, t: float) -> int:
    """Index i with knots[i] <= t < knots[i + 1], the last real span at the end."""
    low, high = degree, len(knots) - degree - 1
    if t >= knots[high]:
        span = high - 1
        while span > low and knots[span] == knots[span + 1]:
            span -= 1
        return span
    if t <= knots[low]:
        span = low
        while span < high - 1 and knots[span] == knots[span + 1]:
            span += 1
        return span
    while high - low > 1:
        middle = (low + high) // 2
        if t < knots[middle]:
            high = middle
        else:
            low = middle
    return low


@njit_inner
def basis(knots: NDArray[np.float64], degree: int, span: int, t: float, orders: int, out: NDArray[np.float64]) -> None:
    """The degree + 1 basis functions that live on the span: out[k] their k-th derivatives, k <= orders <= 2.

    `out` has shape (WORK_ROWS, MAX_ORDER); the rows after the third are scratch.
    """
    out[0, 0] = 1.0
    # the functions of degree - 1 and degree - 2, whose differences are the derivatives
    out[_LOWER, 0] = 1.0
    out[_LOWEST, 0] = 1.0
    for j in range(1, degree + 1):
        out[_LEFT, j] = t - knots[span + 1 - j]
        out[_RIGHT, j] = knots[span + j] - t
        saved = 0.0
        for r in range(j):
            width = out[_RIGHT, r + 1] + out[_LEFT, j - r]
            term = out[0, r] / width if width != 0.0 else 0.0
            out[0, r] = saved + out[_RIGHT, r + 1] * term
            saved = out[_LEFT, j - r] * term
        out[0, j] = saved
        if j == degree - 1:
            for r in range(j + 1):
                out[_LOWER, r] = out[0, r]
        if j == degree - 2:
            for r in range(j + 1):
                out[_LOWEST, r] = out[0, r]
    if orders >= 1:
        for r in range(degree + 1):
            out[1, r] = _difference(knots, degree, span, r, out, _LOWER)
    if orders >= 2:
        for r in range(degree):
            out[_SLOPE, r] = _difference(knots, degree - 1, span, r, out, _LOWEST) if degree >= 2 else 0.0
        for r in range(degree + 1):
            out[2, r] = _difference(knots, degree, span, r, out, _SLOPE)


@njit_inner
def _difference(
    knots: NDArray[np.float64], degree: int, span: int, r: int, rows: NDArray[np.float64], lower: int
) -> float:
    """Derivative of function r of a degree from the functions (or their derivatives) one degree below."""
    value = 0.0
    i = span - degree + r
    if r > 0:
        width = knots[i + degree] - knots[i]
        if width != 0.0:
            value += rows[lower, r - 1] / width
    if r < degree:
        width = knots[i + degree + 1] - knots[i + 1]
        if width != 0.0:
            value -= rows[lower, r] / width
    return degree * value


@njit_inner
def cuts(weights: NDArray[np.float64]) -> int:
    """Into how many pieces each span of a curve or surface is cut before Gauss's nodes go on it, by the weights of its
    poles (n,): six nodes are good to 1e-8 on a quarter of a circle (1.4 : 1) in one piece, on a third (2 : 1) in two,
    and on a half (3 : 1 in a cubic) in four; in one they are off by 5e-3 there."""
    lowest, highest = np.inf, 0.0
    for w in weights:
        lowest, highest = min(lowest, w), max(highest, w)
    if highest <= 1.5 * lowest:
        return 1
    return 2 if highest <= 2.5 * lowest else 4


@njit_inner
def evaluate_curve(
    knots: NDArray[np.float64],
    poles: NDArray[np.float64],
    degree: int,
    t: float,
    functions: NDArray[np.float64],
    point: NDArray[np.float64],
    tangent: NDArray[np.float64],
) -> None:
    """Write point and tangent (axes,) of a curve at t; poles (n, axes + 1) homogeneous, `functions`: scratch of shape
    (WORK_ROWS, MAX_ORDER)."""
    axes = len(point)
    span = find_span(knots, degree, t)
    basis(knots, degree, span, t, 1, functions)
    first = span - degree
    w = w_slope = 0.0
    for r in range(degree + 1):
        w += functions[0, r] * poles[first + r, axes]
        w_slope += functions[1, r] * poles[first + r, axes]
    for axis in range(axes):
        value = slope = 0.0
        for r in range(degree + 1):
            value += functions[0, r] * poles[first + r, axis]
            slope += functions[1, r] * poles[first + r, axis]
        point[axis] = value / w
        tangent[axis] = (slope - w_slope * point[axis]) / w


@njit(cache=True)
def surface_samples(
    u_knots: NDArray[np.float64],
    v_knots: NDArray[np.float64],
    poles: NDArray[np.float64],
    u_degree: int,
    v_degree: int,
    uv: NDArray[np.float64],
    out: NDArray[np.float64],
) -> None:
    """out (n, 6, 3): S, Su, Sv, Suu, Suv, Svv at uv (n, 2); poles (nu, nv, 4) homogeneous."""
    fu = np.zeros((WORK_ROWS, MAX_ORDER))
    fv = np.zeros((WORK_ROWS, MAX_ORDER))
    a = np.zeros((6, 4))
    surface = (u_knots, v_knots, poles, u_degree, v_degree)
    for row in range(len(uv)):
        evaluate_surface(surface, uv[row, 0], uv[row, 1], (fu, fv, a), out[row])


@njit_inner
def evaluate_surface(
    surface: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64], int, int],
    u: float,
    v: float,
    scratch: tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]],
    out: NDArray[np.float64],
) -> None:
    """out (6, 3): S, Su, Sv, Suu, Suv, Svv at one place. `surface`: u knots, v knots, poles, degrees; `scratch`: two of
    shape (WORK_ROWS, MAX_ORDER), and (6, 4)."""
    u_knots, v_knots, poles, u_degree, v_degree = surface
    fu, fv, a = scratch
    su, sv = find_span(u_knots, u_degree, u), find_span(v_knots, v_degree, v)
    basis(u_knots, u_degree, su, u, 2, fu)
    basis(v_knots, v_degree, sv, v, 2, fv)
    a[:] = 0.0
    for i in range(u_degree + 1):
        for j in range(v_degree + 1):
            for k in range(4):
                pole = poles[su - u_degree + i, sv - v_degree + j, k]
                a[0, k] += fu[0, i] * fv[0, j] * pole
                a[1, k] += fu[1, i] * fv[0, j] * pole
                a[2, k] += fu[0, i] * fv[1, j] * pole
                a[3, k] += fu[2, i] * fv[0, j] * pole
                a[4, k] += fu[1, i] * fv[1, j] * pole
                a[5, k] += fu[0, i] * fv[2, j] * pole
    w = a[0, 3]
    for k in range(3):
        s = a[0, k] / w
        s_u = (a[1, k] - a[1, 3] * s) / w
        s_v = (a[2, k] - a[2, 3] * s) / w
        out[0, k] = s
        out[1, k] = s_u
        out[2, k] = s_v
        out[3, k] = (a[3, k] - 2.0 * a[1, 3] * s_u - a[3, 3] * s) / w
        out[4, k] = (a[4, k] - a[1, 3] * s_v - a[2, 3] * s_u - a[4, 3] * s) / w
        out[5, k] = (a[5, k] - 2.0 * a[2, 3] * s_v - a[5, 3] * s) / w
