"""Solids that an assembly puts somewhere, numbered as they were where they are modeled."""

from __future__ import annotations

from dataclasses import replace

from OCP.TopAbs import TopAbs_EDGE, TopAbs_VERTEX
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.kernel.curves import sample
from fettle.geometry.kernel.frames import read_frames
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.topology import Topology, faces_of, map_of
from fettle.geometry.kernel.wires import Wires


def place(shape: TopoDS_Shape, before: Topology, wires: Wires) -> SampledShape | None:
    """`shape`: the solids numbered `before`, with these `wires`, in the same order, each at its place. None where they
    share something there that they do not share here, or the other way round, and where edges are degenerated."""
    faces, edges = faces_of(shape), map_of(shape, TopAbs_EDGE)
    vertex_count = 1 + max((max(pair) for pair in before.edge_vertices), default=-1)
    counts = (len(faces), edges.Extent(), map_of(shape, TopAbs_VERTEX).Extent())
    if counts != (len(before.faces), len(before.edges), vertex_count) or any(before.tips):
        return None
    topology = replace(
        before, faces=faces, edges=[TopoDS.Edge(edges.FindKey(index)) for index in range(1, edges.Extent() + 1)]
    )
    return SampledShape(topology, wires, read_frames(faces), sample(topology.edges))
