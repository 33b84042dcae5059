"""Pockets whose floor lies on two levels: a pocket, and a pit in its floor that shares some of its walls.

Where a pit has a rim of its own the concave links keep the two apart. Where it reaches a wall of the pocket, the wall
goes down into it and joins them.
"""

from __future__ import annotations

from collections.abc import Sequence

from fettle.geometry.part import Convexity, Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.extents import boundary_points
from fettle.recognize.graph import Graph
from fettle.recognize.tolerances import SAME_ANGLE_COS, SAME_ANGLE_SIN, SAME_LENGTH_MM
from fettle.recognize.wall_directions import facing_pair, normal_of


def split_levels(contracted: ContractedGraph, whole: Depression) -> list[Depression]:
    """The pocket and its pit; the depression itself where its floor lies on one level or on more than two."""
    floor, axis = whole.floor, whole.axis
    if whole.form is not DepressionForm.POCKET or floor is None or axis is None:
        return [whole]
    upper = _upper_floors(contracted.graph, whole.walls, axis)
    if not upper:
        return [whole]
    base = float(contracted.graph.regions[floor].point @ axis)
    levels = [float(contracted.graph.regions[number].point @ axis) - base for number in upper]
    if max(levels) - min(levels) > SAME_LENGTH_MM or min(levels) < SAME_LENGTH_MM:
        return [whole]
    rest = [number for number in whole.walls if number not in upper]
    tops = {number: float((boundary_points(contracted.graph, [number]) @ axis).max()) - base for number in rest}
    risers = tuple(number for number in rest if tops[number] < levels[0] + SAME_LENGTH_MM)
    if not risers or not all(_is_riser(contracted, number, upper, axis) for number in risers):
        return [whole]
    below = (floor, *risers)
    ground = max(upper, key=lambda number: (contracted.graph.regions[number].area_mm2, -number))
    above = tuple(number for number in whole.regions if number not in below)
    walls = tuple(number for number in above if number != ground)
    shared = tuple(number for number in walls if any(link.other == floor for link in contracted.links[number]))
    low_blends = tuple(number for number in whole.inner_blends if _is_low(contracted, number, below))
    high_blends = tuple(number for number in whole.inner_blends if number not in low_blends)
    pit = (*below, *(number for number in low_blends if _is_upright(contracted.graph, number, axis)))
    return [
        Depression(
            DepressionForm.POCKET,
            above,
            ground,
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
        ),
    ]


def _upper_floors(graph: Graph, walls: Sequence[int], axis: Vector) -> list[int]:
    """Flat members that look the way of the floor."""
    return [
        number
        for number in walls
        if isinstance(graph.regions[number].surface, Plane) and float(normal_of(graph, number) @ axis) > SAME_ANGLE_COS
    ]


def _is_riser(contracted: ContractedGraph, number: int, upper: Sequence[int], axis: Vector) -> bool:
    """Whether a wall stands upright on the lower level and ends, sharply, in the upper one."""
    return _is_upright(contracted.graph, number, axis) and any(
        link.other in upper and link.sign is Convexity.CONVEX and link.via is None for link in contracted.links[number]
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
