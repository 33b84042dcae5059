"""Pockets whose floor lies on several levels: a pocket, and pits in its floor that share some of its walls.

Where a pit has a rim of its own the concave links keep the two apart. Where it reaches a wall of the pocket, the wall
goes down into it and joins them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.geometry.part import Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.extents import boundary_points
from fettle.recognize.graph import Graph, same_surface
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import SAME_ANGLE_COS, SAME_ANGLE_SIN, SAME_LENGTH_MM
from fettle.recognize.wall_directions import facing_pair

BLOCK_SHARE = 0.1
"""Least area of another level, as a share of the lowest one's: the top of a block against a wall has less (Fettle's
judgment)."""


def split_levels(contracted: ContractedGraph, whole: Depression) -> list[Depression]:
    """The pocket and its pits, the deepest last; the depression itself where its floor lies on one level."""
    parted = _lowest_pit(contracted, whole)
    if parted is None:
        return [whole]
    above, below = parted
    return [*split_levels(contracted, above), below]


def _lowest_pit(contracted: ContractedGraph, whole: Depression) -> tuple[Depression, Depression] | None:
    """What lies above the lowest level of a floor, and the pit down to it; None where there is no other level."""
    floor, axis = whole.floor, whole.axis
    if whole.form is not DepressionForm.POCKET or floor is None or axis is None:
        return None
    base = float(contracted.graph.regions[floor].point @ axis)
    raised = {
        number: level
        for number in _upper_floors(contracted.graph, whole.walls, axis)
        if abs(level := float(contracted.graph.regions[number].point @ axis) - base) > SAME_LENGTH_MM
    }
    least = BLOCK_SHARE * contracted.graph.regions[floor].area_mm2
    if (
        not raised
        or min(raised.values()) < 0.0
        or any(contracted.graph.regions[number].area_mm2 < least for number in raised)
    ):
        return None
    level = min(raised.values())
    upper = [number for number, height in raised.items() if height < level + SAME_LENGTH_MM]
    rest = [number for number in whole.walls if number not in upper]
    tops = {number: float((boundary_points(contracted.graph, [number]) @ axis).max()) - base for number in rest}
    risers = tuple(number for number in rest if tops[number] < level + SAME_LENGTH_MM)
    ground = contracted.graph.regions[floor].surface
    parts = [number for number in rest if same_surface(contracted.graph.regions[number].surface, ground)]
    risers = tuple(number for number in risers if number not in parts)
    if not risers or not all(_is_riser(contracted, number, upper, axis) for number in risers):
        return None
    below = (floor, *parts, *risers)
    shelf = max(upper, key=lambda number: (contracted.graph.regions[number].area_mm2, -number))
    above = tuple(number for number in whole.regions if number not in below)
    walls = tuple(number for number in above if number != shelf)
    shared = tuple(number for number in walls if any(link.other == floor for link in contracted.links[number]))
    low_blends = tuple(number for number in whole.inner_blends if _is_low(contracted, number, below))
    high_blends = tuple(number for number in whole.inner_blends if number not in low_blends)
    pit = (*below, *(number for number in low_blends if _is_upright(contracted.graph, number, axis)), *whole.pit)
    return (
        Depression(
            DepressionForm.POCKET,
            above,
            shelf,
            walls,
            facing_pair(contracted.graph, walls),
            axis,
            0,
            high_blends,
            pit=pit,
        ),
        Depression(
            DepressionForm.POCKET,
            below,
            floor,
            (*risers, *shared),
            facing_pair(contracted.graph, risers),
            axis,
            0,
            low_blends,
            pit=whole.pit,
        ),
    )


def _upper_floors(graph: Graph, walls: Sequence[int], axis: Vector) -> list[int]:
    """Flat members that look the way of the floor."""
    x, y, z = axis.tolist()
    return [
        number
        for number in walls
        if (plane := graph.planes[number]) is not None and plane[0] * x + plane[1] * y + plane[2] * z > SAME_ANGLE_COS
    ]


def _is_riser(contracted: ContractedGraph, number: int, upper: Sequence[int], axis: Vector) -> bool:
    """Whether a wall stands upright on the lower level and ends, sharply, in the upper one."""
    return _is_upright(contracted.graph, number, axis) and any(
        link.other in upper and link.sign is CONVEX and link.via is None for link in contracted.links[number]
    )


def _is_upright(graph: Graph, number: int, axis: Vector) -> bool:
    """Whether a flat or round wall runs exactly along the axis."""
    surface = graph.regions[number].surface
    if isinstance(surface, Plane):
        return abs(float(surface.normal @ axis)) < SAME_ANGLE_SIN
    return isinstance(surface, Cylinder) and abs(float(surface.axis @ axis)) > SAME_ANGLE_COS


def _is_low(contracted: ContractedGraph, blend: int, below: Sequence[int]) -> bool:
    """Whether a fillet lies in the pit: at its floor, or between its walls."""
    supports = contracted.bridges[blend].supports
    return below[0] in supports or (bool(supports) and set(below).issuperset(supports))
