"""Directions grouped by equality, either way round."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from fettle.geometry.part import Vector
from fettle.recognize.tolerances import SAME_ANGLE_SIN

FEW = 32
"""Directions up to which plain comparison is faster than a search tree."""


def direction_groups(directions: Sequence[Vector]) -> list[int]:
    """Group number of each direction; directions within 0.1 degrees, either way round, are one group."""
    if not directions:
        return []
    if len(directions) <= FEW:
        return _few_groups(directions)
    # Rounding first keeps the search small where thousands of faces look one way.
    rounded = np.round(np.array(directions), 4) + 0.0
    unique, first = np.unique(np.concatenate([rounded, -rounded]), axis=0, return_inverse=True)
    labels = first.ravel()
    pairs = cKDTree(unique).query_pairs(2 * SAME_ANGLE_SIN, output_type="ndarray")
    count = len(directions)
    rows = np.concatenate([pairs[:, 0], labels[:count]])
    columns = np.concatenate([pairs[:, 1], labels[count:]])
    links = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(unique), len(unique)))
    _, group = connected_components(links, directed=False)
    grouped: list[int] = group[labels[:count]].tolist()
    return grouped


def _few_groups(directions: Sequence[Vector]) -> list[int]:
    """The same for a handful, without building a search tree."""
    known: list[tuple[float, float, float]] = []
    groups = []
    for x, y, z in (direction.tolist() for direction in directions):
        for group, (a, b, c) in enumerate(known):
            if math.hypot(y * c - z * b, z * a - x * c, x * b - y * a) < 2 * SAME_ANGLE_SIN:
                groups.append(group)
                break
        else:
            groups.append(len(known))
            known.append((x, y, z))
    return groups
