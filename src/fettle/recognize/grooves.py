"""Ring grooves: SLOTs that close on themselves, around an axis.

In a face (an O-ring seat) the walls are two cylinders and the floor a flat ring; around a shaft the walls are two flat
rings and the floor a cylinder. Grooves inside a hole are stages of the hole.
"""

from __future__ import annotations

import math
from collections.abc import Collection

import numpy as np

from fettle.geometry.part import Cylinder, Plane
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Region, coaxial, triple
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.recess_roles import SLOT_FLOOR, SLOT_WALL
from fettle.recognize.signs import CONCAVE, CONVEX
from fettle.recognize.tolerances import ALONG_COS, FULL_DEG, SAME_LENGTH_MM

NECK_WIDTH = 0.5
"""Widest groove around a shaft in diameters of its floor, from `MAX_INSERT_MM` on: a belt's groove is half as wide, a
neck between two flanges about as wide as thick, and turned as a diameter (Fettle's judgment)."""
MAX_INSERT_MM = 8.0
"""Widest ordinary grooving insert (makers' tables of cut-off and grooving inserts end at 8 mm): up to this width, and
up to its own diameter, a groove may be as shallow as it likes. Reliefs are."""
LEFT_DEG = 60.0
"""Least arc of a ring that other cuts have opened."""


def find_ring_grooves(contracted: ContractedGraph, taken: Collection[int]) -> list[Claim[Slot]]:
    """Every closed groove in a face or around a shaft, in the order of its floor."""
    found = []
    taken = {*taken, *contracted.bridges}
    for region in contracted.graph.regions:
        if region.number in taken:
            continue
        groove = None
        if isinstance(region.surface, Plane):
            groove = _in_face(contracted, region, taken)
        elif isinstance(region.surface, Cylinder) and region.convex and region.extent_deg > FULL_DEG:
            groove = _around_shaft(contracted, region, taken)
        if groove is not None:
            found.append(groove)
    return found


def _concave_neighbors(contracted: ContractedGraph, region: Region, taken: Collection[int]) -> list[Region] | None:
    """What stands around a floor, None unless all its links are concave."""
    numbers: set[int] = set()
    for link in contracted.links[region.number]:
        if link.sign is not CONCAVE or link.other < 0 or link.other in taken:
            return None
        numbers.add(link.other)
    return [contracted.graph.regions[number] for number in sorted(numbers)]


def _rims(contracted: ContractedGraph, wall: Region, floor: int) -> list[Plane]:
    """Planes that a wall meets at its far, convex end."""
    return [
        surface
        for link in contracted.links[wall.number]
        if link.sign is CONVEX
        and link.other not in (floor, -1)
        and isinstance(surface := contracted.graph.regions[link.other].surface, Plane)
    ]


def _in_face(contracted: ContractedGraph, floor: Region, taken: Collection[int]) -> Claim[Slot] | None:
    """A flat ring, or what other cuts have left of it, between two cylinders that end in one plane."""
    beside = {link.other for link in contracted.links[floor.number] if link.sign is CONCAVE}
    if len(beside) != 2 or not beside.isdisjoint(taken) or -1 in beside:
        return None
    walls = [contracted.graph.regions[number] for number in sorted(beside)]
    outer, inner = (walls[0], walls[1]) if walls[0].convex is False else (walls[1], walls[0])
    large, small = outer.surface, inner.surface
    if not (isinstance(large, Cylinder) and isinstance(small, Cylinder)) or outer.convex or not inner.convex:
        return None
    extent = max(outer.extent_deg, inner.extent_deg)
    if extent < LEFT_DEG or not coaxial(large.origin, large.axis, small.origin, small.axis):
        return None
    normal = floor.normal
    heights = [
        float((rim.origin - floor.point) @ normal)
        for wall in (outer, inner)
        for rim in _rims(contracted, wall, floor.number)
        if float(rim.normal @ normal) > ALONG_COS
    ]
    if len(heights) < 2 or max(heights) - min(heights) > SAME_LENGTH_MM:
        return None
    width = large.radius_mm - small.radius_mm
    middle = math.radians(extent) * (large.radius_mm + small.radius_mm) / 2
    return _groove(contracted, floor, (outer, inner), (width, heights[0], middle))


def _around_shaft(contracted: ContractedGraph, floor: Region, taken: Collection[int]) -> Claim[Slot] | None:
    """A cylinder between two flat rings that face one another."""
    walls = _concave_neighbors(contracted, floor, taken)
    if walls is None or len(walls) != 2:
        return None
    surface = floor.surface
    one, two = walls
    if not isinstance(surface, Cylinder) or not isinstance(one.surface, Plane) or not isinstance(two.surface, Plane):
        return None
    if float(one.normal @ two.normal) > -ALONG_COS or abs(float(one.normal @ surface.axis)) < ALONG_COS:
        return None
    width = abs(float((two.point - one.point) @ one.normal))
    depths = []
    for wall in walls:
        points = np.concatenate([contracted.graph.part.edges[border.edge].points for border in wall.borders])
        offset = points - surface.origin
        radial = np.linalg.norm(offset - (offset @ surface.axis)[:, None] * surface.axis, axis=1)
        depths.append(float(radial.max()) - surface.radius_mm)
    depth = min(depths)
    if depth <= 0 or width > max(NECK_WIDTH * 2 * surface.radius_mm, min(MAX_INSERT_MM, 2 * surface.radius_mm)):
        return None
    return _groove(contracted, floor, (one, two), (width, depth, 2 * math.pi * surface.radius_mm))


def _groove(
    contracted: ContractedGraph, floor: Region, walls: tuple[Region, Region], size_mm: tuple[float, float, float]
) -> Claim[Slot]:
    width, depth, length = size_mm
    regions = (floor.number, walls[0].number, walls[1].number)
    bridges = {
        link.via
        for number in regions
        for link in contracted.links[number]
        if link.via is not None and link.other in regions
    }
    surface = floor.surface
    axis = (
        surface.normal
        if isinstance(surface, Plane)
        else surface.axis
        if isinstance(surface, Cylinder)
        else floor.normal
    )
    slot = Slot(
        faces=contracted.graph.faces_of([*regions, *sorted(bridges)]),
        confidence=contracted.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=length,
        through=False,
        floor_face=floor.face,
        end_type="ring",
        open_ends=0,
        axis=triple(axis),
        mouth_width_mm=width,
        undercut=False,
    )
    roles = {floor.number: SLOT_FLOOR, walls[0].number: SLOT_WALL, walls[1].number: SLOT_WALL}
    return Claim(slot, roles)
