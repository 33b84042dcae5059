"""Trimming curves of faces on B-spline surfaces, whose edges are followed along the surface.

The kernel's repair looks for each of their points all over the surface, which is most of the time of reading a casting,
and leaves them where edges are up to some hundredths of a millimeter away.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.collections import Array1_double, Array1_gp_Pnt2d, Array1_int
from OCP.Geom import Geom_BSplineCurve, Geom_BSplineSurface
from OCP.Geom2d import Geom2d_BSplineCurve
from OCP.TopoDS import TopoDS

from fettle.geometry.exact.spline_courses import NO_CURVE, follow
from fettle.geometry.exact.spline_outlines import encloses, join_pieces, poles_of
from fettle.geometry.exact.straight_trims import OTHER_CURVE
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.curves import curve_of
from fettle.geometry.kernel.file_boundaries import FileBoundaries
from fettle.geometry.kernel.freeform import TRIM_GAP, surface_arrays
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.sound_faces import LOOSEST_MM
from fettle.geometry.kernel.spline_curves import PackedCurves, SplineCurves
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.surfaces.encoding import FREEFORM

Array = NDArray[np.float64]
Index = NDArray[np.int64]

SAME_POINT = 1e-9
"""Share of a surface's extent by which the corners of a side without length lie apart."""


class SplineTrims(NamedTuple):
    """trimmed (faces,): those that were given their curves; off_mm (edges,): how far an edge runs off these."""

    trimmed: NDArray[np.bool_]
    off_mm: Array


def add_spline_trims(sampled: SampledShape, boundaries: FileBoundaries, asked: NDArray[np.bool_]) -> SplineTrims:
    """Give those of the faces `asked` (faces,) their trimming curves that are on a B-spline surface and whose edges all
    run along it, across no seam of it."""
    topology, samples, wires = sampled.topology, sampled.samples, boundaries.wires
    trimmed = np.zeros(len(topology.faces), np.bool_)
    off_mm = np.zeros(len(topology.edges))
    surfaces = {}
    for face in np.flatnonzero(asked & boundaries.usable & (sampled.surfaces.kinds == FREEFORM)).tolist():
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
        poles = poles_of(pieces)
        if not encloses(poles, start, wires.wire_of_use[uses], wires.backwards[uses], TRIM_GAP):
            continue
        trimmed[face] = True
        np.maximum.at(off_mm, edges, off)
        corners, corner_start, knots, times, knot_start = join_pieces(pieces, poles, start)
        ranges = [pairwise(starts.tolist()) for starts in (corner_start, knot_start)]
        for edge, (a, b), (c, d) in zip(edges.tolist(), *ranges, strict=True):
            curve = _as_curve(corners[a:b], knots[c:d], times[c:d])
            builder.UpdateEdge(TopoDS.Edge(topology.edges[edge]), curve, topology.faces[face], 0.0)
    return SplineTrims(trimmed, off_mm)


def _splines(topology: Topology, edges: Index) -> tuple[Index, PackedCurves]:
    """Which spline (all edges,) each of some edges is, and these laid out."""
    spline_of = np.full(len(topology.edges), NO_CURVE)
    curves = SplineCurves(3)
    count = 0
    for edge in edges.tolist():
        curve = curve_of(topology.edges[edge])
        if isinstance(curve, Geom_BSplineCurve) and not curve.IsPeriodic():
            curves.add(curve, *BRep_Tool.Range_s(topology.edges[edge]))
            spline_of[edge] = count
            count += 1
    return spline_of, curves.packed()


def _has_point_for_side(poles: Array) -> bool:
    """Whether a side of the surface is a point, where the kernel has an edge more."""
    corners = poles[:, :, :3] / poles[:, :, 3:]
    extent = np.ptp(corners.reshape(-1, 3), axis=0).max()
    sides = (corners[0], corners[-1], corners[:, 0], corners[:, -1])
    return bool(min(np.ptp(side, axis=0).max() for side in sides) <= SAME_POINT * extent)


def _as_curve(poles: Array, knots: Array, times: NDArray[np.int32]) -> Geom2d_BSplineCurve:
    """A cubic spline of poles (n, 2) and knots (k,) that count so many times."""
    own_poles, count = Array1_gp_Pnt2d(1, len(poles)), len(knots)
    own_knots, own_times = Array1_double(1, count), Array1_int(1, count)
    kernel_arrays.fill(own_poles, poles)
    kernel_arrays.fill(own_knots, knots)
    kernel_arrays.fill(own_times, times)
    return Geom2d_BSplineCurve(own_poles, own_knots, own_times, 3)
