"""Faces that are given other boundaries than the file lists, in place."""

from __future__ import annotations

from collections.abc import Iterable

from OCP.BRep import BRep_Builder
from OCP.TopoDS import TopoDS_Shape, TopoDS_Wire


def wire_of(edges: Iterable[TopoDS_Shape], *, closed: bool) -> TopoDS_Wire:
    """A wire of edges in this order."""
    builder, wire = BRep_Builder(), TopoDS_Wire()
    builder.MakeWire(wire)
    for edge in edges:
        builder.Add(wire, edge)
    wire.Closed(closed)
    return wire


def replace_wires(face: TopoDS_Shape, old: Iterable[TopoDS_Shape], new: Iterable[TopoDS_Shape]) -> None:
    """Give a face, forward and without a place, new wires for its `old` ones."""
    builder = BRep_Builder()
    face.Free(True)
    for wire in old:
        builder.Remove(face, wire)
    for wire in new:
        builder.Add(face, wire)
