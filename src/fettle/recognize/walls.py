"""WALL: what is left when every other feature has taken its faces."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, triple
from fettle.recognize.kinds.wall import INNER_WALL, OUTER_WALL, Wall
from fettle.recognize.tolerances import SAME_LENGTH_MM

LARGE = 1e-3
"""Least share of the part's area for a curved face that no feature took to be a wall; smaller ones have no role."""
MOST_PRODUCTS = 1_000_000
"""Products of directions and points that are held at a time."""
HULL_SLACK = 1e-5
"""A face this share of the diagonal inside the hull still lies on it."""


def find_walls(graph: Graph, taken: Collection[int], confidence: float) -> list[Claim[Wall]]:
    """A WALL for every flat or large region not taken, outer where it lies on the convex hull."""
    left = [
        region
        for region in graph.regions
        if region.number not in taken
        and (isinstance(region.surface, Plane) or region.area_mm2 >= LARGE * graph.part.area_mm2)
    ]
    if not left:
        return []
    slack = max(HULL_SLACK * graph.part.diagonal_mm, SAME_LENGTH_MM)
    numbers = [region.number for region in left]
    normals, own = graph.normals[numbers], (graph.points[numbers] * graph.normals[numbers]).sum(axis=1)
    reach = _reach(graph, normals, own + 2 * slack)
    walls = []
    for region, furthest, level in zip(left, reach.tolist(), own.tolist(), strict=True):
        if isinstance(region.surface, Plane) or region.convex is None:
            outer = furthest - level < slack
        else:
            outer = region.convex
        wall = Wall(
            faces=region.faces,
            confidence=confidence,
            outer=outer,
            normal=triple(region.normal) if isinstance(region.surface, Plane) else None,
        )
        walls.append(Claim(wall, {region.number: OUTER_WALL if outer else INNER_WALL}))
    return walls


def _reach(graph: Graph, normals: NDArray[np.float64], enough_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the part's edges reach along each of some directions (n, 3), mm, or anything above what is enough (n,).

    Many walls share a direction, and most lie far inside the hull: one point of each edge tells.
    """
    edges = graph.part.edges
    places: dict[tuple[float, ...], int] = {}
    which = [places.setdefault(tuple(normal), len(places)) for normal in np.round(normals, 9).tolist()]
    ways = np.array(list(places))
    points = np.concatenate([edge.points for edge in edges] or [graph.part.box])
    some = points[np.cumsum([0, *(len(edge.points) for edge in edges[:-1])])] if edges else points
    step = max(1, MOST_PRODUCTS // len(some))
    reach = np.concatenate([(ways[k : k + step] @ some.T).max(axis=1) for k in range(0, len(ways), step)])
    for way in sorted({which[row] for row in np.flatnonzero(reach[which] <= enough_mm).tolist()}):
        reach[way] = float((points @ ways[way]).max())
    furthest: NDArray[np.float64] = reach[which]
    return furthest
