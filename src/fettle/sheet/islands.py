"""What lies inside the outline of a wall: cut-outs right through, engravings, and forms pressed out of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from fettle.errors import CannotUnfold
from fettle.geometry.part import Plane
from fettle.recognize.graph import Graph, Ring, frame, plane_of, rings
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM
from fettle.sheet.allowance import KFactor
from fettle.sheet.plane_curves import fit_arc
from fettle.sheet.skin import develop, straight_ends
from fettle.sheet.thickness import SheetSides

Array = NDArray[np.float64]

OUT_OF_SHEET = 0.05
"""Thicknesses by which a form sticks out of the sheet; less is a rounding."""
LONG = 1.5
"""Length over width from which a form without openings is a bead, below it a dimple."""

LONG_SIDE = 0.5
"""Sheared edges longer than this share of the longest are sides of a form; shorter ones are the ends of a slit."""


class IslandKind(Enum):
    """CUT: right through; ENGRAVING: ends inside the sheet; TAB: bent out of its window, part of the flat; the others
    are forms that stay marks."""

    CUT = "cut"
    TAB = "tab"
    ENGRAVING = "engraving"
    BEAD = "bead"
    DIMPLE = "dimple"
    COLLAR = "collar"
    LOUVER = "louver"
    BRIDGE = "bridge"


@dataclass(frozen=True, slots=True, eq=False)
class Island:
    """`wall`: region whose outline has the hole; `ring`: its edge there; `regions`: of the graph, all inside it;
    `low_mm`, `high_mm`: how far they reach along the wall's normal; `other_ring`: its outline on the other side."""

    wall: int
    ring: Ring
    kind: IslandKind
    regions: tuple[int, ...]
    low_mm: float
    high_mm: float
    other_ring: Ring | None


def find_islands(graph: Graph, sides: SheetSides) -> list[Island]:
    """Islands of every wall, both sides of the sheet, in the order of its regions."""
    found = []
    planes = _Planes(graph)
    for wall in sorted(sides.partner):
        if not isinstance(graph.regions[wall].surface, Plane) or len(rings(graph, wall)) == 1:
            continue
        stop = planes.both_sides(wall, sides.thickness_mm)
        ends = {border.edge: border.other for border in graph.regions[wall].borders}
        for ring in rings(graph, wall):
            if ring_area(graph, wall, ring) < 0:
                inside = _flood(graph, [ends[edge] for edge in ring.edges if ends.get(edge, -1) >= 0], stop)
                found.append(_island(graph, sides, wall, ring, inside, stop))
    return found


def ring_area(graph: Graph, wall: int, ring: Ring) -> float:
    """Area inside a ring of a plane wall, by its points; negative for a hole in the wall."""
    normal = plane_of(graph.regions[wall]).normal
    x, y, z = (ring.points - ring.points[0]).T
    # numpy's own vector product costs several times as much on a handful of points
    products = np.stack(
        [y[:-1] * z[1:] - z[:-1] * y[1:], z[:-1] * x[1:] - x[:-1] * z[1:], x[:-1] * y[1:] - y[:-1] * x[1:]], axis=1
    )
    return 0.5 * float((products @ normal).sum())


def _island(graph: Graph, sides: SheetSides, wall: int, ring: Ring, inside: set[int], stop: set[int]) -> Island:
    plane = plane_of(graph.regions[wall])
    thickness = sides.thickness_mm
    heights = (_points(graph, inside) - graph.regions[wall].point) @ plane.normal
    low, high = float(heights.min()), float(heights.max())
    others = sorted(
        {
            border.other
            for number in inside
            for border in graph.regions[number].borders
            if border.other in stop
            and isinstance(graph.regions[border.other].surface, Plane)
            and float(plane_of(graph.regions[border.other]).normal @ plane.normal) < 0
        }
    )
    shared = {border.edge for number in inside for border in graph.regions[number].borders if border.other in others}
    other_ring = next(
        (one for other in others for one in rings(graph, other) if not shared.isdisjoint(one.edges)), None
    )
    slack = OUT_OF_SHEET * thickness
    out = high > slack or low < -thickness - slack
    kind = IslandKind.CUT
    if out or not others:
        kind = _kind_of_form(graph, wall, ring, sides, inside, others)
    return Island(wall, ring, kind, tuple(sorted(inside)), low, high, other_ring)


def _kind_of_form(
    graph: Graph, wall: int, ring: Ring, sides: SheetSides, inside: set[int], others: list[int]
) -> IslandKind:
    if not others:
        if not _pressed(graph, wall, sides, ring):
            return IslandKind.ENGRAVING
        extent = _size(ring)
        return IslandKind.BEAD if extent[0] > LONG * extent[1] else IslandKind.DIMPLE
    if _is_tab(graph, wall, sides, inside):
        return IslandKind.TAB
    if _is_round(graph, wall, ring):
        return IslandKind.COLLAR
    cut = [edge for edge in ring.edges if _is_sheared(graph, wall, edge, sides.thickness_mm)]
    return IslandKind.BRIDGE if _on_two_sides(graph, ring, cut) else IslandKind.LOUVER


def _is_round(graph: Graph, wall: int, ring: Ring) -> bool:
    if any(straight_ends(graph.part.edges[edge]) is not None for edge in ring.edges):
        return False
    across, up = frame(plane_of(graph.regions[wall]).normal)
    points = np.column_stack([ring.points @ across, ring.points @ up])
    return fit_arc(points, LOOSE_LENGTH_MM) is not None


def _is_sheared(graph: Graph, wall: int, edge: int, thickness: float) -> bool:
    """Whether the region beyond an edge is only the cut through the sheet."""
    here = graph.regions[wall]
    beyond = {number for number in _regions(graph, edge) if number != wall}
    heights = (_points(graph, beyond) - here.point) @ here.normal
    slack = OUT_OF_SHEET * thickness
    return bool(heights.max() < slack and heights.min() > -thickness - slack)


def _is_tab(graph: Graph, wall: int, sides: SheetSides, inside: set[int]) -> bool:
    """Whether what is inside lies flat, joined to the wall by a bend."""
    stop = {one for one in range(len(graph.regions)) if one not in inside and one != wall}
    try:
        skin = develop(graph, wall, sides.thickness_mm, KFactor(0.5), stop)
    except CannotUnfold:
        return False
    return len(skin.zones) > 1 and len({edge for edge in skin.joints if wall in _regions(graph, edge)}) == 1


def _regions(graph: Graph, edge: int) -> list[int]:
    return [int(graph.region_of[face]) for face in graph.part.edges[edge].faces if face >= 0]


def _pressed(graph: Graph, wall: int, sides: SheetSides, ring: Ring) -> bool:
    """Whether the other side of the wall has a hole in its outline at the same place: sheet pressed, not engraved."""
    partner = sides.partner.get(wall)
    if partner is None:
        return False
    normal = plane_of(graph.regions[wall]).normal
    middle = ring.points.mean(axis=0)
    for other in rings(graph, partner):
        if ring_area(graph, partner, other) < 0:
            away = other.points.mean(axis=0) - middle
            away = away - (away @ normal) * normal
            if float(np.linalg.norm(away)) < 0.5 * max(_size(ring)):
                return True
    return False


class _Planes:
    """Normals and points of the plane regions of a part, (n, 3) each."""

    def __init__(self, graph: Graph) -> None:
        regions = [region for region in graph.regions if isinstance(region.surface, Plane)]
        self.numbers = np.array([region.number for region in regions])
        self.bodies = np.array([region.body for region in regions])
        self.normals = np.array([plane_of(region).normal for region in regions])
        self.points = np.array([region.point for region in regions])

    def both_sides(self, wall: int, thickness: float) -> set[int]:
        """Regions on the planes of both sides of a wall, facing out as they do."""
        (here,) = np.flatnonzero(self.numbers == wall)
        cosine = self.normals @ self.normals[here]
        height = (self.points - self.points[here]) @ self.normals[here]
        same = (cosine > COAXIAL_COS) & (np.abs(height) < LOOSE_LENGTH_MM)
        behind = (cosine < -COAXIAL_COS) & (np.abs(height + thickness) < LOOSE_LENGTH_MM)
        return set(self.numbers[(same | behind) & (self.bodies == self.bodies[here])].tolist())


def _flood(graph: Graph, queue: list[int], stop: set[int]) -> set[int]:
    """Regions of a queue and all that are reached from them without one of `stop`."""
    inside: set[int] = set()
    while queue:
        number = queue.pop()
        if number in inside or number in stop:
            continue
        inside.add(number)
        queue += [border.other for border in graph.regions[number].borders if border.other >= 0]
    return inside


def _points(graph: Graph, inside: set[int]) -> Array:
    faces = [graph.part.faces[face] for number in sorted(inside) for face in graph.regions[number].faces]
    rows = [face.point for face in faces] + [face.centroid for face in faces]
    edges = {edge for face in faces for loop in face.loops for edge in loop.edges}
    return np.concatenate([np.array(rows), *[graph.part.edges[edge].points for edge in sorted(edges)]])


def _size(ring: Ring) -> tuple[float, float]:
    """Length and width of a ring, by its principal directions, mm."""
    away = ring.points - ring.points.mean(axis=0)
    _, _, axes = np.linalg.svd(away, full_matrices=False)
    extents = sorted((float(np.ptp(away @ axis)) for axis in axes[:2]), reverse=True)
    return extents[0], extents[1]


def _on_two_sides(graph: Graph, ring: Ring, cut: list[int]) -> bool:
    """Whether sheared edges lie on both sides of the middle of a ring."""
    middle = ring.points.mean(axis=0)
    longest = max((graph.part.edges[edge].length_mm for edge in cut), default=0.0)
    wide = [edge for edge in cut if graph.part.edges[edge].length_mm > LONG_SIDE * longest]
    arms = [graph.part.edges[edge].points.mean(axis=0) - middle for edge in wide]
    return any(float(one @ two) < 0 for one in arms for two in arms)
