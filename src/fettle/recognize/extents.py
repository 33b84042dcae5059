"""Extents of regions along directions: how far they reach, how deep they lie and how far apart they are."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane, Vector
from fettle.recognize.graph import Graph, plane_of
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import HALF_RIGHT_COS

if TYPE_CHECKING:
    from fettle.recognize.contracted_graph import ContractedGraph


def boundary_points(graph: Graph, regions: Iterable[int]) -> NDArray[np.float64]:
    """Points of all borders of the regions, shape (k, 3); those of single regions are worked out once."""
    numbers = tuple(regions)
    if len(numbers) != 1:
        return _border_points(graph, numbers)
    known = graph.point_cache.get(numbers[0])
    if known is None:
        known = graph.point_cache[numbers[0]] = _border_points(graph, numbers)
        known.setflags(write=False)
    return known


def _border_points(graph: Graph, regions: Iterable[int]) -> NDArray[np.float64]:
    edges = sorted({border.edge for number in regions for border in graph.regions[number].borders})
    return np.concatenate([graph.part.edges[edge].points for edge in edges])


def reach_points(contracted: ContractedGraph, regions: Collection[int], direction: Vector) -> NDArray[np.float64]:
    """Boundary points of a cut that bound its extent along a direction, shape (k, 3), blended rims included; those
    of an edge between two of the regions come twice.

    A rim that has been rounded or chamfered lies across a blend from a face that looks along the direction.
    """
    rims = {
        link.via
        for number in regions
        for link in contracted.links[number]
        if link.via is not None
        and link.sign is CONVEX
        and link.other not in regions
        and abs(float(contracted.graph.regions[link.other].normal @ direction)) > HALF_RIGHT_COS
    }
    return np.concatenate([boundary_points(contracted.graph, [number]) for number in (*regions, *rims)])


def depth_from_floor(contracted: ContractedGraph, floor: int, regions: Collection[int], axis: Vector) -> float:
    """How far a cut reaches above its flat floor, mm."""
    points = reach_points(contracted, regions, axis)
    return float(((points - contracted.graph.regions[floor].point) @ axis).max())


def extent_mm(points: NDArray[np.float64], direction: Vector) -> float:
    """Size of a set of points along a unit direction."""
    along = points @ direction
    return float(along.max() - along.min())


def gap_mm(graph: Graph, one: int, two: int) -> float:
    """Distance between two flat walls, taken at the middle of the first."""
    surface = plane_of(graph.regions[one])
    center = boundary_points(graph, [two]).mean(axis=0)
    return abs(float((center - surface.origin) @ surface.normal))


def width_at(one: Plane, two: Plane, side: Vector, up: Vector, height_mm: float) -> float:
    """Distance along `side` between two planes at a height: how far the second lies beyond the first."""
    (sx, sy, sz), (ux, uy, uz) = side.tolist(), up.tolist()
    marks: list[float] = []
    for plane in (one, two):
        (x, y, z), (nx, ny, nz) = plane.origin.tolist(), plane.normal.tolist()
        foot_mm = x * nx + y * ny + z * nz - (nx * ux + ny * uy + nz * uz) * height_mm
        marks.append(foot_mm / (nx * sx + ny * sy + nz * sz))
    return marks[1] - marks[0]
