"""SLOT along an arc: a hollow and a round wall about one axis, with flat or round ends between them."""

from __future__ import annotations

import math

from fettle.geometry.part import Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import SLENDER, Depression, DepressionForm
from fettle.recognize.depression_measures import members_of
from fettle.recognize.extents import depth_from_floor, extent_mm, reach_points
from fettle.recognize.graph import Region, coaxial, triple
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.tolerances import LOOSE_LENGTH_MM, SAME_LENGTH_MM, SAME_SIDE_COS, ZERO

HALF_SLACK_DEG = 2.0
"""Difference of a round end from half a circle."""


def curved_slot_of(contracted: ContractedGraph, depression: Depression) -> Slot | None:
    """The slot along an arc that a pocket or passage is, None where it is none or too wide for its length."""
    if depression.axis is None or depression.form not in (DepressionForm.POCKET, DepressionForm.PASSAGE):
        return None
    if len(depression.walls) != 4 or depression.pit:
        return None
    walls = [contracted.graph.regions[number] for number in depression.walls]
    sides = _sides(walls, depression.axis)
    if sides is None:
        return None
    (hollow, outer), (core, inner) = sides
    width = outer.radius_mm - inner.radius_mm
    middle = (outer.radius_mm + inner.radius_mm) / 2
    ends = [region for region in walls if region is not hollow and region is not core]
    if all(isinstance(region.surface, Plane) for region in ends):
        end_type, length = "square", math.radians((hollow.extent_deg + core.extent_deg) / 2) * middle
    elif all(_is_half(region, width) for region in ends):
        end_type, length = "round", math.radians((hollow.extent_deg + core.extent_deg) / 2) * middle + width
    else:
        return None
    if width > SLENDER * length * (1 + ZERO):
        return None
    axis, floor = depression.axis, depression.floor
    if floor is None:
        depth = extent_mm(reach_points(contracted, depression.walls, axis), axis)
    else:
        depth = depth_from_floor(contracted, floor, depression.walls, axis)
    return Slot(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=length,
        through=floor is None,
        floor_face=contracted.graph.regions[floor].face if floor is not None else None,
        end_type=end_type,
        open_ends=0,
        axis=triple(axis),
        mouth_width_mm=width,
        undercut=False,
        curve_radius_mm=middle,
    )


def _sides(walls: list[Region], axis: Vector) -> tuple[tuple[Region, Cylinder], tuple[Region, Cylinder]] | None:
    """The outer and the inner wall about one axis along the cut, None unless there is one of each."""
    round_ = [
        (region, region.surface)
        for region in walls
        if isinstance(region.surface, Cylinder) and abs(float(region.surface.axis @ axis)) > SAME_SIDE_COS
    ]
    cores = [one for one in round_ if one[0].convex]
    if len(cores) != 1:
        return None
    core = cores[0]
    hollows = [
        one
        for one in round_
        if one[0].convex is False
        and one[1].radius_mm > core[1].radius_mm + SAME_LENGTH_MM
        and coaxial(core[1].origin, core[1].axis, one[1].origin, one[1].axis, LOOSE_LENGTH_MM)
    ]
    return (hollows[0], core) if len(hollows) == 1 else None


def _is_half(region: Region, width_mm: float) -> bool:
    """Whether a wall is the half cylinder that closes a slot of this width."""
    return (
        isinstance(region.surface, Cylinder)
        and region.convex is False
        and abs(region.extent_deg - 180.0) < HALF_SLACK_DEG
        and abs(2 * region.surface.radius_mm - width_mm) < LOOSE_LENGTH_MM
    )
