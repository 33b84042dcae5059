"""SLOT: two walls side by side over a floor, a round bottom or nothing, with open, round or square ends."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import SLENDER, Depression, DepressionForm
from fettle.recognize.depression_measures import members_of
from fettle.recognize.extents import boundary_points, depth_from_floor, extent_mm, gap_mm, reach_points, width_at
from fettle.recognize.graph import Graph, cross, triple
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.tolerances import SAME_LENGTH_MM, SAME_SIDE_COS, SAME_SIDE_SIN, ZERO

LEAST_MOUTH = 0.05
"""Walls that come closer than this towards the mouth, as a share of their distance below, leave no way in."""


@dataclass(frozen=True, slots=True, eq=False)
class SlotRun:
    """Two walls side by side: they run along `along`, `deep` points out of the cut. `base_mm`: width at the bottom.

    A cut into the edge of a plate is `through`: as deep as the plate is thick, as long as it reaches in.
    """

    width_mm: float
    mouth_mm: float
    base_mm: float
    depth_mm: float
    length_mm: float
    along: Vector
    deep: Vector
    through: bool
    facing: bool


def slot_of(contracted: ContractedGraph, depression: Depression) -> Slot | None:
    """The slot that a depression is, None where it is none or too wide for its length."""
    if depression.form in (DepressionForm.SLOT, DepressionForm.BLIND_SLOT):
        return _slot(contracted, depression)
    if depression.pair is None or depression.axis is None:
        return None
    if depression.form is DepressionForm.TROUGH:
        return _trough(contracted, depression, depression.pair, depression.axis)
    if _is_obround(contracted.graph, depression):
        return _obround(contracted, depression, depression.pair, depression.axis)
    return None


def run_of(contracted: ContractedGraph, depression: Depression) -> SlotRun | None:
    """How two walls run side by side, None where the depression has no such pair."""
    if depression.pair is None or depression.axis is None:
        return None
    axis = depression.axis
    first, second = (contracted.graph.regions[number].normal for number in depression.pair)
    side = first - second
    side = side - float(side @ axis) * axis
    spread = float(np.linalg.norm(side))
    if spread < 0.1:
        return None
    side = side / spread
    along = cross(axis, side)
    heights = reach_points(contracted, depression.regions, axis) @ axis
    top, bottom = float(heights.max()), float(heights.min())
    bottom = min(bottom, *(_lowest_mm(contracted.graph, number, axis) for number in depression.regions))
    mouth = _width(contracted.graph, depression.pair, side, axis, top)
    base = _width(contracted.graph, depression.pair, side, axis, bottom)
    width = (mouth + base) / 2
    if depression.neck is not None:
        mouth = _width(contracted.graph, depression.neck, side, axis, top)
        width = base
    if mouth < LEAST_MOUTH * base:
        return None
    depth, length = top - bottom, extent_mm(reach_points(contracted, depression.regions, along), along)
    curved = any(isinstance(contracted.graph.regions[number].surface, Cylinder) for number in depression.walls)
    blind = depression.form is DepressionForm.BLIND_SLOT
    # A cut into the edge of a plate: the chain's floor is the end of the slot, which goes through the plate.
    turned = depth > length and (not curved if blind else depression.floor is not None)
    if turned:
        depth, length, along, axis = length, depth, axis, along
    facing = float(first @ second) < -SAME_SIDE_COS
    return SlotRun(width, mouth, base, depth, length, along, axis, turned and not blind, facing)


def _slot(contracted: ContractedGraph, depression: Depression) -> Slot | None:
    """The slot of two walls that run side by side, None when it is too wide for its length."""
    if depression.pair is None or depression.axis is None:
        return _round_groove(contracted, depression)
    run = run_of(contracted, depression)
    if run is None or (run.facing and run.width_mm > SLENDER * run.length_mm * (1 + ZERO)):
        return None
    ends = "open"
    floor = depression.floor
    if depression.form is DepressionForm.BLIND_SLOT:
        curved = any(isinstance(contracted.graph.regions[number].surface, Cylinder) for number in depression.walls)
        ends = "round" if curved else "square"
    elif run.through and floor is not None:
        ends = "round" if isinstance(contracted.graph.regions[floor].surface, Cylinder) else "square"
        floor = None
    return Slot(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        width_mm=run.width_mm,
        depth_mm=run.depth_mm,
        length_mm=run.length_mm,
        through=run.through,
        floor_face=contracted.graph.regions[floor].face if floor is not None else None,
        end_type=ends,
        open_ends=2 if ends == "open" else 1,
        axis=triple(run.along),
        mouth_width_mm=run.mouth_mm,
        undercut=run.mouth_mm < run.base_mm - SAME_LENGTH_MM,
    )


def _is_obround(graph: Graph, depression: Depression) -> bool:
    """Two flat walls that face one another, and two half cylinders."""
    walls = [graph.regions[number] for number in depression.walls]
    flat = [region for region in walls if isinstance(region.surface, Plane)]
    halves = [
        region
        for region in walls
        if isinstance(region.surface, Cylinder) and region.convex is False and abs(region.extent_deg - 180.0) < 2.0
    ]
    return (
        depression.form in (DepressionForm.POCKET, DepressionForm.PASSAGE)
        and len(flat) == 2
        and len(halves) == 2
        and len(walls) == 4
    )


def _obround(contracted: ContractedGraph, depression: Depression, pair: tuple[int, int], axis: Vector) -> Slot:
    one, two = pair
    along = cross(axis, contracted.graph.regions[one].normal)
    width = gap_mm(contracted.graph, one, two)
    through = depression.floor is None
    if depression.floor is None:
        depth = extent_mm(reach_points(contracted, depression.walls, axis), axis)
    else:
        depth = depth_from_floor(contracted, depression.floor, depression.walls, axis)
    return Slot(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=_length_with_ends(contracted.graph, depression, along),
        through=through,
        floor_face=contracted.graph.regions[depression.floor].face if depression.floor is not None else None,
        end_type="round",
        open_ends=0,
        axis=triple(along / float(np.linalg.norm(along))),
        mouth_width_mm=width,
        undercut=False,
    )


def _length_with_ends(graph: Graph, depression: Depression, along: Vector) -> float:
    """Overall length, round ends included: their cylinders reach one radius beyond their axes."""
    direction = along / float(np.linalg.norm(along))
    low, high = math.inf, -math.inf
    for number in depression.walls:
        surface = graph.regions[number].surface
        if isinstance(surface, Cylinder):
            at = float(surface.origin @ direction)
            low, high = min(low, at - surface.radius_mm), max(high, at + surface.radius_mm)
    return high - low


def _trough(contracted: ContractedGraph, depression: Depression, pair: tuple[int, int], axis: Vector) -> Slot:
    """A slot with a round floor: it runs along the cut of a disc, or along the floor's axis where that is longer."""
    graph = contracted.graph
    side = graph.regions[pair[0]].normal
    along = cross(axis, side)
    points = boundary_points(graph, depression.regions)
    gap, reach = gap_mm(graph, *pair), extent_mm(points, along)
    heights = points @ axis
    bottom = min(float(heights.min()), *(_lowest_mm(graph, number, axis) for number in depression.regions))
    disc = gap <= reach
    return Slot(
        faces=members_of(graph, depression),
        confidence=contracted.confidence,
        width_mm=min(gap, reach),
        depth_mm=float(heights.max()) - bottom,
        length_mm=max(gap, reach),
        through=False,
        floor_face=graph.regions[depression.floor].face if depression.floor is not None else None,
        end_type="round" if disc else "square",
        open_ends=0,
        axis=triple(along if disc else side),
        mouth_width_mm=min(gap, reach),
        undercut=False,
    )


def _lowest_mm(graph: Graph, number: int, axis: Vector) -> float:
    """Height of the lowest line of a round floor, infinite where the region has none."""
    region = graph.regions[number]
    surface = region.surface
    if not isinstance(surface, Cylinder) or region.convex or abs(float(surface.axis @ axis)) > SAME_SIDE_SIN:
        return math.inf
    beside = (boundary_points(graph, [number]) - surface.origin) @ cross(surface.axis, axis)
    if beside.min() >= 0 or beside.max() <= 0:
        return math.inf
    return float(surface.origin @ axis) - surface.radius_mm


def _width(graph: Graph, pair: tuple[int, int], side: Vector, axis: Vector, height_mm: float) -> float:
    """Distance across the slot at a height between its flat walls, or between the borders of others."""
    one, two = (graph.regions[number].surface for number in pair)
    if isinstance(one, Plane) and isinstance(two, Plane):
        across = min(abs(float(one.normal @ side)), abs(float(two.normal @ side)))
        if across > SAME_SIDE_SIN:
            return abs(width_at(one, two, side, axis, height_mm))
    return extent_mm(boundary_points(graph, pair), side)


def _round_groove(contracted: ContractedGraph, depression: Depression) -> Slot | None:
    """A groove with one round wall: its mouth is the chord."""
    number = depression.regions[0]
    surface = contracted.graph.regions[number].surface
    if depression.axis is None or not isinstance(surface, Cylinder) or len(depression.regions) != 1:
        return None
    points = boundary_points(contracted.graph, [number])
    side = cross(surface.axis, depression.axis)
    mouth = extent_mm(points, side / float(np.linalg.norm(side)))
    top = float((points @ depression.axis).max())
    depth = top - float(surface.origin @ depression.axis) + surface.radius_mm
    half = surface.radius_mm - depth / 2
    return Slot(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        width_mm=2 * math.sqrt(max(surface.radius_mm**2 - half**2, 0.0)),
        depth_mm=depth,
        length_mm=extent_mm(points, surface.axis),
        through=False,
        floor_face=contracted.graph.regions[number].face,
        end_type="open",
        open_ends=2,
        axis=triple(surface.axis),
        mouth_width_mm=mouth,
        undercut=False,
    )
