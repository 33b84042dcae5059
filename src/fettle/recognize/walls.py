"""SLAB and WALL: what is left when every other feature has taken its faces."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull, QhullError

from fettle.geometry.part import Plane
from fettle.recognize.feature import Kind, Slab, Wall
from fettle.recognize.graph import Graph, Region, rings, triple
from fettle.recognize.polygon import outline, overlap_area, region_outline

SLAB_COS = math.cos(math.radians(0.5))
"""Faces of a slab are parallel; drafted plates are walls."""
SLAB_SPREAD = 3.0
"""Least root of the common area of a slab, in thicknesses."""
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
    found: list[Plate] = []
    for group in _by_direction(flat):
        axis = group[0].normal
        up = [region for region in group if float(region.normal @ axis) > 0]
        down = [region for region in group if float(region.normal @ axis) < 0]
        if not down:
            continue
        below = np.array([float(region.point @ axis) for region in down])
        low = np.array([_box(graph, region)[0] for region in down])
        high = np.array([_box(graph, region)[1] for region in down])
        used: set[int] = set()
        for region in sorted(up, key=lambda region: (-region.area_mm2, region.number)):
            plate = _plate(graph, region, down, below, low, high, used, confidence)
            if plate is not None:
                found.append(plate)
                used.add(plate.regions[1])
    return sorted(found, key=lambda plate: plate.regions)


def _by_direction(flat: Sequence[Region]) -> list[list[Region]]:
    """Regions grouped by normal, either way round, within the slab angle; groups in order of their first region."""
    if not flat:
        return []
    normals = np.array([region.normal for region in flat])
    lead = np.argmax(np.abs(normals) > 0.5, axis=1)
    normals = normals * np.where(normals[np.arange(len(flat)), lead] < 0, -1.0, 1.0)[:, None]
    groups: dict[tuple[float, ...], list[Region]] = {}
    for region, key in zip(flat, (np.round(normals, 3) + 0.0).tolist(), strict=True):
        groups.setdefault(tuple(key), []).append(region)
    return list(groups.values())


def _box(graph: Graph, region: Region) -> NDArray[np.float64]:
    boxes = np.array([graph.part.faces[face].box for face in region.faces])
    return np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])


def _plate(
    graph: Graph,
    region: Region,
    down: Sequence[Region],
    below: NDArray[np.float64],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    used: Collection[int],
    confidence: float,
) -> Plate | None:
    thickness = float(region.point @ region.normal) - below * (1.0 if down[0].normal @ region.normal < 0 else -1.0)
    box = _box(graph, region)
    limit = math.sqrt(region.area_mm2) / SLAB_SPREAD
    reach = np.where(np.abs(region.normal) > 0.5, math.inf, 1e-6)
    near = (thickness > 1e-6) & (thickness <= limit)
    near &= (low <= box[1] + reach).all(axis=1) & (high >= box[0] - reach).all(axis=1)
    for index in sorted(np.flatnonzero(near).tolist(), key=lambda item: (thickness[item], item)):
        other = down[index]
        if other.number in used or other.body != region.body:
            continue
        first, origin, across, up = region_outline(graph, region.number)
        second = outline([ring.points for ring in rings(graph, other.number)], origin, across, up)
        common = float(overlap_area(first, second))
        if common < 0.5 * min(region.area_mm2, other.area_mm2):
            continue
        if math.sqrt(common) < SLAB_SPREAD * float(thickness[index]):
            return None
        slab = Slab(
            kind=Kind.SLAB,
            faces=graph.faces_of((region.number, other.number)),
            confidence=confidence,
            thickness_mm=float(thickness[index]),
            overlap_area_mm2=common,
        )
        return Plate(slab, (region.number, other.number))
    return None


def find_walls(graph: Graph, taken: Collection[int], confidence: float) -> list[tuple[int, Wall]]:
    """A WALL for every region not taken, outer where it lies on the convex hull."""
    left = [region for region in graph.regions if region.number not in taken]
    if not left:
        return []
    hull = _hull_points(graph)
    slack = max(HULL_SLACK * graph.part.diagonal_mm, 1e-3)
    walls = []
    for region in left:
        if isinstance(region.surface, Plane) or region.convex is None:
            beyond = float((hull @ region.normal).max() - region.point @ region.normal)
            outer = beyond < slack
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


def _hull_points(graph: Graph) -> NDArray[np.float64]:
    """Corners of the convex hull of all edges, shape (k, 3)."""
    points = np.concatenate([edge.points for edge in graph.part.edges] or [graph.part.box])
    points = np.concatenate([points, graph.part.box]) if len(points) < 4 else points
    try:
        return points[ConvexHull(points).vertices]
    except QhullError:  # all points in one plane: they are their own hull
        return points
