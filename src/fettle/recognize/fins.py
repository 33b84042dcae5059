"""FIN: pairs of walls on one base plane that face away from one another with material between."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from fettle.geometry.part import Cylinder, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.directions import direction_groups, flat_directions
from fettle.recognize.extents import boundary_points, extent_mm, width_at
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, Region, cross, norm, on_one_surface, plane_of
from fettle.recognize.kinds.fin import FIN_TOP, FIN_WALL, Fin
from fettle.recognize.outlines import common_area
from fettle.recognize.recesses import Recess
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.tolerances import LEAST_OVERLAP, SAME_LENGTH_MM

FIN_COS = math.cos(math.radians(16.0))
"""Walls of a fin are antiparallel within this: 8 degrees of draft on each side."""
UPRIGHT = 0.2
"""Sine of the most that a wall may lean on its base; more is a slope."""
MIN_HEIGHT, MIN_LENGTH = 1.5, 3.0
"""Least height and length of a fin, in thicknesses."""
MAX_TOP = 2.0
"""Largest top of a fin, in thicknesses times lengths: the web between two pockets ends in a face that goes on."""
FEW_WALLS = 6
"""Walls up to which plain products are faster (5 us for six) than numpy's, which take 12 us."""
MAX_RIVALS = 8
"""Most walls tried as the other side of a fin: fins of one row lie at one offset."""


@dataclass(frozen=True, slots=True, eq=False)
class _Foot:
    """The base that fins stand on: its regions, all in one plane, and the largest of them.

    What was found out about single regions: `standing`, whether they rise from this base; `beyond`, those that a wall
    turns out over, the same for every base.
    """

    first: Region
    regions: frozenset[int]
    standing: dict[int, bool]
    beyond: dict[int, tuple[int, ...]]


def find_fins(
    contracted: ContractedGraph, recesses_with_fins: Sequence[Recess], taken: Collection[int]
) -> list[Claim[Fin]]:
    """Every fin whose walls are neither taken nor walls of a slot."""
    found: list[Claim[Fin]] = []
    in_slots = (recess.depression.regions for recess in recesses_with_fins if recess.slot is not None)
    taken = frozenset(taken).union(*in_slots)
    used: set[int] = set()
    beyond: dict[int, tuple[int, ...]] = {}
    planes = contracted.graph.planes
    for base in _base_planes(contracted):
        foot = _Foot(base[0], frozenset(region.number for region in base), {}, beyond)
        up = base[0].normal
        beside = {
            other
            for region in base
            for _, other, sign, _ in contracted.links[region.number]
            if sign is CONCAVE and other >= 0 and other not in taken and planes[other] is not None
        }
        walls = sorted(number for number in beside if _upright(contracted.graph, number, foot))
        if not _any_opposite(contracted.graph, walls):
            continue
        over = _tops(contracted, walls, foot)
        if not _any_shared(over.values()):
            continue
        sides = _sides(contracted.graph, over)
        tops = {first: sorted({top for wall in pieces for top in over[wall]}) for first, pieces in sides.items()}
        for first, second in _opposite(contracted.graph, sorted(sides), up):
            one, two = sides[first], sides[second]
            common = [number for number in tops[first] if number in tops[second]]
            if not common or not used.isdisjoint((*one, *two)):
                continue
            fin = _fin(contracted, foot, one, two, common, taken)
            if fin is not None:
                found.append(fin)
                used.update((*one, *two))
    return found


def _any_shared(tops: Iterable[Sequence[int]]) -> bool:
    """Whether two walls turn out over one top."""
    every = [top for over in tops for top in over]
    return len(set(every)) < len(every)


def _sides(graph: Graph, over: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    """Walls by their first piece: pieces of one plane under one top go together, where another rib has parted them.

    `over`: the tops of each wall.
    """
    sides: dict[int, tuple[int, ...]] = {}
    under: dict[int, list[int]] = {}
    for number, tops in over.items():
        known = [side for top in tops for side in under.get(top, ())]
        first = next((side for side in known if on_one_surface(graph, side, number)), number)
        sides[first] = (*sides.get(first, ()), number)
        for top in tops:
            under.setdefault(top, []).append(first)
    return sides


def _base_planes(contracted: ContractedGraph) -> list[list[Region]]:
    """Flat regions with concave borders, grouped by plane, as a fin across its base parts it in two; the largest first.

    A gusset could stand on either of the faces that it ties together, whatever their order in the file.
    """
    graph = contracted.graph
    planes: list[list[Region]] = []
    by_direction: dict[tuple[int, int], list[int]] = {}
    groups = flat_directions(graph)
    for number in contracted.concave:
        by_direction.setdefault((groups[number], graph.regions[number].body), []).append(number)
    for members in by_direction.values():
        if len(members) == 1:
            planes.append([graph.regions[members[0]]])
            continue
        axis = graph.regions[members[0]].normal
        backward = (graph.normals[members] @ axis < 0).tolist()
        offsets = (graph.points[members] @ axis).tolist()
        ordered = sorted(zip(backward, offsets, members, strict=True))
        numbers = [number for _, _, number in ordered]
        steps = graph.points[numbers[1:]] - graph.points[numbers[:-1]]
        apart_mm = [math.inf, *np.abs((steps * graph.normals[numbers[1:]]).sum(axis=1)).tolist()]
        sided = False
        for (back, _, number), step_mm in zip(ordered, apart_mm, strict=True):
            if back == sided and step_mm < SAME_LENGTH_MM:
                planes[-1].append(graph.regions[number])
            else:
                planes.append([graph.regions[number]])
            sided = back
    # Large ones first: a rib stands on the plate, not on the rib that it crosses.
    by_area = [sorted(plane, key=lambda region: (-region.area_mm2, region.number)) for plane in planes]
    return sorted(by_area, key=lambda plane: (-round(sum(region.area_mm2 for region in plane), 3), plane[0].number))


def _any_opposite(graph: Graph, walls: Sequence[int]) -> bool:
    """Whether two of the walls may face away from one another: most bases have none. Upright ones that do are within
    23 degrees of antiparallel."""
    if len(walls) <= FEW_WALLS:
        planes = [plane for number in walls if (plane := graph.planes[number]) is not None]
        return any(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] < -0.5 for a, b in combinations(planes, 2))
    normals = graph.normals[walls]
    return bool((normals @ normals.T).min() < -0.5)


def _opposite(graph: Graph, walls: Sequence[int], up: Vector) -> list[tuple[int, int]]:
    """Wall pairs facing away from one another, the closest first.

    Walls are put in order along their common direction, draft left out, and each is paired with those shortly before.
    """
    if len(walls) < 2:
        return []
    groups: dict[int, list[int]] = {}
    for number, group in zip(walls, direction_groups(np.array(_level(graph, walls, up))), strict=True):
        groups.setdefault(group, []).append(number)
    pairs: list[tuple[float, int, int]] = []
    for members in groups.values():
        axis = graph.regions[members[0]].normal
        x, y, z = axis.tolist()
        order = sorted((float(graph.regions[number].point @ axis), number) for number in members)
        before: deque[tuple[float, int]] = deque(maxlen=MAX_RIVALS)
        for offset, one in order:
            plane = graph.planes[one]
            if plane is not None and plane[0] * x + plane[1] * y + plane[2] * z < 0:
                before.append((offset, one))
            else:
                pairs.extend((offset - other, one, two) for other, two in before if other < offset)
    return [(one, two) for _, one, two in sorted(pairs)]


def _level(graph: Graph, walls: Sequence[int], up: Vector) -> list[list[float]]:
    """Unit normals of walls, draft left out. In plain numbers: most bases have a handful of walls."""
    up_x, up_y, up_z = up.tolist()
    level = []
    for normal_x, normal_y, normal_z in graph.normals[walls].tolist():
        rise = normal_x * up_x + normal_y * up_y + normal_z * up_z
        x, y, z = normal_x - rise * up_x, normal_y - rise * up_y, normal_z - rise * up_z
        length = math.sqrt(x * x + y * y + z * z)
        level.append([x / length, y / length, z / length])
    return level


def _fin(
    contracted: ContractedGraph,
    foot: _Foot,
    one: Sequence[int],
    two: Sequence[int],
    tops: Sequence[int],
    taken: Collection[int],
) -> Claim[Fin] | None:
    """The fin between two sides, each in one or more pieces, under tops that both turn out over; None where it is
    none."""
    plane = plane_of(foot.first)
    up = plane.normal
    near, far = plane_of(contracted.graph.regions[one[0]]), plane_of(contracted.graph.regions[two[0]])
    side = near.normal - float(near.normal @ up) * up
    side = side / norm(side)
    ground = float(plane.origin @ up)
    top = max(_top_mm(contracted.graph, number, up) for number in tops)
    height = top - ground
    thick_base = width_at(far, near, side, up, ground)
    thick_tip = width_at(far, near, side, up, top)
    thickness = (thick_base + thick_tip) / 2
    if thickness <= 0 or height < MIN_HEIGHT * thickness:
        return None
    length = extent_mm(boundary_points(contracted.graph, [*one, *two]), cross(up, side))
    if length < MIN_LENGTH * thickness:
        return None
    beyond, behind = (
        frozenset[int]().union(*(_beyond(contracted, wall, foot) for wall in pieces)) for pieces in (one, two)
    )
    ends = [
        number
        for number in sorted(beyond & behind)
        if number not in tops and number not in foot.regions and number not in taken
        if contracted.graph.regions[number].area_mm2 < MAX_TOP * thick_base * height
    ]
    # With two free ends the top may go on over other ribs; without, it is the rim of two pockets.
    goes_on = all(contracted.graph.regions[number].area_mm2 > MAX_TOP * thick_base * length for number in tops)
    if goes_on and len(ends) < 2:
        return None
    smaller = min(sum(contracted.graph.regions[number].area_mm2 for number in pieces) for pieces in (one, two))
    if sum(common_area(contracted.graph, first, second) for first in one for second in two) < LEAST_OVERLAP * smaller:
        return None
    roles = dict.fromkeys((*one, *two, *ends), FIN_WALL)
    roles.update(dict.fromkeys((number for number in tops if number not in taken), FIN_TOP))
    fin = Fin(
        faces=contracted.graph.faces_of(roles),
        confidence=contracted.confidence,
        thickness_mm=thickness,
        thickness_base_mm=thick_base,
        thickness_tip_mm=thick_tip,
        height_mm=height,
        length_mm=length,
        draft_deg=math.degrees(math.asin(min(1.0, abs(float(near.normal @ up))))),
        base_face=foot.first.face,
    )
    return Claim(fin, roles)


def _top_mm(graph: Graph, number: int, up: Vector) -> float:
    """Height of a flat or full-round top."""
    surface = graph.regions[number].surface
    if isinstance(surface, Cylinder):
        return float(surface.origin @ up) + surface.radius_mm
    return float((boundary_points(graph, [number]) @ up).max())


def _tops(contracted: ContractedGraph, walls: Sequence[int], foot: _Foot) -> dict[int, list[int]]:
    """For each wall the regions over which it turns outwards, at a corner or in a full round, other than ends upright
    on the base.

    A top may come down to the base: that of a gusset does.
    """
    standing = foot.standing
    found: dict[int, list[int]] = {}
    for wall in walls:
        tops = found[wall] = []
        for number in _beyond(contracted, wall, foot):
            stands = standing.get(number)
            if stands is None:
                stands = standing[number] = _stands(contracted, number, foot)
            if not stands:
                tops.append(number)
    return found


def _beyond(contracted: ContractedGraph, wall: int, foot: _Foot) -> tuple[int, ...]:
    """Regions over which a wall turns outwards, in order."""
    known = foot.beyond.get(wall)
    if known is None:
        regions = contracted.graph.regions
        turned = {
            other
            for _, other, sign, _ in contracted.links[wall]
            if other >= 0 and (sign is CONVEX or (sign is SMOOTH and regions[other].convex is True))
        }
        known = foot.beyond[wall] = tuple(sorted(turned))
    return known


def _stands(contracted: ContractedGraph, number: int, foot: _Foot) -> bool:
    """Whether a region rises from the base as a wall does."""
    return _upright(contracted.graph, number, foot) and not foot.regions.isdisjoint(
        [link.other for link in contracted.links[number]]
    )


def _upright(graph: Graph, number: int, foot: _Foot) -> bool:
    plane, base = graph.planes[number], graph.planes[foot.first.number]
    if plane is None or base is None:
        return True
    return abs(plane[0] * base[0] + plane[1] * base[1] + plane[2] * base[2]) < UPRIGHT
