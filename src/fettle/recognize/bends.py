"""BEND: two coaxial cylinders one sheet thickness apart, on a part that is a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Convexity, Cylinder, Line, Plane
from fettle.recognize.feature import Bend, Kind
from fettle.recognize.graph import Graph, Region, axial_of, coaxial

THICKNESS_SLACK = 0.10
EXTENT_SLACK_DEG = 2.0
MAX_BEND_DEG = 185.0
"""A hem turns by 180 degrees."""
SHEET_FILL = (0.75, 1.02)
"""Volume over half the area times the thickness: 1 for a sheet without edges, far below it for anything else."""


@dataclass(frozen=True, slots=True, eq=False)
class Folded:
    """A bend with its one or two regions."""

    bend: Bend
    regions: tuple[int, ...]


def find_bends(graph: Graph, confidence: float) -> list[Folded]:
    """Every bend of a sheet part; nothing on parts that are no sheet."""
    curved = [region for region in graph.regions if _could_bend(graph, region)]
    inner = [region for region in curved if not region.convex]
    outer = [region for region in curved if region.convex]
    folds = [fold for region in outer if (fold := _fold(graph, region, inner, confidence)) is not None]
    if not folds:
        return []
    thickness = float(np.median([fold.bend.thickness_mm for fold in folds]))
    low, high = SHEET_FILL
    if not low <= graph.part.volume_mm3 / (0.5 * graph.part.area_mm2 * thickness) <= high:
        return []
    return [fold for fold in folds if abs(fold.bend.thickness_mm - thickness) <= THICKNESS_SLACK * thickness]


def _could_bend(graph: Graph, region: Region) -> bool:
    """A cylinder that runs smoothly into flat walls on both sides."""
    if not isinstance(region.surface, Cylinder) or region.extent_deg > MAX_BEND_DEG:
        return False
    flat = {
        border.other
        for border in region.borders
        if border.sign is Convexity.SMOOTH and isinstance(graph.regions[border.other].surface, Plane)
    }
    return len(flat) >= 2


def _fold(graph: Graph, outer: Region, inner: Sequence[Region], confidence: float) -> Folded | None:
    large = outer.surface
    if not isinstance(large, Cylinder):
        return None
    for region in inner:
        small = region.surface
        if (
            isinstance(small, Cylinder)
            and small.radius_mm < large.radius_mm
            and abs(region.extent_deg - outer.extent_deg) <= EXTENT_SLACK_DEG
            and coaxial(large.origin, large.axis, small.origin, small.axis, 1e-2)
            and _share_ends(outer, region)
        ):
            length = region.high_mm - region.low_mm
            return _bend(graph, outer, region, length, confidence)
    length = _sharp_inside_mm(graph, large)
    if length > 0:
        return _bend(graph, outer, None, length, confidence)
    return None


def _share_ends(one: Region, two: Region) -> bool:
    """Whether cut edges of the sheet close both ends: two borders of each lead to the same faces."""
    ends = [{b.other for b in region.borders if b.sign is Convexity.CONVEX} for region in (one, two)]
    return len(ends[0] & ends[1]) >= 2


def _sharp_inside_mm(graph: Graph, surface: Cylinder) -> float:
    """Length of the concave edges on the cylinder's axis: the inside of a bend without a radius."""
    total = 0.0
    for edge in graph.part.edges:
        if edge.convexity is not Convexity.CONCAVE or not isinstance(edge.curve, Line):
            continue
        offset = edge.points[0] - surface.origin
        away = offset - float(offset @ surface.axis) * surface.axis
        if float(np.linalg.norm(away)) < 1e-2 and abs(float(edge.curve.direction @ surface.axis)) > 1 - 1e-5:
            total += edge.length_mm
    return total


def _bend(graph: Graph, outer: Region, inner: Region | None, length_mm: float, confidence: float) -> Folded:
    large = axial_of(outer).radius_mm
    small = axial_of(inner).radius_mm if inner is not None else 0.0
    regions = (outer.number,) if inner is None else (outer.number, inner.number)
    bend = Bend(
        kind=Kind.BEND,
        faces=graph.faces_of(regions),
        confidence=confidence,
        inner_radius_mm=small,
        outer_radius_mm=large,
        thickness_mm=large - small,
        angle_deg=outer.extent_deg,
        length_mm=length_mm,
        bend_ratio=small / (large - small),
    )
    return Folded(bend, regions)
