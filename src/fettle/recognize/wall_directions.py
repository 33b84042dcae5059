"""How walls stand to one another: along one axis, all round it, or face to face."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Plane, Vector
from fettle.jit import njit
from fettle.recognize.graph import Graph, Region, cross, frame, norm, plane_of
from fettle.recognize.tolerances import SAME_SIDE_COS, SAME_SIDE_SIN


def normal_of(graph: Graph, number: int) -> Vector:
    """Outward normal of a region known to be flat."""
    return plane_of(graph.regions[number]).normal


def outward_at(region: Region, points: Vector) -> Vector:
    """Outward normals of a region at points of it, shape (3,) or (k, 3); exact on flat ones and those round an axis."""
    surface = region.surface
    if not isinstance(surface, Cylinder | Cone):
        return np.broadcast_to(region.normal, points.shape)
    away = points - surface.origin
    away = away - np.multiply.outer(away @ surface.axis, surface.axis)
    size = np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-12)
    lean = math.radians(surface.half_angle_deg) if isinstance(surface, Cone) else 0.0
    normals: Vector = away * (math.cos(lean) / size) - surface.axis * math.sin(lean)
    return normals if region.convex else -normals


def common_axis(graph: Graph, members: Sequence[int]) -> Vector | None:
    """The direction that every member runs along, if there is one."""
    distinct: dict[bytes, Vector] = {}
    axis: Vector | None = None
    for number in members:
        surface = graph.regions[number].surface
        if isinstance(surface, Plane):
            distinct.setdefault(surface.normal.tobytes(), surface.normal)
        elif isinstance(surface, Cylinder):
            if axis is not None and abs(float(axis @ surface.axis)) < SAME_SIDE_COS:
                return None
            axis = surface.axis
        else:
            return None
    normals = list(distinct.values())
    if axis is None:
        axis = _largest_cross(normals)
        if axis is None:
            return None
    return axis if all(abs(float(normal @ axis)) < SAME_SIDE_SIN for normal in normals) else None


def _largest_cross(normals: Sequence[Vector]) -> Vector | None:
    best: Vector | None = None
    size = 1e-3
    for normal in normals[1:]:
        square = cross(normals[0], normal)
        length = norm(square)
        if length > size:
            best, size = square / length, length
    return best


def surround(graph: Graph, walls: Sequence[int], axis: Vector) -> bool:
    """Whether walls face the axis from all sides."""
    if not walls:
        return False
    return all_round(np.concatenate([_normals(graph, graph.regions[number]) for number in walls]), axis)


def all_round(directions: Sequence[Vector] | Vector, axis: Vector) -> bool:
    """Whether directions, shape (k, 3), leave no half of the circle around an axis free."""
    if len(directions) == 0:
        return False
    across, up = frame(axis)
    rows = np.asarray(directions)
    angles = np.sort(np.degrees(np.arctan2(rows @ up, rows @ across)))
    gaps = np.diff(angles, append=angles[0] + 360.0)
    return bool(gaps.max() < 179.0)


def _normals(graph: Graph, region: Region) -> Vector:
    """Outward normals, shape (k, 3), of a region that is flat or runs along an axis: one, or some along its curve."""
    surface = region.surface
    if not isinstance(surface, Cylinder):
        return region.normal[None]
    points = np.concatenate([graph.part.edges[border.edge].points for border in region.borders])
    offset = surface.origin - points if region.convex is False else points - surface.origin
    return np.concatenate([offset, region.normal[None]])


def facing_pair(graph: Graph, members: Sequence[int]) -> tuple[int, int] | None:
    """The two flat members that face one another, the largest such pair.

    Walls are compared by falling area, each with those before it: the first that finds a partner has the largest.
    """
    flat = [number for number in members if isinstance(graph.regions[number].surface, Plane)]
    if len(flat) < 2:
        return None
    normals = np.array([normal_of(graph, number) for number in flat])
    points = np.array([graph.regions[number].point for number in flat])
    areas = [graph.regions[number].area_mm2 for number in flat]
    order = sorted(range(len(flat)), key=lambda index: -areas[index])
    first, second = _first_facing(normals, points, np.array(order))
    return (flat[first], flat[second]) if first >= 0 else None


@njit(cache=True)
def _first_facing(normals: Vector, points: Vector, order: NDArray[np.int64]) -> tuple[int, int]:
    """The first wall in the order that faces one before it, with the earliest such; -1 twice where none does."""
    for count in range(1, len(order)):
        for place in range(count):
            low, high = min(order[place], order[count]), max(order[place], order[count])
            lean = ahead = 0.0
            for k in range(3):
                lean += normals[low, k] * normals[high, k]
                ahead += (points[high, k] - points[low, k]) * normals[low, k]
            if lean <= -SAME_SIDE_COS and ahead > 0.0:
                return low, high
    return -1, -1
