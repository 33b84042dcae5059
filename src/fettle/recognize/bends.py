"""BEND: two coaxial cylinders one sheet thickness apart, on a part that is a sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Line, Plane
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, Region, axial_of, coaxial
from fettle.recognize.kinds.bend import BEND, Bend
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM

THICKNESS_SLACK = 0.10
EXTENT_SLACK_DEG = 2.0
HEM_DEG = 180.0
"""By how much a hem turns."""
MAX_BEND_DEG = 185.0
SHEET_FILL = (0.75, 1.02)
"""Volume over half the area times the thickness: 1 for a sheet without edges, far below it for anything else."""


def find_bends(graph: Graph, confidence: float) -> list[Claim[Bend]]:
    """Every bend of a sheet part; nothing on parts that are no sheet."""
    curved = [region for region in graph.regions if _could_bend(graph, region)]
    inner = [region for region in curved if not region.convex]
    outer = [region for region in curved if region.convex]
    lines = _concave_lines(graph) if outer else np.zeros((0, 7))
    by_end: dict[int, list[Region]] = {}
    for region in inner:
        for end in _cut_ends(region):
            by_end.setdefault(end, []).append(region)
    folds = []
    for region in outer:
        ends = sorted(_cut_ends(region))
        beside = {
            one.number: one for end in ends for one in by_end.get(end, []) if len(_cut_ends(one) & set(ends)) >= 2
        }
        fold = _fold(graph, region, list(beside.values()), confidence)
        if fold is None and len(lines):
            length = _sharp_inside_mm(graph, lines, region)
            fold = _bend(graph, region, None, length, confidence) if length > 0 else None
        if fold is not None:
            folds.append(fold)
    if not folds:
        return []
    thickness = float(np.median([fold.feature.thickness_mm for fold in folds]))
    low, high = SHEET_FILL
    area = graph.part.area_mm2 + sum(_hidden_mm2(graph, fold) for fold in folds)
    if not low <= graph.part.volume_mm3 / (0.5 * area * thickness) <= high:
        return []
    return [fold for fold in folds if abs(fold.feature.thickness_mm - thickness) <= THICKNESS_SLACK * thickness]


def _could_bend(graph: Graph, region: Region) -> bool:
    """A cylinder that runs smoothly into flat walls on both sides."""
    if not isinstance(region.surface, Cylinder) or region.extent_deg > MAX_BEND_DEG:
        return False
    return len(_flats(graph, region)) >= 2


def _fold(graph: Graph, outer: Region, inner: Sequence[Region], confidence: float) -> Claim[Bend] | None:
    """The bend of an outer cylinder with the inner one around the same walls."""
    large = axial_of(outer)
    for region in inner:
        small = axial_of(region)
        if (
            small.radius_mm < large.radius_mm
            and abs(region.extent_deg - outer.extent_deg) <= EXTENT_SLACK_DEG
            and coaxial(large.origin, large.axis, small.origin, small.axis, LOOSE_LENGTH_MM)
        ):
            return _bend(graph, outer, region, region.high_mm - region.low_mm, confidence)
    return None


def _cut_ends(region: Region) -> set[int]:
    """The cut edges of the sheet that close the ends of a bend: both its cylinders lead to the same ones."""
    return {border.other for border in region.borders if border.sign is CONVEX}


def _concave_lines(graph: Graph) -> NDArray[np.float64]:
    """Start, direction and length of every straight concave edge, shape (k, 7)."""
    rows = [
        [*edge.points[0].tolist(), *edge.curve.direction.tolist(), edge.length_mm]
        for edge in graph.part.edges
        if edge.convexity is CONCAVE and isinstance(edge.curve, Line)
    ]
    return np.array(rows).reshape(-1, 7)


def _sharp_inside_mm(graph: Graph, lines: NDArray[np.float64], outer: Region) -> float:
    """Length of the concave edges inside a bend without a radius.

    They lie on the cylinder's axis; in a hem that is pressed flat, where its lip ends on the sheet: as high as the axis
    between the two flats.
    """
    surface = axial_of(outer)
    parallel = np.abs(lines[:, 3:6] @ surface.axis) > COAXIAL_COS
    if not parallel.any():
        return 0.0
    offset = lines[:, :3] - surface.origin
    offset = offset - (offset @ surface.axis)[:, None] * surface.axis
    away = np.linalg.norm(offset, axis=1)
    if abs(outer.extent_deg - HEM_DEG) <= EXTENT_SLACK_DEG:
        normal = graph.regions[_flats(graph, outer)[0]].normal
        away = np.abs(offset @ normal)
    on_axis = (away < LOOSE_LENGTH_MM) & parallel
    return min(float(lines[on_axis, 6].sum()), outer.high_mm - outer.low_mm)


def _flats(graph: Graph, region: Region) -> list[int]:
    """The flat walls that a cylinder runs smoothly into, the smallest first."""
    flat = {
        border.other
        for border in region.borders
        if border.sign is SMOOTH and isinstance(graph.regions[border.other].surface, Plane)
    }
    return sorted(flat, key=lambda number: (graph.regions[number].area_mm2, number))


def _hidden_mm2(graph: Graph, fold: Claim[Bend]) -> float:
    """Area that a hem pressed flat hides between its lip and the sheet, where both are one solid."""
    outer = graph.regions[next(iter(fold.roles))]
    flat = fold.feature.inner_radius_mm == 0.0 and abs(outer.extent_deg - HEM_DEG) <= EXTENT_SLACK_DEG
    return 2 * graph.regions[_flats(graph, outer)[0]].area_mm2 if flat else 0.0


def _bend(graph: Graph, outer: Region, inner: Region | None, length_mm: float, confidence: float) -> Claim[Bend]:
    large = axial_of(outer).radius_mm
    small = axial_of(inner).radius_mm if inner is not None else 0.0
    regions = (outer.number,) if inner is None else (outer.number, inner.number)
    bend = Bend(
        faces=graph.faces_of(regions),
        confidence=confidence,
        inner_radius_mm=small,
        outer_radius_mm=large,
        thickness_mm=large - small,
        angle_deg=outer.extent_deg,
        length_mm=length_mm,
        bend_ratio=small / (large - small),
    )
    return Claim(bend, dict.fromkeys(regions, BEND))
