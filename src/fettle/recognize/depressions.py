"""Depressions: faces held together by concave edges, and what other cuts have made of them.

On the contracted graph a pocket, slot, passage or step is one connected set of concave links. Other cuts may have
split its walls or opened its sides. Depressions with a floor are classified in `floors.py`, those that run along an
axis in `open_chains.py`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from fettle.geometry.part import CylinderOrCone, Plane, Vector
from fettle.recognize.components import connected_groups
from fettle.recognize.contracted_graph import ContractedGraph, Link
from fettle.recognize.crossings import part_crossing
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.floors import classify_open_pocket, closed_floor, edged_walls, open_floor
from fettle.recognize.graph import Graph, same_surface
from fettle.recognize.open_chains import chain_ends, classify_chain, slot_floor
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.split_walls import find_split_walls, joined
from fettle.recognize.stepped_pockets import split_levels
from fettle.recognize.tolerances import SAME_ANGLE_SIN
from fettle.recognize.troughs import find_trough
from fettle.recognize.wall_directions import common_axis, facing_pair, normal_of, surround

CLOSED = (DepressionForm.POCKET, DepressionForm.PASSAGE)
OPEN_CHAINS = (DepressionForm.SLOT, DepressionForm.STEP, DepressionForm.OTHER)
NO_PAIRS: frozenset[tuple[int, int]] = frozenset()
NO_REGIONS: frozenset[int] = frozenset()
CLOSING_ROUNDS = 3
"""How often what is open only into something closed may close the next one."""


def find_depressions(
    contracted: ContractedGraph, taken: Collection[int], bores: Sequence[Collection[int]], whole: Collection[int]
) -> list[Depression]:
    """Every connected set of concave links among the regions not taken, with its form.

    `bores`: regions of each hole; like other depressions they may have split a wall. `whole`: regions of those that
    no side cut has opened.
    """
    joints = _joints(contracted, taken)
    parts = _components(joints, {})
    # Only what runs along an axis can have a neck; the others need no form before their split walls are known.
    necked = [
        one.regions
        for members in parts
        if common_axis(contracted.graph, members) is not None
        and (one := classify_depression(contracted, members, {}, frozenset())).neck is not None
    ]
    # a wall in pieces matters only where the pieces may be members
    members_of_any = frozenset[int]().union(*parts)
    split_walls = find_split_walls(contracted, [*bores, *parts, *necked], members_of_any)
    if split_walls:
        parts = _components(joints, split_walls)
    shaped = [classify_depression(contracted, members, split_walls, frozenset()) for members in parts]
    parted = [
        piece for one in shaped for level in split_levels(contracted, one) for piece in part_crossing(contracted, level)
    ]
    found = _close_together(contracted, parted)
    # What is open only into something closed is closed as well, which may close more.
    before: frozenset[int] | None = None
    for _ in range(CLOSING_ROUNDS):
        # A cut that breaks out in the floor of another was made from there: that side is its mouth.
        closed = frozenset(whole).union(
            number for one in found if one.form in CLOSED for number in one.regions if number != one.floor
        )
        if closed == before:
            break
        opened = closed if before is None else closed ^ before
        before = closed
        found = [
            classify_depression(contracted, one.regions, split_walls, closed)
            if one.form not in CLOSED and one.neck is None and _breaks_into(contracted, one, opened)
            else one
            for one in found
        ]
    return sorted(found, key=lambda depression: depression.neck is None)


def classify_depression(
    contracted: ContractedGraph,
    members: tuple[int, ...],
    split_walls: Mapping[int, Sequence[int]],
    closed: frozenset[int],
) -> Depression:
    """The depression of these members. `closed`: regions of holes, pockets and passages, which open nothing.

    Kept for the search without fins, which meets most depressions again.
    """
    pairs, beside = NO_PAIRS, NO_REGIONS
    if split_walls:
        pairs = frozenset(joined(split_walls, set(members)))
    if closed:
        beside = closed.intersection([link.other for number in members for link in contracted.links[number]])
    key = (members, pairs, beside)
    known = contracted.classified.get(key)
    if known is None:
        known = contracted.classified[key] = _classify(contracted, members, pairs, beside)
    return known


def _classify(
    contracted: ContractedGraph,
    members: tuple[int, ...],
    pieces: frozenset[tuple[int, int]],
    closed: frozenset[int],
) -> Depression:
    """`pieces`: pairs of members that are pieces of one wall. `closed`: closed regions that members border on."""
    inside = set(members)
    blends = _inner_blends(contracted, inside)
    flat = [number for number in members if contracted.graph.planes[number] is not None]
    floor = closed_floor(contracted, flat)
    if floor is not None:
        axis = normal_of(contracted.graph, floor)
        walls = tuple(number for number in members if number != floor)
        if not edged_walls(contracted, walls, inside, axis):
            return Depression(
                DepressionForm.POCKET, members, floor, walls, facing_pair(contracted.graph, walls), axis, 0, blends
            )
        return classify_open_pocket(contracted, members, floor, closed, blends)
    along = common_axis(contracted.graph, members)
    if along is not None:
        if _goes_round(contracted, members, along, pieces):
            lids = edged_walls(contracted, members, inside, along) or _flush_walls(contracted, members)
            if len(lids) == 1:
                return _breached_passage(contracted.graph, members, min(lids), along, blends)
            return Depression(
                DepressionForm.PASSAGE, members, None, members, facing_pair(contracted.graph, members), along, 0, blends
            )
        return classify_chain(contracted, members, along, closed, blends)
    trough = find_trough(contracted, members, blends)
    if trough is not None:
        return trough
    floor = open_floor(contracted, flat, inside, closed)
    if floor is None:
        return Depression(DepressionForm.OTHER, members, None, members, None, None, 0, blends)
    return classify_open_pocket(contracted, members, floor, closed, blends)


def _inner_blends(contracted: ContractedGraph, inside: Collection[int]) -> tuple[int, ...]:
    """Fillets between members, and those at corners between such fillets."""
    found = {
        link.via
        for number in inside
        for link in contracted.links[number]
        if link.via is not None and link.other in inside
    }
    waiting = sorted(found)
    while waiting:
        for border in contracted.graph.regions[waiting.pop()].borders:
            bridge = contracted.bridges.get(border.other)
            if bridge is None or border.other in found:
                continue
            around = bridge.supports or tuple(other.other for other in contracted.graph.regions[border.other].borders)
            if all(number in inside or number in found for number in around):
                found.add(border.other)
                waiting.append(border.other)
    return tuple(sorted(found))


def _flush_walls(contracted: ContractedGraph, members: Sequence[int]) -> frozenset[int]:
    """Walls in the plane of the faces that both their neighbors break out into: the cut was made from that plane."""
    graph, inside = contracted.graph, set(members)
    found = set()
    for number in members:
        surface = graph.regions[number].surface
        if not isinstance(surface, Plane):
            continue
        back = replace(surface, normal=-surface.normal)
        beside = {link.other for link in contracted.links[number] if link.sign is CONCAVE and link.other in inside}
        breaking = [
            wall
            for wall in beside
            if any(
                link.sign is CONVEX
                and link.other >= 0
                and link.other not in inside
                and same_surface(graph.regions[link.other].surface, back)
                for link in contracted.links[wall]
            )
        ]
        if len(breaking) >= 2:
            found.add(number)
    return frozenset(found)


def _breached_passage(
    graph: Graph, members: tuple[int, ...], lid: int, along: Vector, blends: tuple[int, ...]
) -> Depression:
    """A slot whose open side has kept a wall, the lid: what the lid faces is its floor."""
    rest = [number for number in members if number != lid]
    pair = facing_pair(graph, rest) or (chain_ends(rest) if len(rest) == 2 else None)
    if pair is None:
        return Depression(DepressionForm.PASSAGE, members, None, members, None, along, 0, blends)
    floor = slot_floor(graph, rest, pair)
    walls = tuple(number for number in members if number != floor)
    return Depression(DepressionForm.SLOT, members, floor, walls, pair, -graph.regions[lid].normal, 2, blends)


def _goes_round(
    contracted: ContractedGraph, members: Sequence[int], axis: Vector, pieces: frozenset[tuple[int, int]]
) -> bool:
    """Whether the members close around the axis: their links make a cycle, and they face it from all sides."""
    inside = set(members)
    pairs = {
        (min(number, link.other), max(number, link.other))
        for number in members
        for link in contracted.links[number]
        if link.other in inside and link.other != number and link.sign is not CONVEX
    }
    pairs |= pieces
    if len(pairs) < len(members) and len(members) > 2:
        return False
    return surround(contracted.graph, members, axis)


def _breaks_into(contracted: ContractedGraph, one: Depression, closed: frozenset[int]) -> bool:
    return any(link.other in closed for number in one.regions for link in contracted.links[number])


def _close_together(contracted: ContractedGraph, found: list[Depression]) -> list[Depression]:
    """Chains of walls along one axis that break out into one another, as one passage where they go all round."""
    chains = {number: one for one in found if one.form in OPEN_CHAINS for number in one.regions}
    merged: dict[int, Depression] = {}
    for one in found:
        if one.form not in OPEN_CHAINS or one.regions[0] in merged:
            continue
        along = common_axis(contracted.graph, one.regions)
        beside = {
            id(other): other
            for number in one.regions
            for link in contracted.links[number]
            if link.sign is CONVEX and (other := chains.get(link.other)) is not None and other is not one
        }
        for other in beside.values() if along is not None else ():
            members = tuple(sorted((*one.regions, *other.regions)))
            axis = common_axis(contracted.graph, members)
            if axis is None or merged.keys() & set(members):
                continue
            if _is_along(contracted.graph, members, axis) and _is_ring(contracted, members, axis):
                blends = tuple(sorted((*one.inner_blends, *other.inner_blends)))
                pair = facing_pair(contracted.graph, members)
                passage = Depression(DepressionForm.PASSAGE, members, None, members, pair, axis, 0, blends)
                merged.update(dict.fromkeys(members, passage))
    kept = [one for one in found if one.regions[0] not in merged]
    return [*kept, *{id(passage): passage for passage in merged.values()}.values()]


def _is_along(graph: Graph, members: Sequence[int], axis: Vector) -> bool:
    """Whether every wall runs exactly along the axis, without draft."""
    return all(abs(float(graph.regions[number].normal @ axis)) < SAME_ANGLE_SIN for number in members)


def _is_ring(contracted: ContractedGraph, members: Sequence[int], axis: Vector) -> bool:
    """Whether every wall meets others at both its edges along the axis, and they face it from all sides."""
    inside = set(members)
    return surround(contracted.graph, members, axis) and all(
        len({link.other for link in contracted.links[number] if link.other in inside and link.other != number}) >= 2
        for number in members
    )


class _Joints(NamedTuple):
    """Regions that are free to be members, pairs of them that go together, those with a concave link, and the round
    ones that are hollow."""

    free: list[int]
    pairs: list[tuple[int, int]]
    concave: set[int]
    hollow: set[int]


def _joints(contracted: ContractedGraph, taken: Collection[int]) -> _Joints:
    """Concave links, or smooth ones where a wall bends, among the regions not taken; cut around islands."""
    concave: set[int] = set()
    free = [number for number in range(len(contracted.graph.regions)) if number not in taken]
    inside = set(free)
    islands = contracted.islands
    pairs: list[tuple[int, int]] = []
    for number in free:
        around = islands.get(number, ())
        for link in contracted.links[number]:
            edge, other, sign, via = link
            if sign is CONVEX or other not in inside or other == number:
                continue
            if sign is CONCAVE:
                if edge in around or edge in islands.get(other, ()):
                    continue
                if via is not None and _across_island(contracted, link):
                    continue
                concave.update((number, other))
            elif sign is not SMOOTH:
                continue
            pairs.append((number, other))
    hollow = {
        number
        for number in free
        if (region := contracted.graph.regions[number]).convex is False and isinstance(region.surface, CylinderOrCone)
    }
    return _Joints(free, pairs, concave, hollow)


def _components(joints: _Joints, split_walls: Mapping[int, Sequence[int]]) -> list[tuple[int, ...]]:
    """Sets of regions joined by links, each with a concave link or something hollow in it.

    Pieces of a split wall go together where each of them is part of such a set.
    """
    pairs = [*joints.pairs, *joined(split_walls, joints.concave)]
    cut = joints.concave | joints.hollow
    return [tuple(group) for group in connected_groups(joints.free, pairs) if not cut.isdisjoint(group)]


def _across_island(contracted: ContractedGraph, link: Link) -> bool:
    """Whether the fillet that this link looks across lies around the foot of an island."""
    if link.via is None or link.other not in contracted.islands:
        return False
    edges = {border.edge for border in contracted.graph.regions[link.via].borders}
    return not edges.isdisjoint(contracted.islands[link.other])
