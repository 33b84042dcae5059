"""The form of one depression: is there a floor, do its walls close around an axis, where do its open sides lead."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from fettle.geometry.part import Convexity, Cylinder, Plane, Vector
from fettle.recognize.graph import SAME_LENGTH_MM, Graph, Region, frame, plane_of, rings, same_surface
from fettle.recognize.polygon import ring_area
from fettle.recognize.severed import joined
from fettle.recognize.view import Link, View

FACING_COS = math.cos(math.radians(10.0))
"""Walls within this of antiparallel face one another."""
UPRIGHT_SIN = math.sin(math.radians(10.0))
"""A wall within this of parallel to an axis runs along it."""
SAME_SIDE_COS = math.cos(math.radians(10.0))
ONE_SIDE_COS = math.cos(math.radians(45.0))
"""A groove of two walls comes out of one side where the faces beside it turn by less than this, else it is a step."""
MOUTH_COS = math.cos(math.radians(60.0))
"""A face that leans less than this from the way into a cut may be the one it was cut from."""


class Form(Enum):
    """What a depression looks like to somebody who has to cut it."""

    POCKET = "pocket"
    """A floor with walls all round."""
    PASSAGE = "passage"
    """Walls all round an axis, no floor."""
    SLOT = "slot"
    """Two walls face one another and the cut runs out at both ends."""
    BLIND_SLOT = "blind slot"
    """Two walls face one another, a third closes one end."""
    NOTCH = "notch"
    """A floor and walls around a corner, open on the other sides."""
    STEP = "step"
    """Walls on one side of a floor only."""
    OTHER = "other"


@dataclass(frozen=True, slots=True, eq=False)
class Depression:
    """`regions`: members, without the fillets between them; `axis` points out of the floor, or along a passage.

    `floor` and `walls` are regions; `pair` are the two walls that face one another, where the form has them; `neck`
    the two walls of a T-slot's narrower mouth.
    """

    form: Form
    regions: tuple[int, ...]
    floor: int | None
    walls: tuple[int, ...]
    pair: tuple[int, int] | None
    axis: Vector | None
    open_sides: int
    inner_blends: tuple[int, ...]
    neck: tuple[int, int] | None = None


def shape_depression(
    view: View, members: tuple[int, ...], severed: Mapping[int, Sequence[int]], closed: frozenset[int]
) -> Depression:
    """The depression of these members. `closed`: regions of holes, pockets and passages, which open nothing."""
    inside = set(members)
    blends = tuple(
        sorted(
            {
                link.via
                for number in members
                for link in view.links[number]
                if link.via is not None and link.other in inside
            }
        )
    )
    flat = [number for number in members if isinstance(view.graph.regions[number].surface, Plane)]
    floor = _closed_floor(view, flat, inside)
    if floor is not None:
        axis = _normal(view.graph, floor)
        walls = tuple(number for number in members if number != floor)
        if not _edged_walls(view, walls, inside, axis):
            return Depression(Form.POCKET, members, floor, walls, facing_pair(view.graph, walls), axis, 0, blends)
        return _open_pocket(view, members, floor, closed, blends)
    along = common_axis(view.graph, members)
    if along is not None:
        if _goes_round(view, members, along, severed):
            lids = _edged_walls(view, members, inside, along)
            if len(lids) == 1:
                return _breached_passage(view.graph, members, min(lids), along, blends)
            return Depression(Form.PASSAGE, members, None, members, facing_pair(view.graph, members), along, 0, blends)
        return _groove(view, members, along, closed, blends)
    floor = _open_floor(view, flat, inside, closed)
    if floor is None:
        return Depression(Form.OTHER, members, None, members, None, None, 0, blends)
    return _open_pocket(view, members, floor, closed, blends)


def _breached_passage(
    graph: Graph, members: tuple[int, ...], lid: int, along: Vector, blends: tuple[int, ...]
) -> Depression:
    """A slot whose open side has kept a wall, the lid: what the lid faces is its floor."""
    rest = [number for number in members if number != lid]
    pair = facing_pair(graph, rest) or (_chain_ends(rest) if len(rest) == 2 else None)
    if pair is None:
        return Depression(Form.PASSAGE, members, None, members, None, along, 0, blends)
    floor = _slot_floor(graph, rest, pair)
    walls = tuple(number for number in members if number != floor)
    return Depression(Form.SLOT, members, floor, walls, pair, -graph.regions[lid].normal, 2, blends)


def _edged_walls(view: View, walls: Sequence[int], inside: Collection[int], axis: Vector) -> frozenset[int]:
    """Walls that end, at the height of a mouth, at an edge of the face around it instead of in that face.

    The cut was made from that edge: it is open there, even if something behind the edge leaves a wall standing.
    """
    rim = [
        (number, link)
        for number in walls
        for link in view.links[number]
        if link.other not in inside and link.other >= 0 and link.sign is Convexity.CONVEX
    ]
    around: dict[int, set[int]] = {}
    for number, link in rim:
        surface = view.graph.regions[link.other].surface
        if isinstance(surface, Plane) and abs(float(surface.normal @ axis)) > MOUTH_COS:
            around.setdefault(link.other, set()).add(number)
    edged: set[int] = set()
    for face, beside in around.items():
        mouth = plane_of(view.graph.regions[face])
        for number, link in rim if 2 * len(beside) >= len(walls) else ():
            away = np.abs((view.graph.part.edges[link.edge].points - mouth.origin) @ mouth.normal)
            if float(away.max()) < SAME_LENGTH_MM and not same_surface(view.graph.regions[link.other].surface, mouth):
                edged.add(number)
    return frozenset(edged)


def _normal(graph: Graph, number: int) -> Vector:
    return plane_of(graph.regions[number]).normal


def _closed_floor(view: View, flat: Sequence[int], inside: Collection[int]) -> int | None:
    """The flat member whose outer ring is concave all round and that lies below all other members."""
    best: tuple[float, int] | None = None
    for number in flat:
        signs = {link.edge: link.sign for link in view.links[number]}
        ring = _outer_ring(view.graph, number)
        if ring is None or not all(signs[edge] is Convexity.CONCAVE for edge in ring):
            continue
        normal = _normal(view.graph, number)
        if any(
            float(_normal(view.graph, other) @ normal) < -0.5
            for other in inside
            if other != number and isinstance(view.graph.regions[other].surface, Plane)
        ):
            continue
        rank = (view.graph.regions[number].area_mm2, -number)
        if best is None or rank > (best[0], -best[1]):
            best = (view.graph.regions[number].area_mm2, number)
    return best[1] if best is not None else None


def _outer_ring(graph: Graph, number: int) -> tuple[int, ...] | None:
    normal = _normal(graph, number)
    found = [ring.edges for ring in rings(graph, number) if ring_area(ring.points, normal) > 0]
    return found[0] if len(found) == 1 else None


def common_axis(graph: Graph, members: Sequence[int]) -> Vector | None:
    """The direction that every member runs along, if there is one."""
    normals: list[Vector] = []
    axis: Vector | None = None
    for number in members:
        surface = graph.regions[number].surface
        if isinstance(surface, Plane):
            normals.append(surface.normal)
        elif isinstance(surface, Cylinder):
            if axis is not None and abs(float(axis @ surface.axis)) < FACING_COS:
                return None
            axis = surface.axis
        else:
            return None
    if axis is None:
        cross = _largest_cross(normals)
        if cross is None:
            return None
        axis = cross
    return axis if all(abs(float(normal @ axis)) < UPRIGHT_SIN for normal in normals) else None


def _largest_cross(normals: Sequence[Vector]) -> Vector | None:
    best: Vector | None = None
    size = 1e-3
    for normal in normals[1:]:
        cross = np.cross(normals[0], normal)
        length = float(np.linalg.norm(cross))
        if length > size:
            best, size = cross / length, length
    return best


def _goes_round(view: View, members: Sequence[int], axis: Vector, severed: Mapping[int, Sequence[int]]) -> bool:
    """Whether the members close around the axis: their links make a cycle, and they face it from all sides."""
    inside = set(members)
    pairs = {
        (min(number, link.other), max(number, link.other))
        for number in members
        for link in view.links[number]
        if link.other in inside and link.other != number and link.sign is not Convexity.CONVEX
    }
    pairs |= joined(severed, inside)
    if len(pairs) < len(members) and len(members) > 2:
        return False
    return surround(view.graph, members, axis)


def surround(graph: Graph, walls: Sequence[int], axis: Vector) -> bool:
    """Whether walls face the axis from all sides."""
    across, up = frame(axis)
    angles = sorted(
        math.degrees(math.atan2(float(normal @ up), float(normal @ across)))
        for number in walls
        for normal in _normals(graph, graph.regions[number])
    )
    if not angles:
        return False
    gaps = [after - before for before, after in zip(angles, [*angles[1:], angles[0] + 360.0], strict=True)]
    return max(gaps) < 179.0


def _normals(graph: Graph, region: Region) -> list[Vector]:
    """Outward normals of a region that is flat or runs along an axis: one, or some along its curve."""
    surface = region.surface
    if not isinstance(surface, Cylinder):
        return [region.normal]
    points = np.concatenate([graph.part.edges[border.edge].points for border in region.borders])
    offset = surface.origin - points if region.convex is False else points - surface.origin
    return [*offset, region.normal]


def _groove(
    view: View,
    members: tuple[int, ...],
    axis: Vector,
    closed: frozenset[int],
    blends: tuple[int, ...],
) -> Depression:
    """An open chain of walls along an axis.

    A slot when two of its walls face one another or both its sides come out of one plane; a passage when it is open
    only into other passages and holes; else a step.
    """
    inside = set(members)
    ends = []
    beyond: list[int] = []
    for number in members:
        for link in view.links[number]:
            if link.other in inside or link.other < 0 or link.sign is not Convexity.CONVEX:
                continue
            edge = view.graph.part.edges[link.edge]
            chord = edge.points[-1] - edge.points[0]
            size = float(np.linalg.norm(chord))
            surface = view.graph.regions[link.other].surface
            if size > 1e-9 and abs(float(chord @ axis)) > 0.99 * size and isinstance(surface, Plane):
                ends.append((number, surface.normal))
                beyond.append(link.other)
    first = {number for number, _ in ends}
    pair = facing_pair(view.graph, members)
    neck = facing_pair(view.graph, beyond) if len(set(beyond)) == 2 else None
    if neck is not None and pair is not None:
        floor = _slot_floor(view.graph, members, {*first, *pair})
        if floor is not None:
            normal = _normal(view.graph, floor)
            walls = tuple(number for number in (*members, *neck) if number != floor)
            return Depression(Form.SLOT, (*members, *neck), floor, walls, pair, normal, 2, blends, neck)
    if len(members) > 3 and beyond and closed.issuperset(beyond):
        return Depression(Form.PASSAGE, members, None, members, pair, axis, 0, blends)
    same = any(
        float(normal @ other) > (ONE_SIDE_COS if len(members) == 2 else SAME_SIDE_COS)
        for index, (number, normal) in enumerate(ends)
        for far, other in ends[index + 1 :]
        if far != number and not same_surface(view.graph.regions[far].surface, view.graph.regions[number].surface)
    )
    single = len(members) == 1 and len(ends) >= 2
    if same and len(first) >= 2:
        floor = _slot_floor(view.graph, members, pair or first)
        walls = tuple(number for number in members if number != floor)
        normal = ends[0][1]
        return Depression(Form.SLOT, members, floor, walls, pair or _chain_ends(first), normal, 2, blends)
    if pair is not None and len(members) == 3:
        floor = _slot_floor(view.graph, members, pair)
        if floor is not None and isinstance(view.graph.regions[floor].surface, Plane):
            walls = tuple(number for number in members if number != floor)
            return Depression(Form.SLOT, members, floor, walls, pair, _normal(view.graph, floor), 2, blends)
    curved = isinstance(view.graph.regions[members[0]].surface, Cylinder)
    if single and curved and any(float(a[1] @ b[1]) > SAME_SIDE_COS for i, a in enumerate(ends) for b in ends[i + 1 :]):
        return Depression(Form.SLOT, members, members[0], (), None, ends[0][1], 2, blends)
    form = Form.STEP if len(members) > 1 else Form.OTHER
    return Depression(form, members, None, members, None, axis, 3, blends)


def _chain_ends(first: Collection[int]) -> tuple[int, int] | None:
    ordered = sorted(first)
    return (ordered[0], ordered[-1]) if len(ordered) >= 2 else None


def _slot_floor(graph: Graph, members: Sequence[int], ends: Collection[int]) -> int | None:
    """The largest member of the chain between its two end walls."""
    between = [number for number in members if number not in ends]
    return max(between, key=lambda number: (graph.regions[number].area_mm2, -number)) if between else None


def facing_pair(graph: Graph, members: Sequence[int]) -> tuple[int, int] | None:
    """The two flat members that face one another, the largest such pair.

    Walls come in by falling area, each looked at against those before it: the first that finds a partner has the best.
    """
    flat = [number for number in members if isinstance(graph.regions[number].surface, Plane)]
    if len(flat) < 2:
        return None
    normals = np.array([_normal(graph, number) for number in flat])
    points = np.array([graph.regions[number].point for number in flat])
    areas = np.array([graph.regions[number].area_mm2 for number in flat])
    order = np.argsort(-areas, kind="stable")
    for count in range(1, len(order)):
        this, before = int(order[count]), np.sort(order[:count])
        before = before[normals[before] @ normals[this] <= -FACING_COS]
        first = np.where((before < this)[:, None], normals[before], -normals[this])
        partners = before[((points[this] - points[before]) * first).sum(axis=1) > 0]
        if len(partners):
            best = int(partners[np.argmax(areas[partners])])
            return flat[min(best, this)], flat[max(best, this)]
    return None


def _open_floor(view: View, flat: Sequence[int], inside: Collection[int], closed: frozenset[int]) -> int | None:
    """The flat member below all others that is square to most, has most walls beside it and fewest open sides."""
    ranked = []
    for number in flat:
        normal = _normal(view.graph, number)
        beside = {
            link.other
            for link in _links_of(view, number, inside)
            if link.sign is Convexity.CONCAVE and link.other in inside
        }
        upright = all(
            float(_normal(view.graph, other) @ normal) > -UPRIGHT_SIN
            for other in inside
            if isinstance(view.graph.regions[other].surface, Plane)
        )
        if upright and beside:
            square = sum(abs(float(_normal(view.graph, other) @ normal)) < UPRIGHT_SIN for other in flat)
            sides = len(_open_sides(view, number, inside, closed))
            ranked.append((square, len(beside), -sides, view.graph.regions[number].area_mm2, -number))
    return -max(ranked)[4] if ranked else None


def _open_pocket(
    view: View, members: tuple[int, ...], floor: int, closed: frozenset[int], blends: tuple[int, ...]
) -> Depression:
    """A floor with walls on some of its sides."""
    axis = _normal(view.graph, floor)
    inside = set(members)
    ground = view.graph.regions[floor].surface
    walls = tuple(number for number in members if number != floor)
    edged = _edged_walls(view, walls, inside, axis)
    standing = [
        number
        for number in walls
        if number not in edged and not same_surface(view.graph.regions[number].surface, ground)
    ]
    pair = facing_pair(view.graph, standing)
    open_to = _open_sides(view, floor, inside, closed)
    for number in sorted(edged):
        _add_direction(open_to, -view.graph.regions[number].normal)
    sides = len(open_to)
    if surround(view.graph, standing, axis) or (sides == 0 and len(standing) > 2):
        # Something else has cut the floor or a wall open; what is left still goes all round.
        form = Form.POCKET
    elif sides <= 1 and len(standing) > 1:
        form = Form.BLIND_SLOT
    elif pair is not None and any(float(one @ two) < -FACING_COS for one in open_to for two in open_to):
        form = Form.SLOT
    elif len(standing) >= 2:
        form = Form.NOTCH
    else:
        form = Form.STEP
    return Depression(form, members, floor, walls, pair, axis, sides, blends)


def _open_sides(view: View, floor: int, inside: Collection[int], closed: frozenset[int]) -> list[Vector]:
    """Directions in which the floor runs out: the normals of what it meets there."""
    normals: list[Vector] = []
    for link in _links_of(view, floor, inside):
        if link.other in inside or link.other in closed or link.sign is not Convexity.CONVEX or link.other < 0:
            continue
        _add_direction(normals, view.graph.regions[link.other].normal)
    return normals


def _links_of(view: View, floor: int, inside: Collection[int]) -> list[Link]:
    """Links of a floor and of the other pieces of it that a cut has parted from it."""
    surface = view.graph.regions[floor].surface
    pieces = [number for number in sorted(inside) if same_surface(view.graph.regions[number].surface, surface)]
    return [link for number in pieces for link in view.links[number]]


def _add_direction(known: list[Vector], direction: Vector) -> None:
    if not any(float(direction @ other) > SAME_SIDE_COS for other in known):
        known.append(direction)
