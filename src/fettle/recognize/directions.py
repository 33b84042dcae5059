"""Directions grouped by equality, either way round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.near_pairs import near_pairs
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import Graph
from fettle.recognize.tolerances import SAME_ANGLE_SIN

FEW = 32
"""Directions up to which plain comparison is faster than a sorted search."""


@lru_cache(maxsize=1)
def flat_directions(graph: Graph) -> tuple[int, ...]:
    """For each region the number of its direction among those of all flat ones, -1 for the others; kept for the last
    graph."""
    flat = [number for number, plane in enumerate(graph.planes) if plane is not None]
    groups = [-1] * len(graph.regions)
    for number, group in zip(flat, direction_groups(graph.normals[flat]), strict=True):
        groups[number] = group
    return tuple(groups)


def direction_groups(directions: NDArray[np.float64]) -> list[int]:
    """Group number of each direction, shape (k, 3); directions within 0.1 degrees, either way round, are one group."""
    if len(directions) <= FEW:
        return _few_groups(directions.tolist())
    # Rounding first keeps the search small where thousands of faces look one way.
    rounded = (np.round(directions, 4) + 0.0).tolist()
    places: dict[tuple[float, ...], int] = {}
    labels = [places.setdefault(tuple(one), len(places)) for one in rounded]
    different = np.array(list(places))
    both = np.concatenate([different, -different])
    pairs = near_pairs(both, 2 * SAME_ANGLE_SIN).tolist()
    count = len(different)
    joined = connected_groups(range(count), [(one % count, two % count) for one, two in pairs])
    group_of = {item: number for number, group in enumerate(joined) for item in group}
    return [group_of[label] for label in labels]


def _few_groups(directions: Sequence[Sequence[float]]) -> list[int]:
    """The same for a handful, without sorting."""
    known: list[tuple[float, float, float]] = []
    groups = []
    for x, y, z in directions:
        for group, (a, b, c) in enumerate(known):
            if math.hypot(y * c - z * b, z * a - x * c, x * b - y * a) < 2 * SAME_ANGLE_SIN:
                groups.append(group)
                break
        else:
            groups.append(len(known))
            known.append((x, y, z))
    return groups
