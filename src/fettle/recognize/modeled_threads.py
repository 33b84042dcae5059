"""Threads that are modeled: freeform flanks that wind around the axis of a cylinder.

Their crests and roots are strips of cylinders on one axis, at one height; together with the flanks they are one bore
or one shaft, of the diameter that is left, with the radial extremes as its minor and major diameter.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Cylinder, Freeform
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import Graph, Region, axial_of, frame
from fettle.recognize.tolerances import SAME_LENGTH_MM

LEAST_TURN_DEG = 170.0
"""Least angle of an edge that is called a helix: files cut threads into turns or half turns."""
STRAIGHT = 0.02
"""How far an edge may be from a helix, as a share of its climb."""


@dataclass(frozen=True, slots=True, eq=False)
class Helix:
    """`rounds`: its cylinders, crests and roots; `regions`: all that belongs to it. Radii mm. `lead_mm`: climb of a
    whole turn."""

    rounds: tuple[int, ...]
    regions: frozenset[int]
    minor_radius_mm: float
    major_radius_mm: float
    lead_mm: float


def find_helices(graph: Graph) -> list[Helix]:
    """Every modeled thread, in the order of its first cylinder."""
    pairs: list[tuple[int, int]] = []
    for region in graph.regions:
        if not isinstance(region.surface, Freeform):
            continue
        for border in region.borders:
            if border.other < 0 or not _is_helical(graph, border.edge, graph.regions[border.other]):
                continue
            pairs.append((region.number, border.other))
    groups = connected_groups(dict.fromkeys(number for pair in pairs for number in pair), pairs)
    return sorted((_helix(graph, set(group)) for group in groups), key=lambda helix: helix.rounds)


def _is_helical(graph: Graph, edge: int, round_: Region) -> bool:
    """Whether an edge climbs evenly around the axis of the cylinder that it lies on."""
    return _lead_mm(graph, edge, round_) is not None


def _lead_mm(graph: Graph, edge: int, round_: Region) -> float | None:
    """Climb in a whole turn of an edge that winds evenly around the cylinder that it lies on; None for others."""
    surface = round_.surface
    points = graph.part.edges[edge].points
    if not isinstance(surface, Cylinder) or len(points) < 4:
        return None
    offset = points - surface.origin
    along = offset @ surface.axis
    climb = float(along[-1] - along[0])
    # asked first: most edges of round walls are rims, and angles take ten times as long
    if abs(climb) < STRAIGHT * surface.radius_mm:
        return None
    across, up = frame(surface.axis)
    angle = np.unwrap(np.arctan2(offset @ up, offset @ across))
    turn = float(angle[-1] - angle[0])
    if abs(turn) < np.radians(LEAST_TURN_DEG):
        return None
    even = along[0] + (angle - angle[0]) * (climb / turn)
    if float(np.abs(along - even).max()) > STRAIGHT * abs(climb):
        return None
    return abs(2 * np.pi * climb / turn)


def _helix(graph: Graph, group: set[int]) -> Helix:
    rounds = tuple(sorted(number for number in group if isinstance(graph.regions[number].surface, Cylinder)))
    surface = axial_of(graph.regions[rounds[0]])
    members = set(group)
    flanks = group.difference(rounds)
    around = {border.other for number in flanks for border in graph.regions[number].borders} - group - {-1}
    members |= {number for number in around if _within(graph, number, group)}
    offset = np.concatenate(
        [graph.part.edges[border.edge].points for number in sorted(group) for border in graph.regions[number].borders]
    )
    offset = offset - surface.origin
    radial = np.linalg.norm(offset - (offset @ surface.axis)[:, None] * surface.axis, axis=1)
    radii = [axial_of(graph.regions[number]).radius_mm for number in rounds]
    minor, major = (_as_drawn(value, radii) for value in (float(radial.min()), float(radial.max())))
    leads = [
        lead
        for number in sorted(flanks)
        for border in graph.regions[number].borders
        if border.other in group and (lead := _lead_mm(graph, border.edge, graph.regions[border.other])) is not None
    ]
    return Helix(rounds, frozenset(members), minor, major, float(np.median(leads)))


def _as_drawn(radius_mm: float, radii: Iterable[float]) -> float:
    """The radius of the crest or root that has it, where one of them is a cylinder."""
    return next((exact for exact in radii if abs(exact - radius_mm) < SAME_LENGTH_MM), radius_mm)


def _within(graph: Graph, number: int, group: Iterable[int]) -> bool:
    """Whether nothing but the thread lies around a region: the end of its groove."""
    return {border.other for border in graph.regions[number].borders} <= set(group)
