"""Trimming curves of faces on B-spline surfaces, whose edges are followed along the surface.

The kernel's repair looks for each of their points all over the surface, which is most of the time of reading a casting,
and leaves them where edges are up to some hundredths of a millimeter away.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.collections import Array1_double, Array1_gp_Pnt2d, Array1_int
from OCP.Geom import Geom_BSplineSurface
from OCP.Geom2d import Geom2d_BSplineCurve
from OCP.GeomAbs import GeomAbs_BSplineCurve
from OCP.gp import gp_Pnt2d
from OCP.TopoDS import TopoDS

from fettle.geometry.exact.spline_courses import NO_CURVE, follow
from fettle.geometry.exact.straight_trims import OTHER_CURVE
from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.file_boundaries import FileBoundaries
from fettle.geometry.kernel.freeform import TRIM_GAP, surface_arrays
from fettle.geometry.kernel.sound_faces import LOOSEST_MM
from fettle.geometry.kernel.spline_curves import PackedCurves, SplineCurves
from fettle.geometry.kernel.topology import Topology

Array = NDArray[np.float64]
Index = NDArray[np.int64]

ENCLOSED = 1e-3
"""Least share of the square of its spread that an outline encloses."""
SAME_POINT = 1e-9
"""Share of a surface's extent by which the corners of a side without length lie apart."""
_BSPLINE = int(GeomAbs_BSplineCurve)
_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(3)


class SplineTrims(NamedTuple):
    """trimmed (faces,): those that were given their curves; off_mm (edges,): how far an edge runs off these."""

    trimmed: NDArray[np.bool_]
    off_mm: Array


def add_spline_trims(
    topology: Topology, samples: Samples, boundaries: FileBoundaries, asked: NDArray[np.bool_]
) -> SplineTrims:
    """Give those of the faces `asked` (faces,) their trimming curves that are on a B-spline surface and whose edges all
    run along it, across no seam of it."""
    wires = boundaries.wires
    trimmed = np.zeros(len(topology.faces), np.bool_)
    off_mm = np.zeros(len(topology.edges))
    surfaces = {}
    for face in np.flatnonzero(asked & boundaries.usable).tolist():
        surface = BRep_Tool.Surface_s(topology.faces[face])
        if isinstance(surface, Geom_BSplineSurface):
            surfaces[face] = surface_arrays(surface)
    if not surfaces:
        return SplineTrims(trimmed, off_mm)
    uses_of = {face: np.flatnonzero(wires.face_of_use == face) for face in surfaces}
    spline_of, splines = _splines(topology, np.unique(np.concatenate([wires.edge[uses] for uses in uses_of.values()])))
    is_known = (spline_of != NO_CURVE) | (samples.conic_kind != OTHER_CURVE)
    builder = BRep_Builder()
    for face, surface in surfaces.items():
        uses = uses_of[face]
        edges = wires.edge[uses]
        if not is_known[edges].all() or _has_point_for_side(surface[2]):
            continue
        is_along, pieces, start, off = follow(
            surface, edges, samples.conic_kind, samples.conics, spline_of, *splines, LOOSEST_MM
        )
        if not is_along:
            continue
        poles = _poles(pieces)
        if not encloses(poles, start, wires.wire_of_use[uses], wires.backwards[uses]):
            continue
        trimmed[face] = True
        np.maximum.at(off_mm, edges, off)
        for edge, first, end in zip(edges.tolist(), start[:-1].tolist(), start[1:].tolist(), strict=True):
            curve = _as_curve(pieces[first:end], poles[first:end])
            builder.UpdateEdge(TopoDS.Edge(topology.edges[edge]), curve, topology.faces[face], 0.0)
    return SplineTrims(trimmed, off_mm)


def _splines(topology: Topology, edges: Index) -> tuple[Index, PackedCurves]:
    """Which spline (all edges,) each of some edges is, and these laid out."""
    spline_of = np.full(len(topology.edges), NO_CURVE)
    curves = SplineCurves(3)
    count = 0
    for edge in edges.tolist():
        adaptor = BRepAdaptor_Curve(topology.edges[edge])
        if int(adaptor.GetType()) == _BSPLINE and not adaptor.BSpline().IsPeriodic():
            curves.add(adaptor.BSpline(), adaptor.FirstParameter(), adaptor.LastParameter())
            spline_of[edge] = count
            count += 1
    return spline_of, curves.packed()


def _has_point_for_side(poles: Array) -> bool:
    """Whether a side of the surface is a point, where the kernel has an edge more."""
    corners = poles[:, :, :3] / poles[:, :, 3:]
    extent = np.ptp(corners.reshape(-1, 3), axis=0).max()
    sides = (corners[0], corners[-1], corners[:, 0], corners[:, -1])
    return bool(min(np.ptp(side, axis=0).max() for side in sides) <= SAME_POINT * extent)


def encloses(poles: Array, start: Index, wire: Index, backwards: NDArray[np.bool_]) -> bool:
    """Whether the cubics (n, 4, 2) of the uses of a face, those of use i from start[i] on, close along each of its
    wires (uses,), the outer one to the left and the holes to the right."""
    shares = 0.5 * (1.0 + _NODES)
    to_u, to_v = np.moveaxis(poles, -1, 0)
    u, by_v = to_u @ _bernstein(shares), np.diff(to_v, axis=1) @ _slopes(shares)
    enclosed = np.add.reduceat((u * by_v) @ (0.5 * _WEIGHTS), start[:-1]) * np.where(backwards, -1.0, 1.0)
    ends = np.stack([poles[start[:-1], 0], poles[start[1:] - 1, 3]], axis=1)
    ends[backwards] = ends[backwards, ::-1]
    outer = 0
    for one in np.unique(wire).tolist():
        own = np.flatnonzero(wire == one)
        gap = np.abs(ends[own, 0] - ends[np.roll(own, 1), 1]).max(axis=0)
        spread = np.ptp(np.concatenate([poles[start[use] : start[use + 1]].reshape(-1, 2) for use in own]), axis=0)
        area = float(enclosed[own].sum())
        if not (gap <= TRIM_GAP * spread).all() or not abs(area) > ENCLOSED * spread[0] * spread[1]:
            return False
        outer += area > 0.0
    return outer == 1


def _bernstein(t: Array) -> Array:
    """Shape (4, n): shares of a cubic's poles in its places."""
    return np.stack([(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3])


def _slopes(t: Array) -> Array:
    """Shape (3, n): shares of the differences of a cubic's poles in its slopes."""
    return np.stack([3 * (1 - t) ** 2, 6 * t * (1 - t), 3 * t * t])


def _poles(pieces: Array) -> Array:
    """Shape (n, 4, 2) of cubics (n, 10)."""
    third = np.diff(pieces[:, :2], axis=1) / 3.0
    first, last = pieces[:, 2:4], pieces[:, 4:6]
    return np.stack([first, first + third * pieces[:, 6:8], last - third * pieces[:, 8:10], last], axis=1)


def _as_curve(pieces: Array, poles_of: Array) -> Geom2d_BSplineCurve:
    """The cubics (n, 10) of one edge, with poles (n, 4, 2), as one curve, smooth but for kinks of the edge."""
    is_kink = np.append((pieces[:-1, 8:10] != pieces[1:, 6:8]).any(axis=1), True)
    # where two cubics meet smoothly the curve needs no pole
    is_kept = np.ones((len(pieces), 4), np.bool_)
    is_kept[1:, 0], is_kept[:, 3] = False, is_kink
    corners = poles_of[is_kept].tolist()
    count = len(pieces) + 1
    poles, knots, times = Array1_gp_Pnt2d(1, len(corners)), Array1_double(1, count), Array1_int(1, count)
    for row, (u, v) in enumerate(corners, start=1):
        poles.SetValue(row, gp_Pnt2d(u, v))
    joints = [4, *np.where(is_kink, 3, 2)[:-1].tolist(), 4]
    for row, (t, multiplicity) in enumerate(zip([*pieces[:, 0].tolist(), pieces[-1, 1]], joints, strict=True), start=1):
        knots.SetValue(row, t)
        times.SetValue(row, multiplicity)
    return Geom2d_BSplineCurve(poles, knots, times, 3)
