"""Freeform faces: their surface and trimming curves as arrays, and their exact area and flux."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepGProp import BRepGProp, BRepGProp_Domain, BRepGProp_Face, BRepGProp_Vinert
from OCP.Geom import Geom_BSplineSurface
from OCP.Geom2d import Geom2d_BezierCurve, Geom2d_BSplineCurve, Geom2d_Conic, Geom2d_Line, Geom2d_TrimmedCurve
from OCP.Geom2dConvert import Geom2dConvert
from OCP.gp import gp_Pnt
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_WIRE
from OCP.TopoDS import TopoDS, TopoDS_Face

from fettle.geometry.exact.trimmed_splines import integrate_trimmed
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.spline_curves import SplineCurves
from fettle.geometry.kernel.topology import children

Array = NDArray[np.float64]

NODES = 6
TRIM_GAP = 1e-4
"""Share of a boundary's extent, in surface parameters, by which it may miss its own start and still be closed."""
# as a number: comparing the bindings' enumerations takes longer than reading a line
_REVERSED = int(TopAbs_REVERSED)
_GAUSS = np.polynomial.legendre.leggauss(NODES)


@dataclass(frozen=True, slots=True, eq=False)
class Spline:
    """A face on a B-spline surface as arrays.

    surface: u knots, v knots, homogeneous poles (nu, nv, 4), degrees; a periodic one is opened. trims: its trimming
    curves as B-splines in (u, v): flat knots, their starts, flat poles, their starts, degrees, and rows of (first,
    last, sign); None where one is of a kind that we do not integrate. domain (2, 2): lowest and highest (u, v) that the
    face may have, unbounded where that is not known.
    """

    surface: tuple[Array, Array, Array, int, int]
    trims: tuple[Any, ...] | None
    domain: Array


def read_spline(face: TopoDS_Face) -> Spline | None:
    """None for a face on another surface."""
    surface = BRep_Tool.Surface_s(face)
    if not isinstance(surface, Geom_BSplineSurface):
        return None
    trims = _trims(face)
    domain = np.array([[-np.inf, -np.inf], [np.inf, np.inf]])
    # of a periodic surface the face may use another turn than its knots
    if trims is not None and not (surface.IsUPeriodic() or surface.IsVPeriodic()):
        places = trims[2][:, :2] / trims[2][:, 2:]
        domain = np.stack([places.min(axis=0), places.max(axis=0)])
    return Spline(surface_arrays(surface), trims, domain)


def surface_arrays(surface: Geom_BSplineSurface) -> tuple[Array, Array, Array, int, int]:
    """Of a B-spline surface, as `exact.splines` takes it; a periodic one is opened."""
    if surface.IsUPeriodic() or surface.IsVPeriodic():
        surface = surface.Copy()
        if surface.IsUPeriodic():
            surface.SetUNotPeriodic()
        if surface.IsVPeriodic():
            surface.SetVNotPeriodic()
    rows, columns = surface.NbUPoles(), surface.NbVPoles()
    u_degree, v_degree = surface.UDegree(), surface.VDegree()
    # copied, because `_across` returns new ones: read-only arrays would have everything compiled once more
    u_knots = np.frombuffer(kernel_arrays.reals(surface.UKnotSequence(), rows + u_degree + 1)).copy()
    v_knots = np.frombuffer(kernel_arrays.reals(surface.VKnotSequence(), columns + v_degree + 1)).copy()
    poles = np.empty((rows, columns, 4))
    poles[..., 3] = np.frombuffer(kernel_arrays.reals(surface.WeightsArray(), rows * columns)).reshape(rows, columns)
    poles[..., :3] = np.frombuffer(kernel_arrays.reals(surface.Poles(), rows * columns, 3)).reshape(rows, columns, 3)
    poles[..., :3] *= poles[..., 3:]
    return u_knots, v_knots, poles, u_degree, v_degree


def integrals(face: TopoDS_Face, spline: Spline | None, outward: bool, reference: Array) -> Array:
    """Shape (5,): area, flux and integral of the outward normal (3) of any face, the last nan where the kernel measures
    the face; `outward`: the surface's own normal points out of the material."""
    if spline is None or spline.trims is None:
        return np.array([*kernel_integrals(face, outward, reference), np.nan, np.nan, np.nan])
    quadrature: tuple[Any, ...] = (reference, *_GAUSS)
    sums: Array = integrate_trimmed(*_across(spline.surface, spline.trims), *quadrature)
    sums[1] /= 3.0
    if not outward:
        sums[1:] *= -1.0
    return sums


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
    natural = TopoDS.Face(face.Oriented(TopAbs_FORWARD))
    trims = SplineCurves(2)
    signs = []
    for wire in children(natural, TopAbs_WIRE):
        for child in children(wire, None):
            edge = TopoDS.Edge(child)
            curve = BRep_Tool.CurveOnSurface_s(edge, natural, 0.0, 0.0)
            first, last = BRep_Tool.Range_s(edge, natural)
            while isinstance(curve, Geom2d_TrimmedCurve):
                curve = curve.BasisCurve()
            if isinstance(curve, Geom2d_Line):
                start, along = curve.Location().Coord(), curve.Direction().Coord()
                trims.add_line([[start[k] + t * along[k] for k in range(2)] for t in (first, last)], first, last)
            elif isinstance(curve, Geom2d_BSplineCurve | Geom2d_Conic | Geom2d_BezierCurve):
                if not isinstance(curve, Geom2d_BSplineCurve):
                    curve = Geom2dConvert.CurveToBSplineCurve_s(Geom2d_TrimmedCurve(curve, first, last))
                trims.add(curve, first, last)
            else:
                return None
            signs.append(-1.0 if int(child.Orientation()) == _REVERSED else 1.0)
    if not signs:
        return None
    knots, knot_start, poles, pole_start, degrees, ranges = trims.packed()
    return knots, knot_start, poles, pole_start, degrees, np.column_stack([ranges, signs])


def trims_close(face: TopoDS_Face) -> bool:
    """Whether the trimming curves of every boundary of the face end where they began, in the surface's parameters."""
    natural = TopoDS.Face(face.Oriented(TopAbs_FORWARD))
    for wire in children(natural, TopAbs_WIRE):
        ends = []
        for child in children(wire, None):
            edge = TopoDS.Edge(child)
            curve = BRep_Tool.CurveOnSurface_s(edge, natural, 0.0, 0.0)
            if curve is None:
                return False
            pair = [curve.Value(t).Coord() for t in BRep_Tool.Range_s(edge, natural)]
            ends.append(pair[::-1] if int(child.Orientation()) == _REVERSED else pair)
        if not ends:
            return False
        places = np.array(ends)
        extent = np.ptp(places.reshape(-1, 2), axis=0)
        if (np.abs((places[:, 1] - places[:, 0]).sum(axis=0)) > TRIM_GAP * extent.max()).any():
            return False
    return True
