"""SLAB and WALL: what is left when every other feature has taken its faces."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane
from fettle.recognize.feature import Kind, Slab, Wall
from fettle.recognize.graph import SAME_LENGTH_MM, Graph, Region, direction_groups, triple
from fettle.recognize.outlines import common_area, region_box

SLAB_SPREAD = 3.0
"""Least root of the common area of a slab, in thicknesses."""
LARGE = 1e-3
"""Least share of the part's area for a curved face that no feature took to be a wall; smaller ones have no role."""
HULL_SLACK = 1e-5
"""A face this share of the diagonal inside the hull still lies on it."""


@dataclass(frozen=True, slots=True, eq=False)
class Plate:
    """A slab with its two regions."""

    slab: Slab
    regions: tuple[int, int]


def find_slabs(graph: Graph, taken: Collection[int], confidence: float) -> list[Plate]:
    """Parallel faces with material between them, each paired with the nearest opposite one."""
    flat = [r for r in graph.regions if isinstance(r.surface, Plane) and r.number not in taken]
    groups: dict[int, list[Region]] = {}
    for region, group in zip(flat, direction_groups([region.normal for region in flat]), strict=True):
        groups.setdefault(group, []).append(region)
    found: list[Plate] = []
    for members in groups.values():
        axis = members[0].normal
        down = [region for region in members if float(region.normal @ axis) < 0]
        boxes = np.array([region_box(graph, region) for region in down])
        used: set[int] = set()
        upper = [region for region in members if float(region.normal @ axis) > 0] if down else []
        for region in sorted(upper, key=lambda region: (-region.area_mm2, region.number)):
            plate = _plate(graph, region, down, boxes, used)
            if plate is not None:
                found.append(replace(plate, slab=replace(plate.slab, confidence=confidence)))
                used.add(plate.regions[1])
    return sorted(found, key=lambda plate: plate.regions)


def _plate(
    graph: Graph, region: Region, down: Sequence[Region], boxes: NDArray[np.float64], used: Collection[int]
) -> Plate | None:
    """The slab between a region and the nearest of those that look the other way; `boxes`: shape (down, 2, 3)."""
    thickness = (region.point - np.array([other.point for other in down])) @ region.normal
    limit = math.sqrt(region.area_mm2) / SLAB_SPREAD
    # Opposite faces need not touch: their boxes may be a thickness apart.
    box = region_box(graph, region)
    near = (thickness > 1e-6) & (thickness <= limit)
    reach = thickness[:, None] + SAME_LENGTH_MM
    near &= (boxes[:, 0] <= box[1] + reach).all(axis=1) & (boxes[:, 1] >= box[0] - reach).all(axis=1)
    for index in sorted(np.flatnonzero(near).tolist(), key=lambda item: (float(thickness[item]), item)):
        other = down[index]
        if other.number in used or other.body != region.body:
            continue
        common = common_area(graph, region.number, other.number)
        if common < 0.5 * min(region.area_mm2, other.area_mm2):
            continue
        if math.sqrt(common) < SLAB_SPREAD * float(thickness[index]):
            return None
        slab = Slab(
            kind=Kind.SLAB,
            faces=graph.faces_of((region.number, other.number)),
            thickness_mm=float(thickness[index]),
            overlap_area_mm2=common,
        )
        return Plate(slab, (region.number, other.number))
    return None


def find_walls(graph: Graph, taken: Collection[int], confidence: float) -> list[tuple[int, Wall]]:
    """A WALL for every flat or large region not taken, outer where it lies on the convex hull."""
    left = [
        region
        for region in graph.regions
        if region.number not in taken
        and (isinstance(region.surface, Plane) or region.area_mm2 >= LARGE * graph.part.area_mm2)
    ]
    if not left:
        return []
    reach = _reach(graph, np.array([region.normal for region in left]))
    slack = max(HULL_SLACK * graph.part.diagonal_mm, 1e-3)
    walls = []
    for region, furthest in zip(left, reach.tolist(), strict=True):
        if isinstance(region.surface, Plane) or region.convex is None:
            outer = furthest - float(region.point @ region.normal) < slack
        else:
            outer = region.convex
        wall = Wall(
            kind=Kind.WALL,
            faces=region.faces,
            confidence=confidence,
            outer=outer,
            normal=triple(region.normal) if isinstance(region.surface, Plane) else None,
        )
        walls.append((region.number, wall))
    return walls


def _reach(graph: Graph, normals: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the part's edges reach along each of some directions (n, 3), mm; many walls share a direction."""
    points = np.concatenate([edge.points for edge in graph.part.edges] or [graph.part.box])
    unique, which = np.unique(np.round(normals, 9), axis=0, return_inverse=True)
    furthest = np.array([float((points @ normal).max()) for normal in unique])
    return furthest[which.ravel()]
