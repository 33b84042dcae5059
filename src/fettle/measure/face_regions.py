"""Face sets: which faces have a property on enough of their area, and which faces are connected by edges."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part

MIN_FRACTION = 0.05
MIN_AREA_MM2 = 1.0
"""A face has a property if more than this fraction and more than this area of it have: less is a sliver."""


def significant_faces(area_mm2: NDArray[np.float64], face_area_mm2: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mask (faces,) of the faces that have a property which area_mm2 (faces,) of their face_area_mm2 (faces,) has."""
    enough: NDArray[np.bool_] = (area_mm2 > MIN_FRACTION * face_area_mm2) & (area_mm2 > MIN_AREA_MM2)
    return enough


def connected(part: Part, faces: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Groups of the given faces that are connected by edges, each ascending, in the order of their smallest face.

    A flood fill: for some dozens of faces scipy's connected components take ten times as long.
    """
    neighbors: dict[int, list[int]] = {face: [] for face in sorted(faces)}
    for edge in part.edges:
        a, b = edge.faces
        if a in neighbors and b in neighbors:
            neighbors[a].append(b)
            neighbors[b].append(a)
    groups: list[tuple[int, ...]] = []
    visited: set[int] = set()
    for face in neighbors:
        if face in visited:
            continue
        visited.add(face)
        group = [face]
        for member in group:  # grows while it is walked
            new = set(neighbors[member]) - visited
            visited |= new
            group += new
        groups.append(tuple(sorted(group)))
    return tuple(groups)
