"""Depressions with a flat floor: the floor itself, the walls beside it, and the sides on which they are missing."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph, Link
from fettle.recognize.depression import SLENDER, Depression, DepressionForm
from fettle.recognize.extents import boundary_points, extent_mm, gap_mm
from fettle.recognize.feature import Triple
from fettle.recognize.graph import Graph, cross, norm, on_one_surface, regions_on_surface, rings
from fettle.recognize.outlines import ring_areas
from fettle.recognize.signs import CONCAVE, CONVEX
from fettle.recognize.tolerances import SAME_LENGTH_MM, SAME_SIDE_COS, SAME_SIDE_SIN
from fettle.recognize.wall_directions import all_round, facing_pair, normal_of, surround

MOUTH_COS = math.cos(math.radians(60.0))
"""A face that leans less than this from the way into a cut may be the one it was cut from."""

MAX_OPEN_SIDES = 4
"""A floor with a round outline runs out in many directions, but has no more sides than this."""
BESIDE = 0.5
"""Least share of a floor's length that the walls of a slot run along."""
CORNER_BESIDE = 0.25
"""The same for walls around a corner, of which other cuts may have left less; gussets run along less than that."""


def edged_walls(
    contracted: ContractedGraph, walls: Sequence[int], inside: Collection[int], axis: Vector
) -> frozenset[int]:
    """Walls that end, at the height of a mouth, at an edge of the face around it instead of in that face.

    The cut was made from that edge: it is open there, even if something behind the edge leaves a wall standing.
    """
    rim = [
        (number, link)
        for number in walls
        for link in contracted.links[number]
        if link.other not in inside and link.other >= 0 and link.sign is CONVEX
    ]
    around: dict[int, set[int]] = {}
    for number, link in rim:
        around.setdefault(link.other, set()).add(number)
    edged: set[int] = set()
    for face, beside in around.items():
        mouth = contracted.graph.regions[face].surface
        if 2 * len(beside) < len(walls) or not isinstance(mouth, Plane) or abs(float(mouth.normal @ axis)) <= MOUTH_COS:
            continue
        for number, link in rim:
            if link.other == face or number in edged:
                continue
            away = np.abs((contracted.graph.part.edges[link.edge].points - mouth.origin) @ mouth.normal)
            if float(away.max()) < SAME_LENGTH_MM and not on_one_surface(contracted.graph, link.other, face):
                edged.add(number)
    return frozenset(edged)


def closed_floor(contracted: ContractedGraph, flat: Sequence[int]) -> int | None:
    """The flat member whose outer ring is concave all round and that lies below all other flat members."""
    best: tuple[float, int] | None = None
    normals: NDArray[np.float64] | None = None
    for number in flat:
        walled = contracted.walled_floors.get(number)
        if walled is None:
            walled = contracted.walled_floors[number] = _concave_around(contracted, number)
        if not walled:
            continue
        if normals is None:
            normals = contracted.graph.normals[flat]
        if (normals @ contracted.graph.normals[number]).min() < -0.5:
            continue
        rank = (contracted.graph.regions[number].area_mm2, -number)
        if best is None or rank > (best[0], -best[1]):
            best = (contracted.graph.regions[number].area_mm2, number)
    return best[1] if best is not None else None


def _concave_around(contracted: ContractedGraph, number: int) -> bool:
    """Whether a flat region has one outer ring, which is concave all round."""
    concave = contracted.concave.get(number)
    if concave is None:
        return False
    around = rings(contracted.graph, number)
    if not any(concave.issuperset(ring.edges) for ring in around):
        return False
    areas = ring_areas(contracted.graph, number)
    outer = [ring.edges for ring, area in zip(around, areas, strict=True) if area > 0]
    return len(outer) == 1 and concave.issuperset(outer[0])


def open_floor(
    contracted: ContractedGraph, flat: Sequence[int], inside: Collection[int], closed: frozenset[int]
) -> int | None:
    """The flat member below all others that is square to most, has most walls beside it and fewest open sides."""
    if not flat:
        return None
    normals = contracted.graph.normals[flat]
    leaning = normals @ normals.T
    ranked = []
    for row in np.flatnonzero(leaning.min(axis=1) > -SAME_SIDE_SIN).tolist():
        number, lean = flat[row], leaning[row]
        links = _links_of(contracted, number, [flat[one] for one in np.flatnonzero(lean > 0.5).tolist()])
        beside = {link.other for link in links if link.sign is CONCAVE and link.other in inside}
        if beside:
            square = int((np.abs(lean) < SAME_SIDE_SIN).sum())
            sides = len(_open_sides(contracted, links, inside, closed))
            ranked.append((square, len(beside), -sides, contracted.graph.regions[number].area_mm2, -number))
    return -max(ranked)[4] if ranked else None


def classify_open_pocket(
    contracted: ContractedGraph, members: tuple[int, ...], floor: int, closed: frozenset[int], blends: tuple[int, ...]
) -> Depression:
    """A floor with walls on some of its sides."""
    axis = normal_of(contracted.graph, floor)
    inside = set(members)
    walls = tuple(number for number in members if number != floor)
    edged = edged_walls(contracted, walls, inside, axis)
    level = set(regions_on_surface(contracted.graph, walls, floor))
    standing = [number for number in walls if number not in edged and number not in level]
    floor_links = _links_of(contracted, floor, inside)
    open_to = _open_sides(contracted, floor_links, inside, closed)
    walled = _walled_share(contracted, floor_links, inside, closed)
    pair = facing_pair(contracted.graph, standing)
    if pair is not None and not all(_runs_beside(contracted.graph, number, floor, BESIDE) for number in pair):
        pair = None
    for number in sorted(edged):
        x, y, z = contracted.graph.regions[number].normal.tolist()
        _add_direction(open_to, (-x, -y, -z))
    sides = len(open_to)
    if all_round(open_to, axis) or (pair is None and _look_away(contracted.graph, floor, standing, axis)):
        # Blocks on an open floor: a slot where two of them stand close, else nothing but steps.
        form = (
            DepressionForm.SLOT
            if pair is not None and _is_slender(contracted.graph, pair, axis)
            else DepressionForm.STEP
        )
    elif (surround(contracted.graph, standing, axis) and walled >= 1.0) or (sides == 0 and len(standing) > 2):
        # Something else has cut the floor or a wall open; what is left still goes all round.
        form = DepressionForm.POCKET
    elif sides <= 1 and len(standing) > 1:
        form = DepressionForm.BLIND_SLOT
    elif pair is not None and any(_lean(one, two) < -SAME_SIDE_COS for one in open_to for two in open_to):
        form = DepressionForm.SLOT
    elif sum(_runs_beside(contracted.graph, number, floor, CORNER_BESIDE) for number in standing) >= 2:
        form = DepressionForm.NOTCH
    else:
        form = DepressionForm.STEP
    return Depression(form, members, floor, walls, pair, axis, min(sides, MAX_OPEN_SIDES), blends)


def _look_away(graph: Graph, floor: int, walls: Sequence[int], axis: Vector) -> bool:
    """Whether walls stand back to back around what rises from the middle of a floor, such as the sides of a prism."""
    if not surround(graph, walls, axis):
        return False
    pieces = regions_on_surface(graph, range(len(graph.regions)), floor)
    points = boundary_points(graph, pieces)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    inward = sum(
        graph.regions[number].area_mm2 * float(graph.regions[number].normal @ (middle - graph.regions[number].point))
        for number in walls
    )
    return inward < 0


def _is_slender(graph: Graph, pair: tuple[int, int], axis: Vector) -> bool:
    """Whether two walls stand at most half as far apart as they run side by side."""
    along = cross(axis, graph.regions[pair[0]].normal)
    reach = [boundary_points(graph, [number]) @ along for number in pair]
    common = min(float(one.max()) for one in reach) - max(float(one.min()) for one in reach)
    return gap_mm(graph, *pair) <= SLENDER * common


def _open_sides(
    contracted: ContractedGraph, links: Sequence[Link], inside: Collection[int], closed: frozenset[int]
) -> list[Triple]:
    """Directions in which a floor with these links runs out: the normals of what it meets there."""
    normals: list[Triple] = []
    met = dict.fromkeys(link.other for link in links if link.sign is CONVEX and link.other >= 0)
    for other in met:
        if other not in inside and other not in closed:
            x, y, z = contracted.graph.regions[other].normal.tolist()
            _add_direction(normals, (x, y, z))
    return normals


def _walled_share(
    contracted: ContractedGraph, links: Sequence[Link], inside: Collection[int], closed: frozenset[int]
) -> float:
    """Length of a floor's border along which walls stand, over the length at which it runs out."""
    walled = opened = 0.0
    for link in links:
        length = contracted.graph.part.edges[link.edge].length_mm
        if link.sign is CONCAVE and link.other in inside:
            walled += length
        elif link.sign is CONVEX and link.other not in inside and link.other not in closed:
            opened += length
    return walled / opened if opened > 0 else math.inf


def _runs_beside(graph: Graph, wall: int, floor: int, share: float) -> bool:
    """Whether a wall runs along at least a share of the floor."""
    along = cross(normal_of(graph, floor), graph.regions[wall].normal)
    size = norm(along)
    if size < SAME_SIDE_SIN:
        return False
    wall_mm, floor_mm = (extent_mm(boundary_points(graph, [number]), along / size) for number in (wall, floor))
    return wall_mm >= share * floor_mm


def _links_of(contracted: ContractedGraph, floor: int, inside: Collection[int]) -> list[Link]:
    """Links of a floor and of the other pieces of it that a cut has parted from it."""
    pieces = sorted(regions_on_surface(contracted.graph, inside, floor))
    return [link for number in pieces for link in contracted.links[number]]


def _add_direction(known: list[Triple], direction: Triple) -> None:
    for one in known:
        if _lean(one, direction) > SAME_SIDE_COS:
            return
    known.append(direction)


def _lean(one: Triple, two: Triple) -> float:
    """Cosine of the angle between two directions."""
    return one[0] * two[0] + one[1] * two[1] + one[2] * two[2]
