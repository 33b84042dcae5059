"""Troughs: two flat walls over a round floor that comes up at both ends, as a disc cutter leaves it."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.graph import Graph
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import SAME_SIDE_COS, SAME_SIDE_SIN
from fettle.recognize.wall_directions import facing_pair, outward_at


def find_trough(contracted: ContractedGraph, members: tuple[int, ...], blends: tuple[int, ...]) -> Depression | None:
    """The trough of these members; None unless all but two of them turn about the direction between those two."""
    graph = contracted.graph
    hollow = [
        (region.area_mm2, -number, surface.axis)
        for number in members
        if isinstance(surface := (region := graph.regions[number]).surface, Cylinder) and region.convex is False
    ]
    if not hollow:
        return None
    axis = max(hollow, key=lambda row: row[:2])[2]
    ends = [
        number
        for number in members
        if isinstance(surface := graph.regions[number].surface, Plane)
        and abs(float(surface.normal @ axis)) > SAME_SIDE_COS
    ]
    pair = facing_pair(graph, ends)
    if pair is None:
        return None
    across = graph.regions[pair[0]].normal
    floors = [number for number in members if number not in pair]
    if not all(_turns_about(graph, number, across) for number in floors):
        return None
    out = _way_out(contracted, pair, set(members))
    if out is None:
        return None
    out = out - float(out @ across) * across
    floor = max(floors, key=lambda number: (graph.regions[number].area_mm2, -number))
    walls = tuple(number for number in members if number != floor)
    return Depression(DepressionForm.TROUGH, members, floor, walls, pair, out / float(np.linalg.norm(out)), 0, blends)


def _turns_about(graph: Graph, number: int, across: Vector) -> bool:
    """Whether a region is hollow and round about the direction, or flat along it beside one that is."""
    region = graph.regions[number]
    surface = region.surface
    if isinstance(surface, Cylinder):
        return region.convex is False and abs(float(surface.axis @ across)) > SAME_SIDE_COS
    return isinstance(surface, Plane) and abs(float(surface.normal @ across)) < SAME_SIDE_SIN


def _way_out(contracted: ContractedGraph, pair: tuple[int, int], inside: set[int]) -> Vector | None:
    """Outward normal of the face that the two walls break out of, at the longest of their edges with it."""
    rims = [
        link
        for number in pair
        for link in contracted.links[number]
        if link.sign is CONVEX and link.other >= 0 and link.other not in inside
    ]
    if not rims:
        return None
    edges = contracted.graph.part.edges
    rim = max(rims, key=lambda link: (edges[link.edge].length_mm, -link.edge))
    points = edges[rim.edge].points
    return outward_at(contracted.graph.regions[rim.other], points[len(points) // 2])
