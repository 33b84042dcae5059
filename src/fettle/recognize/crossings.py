"""Slots of one depth that cross or meet share a floor, which every one of them runs along; passages of one height that
cross share a ceiling as well."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import SLENDER, Depression, DepressionForm
from fettle.recognize.extents import boundary_points
from fettle.recognize.graph import Graph, by_surface, cross, norm
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import SAME_LENGTH_MM, SAME_SIDE_COS, SAME_SIDE_SIN, ZERO

FACING_COS = 0.01 - SAME_SIDE_COS
"""Walls that lean more than this from one another do not face each other: a quick test with a margin."""
COVERED = 1.05
"""Slots that part a floor among them cover all of it, within this."""


@dataclass(frozen=True, slots=True, eq=False)
class _Side:
    """Pieces of one wall; `low_mm`, `high_mm`: how far it runs along `along`, `offset_mm`: where it stands."""

    pieces: tuple[int, ...]
    normal: Vector
    along: Vector
    offset_mm: float
    low_mm: float
    high_mm: float


@dataclass(frozen=True, slots=True, eq=False)
class _Lane:
    """Two walls that face one another across the floor."""

    sides: tuple[_Side, _Side]
    width_mm: float
    length_mm: float


def part_crossing(contracted: ContractedGraph, whole: Depression) -> list[Depression]:
    """The slots that cross on the floor of a depression with open sides, or the passages that cross between a floor and
    a ceiling; itself where they are none."""
    if whole.form is DepressionForm.OTHER and whole.floor is None:
        return _crossing_passages(contracted, whole) or [whole]
    if whole.floor is None or whole.axis is None or whole.open_sides < 2 or whole.neck is not None:
        return [whole]
    floor = contracted.graph.regions[whole.floor]
    if not isinstance(floor.surface, Plane) or len(whole.walls) < 4:
        return [whole]
    lanes = _lanes(_sides(contracted.graph, whole.walls, whole.axis), SLENDER)
    ways = {tuple(np.round(np.abs(lane.sides[0].along), 3).tolist()) for lane in lanes}
    if len(ways) < 2 or floor.area_mm2 > COVERED * sum(lane.width_mm * lane.length_mm for lane in lanes):
        return [whole]
    return [_slot(contracted, whole, lane) for lane in lanes]


def _crossing_passages(contracted: ContractedGraph, whole: Depression) -> list[Depression]:
    """Passages of one height that cross: each has the floor, the ceiling and two walls of its own."""
    graph = contracted.graph
    flat = [number for number in whole.regions if graph.planes[number] is not None]
    if len(flat) != len(whole.regions) or not any(
        border.sign is CONVEX for number in flat for border in graph.regions[number].borders
    ):
        return []  # curved, or a sealed void, which has no mouth
    normals = graph.normals[flat]
    leaning = normals @ normals.T
    facing = leaning < -SAME_SIDE_COS
    upright = (np.abs(leaning) <= SAME_SIDE_SIN).sum(axis=1)
    # Every wall has to stand upright; the floor and its ceiling are the two that do not.
    for place in np.flatnonzero(upright == len(flat) - 2).tolist():
        opposite = [other for other in np.flatnonzero(facing[place]).tolist() if other > place]
        if len(opposite) != 1:
            continue
        standing = [other for other in range(len(flat)) if other not in (place, opposite[0])]
        beside = leaning[standing][:, standing]
        if not (beside < FACING_COS).any(axis=1).all():
            continue  # a wall that no other one faces
        floor, ceiling = flat[place], flat[opposite[0]]
        axis = graph.regions[floor].normal
        walls = [flat[other] for other in standing]
        lanes = _lanes(_sides(graph, walls, axis), 1.0)
        ways = {tuple(np.round(np.abs(lane.sides[0].along), 3).tolist()) for lane in lanes}
        pieces = {number for lane in lanes for side in lane.sides for number in side.pieces}
        if len(ways) >= 2 and pieces == set(walls):
            return [_passage(contracted, whole, (floor, ceiling), lane) for lane in lanes]
    return []


def _passage(contracted: ContractedGraph, whole: Depression, lids: tuple[int, int], lane: _Lane) -> Depression:
    """One of the passages that cross between a floor and a ceiling."""
    regions = tuple(sorted((*lids, *lane.sides[0].pieces, *lane.sides[1].pieces)))
    pair = (min(lane.sides[0].pieces), min(lane.sides[1].pieces))
    blends = tuple(
        number
        for number in whole.inner_blends
        if contracted.bridges[number].supports and set(regions).issuperset(contracted.bridges[number].supports)
    )
    return Depression(DepressionForm.PASSAGE, regions, None, regions, pair, lane.sides[0].along, 0, blends)


def _sides(graph: Graph, walls: Sequence[int], axis: Vector) -> list[_Side]:
    """Upright flat walls, pieces of one surface together; none where no two ways could cross."""
    x, y, z = axis.tolist()
    upright = [
        number
        for number in walls
        if (plane := graph.planes[number]) is not None
        and abs(plane[0] * x + plane[1] * y + plane[2] * z) <= SAME_SIDE_SIN
    ]
    if len(upright) < 4:
        return []  # two ways have two walls each
    normals = graph.normals[upright]
    lean = normals @ normals.T
    faced = np.flatnonzero((lean < FACING_COS).any(axis=1))
    if not (np.abs(lean[faced][:, faced]) < 1.0 - ZERO).any():
        return []  # all that face one another run one way
    sides = []
    for group in by_surface(graph, upright):
        normal = graph.regions[group[0]].normal
        along = cross(axis, normal)
        along = along / norm(along)
        points = boundary_points(graph, group)
        reach = points @ along
        offset = float((points @ normal).mean())
        sides.append(_Side(tuple(group), normal, along, offset, float(reach.min()), float(reach.max())))
    return sides


def _lanes(sides: Sequence[_Side], slender: float) -> list[_Lane]:
    """Pairs of walls that are one another's nearest across the void, at most a share of their length apart."""
    if len(sides) < 2:
        return []
    normals = np.array([side.normal for side in sides])
    facing = normals @ normals.T <= -SAME_SIDE_COS
    nearest = {index: _nearest(sides, index, np.flatnonzero(facing[index]).tolist()) for index in range(len(sides))}
    lanes = []
    for one, (two, width) in nearest.items():
        if two is None or one > two or nearest[two][0] != one:
            continue
        first, second = sides[one], sides[two]
        ends = [float(first.along @ second.along) * mark for mark in (second.low_mm, second.high_mm)]
        length = max(first.high_mm, *ends) - min(first.low_mm, *ends)
        if width <= slender * length:
            lanes.append(_Lane((first, second), width, length))
    return lanes


def _nearest(sides: Sequence[_Side], index: int, facing: Sequence[int]) -> tuple[int | None, float]:
    """The closest of the walls that face this one that runs beside it, and how far away it is."""
    this = sides[index]
    best: tuple[int | None, float] = (None, np.inf)
    for number in facing:
        other = sides[number]
        apart = -(this.offset_mm + other.offset_mm)
        if not SAME_LENGTH_MM < apart < best[1]:
            continue
        sense = float(this.along @ other.along)
        one, two = sense * other.low_mm, sense * other.high_mm
        common = min(this.high_mm, max(one, two)) - max(this.low_mm, min(one, two))
        if common > SAME_LENGTH_MM:
            best = (number, apart)
    return best


def _slot(contracted: ContractedGraph, whole: Depression, lane: _Lane) -> Depression:
    """One of the slots: all of the floor, and the two walls along it."""
    walls = tuple(sorted((*lane.sides[0].pieces, *lane.sides[1].pieces)))
    pair = (min(lane.sides[0].pieces), min(lane.sides[1].pieces))
    regions = tuple(number for number in whole.regions if number == whole.floor or number in walls)
    blends = tuple(
        number
        for number in whole.inner_blends
        if contracted.bridges[number].supports and set(regions).issuperset(contracted.bridges[number].supports)
    )
    ends = sum(_runs_out(contracted, whole, lane, sense) for sense in (-1.0, 1.0))
    form = DepressionForm.SLOT if ends == 2 else DepressionForm.BLIND_SLOT
    return Depression(form, regions, whole.floor, walls, pair, whole.axis, ends, blends)


def _runs_out(contracted: ContractedGraph, whole: Depression, lane: _Lane, sense: float) -> bool:
    """Whether the floor between the walls of a lane breaks out of the part at one end."""
    this = lane.sides[0]
    for link in contracted.links[whole.floor] if whole.floor is not None else ():
        if link.sign is not CONVEX or link.other < 0 or link.other in whole.regions:
            continue
        out = sense * float(contracted.graph.regions[link.other].normal @ this.along)
        if out <= SAME_SIDE_COS:
            continue
        points = contracted.graph.part.edges[link.edge].points
        beside = float((points[0] + points[-1]) @ this.normal) / 2 - this.offset_mm
        if 0.0 < beside < lane.width_mm:
            return True
    return False
