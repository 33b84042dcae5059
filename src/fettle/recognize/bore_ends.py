"""Ends of bores: open at a rim, or closed by a floor, a cone or a ball; None where something stands on the floor.

Positions are along the bore's axis, from its origin, mm.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Convexity, Cylinder, CylinderOrCone, Line, Plane, Sphere, Torus, Vector
from fettle.recognize.graph import Border, Graph, coaxial, frame, rings
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.tolerances import ALONG_COS, COAXIAL_COS, LOOSE_LENGTH_MM, SAME_LENGTH_MM


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """Regions of one internal cylinder or cone; `low_radius_mm` is the radius at `low_mm`.

    `thread_radius_mm`: where a modeled thread has its root, None without one.
    """

    regions: tuple[int, ...]
    low_mm: float
    high_mm: float
    low_radius_mm: float
    high_radius_mm: float
    extent_deg: float
    thread_radius_mm: float | None = None

    @property
    def is_cone(self) -> bool:
        return abs(self.high_radius_mm - self.low_radius_mm) > SAME_LENGTH_MM


@dataclass(frozen=True, slots=True, eq=False)
class End:
    """Where a bore stops. `bottom`: none (open), flat, conical, spherical. `lowest_mm`, `highest_mm`: range of its rim.

    `area_mm2`: of the face around an open end, by which the entry is chosen.
    """

    bottom: str
    regions: tuple[int, ...]
    lowest_mm: float
    highest_mm: float
    area_mm2: float

    @property
    def open(self) -> bool:
        return self.bottom == "none"


@dataclass(frozen=True, slots=True, eq=False)
class AxisLine:
    """Regions that share an axis."""

    origin: Vector
    axis: Vector
    regions: tuple[int, ...]


def find_end(graph: Graph, line: AxisLine, pieces: list[Piece], inside: Collection[int], sense: float) -> End | None:
    """How the chain stops towards `sense`; None when an island stands on its floor."""
    last = pieces[-1] if sense > 0 else pieces[0]
    tip_mm = last.high_mm if sense > 0 else last.low_mm
    tip_radius = last.high_radius_mm if sense > 0 else last.low_radius_mm
    middle = (last.low_mm + last.high_mm) / 2
    if last.is_cone and tip_radius < 10 * SAME_LENGTH_MM:
        return End("conical", (), tip_mm, tip_mm, 0.0)
    members = [*last.regions]
    for number in inside:
        surface = graph.regions[number].surface
        if isinstance(surface, Torus) and any(b.other in last.regions for b in graph.regions[number].borders):
            members.append(number)
    rim: list[int] = []
    for number in members:
        for border in graph.regions[number].borders:
            if border.other in inside:
                continue
            along = (graph.part.edges[border.edge].points - line.origin) @ line.axis
            if (float(along.sum()) / len(along) - middle) * sense <= 0:
                continue
            bottom = _bottom(graph, line, border.other, border.sign, sense)
            if bottom == "island" or (bottom == "flat" and not _mostly_around(graph, border.other, inside, tip_radius)):
                return None
            if bottom is not None:
                regions = (border.other,) if number in last.regions else (border.other, number)
                return _closed_end(graph, line, bottom, regions, along)
            rim.append(border.edge)
    if not rim:
        return End("none", (), tip_mm, tip_mm, 0.0)
    spans = _rim_spans(graph, line, rim, sense)
    around = max((_area_across(graph, edge, inside) for edge in rim), default=0.0)
    return End("none", (), min(span[0] for span in spans), max(span[1] for span in spans), around)


def _closed_end(graph: Graph, line: AxisLine, bottom: str, regions: tuple[int, ...], along: NDArray[np.float64]) -> End:
    low, high = float(along.min()), float(along.max())
    surface = graph.regions[regions[0]].surface
    if isinstance(surface, Sphere):
        at = float((surface.center - line.origin) @ line.axis)
        low, high = min(low, at - surface.radius_mm), max(high, at + surface.radius_mm)
    return End(bottom, regions, low, high, 0.0)


def _area_across(graph: Graph, edge: int, inside: Collection[int]) -> float:
    beyond = [graph.region_of[face] for face in graph.part.edges[edge].faces if face >= 0]
    return max((graph.regions[number].area_mm2 for number in beyond if number not in inside), default=0.0)


def _rim_spans(graph: Graph, line: AxisLine, rim: list[int], sense: float) -> list[tuple[float, float]]:
    """Axial ranges of the edges of the mouth: of all chains of edges the one that reaches furthest out.

    Other chains are openings in the wall, where another hole crosses. Straight edges along the axis bound the open
    side of a partial bore, not its mouth.
    """
    spans: dict[int, tuple[float, float]] = {}
    for edge in rim:
        spans[edge] = _axial_span(graph, line, edge)
    chains: list[tuple[set[int], list[int]]] = []
    for edge in rim:
        ends = set(graph.part.edges[edge].vertices)
        touching = [chain for chain in chains if chain[0] & ends]
        for chain in touching:
            chains.remove(chain)
        vertices = ends.union(*(chain[0] for chain in touching))
        chains.append((vertices, [edge, *(one for chain in touching for one in chain[1])]))
    _, outermost = max(chains, key=lambda chain: max(max(sense * end for end in spans[edge]) for edge in chain[1]))
    mouth = [edge for edge in outermost if not runs_along(graph, line, edge)]
    return [spans[edge] for edge in mouth or outermost]


def _axial_span(graph: Graph, line: AxisLine, edge: int) -> tuple[float, float]:
    """Range of an edge along the axis; extremes between its points by parabolas over the angle about the axis."""
    offset = graph.part.edges[edge].points - line.origin
    along = offset @ line.axis
    low, high = float(along.min()), float(along.max())
    if len(along) < 4 or high - low < SAME_LENGTH_MM:
        return low, high
    across, up = frame(line.axis)
    angle = np.unwrap(np.arctan2(offset @ up, offset @ across))
    vertices = graph.part.edges[edge].vertices
    if vertices[0] == vertices[1]:
        # A closed edge goes on past its end: its extreme may lie there.
        turn = angle[-1] - angle[0]
        angle = np.concatenate([[angle[-2] - turn], angle, [angle[1] + turn]])
        along = np.concatenate([[along[-2]], along, [along[1]]])
    for sense in (-1.0, 1.0):
        peak = int(np.argmax(sense * along[1:-1])) + 1
        value = _parabola_top(angle[peak - 1 : peak + 2], along[peak - 1 : peak + 2])
        if value is not None:
            low, high = min(low, value), max(high, value)
    return low, high


def _parabola_top(x: NDArray[np.float64], y: NDArray[np.float64]) -> float | None:
    """Value at the vertex of the parabola through three points, None where it lies outside them.

    A vertex further from the points than they are from one another comes from noise.
    """
    (a, b, c), (p, q, r) = x.tolist(), y.tolist()
    slope_one, slope_two = (q - p) / (b - a) if b != a else math.inf, (r - q) / (c - b) if c != b else math.inf
    if not math.isfinite(slope_one) or not math.isfinite(slope_two) or c == a:
        return None
    bend = (slope_two - slope_one) / (c - a)
    if bend == 0.0:
        return None
    top = (a + b) / 2 - slope_one / (2 * bend)
    if not min(a, c) <= top <= max(a, c):
        return None
    value = float(p + slope_one * (top - a) + bend * (top - a) * (top - b))
    spread = max(p, q, r) - min(p, q, r)
    return value if min(p, q, r) - spread <= value <= max(p, q, r) + spread else None


def runs_along(graph: Graph, line: AxisLine, edge: int) -> bool:
    curve = graph.part.edges[edge].curve
    return isinstance(curve, Line) and abs(float(curve.direction @ line.axis)) > COAXIAL_COS


def _bottom(graph: Graph, line: AxisLine, number: int, sign: Convexity, sense: float) -> str | None:
    """What kind of bottom the region beyond an end border is; None when the end is open there."""
    if number < 0:
        return None
    region = graph.regions[number]
    surface = region.surface
    if isinstance(surface, Plane) and sign is not CONVEX and float(surface.normal @ line.axis) * sense < -ALONG_COS:
        if _has_island(graph, number) or _has_core(graph, line, number):
            return "island"
        return "flat"
    if (
        isinstance(surface, CylinderOrCone)
        and region.convex
        and sign is CONCAVE
        and coaxial(line.origin, line.axis, surface.origin, surface.axis, LOOSE_LENGTH_MM)
    ):
        return "island"  # the leaning wall of a groove around a shaft
    if isinstance(surface, Sphere) and region.convex is False and on_axis(line, surface.center):
        return "spherical"
    return None


def _mostly_around(graph: Graph, floor: int, inside: Collection[int], radius_mm: float) -> bool:
    """Whether at least half of a floor's concave border belongs to the bore, and a quarter of its circle at that.

    Else the bore is a bend in the floor's wall, or the floor a spoke across it.
    """
    own = total = 0.0
    for border in graph.regions[floor].borders:
        if border.sign is not CONVEX:
            length = graph.part.edges[border.edge].length_mm
            total += length
            own += length if border.other in inside else 0.0
    return own >= max(0.5 * total, 0.5 * math.pi * radius_mm)


def _has_island(graph: Graph, number: int) -> bool:
    """Whether something stands up all round an inner ring of this floor."""
    around = rings(graph, number)
    if len(around) < 2:
        return False
    rising = {border.edge for border in graph.regions[number].borders if rises(graph, border)}
    largest = max(around, key=lambda ring: float(np.ptp(ring.points, axis=0).max()))
    return any(rising.issuperset(ring.edges) for ring in around if ring is not largest)


def rises(graph: Graph, border: Border) -> bool:
    """Whether something stands up beyond a border, sharply or out of a fillet."""
    if border.sign is SMOOTH:
        return border.other >= 0 and graph.regions[border.other].convex is False
    return border.sign is CONCAVE


def _has_core(graph: Graph, line: AxisLine, number: int) -> bool:
    """Whether a shaft on the bore's own axis stands on its floor: a ring groove, whatever is left of it."""
    for border in graph.regions[number].borders:
        if border.sign is CONCAVE and border.other >= 0:
            other = graph.regions[border.other]
            if isinstance(other.surface, Cylinder) and other.convex and on_axis(line, other.surface.origin):
                return True
    return False


def on_axis(line: AxisLine, point: Vector) -> bool:
    offset = point - line.origin
    return float(np.linalg.norm(offset - float(offset @ line.axis) * line.axis)) < 5 * SAME_LENGTH_MM
