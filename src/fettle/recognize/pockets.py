"""POCKET and SLOT: depressions with their dimensions."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Convexity, Cylinder, Plane, Vector
from fettle.recognize.blends import Bridge
from fettle.recognize.feature import Kind, Pocket, Role, Slot
from fettle.recognize.forms import Depression, Form
from fettle.recognize.graph import Graph, Ring, plane_of, rings, triple
from fettle.recognize.protrusions import standing_in
from fettle.recognize.sections import (
    boundary_points,
    extent_mm,
    floor_size,
    gap_mm,
    passage_size,
    standing_area,
    width_at,
)
from fettle.recognize.view import View

SLENDER = 0.5
"""A slot is at most this wide for its length; wider ones are pockets with open sides."""


@dataclass(frozen=True, slots=True, eq=False)
class Hollow:
    """A pocket or slot with the role of each of its regions."""

    feature: Pocket | Slot
    roles: Mapping[int, Role]


def hollow_out(view: View, depression: Depression, bored: Collection[int]) -> Hollow | None:
    """The feature of a depression; None for steps and forms that are no feature of their own. `bored`: in holes."""
    slot = None
    if depression.form in (Form.SLOT, Form.BLIND_SLOT):
        slot = _slot(view, depression)
    elif depression.form is Form.TROUGH and depression.pair is not None and depression.axis is not None:
        slot = _trough(view, depression, depression.pair, depression.axis)
    elif depression.pair is not None and depression.axis is not None and _is_obround(view.graph, depression):
        slot = _obround(view, depression, depression.pair, depression.axis)
    if slot is not None:
        return Hollow(slot, _roles(view.graph, depression, Role.SLOT_WALL, Role.SLOT_FLOOR))
    flat_floor = depression.floor is not None and isinstance(view.graph.regions[depression.floor].surface, Plane)
    if depression.form in (Form.STEP, Form.OTHER) or not (flat_floor or depression.form is Form.PASSAGE):
        return None
    pocket = _pocket(view, depression, bored)
    return Hollow(pocket, _roles(view.graph, depression, Role.POCKET_WALL, Role.POCKET_FLOOR))


def _roles(graph: Graph, depression: Depression, wall: Role, floor: Role) -> dict[int, Role]:
    return {number: floor if number == depression.floor else wall for number in depression.regions}


def _members(graph: Graph, depression: Depression) -> tuple[int, ...]:
    return graph.faces_of([*depression.regions, *depression.inner_blends])


def _pocket(view: View, depression: Depression, bored: Collection[int]) -> Pocket:
    axis = depression.axis if depression.axis is not None else view.graph.regions[depression.regions[0]].normal
    floor = depression.floor
    points = boundary_points(view.graph, depression.regions)
    depth = extent_mm(points, axis)
    islands = 0
    if floor is None:
        walls = [*depression.regions, *depression.inner_blends]
        width, length, area = passage_size(view.graph, walls, axis)
        volume = area * depth
    else:
        region = view.graph.regions[floor]
        depth = float(((points - region.point) @ axis).max())
        width, length, area = floor_size(view, floor)
        standing = view.islands.get(region.number, frozenset())
        feet = [ring for ring in rings(view.graph, floor) if standing.issuperset(ring.edges)]
        islands = len(feet)
        above = sum(_space_above(view, floor, ring, depth, bored) for ring in feet)
        fillets = {link.via for link in view.links[floor] if link.via is not None and link.sign is Convexity.CONCAVE}
        volume = area * depth + above - sum(_fillet_mm3(view.bridges[number]) for number in sorted(fillets))
    return Pocket(
        kind=Kind.POCKET,
        faces=_members(view.graph, depression),
        confidence=view.confidence,
        depth_mm=depth,
        width_mm=width,
        length_mm=length,
        min_corner_radius_mm=_corner_radius(view, depression),
        open_sides=depression.open_sides,
        through=depression.form is Form.PASSAGE,
        form=depression.form.value,
        floor_face=view.graph.regions[floor].face if floor is not None else None,
        n_islands=islands,
        volume_mm3=volume,
        axis=triple(axis),
    )


def _space_above(view: View, floor: int, ring: Ring, depth_mm: float, bored: Collection[int]) -> float:
    """Volume above an island that ends below the mouth, mm3."""
    inside = standing_in(view, floor, ring.edges, bored)
    if not inside:
        return 0.0
    region = view.graph.regions[floor]
    up = plane_of(region).normal
    height = float(((boundary_points(view.graph, inside) - region.point) @ up).max())
    return standing_area(view, floor, ring) * max(0.0, depth_mm - height)


def _fillet_mm3(bridge: Bridge) -> float:
    """What a fillet leaves standing in a right corner."""
    return (1 - math.pi / 4) * bridge.radius_mm**2 * bridge.length_mm


def _corner_radius(view: View, depression: Depression) -> float | None:
    """Smallest radius between walls: 0 at a sharp corner, None where there is no corner."""
    walls = set(depression.walls)
    radii: list[float] = []
    for number in depression.walls:
        region = view.graph.regions[number]
        if isinstance(region.surface, Cylinder) and region.convex is False:
            radii.append(region.surface.radius_mm)
        radii.extend(
            view.bridges[link.via].radius_mm if link.via is not None else 0.0
            for link in view.links[number]
            if link.other in walls and link.sign is Convexity.CONCAVE
        )
    return min(radii) if radii else None


def _is_obround(graph: Graph, depression: Depression) -> bool:
    """Two flat walls that face one another, and two half cylinders."""
    walls = [graph.regions[number] for number in depression.walls]
    flat = [region for region in walls if isinstance(region.surface, Plane)]
    halves = [
        region
        for region in walls
        if isinstance(region.surface, Cylinder) and region.convex is False and abs(region.extent_deg - 180.0) < 2.0
    ]
    return depression.form in (Form.POCKET, Form.PASSAGE) and len(flat) == 2 and len(halves) == 2 and len(walls) == 4


def _obround(view: View, depression: Depression, pair: tuple[int, int], axis: Vector) -> Slot:
    one, two = pair
    points = boundary_points(view.graph, depression.walls)
    along = np.cross(axis, view.graph.regions[one].normal)
    width = gap_mm(view.graph, one, two)
    through = depression.floor is None
    depth = extent_mm(points, axis)
    if depression.floor is not None:
        depth = float(((points - view.graph.regions[depression.floor].point) @ axis).max())
    return Slot(
        kind=Kind.SLOT,
        faces=_members(view.graph, depression),
        confidence=view.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=_length_with_ends(view.graph, depression, along),
        through=through,
        floor_face=view.graph.regions[depression.floor].face if depression.floor is not None else None,
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


def _slot(view: View, depression: Depression) -> Slot | None:
    """The slot of two walls that run side by side, None when it is too wide for its length."""
    if depression.pair is None or depression.axis is None:
        return _round_groove(view, depression)
    one, two = depression.pair
    axis = depression.axis
    first, second = view.graph.regions[one].normal, view.graph.regions[two].normal
    side = first - second
    side = side - float(side @ axis) * axis
    spread = float(np.linalg.norm(side))
    if spread < 0.1:
        return None
    side = side / spread
    along = np.cross(axis, side)
    members = boundary_points(view.graph, depression.regions)
    heights = members @ axis
    top, bottom = float(heights.max()), float(heights.min())
    depth = top - bottom
    mouth = _width(view.graph, depression.pair, side, axis, top)
    base = _width(view.graph, depression.pair, side, axis, bottom)
    width = (mouth + base) / 2
    if depression.neck is not None:
        mouth = _width(view.graph, depression.neck, side, axis, top)
        width = base
    length = extent_mm(members, along)
    ends = "open"
    through = False
    floor = depression.floor
    if depression.form is Form.BLIND_SLOT:
        curved = any(isinstance(view.graph.regions[number].surface, Cylinder) for number in depression.walls)
        ends = "round" if curved else "square"
        if depth > length and not curved:
            depth, length = length, depth
            axis, along = along, axis
    elif floor is not None and depth > length:
        # A cut into the edge of a plate: the chain's floor is the end of the slot, which goes through the plate.
        ends = "round" if isinstance(view.graph.regions[floor].surface, Cylinder) else "square"
        depth, length = length, depth
        axis, along = along, axis
        through, floor = True, None
    facing = float(first @ second) < -math.cos(math.radians(10.0))
    if facing and width > SLENDER * length * (1 + 1e-9):
        return None
    return Slot(
        kind=Kind.SLOT,
        faces=_members(view.graph, depression),
        confidence=view.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=length,
        through=through,
        floor_face=view.graph.regions[floor].face if floor is not None else None,
        end_type=ends,
        open_ends=2 if ends == "open" else 1,
        axis=triple(along),
        mouth_width_mm=mouth,
        undercut=mouth < base - 1e-3,
    )


def _trough(view: View, depression: Depression, pair: tuple[int, int], axis: Vector) -> Slot:
    """A slot with a round floor: it runs along the cut of a disc, or along the floor's axis where that is longer."""
    graph = view.graph
    side = graph.regions[pair[0]].normal
    along = np.cross(axis, side)
    points = boundary_points(graph, depression.regions)
    gap, reach = gap_mm(graph, *pair), extent_mm(points, along)
    heights = points @ axis
    bottom = min(float(heights.min()), *(_lowest_mm(graph, number, axis, along) for number in depression.regions))
    disc = gap <= reach
    return Slot(
        kind=Kind.SLOT,
        faces=_members(graph, depression),
        confidence=view.confidence,
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


def _lowest_mm(graph: Graph, number: int, axis: Vector, along: Vector) -> float:
    """Height of the lowest line of a round floor, infinite where the region has none."""
    surface = graph.regions[number].surface
    if not isinstance(surface, Cylinder):
        return math.inf
    beside = (boundary_points(graph, [number]) - surface.origin) @ along
    if beside.min() >= 0 or beside.max() <= 0:
        return math.inf
    return float(surface.origin @ axis) - surface.radius_mm


def _width(graph: Graph, pair: tuple[int, int], side: Vector, axis: Vector, height_mm: float) -> float:
    """Distance across the slot at a height between its flat walls, or between the borders of curved ones."""
    one, two = (graph.regions[number].surface for number in pair)
    if isinstance(one, Plane) and isinstance(two, Plane):
        return abs(width_at(one, two, side, axis, height_mm))
    return extent_mm(boundary_points(graph, pair), side)


def _round_groove(view: View, depression: Depression) -> Slot | None:
    """A groove with one round wall: its mouth is the chord."""
    number = depression.regions[0]
    surface = view.graph.regions[number].surface
    if depression.axis is None or not isinstance(surface, Cylinder) or len(depression.regions) != 1:
        return None
    points = boundary_points(view.graph, [number])
    side = np.cross(surface.axis, depression.axis)
    mouth = extent_mm(points, side / float(np.linalg.norm(side)))
    top = float((points @ depression.axis).max())
    depth = top - float(surface.origin @ depression.axis) + surface.radius_mm
    half = surface.radius_mm - depth / 2
    return Slot(
        kind=Kind.SLOT,
        faces=_members(view.graph, depression),
        confidence=view.confidence,
        width_mm=2 * math.sqrt(max(surface.radius_mm**2 - half**2, 0.0)),
        depth_mm=depth,
        length_mm=extent_mm(points, surface.axis),
        through=False,
        floor_face=view.graph.regions[number].face,
        end_type="open",
        open_ends=2,
        axis=triple(surface.axis),
        mouth_width_mm=mouth,
        undercut=False,
    )
