"""POCKET: depressions with floors, islands and open sides that are no slots."""

from __future__ import annotations

import math
from collections.abc import Collection

from fettle.geometry.part import Cylinder, Plane
from fettle.recognize.bridge import Bridge
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.depression_measures import drawn_width, floor_size, members_of, passage_size, standing_area
from fettle.recognize.extents import boundary_points, depth_from_floor, extent_mm, reach_points
from fettle.recognize.graph import Ring, plane_of, rings, triple
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.protrusions import standing_in
from fettle.recognize.signs import CONCAVE
from fettle.recognize.slots import run_of
from fettle.recognize.tolerances import LEAST_FITTED_SIZE

LEAST_WIDTH_MM = 0.05
"""Narrowest pocket: gaps below are slivers where surfaces miss one another. The finest end mills of makers' tables have
0.1 mm, laser cuts 0.05."""


def pocket_of(contracted: ContractedGraph, depression: Depression, bored: Collection[int]) -> Pocket | None:
    """The pocket that a depression is; None for steps and forms that are no feature of their own.

    `bored`: regions of holes.
    """
    flat_floor = depression.floor is not None and isinstance(contracted.graph.regions[depression.floor].surface, Plane)
    pocket = None
    if depression.form is DepressionForm.SLOT:
        pocket = _wide_slot(contracted, depression, flat_floor)
    if pocket is None:
        if depression.form in (DepressionForm.STEP, DepressionForm.OTHER) or not (
            flat_floor or depression.form is DepressionForm.PASSAGE
        ):
            return None
        pocket = _pocket(contracted, depression, bored)
    part = contracted.graph.part
    least = LEAST_WIDTH_MM if part.source.exact else LEAST_FITTED_SIZE * part.diagonal_mm
    return pocket if pocket.width_mm >= least else None


def _pocket(contracted: ContractedGraph, depression: Depression, bored: Collection[int]) -> Pocket:
    axis = depression.axis if depression.axis is not None else contracted.graph.regions[depression.regions[0]].normal
    floor = depression.floor
    islands = 0
    if floor is None:
        depth = extent_mm(reach_points(contracted, depression.regions, axis), axis)
        walls = [*depression.regions, *depression.inner_blends]
        width, length, area = passage_size(contracted.graph, walls, axis)
        volume = area * depth
    else:
        region = contracted.graph.regions[floor]
        depth = depth_from_floor(contracted, floor, depression.regions, axis)
        width, length, area = floor_size(
            contracted, floor, depression.pit, walled=depression.form is DepressionForm.POCKET
        )
        standing = contracted.islands.get(region.number, frozenset())
        feet = [ring for ring in rings(contracted.graph, floor) if standing.issuperset(ring.edges)]
        islands = len(feet)
        above = sum(_space_above(contracted, floor, ring, depth, bored) for ring in feet)
        fillets = {link.via for link in contracted.links[floor] if link.via is not None and link.sign is CONCAVE}
        volume = area * depth + above - sum(_fillet_mm3(contracted.bridges[number]) for number in sorted(fillets))
    return Pocket(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        depth_mm=depth,
        width_mm=drawn_width(contracted.graph, depression.walls, width),
        length_mm=length,
        min_corner_radius_mm=_corner_radius(contracted, depression.walls),
        # walls go all round a pocket, also where something has cut its floor open at the edge
        open_sides=0 if depression.form is DepressionForm.POCKET else depression.open_sides,
        through=depression.form is DepressionForm.PASSAGE,
        form=depression.form.value,
        floor_face=contracted.graph.regions[floor].face if floor is not None else None,
        n_islands=islands,
        volume_mm3=volume,
        axis=triple(axis),
    )


def _space_above(contracted: ContractedGraph, floor: int, ring: Ring, depth_mm: float, bored: Collection[int]) -> float:
    """Volume above an island that ends below the mouth, mm3."""
    inside = standing_in(contracted, floor, ring.edges, bored)
    if not inside:
        return 0.0
    region = contracted.graph.regions[floor]
    up = plane_of(region).normal
    height = float(((boundary_points(contracted.graph, inside) - region.point) @ up).max())
    return standing_area(contracted, floor, ring) * max(0.0, depth_mm - height)


def _fillet_mm3(bridge: Bridge) -> float:
    """What a fillet leaves standing in a right corner."""
    return (1 - math.pi / 4) * bridge.radius_mm**2 * bridge.length_mm


def _corner_radius(contracted: ContractedGraph, walls: Collection[int]) -> float | None:
    """Smallest radius between walls: 0 at a sharp corner, None where there is no corner."""
    radii: list[float] = []
    for number in walls:
        region = contracted.graph.regions[number]
        if isinstance(region.surface, Cylinder) and region.convex is False:
            radii.append(region.surface.radius_mm)
        radii.extend(
            contracted.bridges[link.via].radius_mm if link.via is not None else 0.0
            for link in contracted.links[number]
            if link.other in walls and link.sign is CONCAVE
        )
    return min(radii) if radii else None


def _wide_slot(contracted: ContractedGraph, depression: Depression, flat_floor: bool) -> Pocket | None:
    """A slot too wide for its length whose floor does not give its size: round, or the end of a cut-out."""
    run = run_of(contracted, depression)
    if run is None or (flat_floor and not run.through):
        return None
    floor = depression.floor
    return Pocket(
        faces=members_of(contracted.graph, depression),
        confidence=contracted.confidence,
        depth_mm=run.depth_mm,
        width_mm=min(run.width_mm, run.length_mm),
        length_mm=max(run.width_mm, run.length_mm),
        min_corner_radius_mm=_corner_radius(contracted, depression.regions if run.through else depression.walls),
        open_sides=1 if run.through else 2,
        through=run.through,
        form=(DepressionForm.BLIND_SLOT if run.through else DepressionForm.SLOT).value,
        floor_face=contracted.graph.regions[floor].face if floor is not None and not run.through else None,
        n_islands=0,
        volume_mm3=run.width_mm * run.length_mm * run.depth_mm,
        axis=triple(run.deep),
    )
