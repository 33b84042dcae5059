"""Volume of the folded sheet, estimated before it is laid out: most parts that are no sheet are told by it."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fettle.geometry.part import Cylinder, Plane
from fettle.recognize.graph import Graph, rings
from fettle.recognize.signs import CONCAVE, SMOOTH
from fettle.sheet.islands import Island, IslandKind, ring_area
from fettle.sheet.layout import MARKS
from fettle.sheet.skin import Skin
from fettle.sheet.thickness import SheetSides


def largest_area_mm2(graph: Graph, sides: SheetSides, root: int, enough_mm2: float) -> float:
    """Most that the middle layer of a sheet can measure that is laid flat from a region: all that bends lead to, with
    every hole filled; inf where a cone is among it. Whatever is above `enough_mm2` is not measured out."""
    reached, waiting, area = {root}, [root], 0.0
    while waiting and area < enough_mm2:
        region = graph.regions[waiting.pop()]
        surface, own = region.surface, rings(graph, region.number)
        if isinstance(surface, Plane):
            area += region.area_mm2
            if len(own) > 1 and area < enough_mm2:
                area -= sum(min(ring_area(graph, region.number, ring), 0.0) for ring in own)
        elif isinstance(surface, Cylinder):
            inside = 1.0 if region.convex else 1.0 + 0.5 * sides.thickness_mm / surface.radius_mm
            area += inside * region.area_mm2
        else:
            return math.inf
        for border in region.borders:
            if border.sign is CONCAVE:
                # a bend that is sharp inside, half a turn of its outside at most
                area += math.pi * sides.thickness_mm * graph.part.edges[border.edge].length_mm
            elif border.sign is not SMOOTH:
                continue
            if border.other >= 0 and border.other not in reached:
                reached.add(border.other)
                waiting.append(border.other)
    return area


def middle_area_mm2(skin: Skin) -> float:
    """Area of the middle layer of all walls and bends that were reached, without what is inside their holes."""
    total = 0.0
    for zone in skin.zones:
        bending = zone.bending
        if zone.region < 0:
            continue
        area = skin.graph.regions[zone.region].area_mm2
        if bending is not None:
            near = bending.inner_radius_mm + (0.0 if bending.inside else skin.thickness_mm)
            area *= (bending.inner_radius_mm + skin.thickness_mm / 2) / max(near, 1e-9)
        total += area
    return total


def sheet_area_mm2(skin: Skin, islands: Sequence[Island]) -> float:
    """Area of the middle layer of the folded sheet, by the areas of faces; nan where sharp bends have none."""
    if any(zone.region < 0 for zone in skin.zones):
        return math.nan
    graph, area = skin.graph, middle_area_mm2(skin)
    for island in islands:
        if island.wall not in skin.zone_of:
            continue
        hole = -ring_area(graph, island.wall, island.ring)
        if island.kind in MARKS:
            area += hole
        elif island.kind is IslandKind.CUT and island.other_ring is not None:
            # the narrow end of a countersink is what is cut
            area += max(hole - abs(ring_area(graph, island.wall, island.other_ring)), 0.0)
    return area
