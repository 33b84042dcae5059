"""Trimming curves of faces on cylinders, cones and tori whose edges are lines and circles along their parameters.

Most curved faces of machined parts are of this kind. Their trimming curves are straight lines in the surface's
parameters, known by formula, where the kernel's repair projects points.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder
from OCP.Geom2d import Geom2d_Line
from OCP.gp import gp_Dir2d, gp_Pnt2d
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape, TopoDS_Wire

from fettle.geometry.exact.straight_trims import straight_trims
from fettle.geometry.kernel.arrays import orientations
from fettle.geometry.kernel.face_wires import replace_wires, wire_of
from fettle.geometry.kernel.file_boundaries import KERNEL_PRECISION_MM, FileBoundaries
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.topology import Topology, children
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, TORUS

_KINDS = (CYLINDER, CONE, TORUS)
_REVERSED = int(TopAbs_REVERSED)


def turn_wires(faces: Sequence[TopoDS_Face], kinds: NDArray[np.int8]) -> None:
    """List the edges of wires that faces of this kind use the other way round in the order in which the boundary runs,
    in place, as the kernel's repair does: the order of edges and of what is found along them follows from it.
    kinds (faces,): of their surfaces."""
    # as the file has them, before they are turned or placed
    round_faces = [
        faces[number].Located(TopLoc_Location()).Oriented(TopAbs_FORWARD)
        for number in np.flatnonzero(np.isin(kinds, _KINDS)).tolist()
    ]
    listed = [children(face, None) for face in round_faces]
    is_turned = iter((orientations([wire for wires in listed for wire in wires]) == _REVERSED).tolist())
    for face, wires in zip(round_faces, listed, strict=True):
        turned = [next(is_turned) for _ in wires]
        if any(turned):
            in_order = [_turned(wire) if one else wire for wire, one in zip(wires, turned, strict=True)]
            replace_wires(face, wires, in_order)


def _turned(wire: TopoDS_Shape) -> TopoDS_Wire:
    return wire_of(children(wire, None)[::-1], closed=wire.Closed())


def add_parametric_trims(
    sampled: SampledShape, boundaries: FileBoundaries, asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Give those of the faces `asked` (faces,) that are of this kind their trimming curves; shape (faces,): which they
    are."""
    samples, wires = sampled.samples, boundaries.wires
    kinds, frames = sampled.surfaces
    lines, complete = straight_trims(
        np.where(boundaries.usable & asked & np.isin(kinds, _KINDS), kinds, FREEFORM),
        frames,
        samples.conic_kind,
        samples.conics,
        wires.wire_face,
        wires.wire_start,
        wires.edge,
        wires.backwards,
        KERNEL_PRECISION_MM,
    )
    wire_start, numbers = wires.wire_start.tolist(), wires.edge.tolist()
    backwards, rows = wires.backwards.tolist(), lines.tolist()
    uses: dict[int, dict[int, dict[bool, list[float]]]] = {}
    for wire, face in enumerate(wires.wire_face.tolist()):
        if complete[face]:
            of_face = uses.setdefault(face, {})
            for use in range(wire_start[wire], wire_start[wire + 1]):
                of_face.setdefault(numbers[use], {})[backwards[use]] = rows[use]
    for face, of_face in uses.items():
        _trim(sampled.topology, face, of_face)
    return complete


def _trim(topology: Topology, number: int, lines: dict[int, dict[bool, list[float]]]) -> None:
    """Give each edge of a face its line, also in place of what the file says; two for a seam: they are told apart by
    whether the face's boundary runs against the edge."""
    face = TopoDS.Face(topology.faces[number].Oriented(TopAbs_FORWARD))
    builder = BRep_Builder()
    for number_of_edge, of_edge in lines.items():
        edge = TopoDS.Edge(topology.edges[number_of_edge])
        curves = [Geom2d_Line(gp_Pnt2d(u, v), gp_Dir2d(du, dv)) for _, (u, v, du, dv) in sorted(of_edge.items())]
        # of a seam, the curve along the edge comes first: whether it is turned decides which that is
        builder.UpdateEdge(edge if len(curves) == 1 else TopoDS.Edge(edge.Oriented(TopAbs_FORWARD)), *curves, face, 0.0)
