"""A developed skin as a flat pattern: outlines closed, marks and cut-outs told apart, turned and moved into place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.errors import CannotUnfold
from fettle.recognize.graph import Ring, rings
from fettle.sheet.bend_lines import ZoneLine, bend_lines, bent_length_up_mm, zone_lines
from fettle.sheet.cutouts import shape_of
from fettle.sheet.development import Array, ConeBend
from fettle.sheet.flat import CutOut, FlatSheet, Hinge, Mark, MarkKind, Panel
from fettle.sheet.islands import Island, IslandKind, ring_area
from fettle.sheet.outline import cut_loops, ring_outline
from fettle.sheet.plane_curves import Outline, Pair, PlaneMotion, bounds, reverse, signed_area
from fettle.sheet.rectangle import smallest_rectangle
from fettle.sheet.skin import Skin, Zone
from fettle.sheet.thickness import SheetSides

SAME_AREA = 1e-6
"""Relative difference up to which the outlines of a cut-out on both sides of the sheet are one."""
MARKS: dict[IslandKind, MarkKind] = {
    IslandKind.BEAD: "bead",
    IslandKind.DIMPLE: "dimple",
    IslandKind.COLLAR: "collar",
    IslandKind.LOUVER: "louver",
    IslandKind.BRIDGE: "bridge",
    IslandKind.ENGRAVING: "engraving",
}


@dataclass(frozen=True, slots=True, eq=False)
class _Placement:
    """From the plane of the skin to that of the flat. `mirror`: the flat is seen from the other side."""

    motion: PlaneMotion
    mirror: bool

    def outline(self, outline: Outline) -> Outline:
        """The outline in its place, its material still to the left."""
        moved = self.motion.pieces(outline)
        return reverse(moved) if self.mirror else moved

    def direction(self, direction: Array) -> Pair:
        x, y = (self.motion.matrix @ direction).tolist()
        return x, y

    def point(self, point: Array) -> Pair:
        return self.motion.point((float(point[0]), float(point[1])))


def lay_out(skin: Skin, sides: SheetSides, islands: list[Island], body: int) -> tuple[FlatSheet, PlaneMotion]:
    """The flat of a skin, and the motion from the plane of the skin to that of the flat."""
    graph = skin.graph
    marks = _marks(skin, sides, islands)
    cuts, skipped = _cut_islands(skin, islands)
    loops = cut_loops(skin, skipped)
    outers = [loop for loop in loops if signed_area(loop) > 0]
    if len(outers) != 1:
        faces = tuple(face for region in skin.zone_of for face in graph.regions[region].faces)
        raise CannotUnfold(f"the sheet has {len(outers)} outer outlines in the flat instead of one", faces)
    cuts += [CutOut(loop, shape_of(loop), ()) for loop in loops if signed_area(loop) <= 0]
    lines = zone_lines(skin)
    place = _place(lines, outers[0])
    outer = place.outline(outers[0])
    long, short = (bounds(outer)[1] - bounds(outer)[0]).tolist()
    bends, bend_of = bend_lines(skin, lines, sides.partner, place.motion, place.mirror)
    cutouts = [CutOut(place.outline(one.outline), one.shape, one.faces) for one in cuts]
    flat = FlatSheet(
        thickness_mm=sides.thickness_mm,
        outer=outer,
        cutouts=tuple(sorted(cutouts, key=lambda one: bounds(one.outline)[0].round(6).tolist())),
        bends=bends,
        marks=tuple(Mark(one.kind, place.outline(one.outline), one.faces, one.height_mm) for one in marks),
        panels=tuple(_panel(skin, sides, zone, place, bend_of[at]) for at, zone in enumerate(skin.zones)),
        size_mm=(long, short),
        body=body,
        other_bodies=tuple(number for number in range(len(graph.part.bodies)) if number != body),
    )
    return flat, place.motion


def _place(lines: Sequence[ZoneLine], outer: Outline) -> _Placement:
    mirror = bent_length_up_mm(lines) < 0
    turn = PlaneMotion(np.diag([-1.0, 1.0]) if mirror else np.eye(2), np.zeros(2))
    place = smallest_rectangle(turn.pieces(outer))
    return _Placement(PlaneMotion(place.matrix @ turn.matrix, place.shift), mirror)


def _cut_islands(skin: Skin, islands: list[Island]) -> tuple[list[CutOut], list[Ring]]:
    """Cut-outs of the walls, and the rings that the walk along the outline leaves out."""
    cuts, skipped = [], []
    for island in islands:
        if island.wall not in skin.zone_of or island.kind is IslandKind.TAB:
            continue
        skipped.append(island.ring)
        if island.kind is IslandKind.CUT:
            narrow, _ = _both_outlines(skin, island)
            cuts.append(CutOut(narrow, shape_of(narrow), skin.graph.faces_of(island.regions)))
    return cuts, skipped


def _marks(skin: Skin, sides: SheetSides, islands: list[Island]) -> list[Mark]:
    """Forms and engravings of both sides, and the wide ends of cut-outs that narrow through the sheet."""
    found = []
    behind = {sides.partner.get(region): region for region in skin.zone_of}
    for island in islands:
        faces = skin.graph.faces_of(island.regions)
        out = max(island.high_mm, -island.low_mm - sides.thickness_mm, 0.0)
        height = out if island.kind is not IslandKind.ENGRAVING else -island.low_mm
        if island.wall in skin.zone_of and island.kind in MARKS:
            outline = ring_outline(skin, island.wall, island.ring)
            found.append(Mark(MARKS[island.kind], outline, faces, height))
        elif island.wall in skin.zone_of and island.kind is IslandKind.CUT:
            narrow, wide = _both_outlines(skin, island)
            if narrow is not wide:
                found.append(Mark("countersink", wide, faces, 0.0))
        elif island.kind is IslandKind.ENGRAVING and behind.get(island.wall) is not None:
            wall = behind[island.wall]
            outline = reverse(ring_outline(skin, wall, island.ring))
            found.append(Mark("engraving", outline, faces, height))
    return found


def _both_outlines(skin: Skin, island: Island) -> tuple[Outline, Outline]:
    """The smaller and the larger outline of a cut-out on both sides of the sheet; twice the same where they are one."""
    own = ring_outline(skin, island.wall, island.ring)
    if island.other_ring is None:
        return own, own
    other = reverse(ring_outline(skin, island.wall, island.other_ring))
    areas = abs(signed_area(own)), abs(signed_area(other))
    if abs(areas[0] - areas[1]) <= SAME_AREA * max(areas):
        return own, own
    return (own, other) if areas[0] < areas[1] else (other, own)


def _panel(skin: Skin, sides: SheetSides, zone: Zone, place: _Placement, bend: int) -> Panel:
    graph, joint = skin.graph, zone.joint
    hinge = Hinge(place.point(joint.flat_point), place.direction(joint.flat_along), place.direction(joint.flat_into))
    if zone.region < 0:
        return Panel(graph.regions[zone.outer].faces, (), zone.parent, hinge, bend)
    other = sides.partner.get(zone.region)
    faces = graph.regions[zone.region].faces + (graph.regions[other].faces if other is not None else ())
    own = rings(graph, zone.region)
    if zone.bending is None:
        own = tuple(sorted(own, key=lambda ring: -ring_area(graph, zone.region, ring)))
    outlines = tuple(place.outline(ring_outline(skin, zone.region, ring)) for ring in own)
    if isinstance(zone.development, ConeBend):
        tip, _ = zone.development.flat_apex()
        half = zone.development.surface.half_angle_deg
        return Panel(faces, outlines, zone.parent, hinge, bend, place.point(tip), half)
    return Panel(faces, outlines, zone.parent, hinge, bend)
