"""How walls stand to one another: along one axis, all round it, or face to face."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, CylinderOrCone, Vector
from fettle.jit import njit
from fettle.recognize.graph import Graph, Region, cross, frame, norm, plane_of
from fettle.recognize.tolerances import SAME_SIDE_COS, SAME_SIDE_SIN

HALF_FREE = math.radians(179.0)
"""A gap between directions that leaves half of a circle free."""


def normal_of(graph: Graph, number: int) -> Vector:
    """Outward normal of a region known to be flat."""
    return plane_of(graph.regions[number]).normal


def outward_at(region: Region, points: Vector) -> Vector:
    """Outward normals of a region at points of it, shape (3,) or (k, 3); exact on flat ones and those round an axis."""
    surface = region.surface
    if not isinstance(surface, CylinderOrCone):
        return region.normal if points.ndim == 1 else np.broadcast_to(region.normal, points.shape)
    away = points - surface.origin
    away = away - np.multiply.outer(away @ surface.axis, surface.axis)
    size = np.maximum(np.linalg.norm(away, axis=-1, keepdims=True), 1e-12)
    lean = math.radians(surface.half_angle_deg) if isinstance(surface, Cone) else 0.0
    normals: Vector = away * (math.cos(lean) / size) - surface.axis * math.sin(lean)
    return normals if region.convex else -normals


def common_axis(graph: Graph, members: tuple[int, ...]) -> Vector | None:
    """The direction that every member runs along, if there is one; worked out once."""
    if members not in graph.axis_cache:
        graph.axis_cache[members] = _common_axis(graph, members)
    return graph.axis_cache[members]


def _common_axis(graph: Graph, members: Sequence[int]) -> Vector | None:
    distinct: dict[tuple[float, float, float], int] = {}
    axis: Vector | None = None
    for number in members:
        plane = graph.planes[number]
        if plane is not None:
            distinct.setdefault(plane[:3], number)
            continue
        surface = graph.regions[number].surface
        if not isinstance(surface, Cylinder):
            return None
        if axis is not None and abs(float(axis @ surface.axis)) < SAME_SIDE_COS:
            return None
        axis = surface.axis
    if axis is None:
        axis = _largest_cross([normal_of(graph, number) for number in distinct.values()])
        if axis is None:
            return None
    x, y, z = axis.tolist()
    return axis if all(abs(a * x + b * y + c * z) < SAME_SIDE_SIN for a, b, c in distinct) else None


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


def all_round(directions: Sequence[tuple[float, float, float]] | Vector, axis: Vector) -> bool:
    """Whether directions, shape (k, 3), leave no half of the circle around an axis free."""
    if len(directions) == 0:
        return False
    across, up = frame(axis)
    rows = np.asarray(directions)
    angles = np.arctan2(rows @ up, rows @ across)
    angles.sort()
    if float(angles[0] - angles[-1]) + 2 * math.pi >= HALF_FREE:
        return False
    return len(angles) < 2 or float((angles[1:] - angles[:-1]).max()) < HALF_FREE


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
    flat = [number for number in members if graph.planes[number] is not None]
    if len(flat) < 2:
        return None
    areas = [graph.regions[number].area_mm2 for number in flat]
    order = sorted(range(len(flat)), key=lambda index: -areas[index])
    first, second = _first_facing(graph.normals[flat], graph.points[flat], np.array(order))
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
