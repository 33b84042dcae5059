"""Curves of edges: what they are, and points along them fit for exact integration.

`sample` reads each kernel curve once. The points are Gauss-Legendre nodes of pieces on which the curve is smooth, so
that a sum over them is the integral along the edge to rounding; faces get their area and volume from those sums.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.Geom import Geom_BSplineCurve, Geom_Circle, Geom_Curve, Geom_Ellipse, Geom_Line, Geom_TrimmedCurve
from OCP.GeomAbs import (
    GeomAbs_BezierCurve,
    GeomAbs_BSplineCurve,
    GeomAbs_Hyperbola,
    GeomAbs_OffsetCurve,
    GeomAbs_Parabola,
)
from OCP.gp import gp_Pnt, gp_Vec
from OCP.TopoDS import TopoDS_Edge

from fettle.geometry.exact.splines import MAX_ORDER, WORK_ROWS, cuts, evaluate_curve
from fettle.geometry.exact.straight_trims import CIRCLE, LINE, OTHER_CURVE
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.spline_curves import SplineCurves, pole_bounds
from fettle.geometry.part import Circle, Curve, Line, OtherCurve
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

NODES = 8
"""Gauss points per piece: exact for polynomials up to degree 15, and to 1e-13 for an eighth of a turn."""

ROUND_PIECE_RAD = math.pi / 4
ODD_PIECES = 16
"""Pieces of a curve whose own pieces we do not know (hyperbola, offset): plenty for smooth ones."""

_ROUND_WIDTH = 16
"""Numbers of a circle or ellipse in its table."""

_ABSCISSAE, _WEIGHTS = np.polynomial.legendre.leggauss(NODES)
_TWO_NODES = np.polynomial.legendre.leggauss(2)

_ODD_KINDS = {
    int(GeomAbs_Hyperbola): "hyperbola",
    int(GeomAbs_Parabola): "parabola",
    int(GeomAbs_BezierCurve): "bezier",
    int(GeomAbs_BSplineCurve): "bspline",
    int(GeomAbs_OffsetCurve): "offset",
}


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Edge e owns rows start[e] to start[e + 1] (none when degenerated), in the direction of its own curve.

    points (n, 3) mm; steps (n, 3): tangent times quadrature weight, so that the sum of f(points) * steps is the
    integral of f along the edge. length_mm (edges,). bounds (edges, 2, 3): lowest and highest coordinates, exact for
    lines, circles and ellipses, `loose` (edges,) for the others: those of the poles, or unbounded. conic_kind (edges,)
    and conics (edges, 16): lines and circles as in `exact.straight_trims`.
    """

    curves: list[Curve | None]
    start: NDArray[np.int64]
    points: Array
    steps: Array
    length_mm: Array
    bounds: Array
    loose: NDArray[np.bool_]
    conic_kind: NDArray[np.int8]
    conics: Array


def sample(edges: list[TopoDS_Edge | None]) -> Samples:
    kernel_arrays.check_layout()  # before anything of a shape is read through it
    curves: list[Curve | None] = [None] * len(edges)
    lines, circles, ellipses = _Lines(6), _Rounds(13), _Rounds(14)
    splines = SplineCurves(3)
    spline_numbers: list[int] = []
    odd: list[tuple[int, Array, Array]] = []
    for number, edge in enumerate(edges):
        if edge is None:
            continue
        # asked of the curve itself: the kernel's adaptor takes twice as long; it makes the frames of circles square
        curve = curve_of(edge)
        first, last = BRep_Tool.Range_s(edge)
        if isinstance(curve, Geom_Line):
            lines.add(number, first, last, curve.Lin())
        elif isinstance(curve, Geom_Circle):
            circles.add(number, first, last, BRepAdaptor_Curve(edge).Circle())
        elif isinstance(curve, Geom_Ellipse):
            ellipses.add(number, first, last, BRepAdaptor_Curve(edge).Ellipse())
            curves[number] = OtherCurve("ellipse")
        elif isinstance(curve, Geom_BSplineCurve) and math.isfinite(last - first):
            splines.add(curve, first, last)
            spline_numbers.append(number)
            curves[number] = OtherCurve("bspline")
        else:
            adaptor = BRepAdaptor_Curve(edge)
            first, last = adaptor.FirstParameter(), adaptor.LastParameter()
            odd.append((number, *_odd_samples(adaptor, first, last)))
            curves[number] = OtherCurve(_ODD_KINDS.get(int(adaptor.GetType()), "other"))
    batches = [_single(*entry) for entry in odd]
    bounds = np.tile(np.array([[-np.inf], [np.inf]]), (len(edges), 1, 3))
    loose = np.ones(len(edges), np.bool_)
    kinds, rows = np.full(len(edges), OTHER_CURVE, np.int8), np.zeros((len(edges), _ROUND_WIDTH))
    for conics in (lines, circles, ellipses):
        table = conics.table()
        conics.name(table, curves)
        batches.append(conics.samples(table))
        bounds[conics.numbers] = conics.bounds(table)
        loose[conics.numbers] = False
        rows[conics.numbers, : table.shape[1]] = table
        kinds[conics.numbers] = conics.kinds(table)
    if spline_numbers:
        packed = splines.packed()
        bounds[spline_numbers] = pole_bounds(packed.poles, packed.pole_start)
        owner, points, steps = _sample_splines(*packed, _ABSCISSAE, _WEIGHTS)
        batches.append((np.array(spline_numbers)[owner], points, steps))
    return _gather(curves, batches, bounds, loose, kinds, rows)


def curve_of(edge: TopoDS_Edge) -> Geom_Curve | None:
    """The edge's curve in space, where it is, and of a piece of another curve that."""
    curve = BRep_Tool.Curve_s(edge, 0.0, 0.0)
    while isinstance(curve, Geom_TrimmedCurve):
        curve = curve.BasisCurve()
    return curve


Batch = tuple[NDArray[np.int64], Array, Array]
"""Edge of each row (n,), points (n, 3), steps (n, 3); rows of one edge are together and in order."""


def _gather(
    curves: list[Curve | None],
    batches: list[Batch],
    bounds: Array,
    loose: NDArray[np.bool_],
    kinds: NDArray[np.int8],
    conics: Array,
) -> Samples:
    owner = np.concatenate([batch[0] for batch in batches])
    order = np.argsort(owner, kind="stable")
    points = np.concatenate([batch[1] for batch in batches])[order]
    steps = np.concatenate([batch[2] for batch in batches])[order]
    owner = owner[order]
    start = np.searchsorted(owner, np.arange(len(curves) + 1))
    points.setflags(write=False)
    for number, curve in enumerate(curves):
        if isinstance(curve, OtherCurve):
            curves[number] = OtherCurve(curve.kind, points[start[number] : start[number + 1]])
    length: Array = np.bincount(owner, weights=np.linalg.norm(steps, axis=1), minlength=len(curves)).astype(np.float64)
    return Samples(curves, start, points, steps, length, bounds, loose, kinds, conics)


class _Conics:
    """Curves of one kind, collected and then sampled at once."""

    def __init__(self, width: int) -> None:
        """`width`: of how many numbers the kernel makes each."""
        self.numbers: list[int] = []
        self._width = width
        self._ranges: list[tuple[float, float]] = []
        self._conics: list[object] = []

    def add(self, number: int, first: float, last: float, conic: object) -> None:
        self.numbers.append(number)
        self._ranges.append((first, last))
        self._conics.append(conic)

    def table(self) -> Array:
        """Shape (n, 2 + width), read-only: first and last parameter, then the numbers of each."""
        ranges = np.array(self._ranges).reshape(-1, 2)
        return _frozen(np.hstack([ranges, kernel_arrays.components_of(self._conics, self._width)]))


class _Lines(_Conics):
    """Lines o + t x, each (o, x)."""

    def kinds(self, table: Array) -> NDArray[np.int8]:
        """Shape (n,)."""
        return np.full(len(table), LINE, np.int8)

    def name(self, table: Array, curves: list[Curve | None]) -> None:
        for number, direction in zip(self.numbers, table[:, 5:8], strict=True):
            curves[number] = Line(direction)

    def samples(self, table: Array) -> Batch:
        """Two nodes each: nothing we integrate along a straight edge is of higher degree than three."""
        nodes, weights = _TWO_NODES
        half = (table[:, 1] - table[:, 0])[:, None, None] / 2
        middle = (table[:, 1] + table[:, 0])[:, None, None] / 2
        points = table[:, None, 2:5] + (middle + half * nodes[None, :, None]) * table[:, None, 5:8]
        steps = half * weights[None, :, None] * table[:, None, 5:8]
        return np.repeat(np.array(self.numbers, np.int64), 2), points.reshape(-1, 3), steps.reshape(-1, 3)

    def bounds(self, table: Array) -> Array:
        """Shape (n, 2, 3)."""
        ends = table[:, None, 2:5] + table[:, :2, None] * table[:, None, 5:8]
        return np.stack([ends.min(axis=1), ends.max(axis=1)], axis=1)


class _Rounds(_Conics):
    """Circles and ellipses o + a cos t x + b sin t y, each (o, axis, y, x, a, b) as the kernel keeps them."""

    def kinds(self, table: Array) -> NDArray[np.int8]:
        """Shape (n,)."""
        return np.where(table[:, 14] == table[:, 15], CIRCLE, OTHER_CURVE).astype(np.int8)

    def table(self) -> Array:
        """Shape (n, 16): the radius of a circle stands for both sizes of an ellipse."""
        table = super().table()
        return table if table.shape[1] == _ROUND_WIDTH else _frozen(np.hstack([table, table[:, -1:]]))

    def name(self, table: Array, curves: list[Curve | None]) -> None:
        sizes = table[:, [0, 1, 14]].tolist()
        for number, center, axis, size in zip(self.numbers, table[:, 2:5], table[:, 5:8], sizes, strict=True):
            if curves[number] is None:
                first, last, radius = size
                curves[number] = Circle(center, axis, radius, math.degrees(last - first))

    def samples(self, table: Array) -> Batch:
        extent = table[:, 1] - table[:, 0]
        pieces = np.maximum(1, np.ceil(extent / ROUND_PIECE_RAD - 1e-9)).astype(np.int64)
        owner = np.repeat(np.arange(len(table)), pieces)
        index = np.arange(len(owner)) - np.repeat(np.cumsum(pieces) - pieces, pieces)
        width = (extent / pieces)[owner]
        low = table[owner, 0] + index * width
        angle = (low[:, None] + width[:, None] * (0.5 + 0.5 * _ABSCISSAE))[..., None]
        weight = (0.5 * width[:, None] * _WEIGHTS)[..., None]
        o, x, y = (vectors[owner, None] for vectors in self._vectors(table))
        cosine, sine = np.cos(angle), np.sin(angle)
        points = o + cosine * x + sine * y
        steps = weight * (cosine * y - sine * x)
        numbers = np.array(self.numbers, np.int64)[owner]
        return np.repeat(numbers, NODES), points.reshape(-1, 3), steps.reshape(-1, 3)

    def bounds(self, table: Array) -> Array:
        """Shape (n, 2, 3): from the ends, and the summits that lie on the arc."""
        o, x, y = self._vectors(table)
        first, last = table[:, 0:1], table[:, 1:2]
        ends = [o + np.cos(t) * x + np.sin(t) * y for t in (first, last)]
        low, high = np.minimum(*ends), np.maximum(*ends)
        reach, summit = np.hypot(x, y), np.arctan2(y, x)
        on_top = (summit - first) % (2.0 * math.pi) <= last - first
        at_bottom = (summit + math.pi - first) % (2.0 * math.pi) <= last - first
        return np.stack([np.where(at_bottom, o - reach, low), np.where(on_top, o + reach, high)], axis=1)

    def _vectors(self, table: Array) -> tuple[Array, Array, Array]:
        """Center, and the two half axes, (n, 3) each."""
        return table[:, 2:5], table[:, 14:15] * table[:, 11:14], table[:, 15:16] * table[:, 8:11]


@njit(cache=True)
def _sample_splines(
    knots: Array,
    knot_start: NDArray[np.int64],
    poles: Array,
    pole_start: NDArray[np.int64],
    degrees: NDArray[np.int64],
    ranges: Array,
    abscissae: Array,
    weights: Array,
) -> tuple[NDArray[np.int64], Array, Array]:
    total = 0
    for c in range(len(degrees)):
        own = knots[knot_start[c] : knot_start[c + 1]]
        own_cuts = cuts(poles[pole_start[c] : pole_start[c + 1], 3])
        total += _pieces(own, ranges[c, 0], ranges[c, 1]) * own_cuts * len(abscissae)
    owner = np.empty(total, np.int64)
    points = np.empty((total, 3))
    steps = np.empty((total, 3))
    functions = np.zeros((WORK_ROWS, MAX_ORDER))
    row = 0
    for c in range(len(degrees)):
        own = knots[knot_start[c] : knot_start[c + 1]]
        first, last = ranges[c, 0], ranges[c, 1]
        degree = degrees[c]
        own_poles = poles[pole_start[c] : pole_start[c + 1]]
        own_cuts = cuts(own_poles[:, 3])
        low = first
        while low < last:
            high = _next_knot(own, low, last)
            half = 0.5 * (high - low) / own_cuts
            for node in range(own_cuts * len(abscissae)):
                piece, g = divmod(node, len(abscissae))
                t = low + half * (2 * piece + 1 + abscissae[g])
                weight = half * weights[g]
                evaluate_curve(own, own_poles, degree, t, functions, points[row], steps[row])
                for axis in range(3):
                    steps[row, axis] *= weight
                owner[row] = c
                row += 1
            low = high
    return owner, points, steps


@njit_inner
def _pieces(knots: Array, first: float, last: float) -> int:
    count = 0
    low = first
    while low < last:
        low = _next_knot(knots, low, last)
        count += 1
    return count


@njit_inner
def _next_knot(knots: Array, low: float, last: float) -> float:
    """The first knot clearly above `low`, at most `last`."""
    width = 1e-9 * (knots[-1] - knots[0])
    for knot in knots:
        if knot > low + width:
            return min(knot, last) if knot < last - width else last
    return last


def _odd_samples(adaptor: BRepAdaptor_Curve, first: float, last: float) -> tuple[Array, Array]:
    points, steps = [], []
    borders = np.linspace(first, last, ODD_PIECES + 1)
    point, tangent = gp_Pnt(), gp_Vec()
    for low, high in pairwise(borders.tolist()):
        half = (high - low) / 2
        for node, weight in zip(_ABSCISSAE.tolist(), _WEIGHTS.tolist(), strict=True):
            adaptor.D1(low + half * (1.0 + node), point, tangent)
            points.append(point.Coord())
            steps.append([half * weight * value for value in tangent.Coord()])
    return np.array(points), np.array(steps)


def _single(number: int, points: Array, steps: Array) -> Batch:
    return np.full(len(points), number, np.int64), points, steps


def _frozen(array: Array) -> Array:
    array.setflags(write=False)
    return array
