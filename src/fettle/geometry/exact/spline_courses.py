"""Curves along B-spline surfaces, followed in the surface's parameters by cubics that keep the curve's parameter."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.spline_places import Scratch, Surface, grid_of, nearest, nearest_of
from fettle.geometry.exact.splines import MAX_ORDER, WORK_ROWS, evaluate_curve
from fettle.geometry.exact.straight_trims import LINE
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Course = tuple[int, Array, Array, Array, int]
"""A curve: kind and row of a conic; knots, poles and degree of a spline, 0 for none."""
Work = tuple[Array, Array, Array, Array, Scratch]
"""Basis functions (WORK_ROWS, MAX_ORDER), a curve's point and tangent (3,), and the surface where it is nearest."""

EXACT_MM, OFF_SHARE = 1e-5, 0.1
"""How far along the surface a cubic may be from the place that is nearest to its curve: so many mm, or such a share of
the curve's distance there, if that is more."""
CHECKED = (0.5, 0.25, 0.75)
"""Shares of a piece at which its cubic is compared."""
MOST_HALVINGS, MOST_PIECES = 24, 4096
"""Of a curve between two kinks, and of a curve: one that needs more jumps from sheet to sheet, or lies on a surface so
large that its places are no more exact than rounding."""
BESIDE = 1e-7
"""Share of a piece inside of its ends at which tangents are taken: they are other ones beyond a kink."""
PIECE = 10
"""Numbers of a cubic: the curve's parameter at both ends, u and v at both, and their slopes at both."""

NO_CURVE = -1


@njit(cache=True)
def follow(
    surface: Surface,
    edges: Index,
    conic_kind: NDArray[np.int8],
    conics: Array,
    spline_of: Index,
    knots: Array,
    knot_start: Index,
    poles: Array,
    pole_start: Index,
    degrees: Index,
    ranges: Array,
    loosest_mm: float,
) -> tuple[bool, Array, Index, Array]:
    """Whether all of `edges` (n,) run along the surface; their cubics (m, 10), those of edge i in the rows start[i] to
    start[i + 1] in the order of its parameter; and how far (n,) mm each may be from these.

    `spline_of` says which spline an edge is, its numbers are laid out as by `kernel.spline_curves`; the others are
    lines and circles in `conics`, as `kernel.curves` keeps them.
    """
    scratch = (np.zeros((WORK_ROWS, MAX_ORDER)), np.zeros((WORK_ROWS, MAX_ORDER)), np.zeros((6, 4)))
    grid, grid_points = grid_of(surface, scratch)
    work = (np.zeros((WORK_ROWS, MAX_ORDER)), np.zeros(3), np.zeros(3), np.zeros((6, 3)), scratch)
    waiting, halvings = np.zeros((MOST_HALVINGS + 2, PIECE)), np.zeros(MOST_HALVINGS + 2, np.int64)
    pieces, count = np.zeros((16 * len(edges), PIECE)), 0
    start, off_mm = np.zeros(len(edges) + 1, np.int64), np.zeros(len(edges))
    for i in range(len(edges)):
        spline, row = spline_of[edges[i]], conics[edges[i]]
        k0, k1, p0, p1, degree = 0, 0, 0, 0, 0
        low, last = row[0], row[1]
        if spline != NO_CURVE:
            k0, k1, p0, p1 = knot_start[spline], knot_start[spline + 1], pole_start[spline], pole_start[spline + 1]
            degree, low, last = degrees[spline], ranges[spline, 0], ranges[spline, 1]
        curve = (conic_kind[edges[i]], row, knots[k0:k1], poles[p0:p1], degree)
        while low < last:
            high = _next_kink(curve[2], degree, low, last)
            whole = waiting[0]
            whole[0], whole[1], halvings[0] = low, high, 0
            for end in range(2):
                _evaluate(curve, whole[end], work)
                u, v = nearest_of(grid, grid_points, work[1])
                off_mm[i] = max(off_mm[i], _set_end(surface, curve, whole[end], whole, end, u, v, work))
            top = 0
            while top >= 0:
                off, is_exact = _compare(surface, curve, waiting[top], work)
                off_mm[i] = max(off_mm[i], off)
                if not off_mm[i] <= loosest_mm or (not is_exact and halvings[top] == MOST_HALVINGS):
                    return False, pieces, start, off_mm
                if is_exact:
                    if count - start[i] == MOST_PIECES:
                        return False, pieces, start, off_mm
                    if count == len(pieces):
                        pieces = np.concatenate((pieces, np.zeros_like(pieces)))
                    pieces[count] = waiting[top]
                    count += 1
                    top -= 1
                else:
                    # the later half waits below the earlier one
                    _halve(surface, curve, waiting[top], waiting[top + 1], work)
                    halvings[top] += 1
                    halvings[top + 1] = halvings[top]
                    top += 1
            low = high
        off_mm[i] = math.hypot(off_mm[i], _slack(off_mm[i]))
        start[i + 1] = count
    return True, pieces[:count], start, off_mm


@njit_inner
def _next_kink(knots: Array, degree: int, low: float, last: float) -> float:
    """Where a spline's knots next allow a kink after `low`, at most `last`."""
    for k in range(len(knots) - degree):
        if low < knots[k] < last and knots[k + degree - 1] == knots[k]:
            return float(knots[k])
    return last


@njit_inner
def _cubic(piece: Array, share: float) -> tuple[float, float]:
    """Place (u, v) of a cubic at a share of its piece."""
    rest, long = 1.0 - share, piece[1] - piece[0]
    a, b = rest * rest * (1.0 + 2.0 * share), share * share * (1.0 + 2.0 * rest)
    c, d = long * rest * rest * share, -long * share * share * rest
    return (
        a * piece[2] + b * piece[4] + c * piece[6] + d * piece[8],
        a * piece[3] + b * piece[5] + c * piece[7] + d * piece[9],
    )


@njit_inner
def _compare(surface: Surface, curve: Course, piece: Array, work: Work) -> tuple[float, bool]:
    """How far in mm the curve is off the surface along a piece, infinite where it has no place there, and whether the
    piece's cubic is where the curve is."""
    _, point, _, at, scratch = work
    off = 0.0
    for share in CHECKED:
        u, v = _cubic(piece, share)
        _evaluate(curve, piece[0] + share * (piece[1] - piece[0]), work)
        at_u, at_v, is_found = nearest(surface, point, u, v, scratch, at)
        if not is_found:
            return np.inf, False
        off = max(off, _distance(at[0], point))
        moved2 = 0.0
        for k in range(3):
            moved2 += (at[1, k] * (u - at_u) + at[2, k] * (v - at_v)) ** 2
        if moved2 > _slack(off) ** 2:
            return off, False
    return off, True


@njit_inner
def _slack(off_mm: float) -> float:
    """How far along the surface a cubic may be from where its curve is, which is `off_mm` from the surface there."""
    return max(EXACT_MM, OFF_SHARE * off_mm)


@njit_inner
def _halve(surface: Surface, curve: Course, later: Array, earlier: Array, work: Work) -> None:
    """Cut a piece in its middle: its first half becomes `earlier`, the other stays."""
    for number in range(PIECE):
        earlier[number] = later[number]
    middle = 0.5 * (later[0] + later[1])
    u, v = _cubic(later, 0.5)
    _set_end(surface, curve, middle, earlier, 1, u, v, work)
    earlier[1] = later[0] = middle
    for k in range(2):
        later[2 + k], later[6 + k] = earlier[4 + k], earlier[8 + k]


@njit_inner
def _set_end(
    surface: Surface, curve: Course, t: float, piece: Array, end: int, u: float, v: float, work: Work
) -> float:
    """Set place and slopes of one end of a piece to those at the curve's parameter t, looked for from u and v; give the
    distance in mm from the surface, infinite where there is no place."""
    _, point, tangent, at, scratch = work
    _evaluate(curve, t, work)
    u, v, is_found = nearest(surface, point, u, v, scratch, at)
    if not is_found:
        return np.inf
    off = _distance(at[0], point)
    beside = BESIDE * (piece[1] - piece[0])
    _evaluate(curve, min(max(t, piece[0] + beside), piece[1] - beside), work)
    e = f = g = along_u = along_v = 0.0
    for k in range(3):
        e += at[1, k] * at[1, k]
        f += at[1, k] * at[2, k]
        g += at[2, k] * at[2, k]
        along_u += at[1, k] * tangent[k]
        along_v += at[2, k] * tangent[k]
    area2 = e * g - f * f
    piece[2 + 2 * end], piece[3 + 2 * end] = u, v
    piece[6 + 2 * end] = (g * along_u - f * along_v) / area2
    piece[7 + 2 * end] = (e * along_v - f * along_u) / area2
    return off


@njit_inner
def _distance(one: Array, other: Array) -> float:
    return math.sqrt((one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 + (one[2] - other[2]) ** 2)


@njit_inner
def _evaluate(curve: Course, t: float, work: Work) -> None:
    """Set point and tangent of a spline, a line or a circle or ellipse."""
    kind, row, knots, poles, degree = curve
    functions, point, tangent, _, _ = work
    if degree > 0:
        evaluate_curve(knots, poles, degree, t, functions, point, tangent)
        return
    for k in range(3):
        if kind == LINE:
            point[k], tangent[k] = row[2 + k] + t * row[5 + k], row[5 + k]
        else:
            x, y = row[14] * row[11 + k], row[15] * row[8 + k]
            point[k] = row[2 + k] + math.cos(t) * x + math.sin(t) * y
            tangent[k] = math.cos(t) * y - math.sin(t) * x
