"""Freeform faces: exact area and flux of B-spline surfaces over their trim, and samples of shape and curvature.

The integrals follow the same theorem as `integrals`, with K found by Gauss quadrature across the surface: at each point
of a trimming curve the surface is first reduced to the curve of constant u through it, which makes the inner sum cheap.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.Geom import Geom_BSplineSurface
from OCP.Geom2d import Geom2d_BezierCurve, Geom2d_BSplineCurve, Geom2d_Conic, Geom2d_Line, Geom2d_TrimmedCurve
from OCP.Geom2dConvert import Geom2dConvert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_WIRE
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face

from fettle.geometry.exact.splines import MAX_ORDER, WORK_ROWS, basis, find_span
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.curves import curve_arrays, opened
from fettle.geometry.kernel.topology import children

Array = NDArray[np.float64]

OUTER_NODES = 6
INNER_NODES = 6
_OUTER = np.polynomial.legendre.leggauss(OUTER_NODES)
_INNER = np.polynomial.legendre.leggauss(INNER_NODES)


def surface_arrays(surface: Geom_BSplineSurface) -> tuple[Array, Array, Array, int, int]:
    """u knots, v knots, homogeneous poles (nu, nv, 4), degrees; a periodic surface is opened first."""
    if surface.IsUPeriodic() or surface.IsVPeriodic():
        surface = surface.Copy()
        if surface.IsUPeriodic():
            surface.SetUNotPeriodic()
        if surface.IsVPeriodic():
            surface.SetVNotPeriodic()
    rows, columns = surface.NbUPoles(), surface.NbVPoles()
    u_degree, v_degree = surface.UDegree(), surface.VDegree()
    u_knots = kernel_arrays.reals(surface.UKnotSequence(), rows + u_degree + 1)
    v_knots = kernel_arrays.reals(surface.VKnotSequence(), columns + v_degree + 1)
    poles = np.empty((rows, columns, 4))
    poles[..., 3] = kernel_arrays.reals(surface.WeightsArray(), rows * columns).reshape(rows, columns)
    poles[..., :3] = kernel_arrays.reals(surface.Poles(), rows * columns * 3).reshape(rows, columns, 3)
    poles[..., :3] *= poles[..., 3:]
    return u_knots, v_knots, poles, u_degree, v_degree


def integrals(face: TopoDS_Face, outward: bool, reference: Array) -> tuple[float, float]:
    """Area and flux of any face; `outward`: the surface's own normal points out of the material."""
    surface = BRep_Tool.Surface_s(face)
    if isinstance(surface, Geom_BSplineSurface):
        trims = _trims(face)
        if trims is not None:
            quadrature: tuple[Any, ...] = (reference, *_OUTER, *_INNER)
            area, flux = _integrate(*_across(surface_arrays(surface), trims), *quadrature)
            return area, (flux if outward else -flux) / 3.0
    return kernel_integrals(face, outward, reference)


def _across(surface: tuple[Any, ...], trims: tuple[Any, ...]) -> tuple[Any, ...]:
    """Surface and trims so that strips run along the direction of fewer knots: v becomes u where v has more.

    On the flank of a thread, whose trims follow hundreds of spans, that is a hundred times less to add up.
    """
    u_knots, v_knots, poles, u_degree, v_degree = surface
    if len(v_knots) <= len(u_knots):
        return *surface, *trims
    knots, knot_start, trim_poles, pole_start, degrees, ranges = trims
    # the boundary seen in a mirror runs the other way round, and the normal with it: turning v over undoes both
    mirrored = np.ascontiguousarray(poles[:, ::-1].swapaxes(0, 1))
    turned = trim_poles[:, [1, 0, 2]].copy()
    turned[:, 0] *= -1.0
    return -v_knots[::-1], u_knots, mirrored, v_degree, u_degree, knots, knot_start, turned, pole_start, degrees, ranges


def kernel_integrals(face: TopoDS_Face, outward: bool, reference: Array) -> tuple[float, float]:
    """The kernel's own figures: for every surface, slow on splines, and on rational ones only good to a per mille."""
    natural = TopoDS.Face(face.Oriented(TopAbs_FORWARD))
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(natural, properties)
    flux = BRepGProp_Vinert(BRepGProp_Face(natural), BRepGProp_Domain(natural), gp_Pnt(*reference.tolist())).Mass()
    return abs(properties.Mass()), flux if outward else -flux


def _trims(face: TopoDS_Face) -> tuple[Any, ...] | None:
    """Trimming curves as B-splines in (u, v): flat knots, their starts, flat poles, their starts, degrees, and rows of
    (first, last, sign); None where one is of a kind that we do not integrate."""
    natural = face.Oriented(TopAbs_FORWARD)
    location = TopLoc_Location()
    surface = BRep_Tool.Surface_s(TopoDS.Face(natural), location)
    knots, poles, degrees, ranges = [], [], [], []
    for wire in children(natural, TopAbs_WIRE):
        for child in children(wire, TopAbs_EDGE):
            edge = TopoDS.Edge(child)
            curve = BRep_Tool.CurveOnSurface_s(edge, surface, location, 0.0, 0.0)
            first, last = BRep_Tool.Range_s(edge, surface, location)
            while isinstance(curve, Geom2d_TrimmedCurve):
                curve = curve.BasisCurve()
            if isinstance(curve, Geom2d_Line):
                start, along = curve.Location().Coord(), curve.Direction().Coord()
                ends = [[start[k] + t * along[k] for k in range(2)] + [1.0] for t in (first, last)]
                knots.append(np.array([first, first, last, last]))
                poles.append(np.array(ends))
                degrees.append(1)
            elif isinstance(curve, Geom2d_BSplineCurve | Geom2d_Conic | Geom2d_BezierCurve):
                if not isinstance(curve, Geom2d_BSplineCurve):
                    curve = Geom2dConvert.CurveToBSplineCurve_s(Geom2d_TrimmedCurve(curve, first, last))
                curve, first, last = opened(curve, first, last)
                own_knots, own_poles, degree = curve_arrays(curve, 2)
                knots.append(own_knots)
                poles.append(own_poles)
                degrees.append(degree)
            else:
                return None
            ranges.append((first, last, -1.0 if child.Orientation() == TopAbs_REVERSED else 1.0))
    if not ranges:
        return None
    knot_start = np.cumsum([0] + [len(own) for own in knots])
    pole_start = np.cumsum([0] + [len(own) for own in poles])
    return np.concatenate(knots), knot_start, np.concatenate(poles), pole_start, np.array(degrees), np.array(ranges)


@njit(cache=True)
def _integrate(
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
    outer_nodes: Array,
    outer_weights: Array,
    inner_nodes: Array,
    inner_weights: Array,
) -> tuple[float, float]:
    functions = np.zeros((WORK_ROWS, MAX_ORDER))
    iso = np.empty((2, surface.shape[1], 4))
    uv = np.empty(4)
    area = 0.0
    flux = 0.0
    floor = _lowest_v(poles)
    for c in range(len(degrees)):
        own = knots[knot_start[c] : knot_start[c + 1]]
        own_poles = poles[pole_start[c] : pole_start[c + 1]]
        degree = degrees[c]
        first, last, sign = ranges[c, 0], ranges[c, 1], ranges[c, 2]
        low = first
        while low < last:
            high = _next_break(own, own_poles, degree, u_knots, low, last, functions, uv)
            for g in range(len(outer_nodes)):
                t = 0.5 * (low + high) + 0.5 * (high - low) * outer_nodes[g]
                _trim_point(own, own_poles, degree, t, functions, uv)
                du = 0.5 * (high - low) * outer_weights[g] * uv[2]
                if du == 0.0 or uv[1] <= floor:
                    continue
                _reduce(u_knots, surface, u_degree, uv[0], functions, iso)
                strip_area, strip_flux = _strip(
                    v_knots, iso, v_degree, floor, uv[1], reference, inner_nodes, inner_weights, functions
                )
                area -= sign * strip_area * du
                flux -= sign * strip_flux * du
            low = high
    return area, flux


@njit(cache=True)
def _lowest_v(poles: Array) -> float:
    """A v that no trimming curve goes below: the lowest pole's."""
    lowest = np.inf
    for row in range(len(poles)):
        lowest = min(lowest, poles[row, 1] / poles[row, 2])
    return lowest


@njit(cache=True)
def _trim_point(knots: Array, poles: Array, degree: int, t: float, functions: Array, uv: Array) -> None:
    """uv = (u, v, du/dt, dv/dt) of a trimming curve at t."""
    span = find_span(knots, degree, t)
    basis(knots, degree, span, t, 1, functions)
    w = 0.0
    w_slope = 0.0
    for r in range(degree + 1):
        w += functions[0, r] * poles[span - degree + r, 2]
        w_slope += functions[1, r] * poles[span - degree + r, 2]
    for axis in range(2):
        value = 0.0
        slope = 0.0
        for r in range(degree + 1):
            value += functions[0, r] * poles[span - degree + r, axis]
            slope += functions[1, r] * poles[span - degree + r, axis]
        uv[axis] = value / w
        uv[2 + axis] = (slope - w_slope * value / w) / w


@njit(cache=True)
def _next_break(
    knots: Array, poles: Array, degree: int, u_knots: Array, low: float, last: float, functions: Array, uv: Array
) -> float:
    """End of the smooth piece that starts at `low`: the curve's next knot, or where it crosses a u knot before that."""
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
    if np.isnan(crossing):
        return high
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
    return b if b > low + width else high


@njit(cache=True)
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
def _strip(
    v_knots: Array,
    iso: Array,
    v_degree: int,
    low_v: float,
    high_v: float,
    reference: Array,
    nodes: Array,
    weights: Array,
    functions: Array,
) -> tuple[float, float]:
    """Integrals over v of |Su x Sv| and of (S - reference) . (Su x Sv) along the curve of constant u."""
    area = 0.0
    flux = 0.0
    margin = 1e-9 * (v_knots[-1] - v_knots[0])
    low = low_v
    while low < high_v:
        high = high_v
        for knot in v_knots:
            if knot > low + margin:
                if knot < high_v - margin:
                    high = knot
                break
        for g in range(len(nodes)):
            v = 0.5 * (low + high) + 0.5 * (high - low) * nodes[g]
            weight = 0.5 * (high - low) * weights[g]
            span = find_span(v_knots, v_degree, v)
            basis(v_knots, v_degree, span, v, 1, functions)
            x = y = z = w = 0.0
            ux = uy = uz = uw = 0.0
            vx = vy = vz = vw = 0.0
            for r in range(v_degree + 1):
                j = span - v_degree + r
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
            area += weight * np.sqrt(nx * nx + ny * ny + nz * nz)
            flux += weight * ((x - reference[0]) * nx + (y - reference[1]) * ny + (z - reference[2]) * nz)
        low = high
    return area, flux
