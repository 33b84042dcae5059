"""Seams of round faces that a file bounds by two rings and nothing between them.

Many CAD systems write a hole's wall so. The kernel needs an edge from ring to ring, along which the face is opened; its
repair adds one, which takes as long as a tenth of reading the file where most walls are written so. Here it is added
where it meets both rings at their vertices, as it mostly does: nothing else changes then.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.Geom import Geom_Line
from OCP.GeomAbs import GeomAbs_Circle, GeomAbs_Cone, GeomAbs_Cylinder
from OCP.gp import gp_Dir, gp_Pnt
from OCP.TopAbs import TopAbs_FORWARD, TopAbs_REVERSED
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape, TopoDS_Vertex

from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.face_wires import replace_wires, wire_of
from fettle.geometry.kernel.file_boundaries import KERNEL_PRECISION_MM
from fettle.geometry.kernel.topology import children

Array = NDArray[np.float64]

_CYLINDER, _CONE, _CIRCLE = int(GeomAbs_Cylinder), int(GeomAbs_Cone), int(GeomAbs_Circle)
_REVERSED = int(TopAbs_REVERSED)


class _Ring(NamedTuple):
    """A circle as a face uses it: `axis` (3,) about which it runs there, to the left; the one vertex on it."""

    edge: TopoDS_Shape
    vertex: TopoDS_Vertex
    axis: Array


class _Side(NamedTuple):
    """The straight line up a cylinder or cone through a point, (3,) each, at the parameter of the surface along it."""

    start: Array
    direction: Array


def add_ring_seams(faces: Sequence[TopoDS_Face]) -> list[int]:
    """Join the two rings of each such face by a seam, in place, where it is a line from vertex to vertex. Returns the
    numbers of the joined faces."""
    joined = []
    for number, face in enumerate(faces):
        # as the file has it, before it is turned or placed
        if face.NbChildren() == 2 and _join(TopoDS.Face(face.Located(TopLoc_Location()).Oriented(TopAbs_FORWARD))):
            joined.append(number)
    return joined


def order_from_seam(face: TopoDS_Shape) -> None:
    """Put the edges of a joined face into the order of its boundary, in place, from the one before the seam on, as the
    kernel does. It is needed where the repair of a neighbor has cut a ring into pieces: the kernel lists them in the
    ring's own direction, also where the face runs against it."""
    own = TopoDS.Face(face.Located(TopLoc_Location()).Oriented(TopAbs_FORWARD))
    (wire,) = children(own, None)
    waiting = [TopoDS.Edge(edge) for edge in children(wire, None)]
    in_order = [next(edge for edge in waiting if sum(edge.IsSame(other) for other in waiting) == 2)]
    while True:
        waiting = [edge for edge in waiting if not edge.IsEqual(in_order[-1])]
        end = TopExp.LastVertex_s(in_order[-1], True)
        following = next((edge for edge in waiting if TopExp.FirstVertex_s(edge, True).IsSame(end)), None)
        if following is None:
            break
        in_order.append(following)
    replace_wires(own, [wire], [wire_of(in_order[-1:] + in_order[:-1] + waiting, closed=True)])


def _join(face: TopoDS_Face) -> bool:
    wires = children(face, None)
    one, other = (_ring_of(wire) for wire in wires)
    if one is None or other is None:
        return False
    axis, side = _axis_and_side(face, _place(one.vertex))
    # one runs round to the left and the other to the right, or the face is not what is between them
    if side is None or not (one.axis @ axis) * (other.axis @ axis) < 0.0:
        return False
    places = [_place(ring.vertex) for ring in (one, other)]
    along = [float((place - side.start) @ side.direction) for place in places]
    off_mm = [math.dist(place, side.start + t * side.direction) for place, t in zip(places, along, strict=True)]
    if max(off_mm) > KERNEL_PRECISION_MM or abs(along[0] - along[1]) <= 2.0 * KERNEL_PRECISION_MM:
        return False
    seam = _seam(side, one, other, *along)
    there, back = (TopAbs_FORWARD, TopAbs_REVERSED) if along[0] < along[1] else (TopAbs_REVERSED, TopAbs_FORWARD)
    around = wire_of([one.edge, seam.Oriented(there), other.edge, seam.Oriented(back)], closed=True)
    replace_wires(face, wires, [around])
    return True


def _ring_of(wire: TopoDS_Shape) -> _Ring | None:
    """None where the wire is not one whole circle."""
    edges = children(wire, None)
    if len(edges) != 1 or BRep_Tool.Degenerated_s(TopoDS.Edge(edges[0])):
        return None
    edge = TopoDS.Edge(edges[0])
    first, last = TopoDS_Vertex(), TopoDS_Vertex()
    TopExp.Vertices_s(edge, first, last)
    curve = BRepAdaptor_Curve(edge)
    if first.IsNull() or not first.IsSame(last) or int(curve.GetType()) != _CIRCLE:
        return None
    axis = np.array(kernel_arrays.components(curve.Circle(), 6)[3:])
    return _Ring(edge, first, -axis if int(edge.Orientation()) == _REVERSED else axis)


def _axis_and_side(face: TopoDS_Face, through: Array) -> tuple[Array, _Side | None]:
    """The axis (3,) of a cylinder or cone, and its side nearest to a point; None on the axis, and of other surfaces."""
    adaptor = BRepAdaptor_Surface(face, False)
    kind = int(adaptor.GetType())
    if kind == _CYLINDER:
        numbers, half_angle = np.array(kernel_arrays.components(adaptor.Cylinder(), 13)), 0.0
    elif kind == _CONE:
        numbers = np.array(kernel_arrays.components(adaptor.Cone(), 14))
        half_angle = float(numbers[13])
    else:
        return np.zeros(3), None
    origin, axis, radius = numbers[:3], numbers[3:6], float(numbers[12])
    arm = through - origin
    arm -= (arm @ axis) * axis
    out_mm = float(np.linalg.norm(arm))
    if not out_mm > KERNEL_PRECISION_MM:
        return axis, None
    outwards = arm / out_mm
    return axis, _Side(origin + radius * outwards, math.sin(half_angle) * outwards + math.cos(half_angle) * axis)


def _place(vertex: TopoDS_Vertex) -> Array:
    return np.array(BRep_Tool.Pnt_s(vertex).Coord())


def _seam(side: _Side, one: _Ring, other: _Ring, at_one: float, at_other: float) -> TopoDS_Edge:
    """The edge up the side between two rings."""
    builder, edge = BRep_Builder(), TopoDS_Edge()
    line = Geom_Line(gp_Pnt(*side.start.tolist()), gp_Dir(*side.direction.tolist()))
    builder.MakeEdge(edge, line, KERNEL_PRECISION_MM)
    lower, upper = (one, other) if at_one < at_other else (other, one)
    builder.Add(edge, lower.vertex.Oriented(TopAbs_FORWARD))
    builder.Add(edge, upper.vertex.Oriented(TopAbs_REVERSED))
    builder.Range(edge, min(at_one, at_other), max(at_one, at_other))
    return edge
