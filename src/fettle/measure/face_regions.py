"""Faces as areas: when a share of a face counts for the face, and which faces hang together."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part

COUNTING_SHARE = 0.05
COUNTING_AREA_MM2 = 1.0
"""A face has a property when more than this share of it and more than this area of it has: less is a sliver."""


def counting(part_area_mm2: NDArray[np.float64], whole_area_mm2: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which faces (f,) have enough of their area picked."""
    enough: NDArray[np.bool_] = (part_area_mm2 > COUNTING_SHARE * whole_area_mm2) & (part_area_mm2 > COUNTING_AREA_MM2)
    return enough


def connected(part: Part, faces: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Groups of faces joined by edges, each ascending, in the order of their smallest face."""
    group = {face: face for face in sorted(faces)}

    def root(face: int) -> int:
        while group[face] != face:
            group[face] = group[group[face]]
            face = group[face]
        return face

    for edge in part.edges:
        a, b = edge.faces
        if a in group and b in group:
            low, high = sorted((root(a), root(b)))
            group[high] = low
    members: dict[int, list[int]] = {}
    for face in group:
        members.setdefault(root(face), []).append(face)
    return tuple(tuple(found) for found in members.values())
