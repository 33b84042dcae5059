"""Area and flux of a B-spline surface within its trim, from integrals along the trimming curves.

The same theorem as in `integrals`, with K found by Gauss quadrature across the surface: at each point of a trimming
curve the surface is first reduced to the curve of constant u through it, which makes the inner sum cheap.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.exact.splines import MAX_ORDER, WORK_ROWS, basis, cuts, evaluate_curve, find_span
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]


@njit(cache=True)
def integrate_trimmed(
    u_knots: Array,
    v_knots: Array,
    surface: Array,
    u_degree: int,
    v_degree: int,
    knots: Array,
    knot_start: NDArray[np.int64],
    poles: Array,
    pole_start: NDArray[np.int64],
    degrees: NDArray[np.int64],
    ranges: Array,
    reference: Array,
    nodes: Array,
    weights: Array,
) -> Array:
    """Shape (5,): area, three times the flux, and the integral of the normal (3) of a B-spline surface (poles nu, nv,
    4) within its trimming curves.

    Curve c owns knots knot_start[c] to knot_start[c + 1], poles (u w, v w, w) in the same way, and runs over
    ranges[c, 0] to ranges[c, 1] with sign ranges[c, 2]. Gauss's nodes and weights serve along the curves and across the
    surface.
    """
    functions = np.zeros((WORK_ROWS, MAX_ORDER))
    iso = np.empty((2, surface.shape[1], 4))
    uv = np.empty(4)
    total = np.zeros(5)
    strip = np.empty(5)
    floor, top = _v_range(poles)
    if not floor < top:
        return total
    u_cuts, v_cuts = 1, 1
    for j in range(surface.shape[1]):
        u_cuts = max(u_cuts, cuts(surface[:, j, 3]))
    for i in range(surface.shape[0]):
        v_cuts = max(v_cuts, cuts(surface[i, :, 3]))
    borders, spans, table = _tabulate(v_knots, v_degree, floor, top, v_cuts, nodes, functions)
    for c in range(len(degrees)):
        own = knots[knot_start[c] : knot_start[c + 1]]
        own_poles = poles[pole_start[c] : pole_start[c + 1]]
        degree = degrees[c]
        first, last, sign = ranges[c, 0], ranges[c, 1], ranges[c, 2]
        own_cuts = cuts(own_poles[:, 2])
        low = first
        while low < last:
            high, crossed = _next_break(own, own_poles, degree, u_knots, u_degree, low, last, functions, uv)
            many = max(own_cuts, int(np.ceil(u_cuts * crossed - 1e-9)))
            half = 0.5 * (high - low) / many
            for node in range(many * len(nodes)):
                piece, g = divmod(node, len(nodes))
                _trim_point(own, own_poles, degree, low + half * (2 * piece + 1 + nodes[g]), functions, uv)
                du = half * weights[g] * uv[2]
                if du == 0.0 or uv[1] <= floor:
                    continue
                _reduce(u_knots, surface, u_degree, uv[0], functions, iso)
                _strip(
                    v_knots,
                    v_degree,
                    iso,
                    uv[1],
                    borders,
                    spans,
                    table,
                    reference,
                    nodes,
                    weights,
                    functions,
                    strip,
                )
                for i in range(5):
                    total[i] -= sign * strip[i] * du
            low = high
    return total


@njit_inner
def _v_range(poles: Array) -> tuple[float, float]:
    """Bounds of v over all trimming curves: the lowest and the highest pole's."""
    lowest, highest = np.inf, -np.inf
    for row in range(len(poles)):
        v = poles[row, 1] / poles[row, 2]
        lowest, highest = min(lowest, v), max(highest, v)
    return lowest, highest


@njit_inner
def _trim_point(knots: Array, poles: Array, degree: int, t: float, functions: Array, uv: Array) -> None:
    """uv = (u, v, du/dt, dv/dt) of a trimming curve at t."""
    evaluate_curve(knots, poles, degree, t, functions, uv[:2], uv[2:])


@njit_inner
def _next_break(
    knots: Array,
    poles: Array,
    degree: int,
    u_knots: Array,
    u_degree: int,
    low: float,
    last: float,
    functions: Array,
    uv: Array,
) -> tuple[float, float]:
    """End of the smooth piece that starts at `low`: the curve's next knot, or where it crosses a u knot before that;
    and the share of a u span that the piece crosses."""
    width = 1e-9 * (knots[-1] - knots[0])
    high = last
    for knot in knots:
        if knot > low + width:
            if knot < last - width:
                high = knot
            break
    _trim_point(knots, poles, degree, low, functions, uv)
    u_low = uv[0]
    _trim_point(knots, poles, degree, high, functions, uv)
    u_high = uv[0]
    margin = 1e-9 * (u_knots[-1] - u_knots[0])
    crossing = np.nan
    if u_high > u_low:
        for knot in u_knots:
            if u_low + margin < knot < u_high - margin:
                crossing = knot
                break
    else:
        for k in range(len(u_knots) - 1, -1, -1):
            if u_high + margin < u_knots[k] < u_low - margin:
                crossing = u_knots[k]
                break
    end = u_high if np.isnan(crossing) else crossing
    span = find_span(u_knots, u_degree, 0.5 * (u_low + end))
    crossed = min(abs(end - u_low) / (u_knots[span + 1] - u_knots[span]), 1.0)
    if np.isnan(crossing):
        return high, crossed
    a, b = low, high
    for _ in range(50):
        middle = 0.5 * (a + b)
        _trim_point(knots, poles, degree, middle, functions, uv)
        if (uv[0] < crossing) == (u_low < crossing):
            a = middle
        else:
            b = middle
        if b - a < width:
            break
    return (b if b > low + width else high), crossed


@njit_inner
def _reduce(u_knots: Array, surface: Array, u_degree: int, u: float, functions: Array, iso: Array) -> None:
    """Homogeneous poles of the curve of constant u: iso[0], and of its derivative along u: iso[1]."""
    span = find_span(u_knots, u_degree, u)
    basis(u_knots, u_degree, span, u, 1, functions)
    for j in range(surface.shape[1]):
        for k in range(4):
            value = 0.0
            slope = 0.0
            for r in range(u_degree + 1):
                pole = surface[span - u_degree + r, j, k]
                value += functions[0, r] * pole
                slope += functions[1, r] * pole
            iso[0, j, k] = value
            iso[1, j, k] = slope


@njit(cache=True)
def _tabulate(
    v_knots: Array, v_degree: int, low: float, high: float, cuts: int, nodes: Array, functions: Array
) -> tuple[Array, NDArray[np.int64], Array]:
    """Borders (m + 1,) of the pieces between v knots, each span cut into so many; their spans (m,), and the basis
    functions and their slopes (m, nodes, 2, degree + 1) at the nodes of each: every strip adds up the same ones."""
    margin = 1e-9 * (v_knots[-1] - v_knots[0])
    borders = np.empty(cuts * (len(v_knots) + 1) + 1)
    borders[0] = low
    count = 0
    for k in range(len(v_knots) + 1):
        last = borders[count]
        knot = v_knots[k] if k < len(v_knots) else high
        if k == len(v_knots) or last + margin < knot < high - margin:
            for cut in range(1, cuts + 1):
                borders[count + cut] = knot if cut == cuts else last + (knot - last) * cut / cuts
            count += cuts
    spans = np.empty(count, np.int64)
    table = np.empty((count, len(nodes), 2, v_degree + 1))
    for piece in range(count):
        for g in range(len(nodes)):
            v = 0.5 * (borders[piece] + borders[piece + 1]) + 0.5 * (borders[piece + 1] - borders[piece]) * nodes[g]
            spans[piece] = find_span(v_knots, v_degree, v)
            basis(v_knots, v_degree, spans[piece], v, 1, functions)
            table[piece, g] = functions[:2, : v_degree + 1]
    return borders[: count + 1], spans, table


@njit_inner
def _strip(
    v_knots: Array,
    v_degree: int,
    iso: Array,
    high_v: float,
    borders: Array,
    spans: NDArray[np.int64],
    table: Array,
    reference: Array,
    nodes: Array,
    weights: Array,
    functions: Array,
    out: Array,
) -> None:
    """Integrals (5,) over v, up to `high_v`, of |Su x Sv|, (S - reference) . (Su x Sv) and Su x Sv along the curve of
    constant u."""
    out[:] = 0.0
    margin = 1e-9 * (v_knots[-1] - v_knots[0])
    for piece in range(len(spans)):
        low, high = borders[piece], borders[piece + 1]
        if high > high_v + margin:
            break
        for g in range(len(nodes)):
            weight = 0.5 * (high - low) * weights[g]
            _add_density(iso, spans[piece] - v_degree, table[piece, g], v_degree, reference, weight, out)
    else:
        return
    if high_v > low + margin:
        for g in range(len(nodes)):
            v = 0.5 * (low + high_v) + 0.5 * (high_v - low) * nodes[g]
            span = find_span(v_knots, v_degree, v)
            basis(v_knots, v_degree, span, v, 1, functions)
            weight = 0.5 * (high_v - low) * weights[g]
            _add_density(iso, span - v_degree, functions, v_degree, reference, weight, out)


@njit_inner
def _add_density(
    iso: Array, first_pole: int, functions: Array, degree: int, reference: Array, weight: float, out: Array
) -> None:
    """Add weight times |Su x Sv|, (S - reference) . (Su x Sv) and Su x Sv to `out` (5,), where the basis functions and
    their slopes have these values."""
    x = y = z = w = 0.0
    ux = uy = uz = uw = 0.0
    vx = vy = vz = vw = 0.0
    for r in range(degree + 1):
        j = first_pole + r
        f, s = functions[0, r], functions[1, r]
        x += f * iso[0, j, 0]
        y += f * iso[0, j, 1]
        z += f * iso[0, j, 2]
        w += f * iso[0, j, 3]
        ux += f * iso[1, j, 0]
        uy += f * iso[1, j, 1]
        uz += f * iso[1, j, 2]
        uw += f * iso[1, j, 3]
        vx += s * iso[0, j, 0]
        vy += s * iso[0, j, 1]
        vz += s * iso[0, j, 2]
        vw += s * iso[0, j, 3]
    x, y, z = x / w, y / w, z / w
    ux, uy, uz = (ux - uw * x) / w, (uy - uw * y) / w, (uz - uw * z) / w
    vx, vy, vz = (vx - vw * x) / w, (vy - vw * y) / w, (vz - vw * z) / w
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    out[0] += weight * np.sqrt(nx * nx + ny * ny + nz * nz)
    out[1] += weight * ((x - reference[0]) * nx + (y - reference[1]) * ny + (z - reference[2]) * nz)
    out[2] += weight * nx
    out[3] += weight * ny
    out[4] += weight * nz
