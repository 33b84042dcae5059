"""Trimming curves of faces on cylinders, cones and tori whose edges are lines and circles along their parameters.

Most curved faces of machined parts are of this kind. Their trimming curves are straight lines in the surface's
parameters, known by formula, where the kernel's repair projects points.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.Geom2d import Geom2d_Line
from OCP.GeomAbs import GeomAbs_Cone, GeomAbs_Cylinder, GeomAbs_Torus
from OCP.gp import gp_Dir2d, gp_Pnt2d
from OCP.TopAbs import TopAbs_FACE, TopAbs_FORWARD, TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Shape, TopoDS_Wire

from fettle.geometry.exact.straight_trims import CONE, CYLINDER, NO_SURFACE, TORUS, straight_trims
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.curves import Samples
from fettle.geometry.kernel.file_boundaries import KERNEL_PRECISION_MM, FileBoundaries
from fettle.geometry.kernel.topology import Topology, children, map_of

_SURFACES = {
    int(GeomAbs_Cylinder): (CYLINDER, "Cylinder", 13),
    int(GeomAbs_Cone): (CONE, "Cone", 14),
    int(GeomAbs_Torus): (TORUS, "Torus", 14),
}
"""What the adaptor calls them, and of how many numbers they are made: a frame, then their sizes."""
_WIDTH = 14
_REVERSED = int(TopAbs_REVERSED)


def turn_wires(shape: TopoDS_Shape) -> None:
    """List the edges of wires that faces of this kind use the other way round in the order in which the boundary runs,
    in place, as the kernel's repair does: the order of edges and of what is found along them follows from it."""
    faces = map_of(shape, TopAbs_FACE)
    for index in range(1, faces.Extent() + 1):
        face = TopoDS.Face(faces.FindKey(index))
        if int(BRepAdaptor_Surface(face, False).GetType()) in _SURFACES:
            # as the file has it, before it is turned or placed
            own = face.Located(TopLoc_Location()).Oriented(TopAbs_FORWARD)
            wires = children(own, None)
            if any(int(wire.Orientation()) == _REVERSED for wire in wires):
                _replace_wires(own, wires)


def _replace_wires(face: TopoDS_Shape, wires: list[TopoDS_Shape]) -> None:
    builder = BRep_Builder()
    face.Free(True)
    for wire in wires:
        builder.Remove(face, wire)
    for wire in wires:
        turned = wire
        if int(wire.Orientation()) == _REVERSED:
            turned = TopoDS_Wire()
            builder.MakeWire(turned)
            for edge in reversed(children(wire, None)):
                builder.Add(turned, edge)
            turned.Closed(wire.Closed())
        builder.Add(face, turned)


def add_parametric_trims(
    topology: Topology, samples: Samples, boundaries: FileBoundaries, asked: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Give those of the faces `asked` (faces,) that are of this kind their trimming curves; shape (faces,): which they
    are."""
    wires = boundaries.wires
    kinds = np.full(len(topology.faces), NO_SURFACE, np.int8)
    surfaces = np.zeros((len(topology.faces), _WIDTH))
    for number in np.flatnonzero(boundaries.usable & asked).tolist():
        adaptor = BRepAdaptor_Surface(topology.faces[number], False)
        found = _SURFACES.get(int(adaptor.GetType()))
        if found is not None:
            kinds[number], name, count = found
            surfaces[number, :count] = kernel_arrays.components(getattr(adaptor, name)(), count)
    lines, complete = straight_trims(
        kinds,
        surfaces,
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
        _trim(topology, face, of_face)
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
