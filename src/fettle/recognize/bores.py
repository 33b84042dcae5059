"""Bores: chains of internal cylinders and cones on one axis, with what joins them and what closes their ends.

This is geometry only; `holes.py` turns a bore into a HOLE. Positions are along the bore's axis, from its origin, mm.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from fettle.geometry.near_pairs import near_pairs
from fettle.geometry.part import Cone, Cylinder, CylinderOrCone, Line, Plane, Torus, Vector
from fettle.recognize.bore_ends import AxisLine, End, Piece, find_end, on_axis, rises, runs_along
from fettle.recognize.bridge import Bridge
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import Graph, Region, axial_of, rings, rows_of, same_surface
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.outlines import segment_hits_flat
from fettle.recognize.signs import CONCAVE, SMOOTH
from fettle.recognize.tolerances import (
    COAXIAL_COS,
    FULL_DEG,
    LOOSE_LENGTH_MM,
    OPENED_DEG,
    SAME_ANGLE_SIN,
    SAME_LENGTH_MM,
)

PARTIAL_DEG = 179.5
"""A bore open along its side counts from half a circle on."""
FITTED_SHARE = 5e-5
"""Axes fitted to a mesh are this close to one line, as a share of the part's diagonal: positions may lie on a grid."""
ABUT = 0.02
"""Fitted pieces on one axis whose ends are this close, in radii, are one bore, whatever patches lie between them."""
MAX_GAP = 4.0
"""Longest way across a cavity, in diameters, between two pieces of one bore: a drill keeps its line over it. Farther
apart they are holes in two walls, drilled or punched one by one."""
ROUND_END_DEG, ROUND_END_SLACK_DEG = 200.0, 20.0
"""A cylinder of little more than half a circle that meets a wall this close to smoothly is the wall's round end."""


@dataclass(frozen=True, slots=True, eq=False)
class Bore:
    """`pieces` from low to high along `axis`; `joints`: shoulders and blends between and beside them."""

    origin: Vector
    axis: Vector
    body: int
    pieces: tuple[Piece, ...]
    joints: tuple[int, ...]
    low: End
    high: End
    interrupted: bool

    @property
    def regions(self) -> tuple[int, ...]:
        own = [region for piece in self.pieces for region in piece.regions]
        return tuple(sorted({*own, *self.joints, *self.low.regions, *self.high.regions}))


def find_bores(graph: Graph, blends: Mapping[int, Bridge], helices: Sequence[Helix]) -> list[Bore]:
    """Every bore of the part, in the order of its first region."""
    winding = {number: helix for helix in helices for number in helix.rounds}
    seeds = [
        region.number
        for region in graph.regions
        if region.convex is False
        and isinstance(region.surface, CylinderOrCone)
        and region.number not in blends
        and not _is_round_end(graph, region)
    ]
    bores = []
    for line in _lines(graph, seeds):
        chains = [bore for group in _chains(graph, line, winding) if (bore := _bore(graph, line, group)) is not None]
        bores.extend(_join_interrupted(graph, chains))
    return sorted(bores, key=lambda bore: bore.regions)


def _is_round_end(graph: Graph, region: Region) -> bool:
    """Whether the cylinder runs into walls without breaking out: the end of an obround or a bend in a wall, no bore."""
    if region.extent_deg > FULL_DEG or not isinstance(region.surface, Cylinder):
        return False
    flat: set[int] = set()
    nearly = 0
    for border in region.borders:
        edge = graph.part.edges[border.edge]
        if border.other < 0 or not isinstance(edge.curve, Line):
            continue
        if border.sign is SMOOTH and isinstance(graph.regions[border.other].surface, Plane):
            flat.add(border.other)
        if abs(edge.angle_deg - 180.0) < ROUND_END_SLACK_DEG:
            nearly += 1
    return len(flat) >= 2 or (nearly > 0 and region.extent_deg < ROUND_END_DEG)


def _lines(graph: Graph, seeds: list[int]) -> list[AxisLine]:
    """Seeds grouped by common axis: neighbors in the space of axis direction and foot point."""
    if not seeds:
        return []
    surfaces = [axial_of(graph.regions[seed]) for seed in seeds]
    origins = rows_of([surface.origin for surface in surfaces])
    axes = rows_of([surface.axis for surface in surfaces])
    lead = np.argmax(np.abs(axes) > 0.5, axis=1)
    axes = axes * np.where(axes[np.arange(len(axes)), lead] < 0, -1.0, 1.0)[:, None]
    origins = origins - graph.part.box.mean(axis=0)
    feet = origins - np.sum(origins * axes, axis=1)[:, None] * axes
    fitted = max(LOOSE_LENGTH_MM, FITTED_SHARE * graph.part.diagonal_mm)
    slack = 2 * (SAME_LENGTH_MM if graph.part.source.exact else fitted)
    # Directions are scaled so that an angle of 0.1 degrees weighs as much as the length tolerance.
    keys = np.hstack([feet, axes * (slack / SAME_ANGLE_SIN)])
    groups = connected_groups(range(len(seeds)), near_pairs(keys, slack).tolist())
    return [
        AxisLine(feet[items[0]] + graph.part.box.mean(axis=0), axes[items[0]], tuple(seeds[item] for item in items))
        for items in groups
    ]


def _piece(graph: Graph, line: AxisLine, number: int) -> Piece:
    region = graph.regions[number]
    surface = axial_of(region)
    shift = float((surface.origin - line.origin) @ line.axis)
    sense = 1.0 if float(surface.axis @ line.axis) > 0 else -1.0
    slope = math.tan(math.radians(surface.half_angle_deg)) if isinstance(surface, Cone) else 0.0
    ends = sorted(
        (shift + sense * along, max(surface.radius_mm + slope * along, 0.0))
        for along in (region.low_mm, region.high_mm)
    )
    (low, low_radius), (high, high_radius) = ends
    return Piece((number,), low, high, low_radius, high_radius, region.extent_deg)


def _threaded(graph: Graph, line: AxisLine, winding: Mapping[int, Helix]) -> list[Piece]:
    """The pieces of the line; crests and roots of a modeled thread are one piece of its minor diameter."""
    plain = [number for number in line.regions if number not in winding]
    pieces = [_piece(graph, line, number) for number in plain]
    for helix in {id(winding[number]): winding[number] for number in line.regions if number in winding}.values():
        parts = [_piece(graph, line, number) for number in helix.rounds]
        first = min(parts, key=lambda piece: piece.low_radius_mm)
        pieces.append(
            replace(
                first,
                regions=(*first.regions, *sorted(helix.regions.difference(first.regions))),
                low_mm=min(piece.low_mm for piece in parts),
                high_mm=max(piece.high_mm for piece in parts),
                low_radius_mm=helix.minor_radius_mm,
                high_radius_mm=helix.minor_radius_mm,
                extent_deg=360.0,
                thread_radius_mm=helix.major_radius_mm,
            )
        )
    return pieces


def _chains(graph: Graph, line: AxisLine, winding: Mapping[int, Helix]) -> list[list[Piece]]:
    """Pieces of the line that touch directly, over a shoulder or a coaxial blend, or that complete one another."""
    pieces = _complete(_threaded(graph, line, winding), graph)
    owner = {number: index for index, piece in enumerate(pieces) for number in piece.regions}
    joints: dict[int, bool] = {}
    touching = [
        (index, owner[other])
        for index, piece in enumerate(pieces)
        for number in piece.regions
        for other in _beyond(graph, line, number, owner, joints)
    ]
    if not graph.part.source.exact:
        touching.extend(_abutting(graph, pieces))
    groups = ([pieces[index] for index in group] for group in connected_groups(range(len(pieces)), touching))
    return [sorted(group, key=lambda piece: (piece.low_mm + piece.high_mm, piece.regions)) for group in groups]


def _abutting(graph: Graph, pieces: list[Piece]) -> list[tuple[int, int]]:
    """Neighbors along the axis that end where the next begins: a shoulder between them may be lost in patches."""
    body = [graph.regions[piece.regions[0]].body for piece in pieces]
    order = sorted(range(len(pieces)), key=lambda index: (pieces[index].low_mm, pieces[index].high_mm))
    return [
        (one, two)
        for one, two in pairwise(order)
        if body[one] == body[two]
        and min(pieces[one].extent_deg, pieces[two].extent_deg) >= FULL_DEG
        and abs(pieces[two].low_mm - pieces[one].high_mm)
        <= ABUT * min(max(piece.low_radius_mm, piece.high_radius_mm) for piece in (pieces[one], pieces[two]))
    ]


def _complete(pieces: list[Piece], graph: Graph) -> list[Piece]:
    """Join arcs of one cylinder that a slot along the axis has parted."""
    whole: list[Piece] = []
    for piece in pieces:
        if piece.extent_deg < FULL_DEG:
            twin = next((index for index, other in enumerate(whole) if _completes(graph, other, piece)), None)
            if twin is not None:
                other = whole[twin]
                whole[twin] = replace(
                    other,
                    regions=(*other.regions, *piece.regions),
                    low_mm=min(other.low_mm, piece.low_mm),
                    high_mm=max(other.high_mm, piece.high_mm),
                    extent_deg=min(360.0, other.extent_deg + piece.extent_deg),
                )
                continue
        whole.append(piece)
    return whole


def _completes(graph: Graph, one: Piece, two: Piece) -> bool:
    """Whether two arcs are one surface at the same height of one body."""
    if one.extent_deg >= FULL_DEG or graph.regions[one.regions[0]].body != graph.regions[two.regions[0]].body:
        return False
    if not same_surface(axial_of(graph.regions[one.regions[0]]), axial_of(graph.regions[two.regions[0]])):
        return False
    both = {*one.regions, *two.regions}
    if any(_is_walled(graph, number, both) for number in both):
        return False
    common = min(one.high_mm, two.high_mm) - max(one.low_mm, two.low_mm)
    return common > 0.5 * min(one.high_mm - one.low_mm, two.high_mm - two.low_mm)


def _is_walled(graph: Graph, number: int, arcs: Collection[int]) -> bool:
    """Whether an arc ends at a wall of its own, as the outer side of a curved slot does; a flat that leads to another
    arc of the same hole is a chord of it."""
    for border in graph.regions[number].borders:
        if border.sign is not CONCAVE or border.other < 0 or border.other in arcs:
            continue
        if not isinstance(graph.part.edges[border.edge].curve, Line):
            continue
        if sum(other.other in arcs for other in graph.regions[border.other].borders) < 2:
            return True
    return False


def _beyond(graph: Graph, line: AxisLine, number: int, owner: Mapping[int, int], joints: dict[int, bool]) -> list[int]:
    """Pieces of the line next to this one, directly or over shoulders and blends; `joints` remembers what is one.

    A blend that spokes have cut into arcs joins the two pieces beside it, but leads neither from a shoulder nor to one.
    """
    found = []
    waiting, seen = [number], {number}
    while waiting:
        here = waiting.pop()
        for border in graph.regions[here].borders:
            if border.other in seen or border.other < 0:
                continue
            seen.add(border.other)
            if border.other in owner:
                found.append(border.other)
            if border.other in owner or (here != number and (_is_arc(graph, here) or _is_arc(graph, border.other))):
                continue
            joint = joints.get(border.other)
            if joint is None:
                joint = joints[border.other] = _is_joint(graph, line, border.other)
            if joint:
                waiting.append(border.other)
    return found


def _is_arc(graph: Graph, number: int) -> bool:
    region = graph.regions[number]
    return isinstance(region.surface, Torus) and region.extent_deg < FULL_DEG


def _is_joint(graph: Graph, line: AxisLine, number: int) -> bool:
    """A shoulder (a flat ring between two pieces) or a blend around the axis."""
    region = graph.regions[number]
    surface = region.surface
    if isinstance(surface, Torus):
        return on_axis(line, surface.center) and abs(float(surface.axis @ line.axis)) > COAXIAL_COS
    plane = graph.planes[number]
    if plane is None:
        return False
    x, y, z = line.axis.tolist()
    if abs(plane[0] * x + plane[1] * y + plane[2] * z) <= COAXIAL_COS:
        return False
    # Rings first: they are known by then, and a plate of holes has thousands of borders.
    return len(rings(graph, number)) == 2 and any(rises(graph, border) for border in region.borders)


def _bore(graph: Graph, line: AxisLine, pieces: list[Piece]) -> Bore | None:
    """The bore of a chain; None when it covers too little of the circle or its bottom carries an island."""
    if not any(_is_round_enough(piece) for piece in pieces):
        return None
    own = {number for piece in pieces for number in piece.regions}
    around = sorted({border.other for number in own for border in graph.regions[number].borders} - own - {-1})
    beside = [number for number in around if _is_joint(graph, line, number)]
    joints = [number for number in beside if isinstance(graph.regions[number].surface, Torus)]
    soft = set(joints)
    for number in beside:
        if number not in soft:
            touching = {border.other for border in graph.regions[number].borders}
            over = {other.other for blend in touching & soft for other in graph.regions[blend].borders}
            between = sum(1 for piece in pieces if not (touching | over).isdisjoint(piece.regions))
            if between >= 2:
                joints.append(number)
    joints.extend(number for number in around if _is_chord(graph, line, number, own))
    inside = own | set(joints)
    low = find_end(graph, line, pieces, inside, -1.0)
    high = find_end(graph, line, pieces, inside, 1.0)
    if low is None or high is None:
        return None
    kept = tuple(number for number in joints if number not in low.regions and number not in high.regions)
    body = graph.regions[pieces[0].regions[0]].body
    return Bore(line.origin, line.axis, body, tuple(pieces), kept, low, high, False)


def _is_chord(graph: Graph, line: AxisLine, number: int, own: Collection[int]) -> bool:
    """Whether a flat wall closes an open side of the bore, as in a D-shaped hole."""
    region = graph.regions[number]
    if not isinstance(region.surface, Plane) or abs(float(region.surface.normal @ line.axis)) > SAME_ANGLE_SIN:
        return False
    sides = [
        border
        for border in region.borders
        if border.other in own and border.sign is CONCAVE and runs_along(graph, line, border.edge)
    ]
    return len(sides) >= 2


def _is_round_enough(piece: Piece) -> bool:
    """Whether a piece makes its chain a bore; half a cone alone is the bevel at the round end of a slot."""
    if piece.is_cone:
        return piece.extent_deg >= FULL_DEG
    return piece.extent_deg >= (PARTIAL_DEG if len(piece.regions) == 1 else OPENED_DEG)


def _join_interrupted(graph: Graph, bores: list[Bore]) -> list[Bore]:
    """Pieces of one bore that a cavity parts: equal radius, open towards one another, not far apart, nothing
    between."""
    joined: list[Bore] = []
    for bore in sorted(bores, key=lambda bore: bore.pieces[0].low_mm):
        before = joined[-1] if joined else None
        if before is not None and _faces_across(graph, before, bore):
            joined[-1] = replace(
                before,
                pieces=(*before.pieces, *bore.pieces),
                joints=(*before.joints, *bore.joints),
                high=bore.high,
                interrupted=True,
            )
        else:
            joined.append(bore)
    return joined


def _faces_across(graph: Graph, one: Bore, two: Bore) -> bool:
    if one.body != two.body or not one.high.open or not two.low.open:
        return False
    start, end = one.pieces[-1], two.pieces[0]
    if abs(start.high_radius_mm - end.low_radius_mm) > SAME_LENGTH_MM or start.is_cone or end.is_cone:
        return False
    first = one.origin + one.axis * start.high_mm
    last = one.origin + one.axis * end.low_mm
    if end.low_mm - start.high_mm > MAX_GAP * 2.0 * start.high_radius_mm:
        return False
    if not _necks_beside(graph, one, start).isdisjoint(_necks_beside(graph, one, end)):
        return False  # in two flanges on one neck
    return not segment_hits_flat(graph, first, last)


def _necks_beside(graph: Graph, bore: Bore, piece: Piece) -> set[int]:
    """Round columns along the bore that stand on the flats that a piece opens into, sharply or out of a fillet."""
    flats = {
        border.other
        for number in piece.regions
        for border in graph.regions[number].borders
        if border.other >= 0 and _is_across(graph.regions[border.other], bore.axis)
    }
    beside = {border.other for number in flats for border in graph.regions[number].borders if rises(graph, border)}
    fillets = {number for number in beside if isinstance(graph.regions[number].surface, Torus)}
    beside |= {border.other for number in fillets for border in graph.regions[number].borders}
    return {
        number
        for number in beside
        if number >= 0
        and (region := graph.regions[number]).convex is True
        and isinstance(region.surface, Cylinder)
        and abs(float(region.surface.axis @ bore.axis)) > COAXIAL_COS
    }


def _is_across(region: Region, axis: Vector) -> bool:
    return isinstance(region.surface, Plane) and abs(float(region.surface.normal @ axis)) > COAXIAL_COS
