"""Open chains of walls along an axis: slots of every section, steps, and passages that other cuts have opened."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from fettle.geometry.part import Cylinder, Plane, Surface, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.graph import Graph, norm, same_surface
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import ALONG_COS, HALF_RIGHT_COS, SAME_SIDE_COS, ZERO
from fettle.recognize.wall_directions import facing_pair, normal_of, outward_at


@dataclass(frozen=True, slots=True, eq=False)
class _Lip:
    """A convex edge along the axis at which a wall of the chain ends; `normal`: of the face beyond it, at the edge."""

    wall: int
    beyond: int
    normal: Vector


@dataclass(frozen=True, slots=True, eq=False)
class _Chain:
    """`pair`: the two members that face one another. `blends`: fillets between members."""

    members: tuple[int, ...]
    axis: Vector
    lips: tuple[_Lip, ...]
    pair: tuple[int, int] | None
    blends: tuple[int, ...]

    @property
    def edge_walls(self) -> tuple[int, ...]:
        """Members that end at a lip, in order."""
        return tuple(sorted({lip.wall for lip in self.lips}))


def classify_chain(
    contracted: ContractedGraph, members: tuple[int, ...], axis: Vector, closed: frozenset[int], blends: tuple[int, ...]
) -> Depression:
    """The form of an open chain of walls.

    A slot when it widens below its mouth, when two of its walls face one another or both its sides come out of one
    side of the part; a passage when it is open only into other passages and holes; else a step.
    """
    chain = _Chain(members, axis, _lips(contracted, members, axis), facing_pair(contracted.graph, members), blends)
    necked = _necked_slot(contracted.graph, chain)
    if necked is not None:
        return necked
    beyond = {lip.beyond for lip in chain.lips}
    if len(members) > 3 and beyond and closed.issuperset(beyond):
        return Depression(DepressionForm.PASSAGE, members, None, members, chain.pair, axis, 0, blends)
    return _slot_from_one_side(contracted.graph, chain) or _step(chain)


def _lips(contracted: ContractedGraph, members: Sequence[int], axis: Vector) -> tuple[_Lip, ...]:
    """Where the chain breaks out into flat faces or round sides of the part."""
    inside = set(members)
    lips = []
    ax, ay, az = axis.tolist()
    for number in members:
        for edge, other, sign, _ in contracted.links[number]:
            if sign is not CONVEX or other in inside or other < 0:
                continue
            region = contracted.graph.regions[other]
            if not (isinstance(region.surface, Plane) or (isinstance(region.surface, Cylinder) and region.convex)):
                continue
            points = contracted.graph.part.edges[edge].points
            x, y, z = (points[-1] - points[0]).tolist()
            size = math.hypot(x, y, z)
            if size > ZERO and abs(x * ax + y * ay + z * az) > ALONG_COS * size:
                lips.append(_Lip(number, other, outward_at(region, points[0])))
    return tuple(lips)


def _necked_slot(graph: Graph, chain: _Chain) -> Depression | None:
    """A T-slot or a dovetail below a neck: the chain ends at two walls that face one another, closer than its own."""
    beyond = sorted({lip.beyond for lip in chain.lips})
    neck = facing_pair(graph, beyond) if len(beyond) == 2 else None
    pair = chain.pair or chain_ends(chain.edge_walls)
    if neck is None or pair is None:
        return None
    floor = slot_floor(graph, chain.members, {*chain.edge_walls, *pair})
    if floor is None or not isinstance(graph.regions[floor].surface, Plane):
        return None
    out = normal_of(graph, floor)
    flared = all(float(graph.regions[number].normal @ out) < 0 for number in pair)
    if chain.pair is None and not flared:
        return None
    regions = (*chain.members, *neck)
    walls = tuple(number for number in regions if number != floor)
    return Depression(DepressionForm.SLOT, regions, floor, walls, pair, out, 2, chain.blends, neck)


def _slot_from_one_side(graph: Graph, chain: _Chain) -> Depression | None:
    """A slot that comes out of one side of the part, or of three walls whatever it comes out of."""
    members, pair = chain.members, chain.pair
    out = _common_side(graph, chain)
    if out is not None and len(chain.edge_walls) >= 2:
        floor = slot_floor(graph, members, pair or chain.edge_walls)
        if floor is not None or pair is not None or _two_surfaces(graph, members):
            return _slot(chain, floor, pair or chain_ends(chain.edge_walls), out)
    if pair is not None and len(members) == 3:
        floor = slot_floor(graph, members, pair)
        if floor is not None and isinstance(graph.regions[floor].surface, Plane):
            return _slot(chain, floor, pair, normal_of(graph, floor))
    if len(members) == 1 and isinstance(graph.regions[members[0]].surface, Cylinder):
        for index, lip in enumerate(chain.lips):
            if any(float(lip.normal @ other.normal) > SAME_SIDE_COS for other in chain.lips[index + 1 :]):
                return _slot(chain, members[0], None, lip.normal)
    return None


def _common_side(graph: Graph, chain: _Chain) -> Vector | None:
    """Which way two different walls of the chain come out of the part, None where they come out of two sides."""
    for index, lip in enumerate(chain.lips):
        for other in chain.lips[index + 1 :]:
            if same_surface(graph.regions[other.wall].surface, graph.regions[lip.wall].surface):
                continue
            in_round = lip.beyond == other.beyond and not isinstance(graph.regions[lip.beyond].surface, Plane)
            least = HALF_RIGHT_COS if len(chain.members) == 2 or in_round else SAME_SIDE_COS
            if lip.wall != other.wall and float(lip.normal @ other.normal) > least:
                out = lip.normal + other.normal if in_round else lip.normal
                if len(chain.members) > 2 or _opens(graph, chain.members, out):
                    return out / norm(out)
    return None


def _two_surfaces(graph: Graph, walls: Sequence[int]) -> bool:
    """Whether walls are pieces of no more than two surfaces, as those of a groove without a floor are."""
    found: list[Surface] = []
    for number in walls:
        surface = graph.regions[number].surface
        if not any(same_surface(surface, other) for other in found):
            found.append(surface)
    return len(found) <= 2


def _opens(graph: Graph, walls: Sequence[int], out: Vector) -> bool:
    """Whether walls without a floor part from one another on the way out; other cuts leave lips on the way in, too."""
    return sum(float(graph.regions[number].normal @ out) for number in walls) > 0


def _slot(chain: _Chain, floor: int | None, pair: tuple[int, int] | None, out: Vector) -> Depression:
    walls = tuple(number for number in chain.members if number != floor)
    return Depression(DepressionForm.SLOT, chain.members, floor, walls, pair, out, 2, chain.blends)


def _step(chain: _Chain) -> Depression:
    form = DepressionForm.STEP if len(chain.members) > 1 else DepressionForm.OTHER
    return Depression(form, chain.members, None, chain.members, None, chain.axis, 3, chain.blends)


def chain_ends(walls: Collection[int]) -> tuple[int, int] | None:
    """The first and the last of some walls."""
    ordered = sorted(walls)
    return (ordered[0], ordered[-1]) if len(ordered) >= 2 else None


def slot_floor(graph: Graph, members: Sequence[int], ends: Collection[int]) -> int | None:
    """The largest member of the chain between its two end walls."""
    between = [number for number in members if number not in ends]
    return max(between, key=lambda number: (graph.regions[number].area_mm2, -number)) if between else None
