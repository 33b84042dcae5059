"""Face sets: which faces have a property on enough of their area, and which faces are connected by edges."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fettle.geometry.part import Part

MIN_FRACTION = 0.05
MIN_AREA_MM2 = 1.0
"""A face has a property if more than this fraction and more than this area of it have: less is a sliver."""


def significant_faces(area_mm2: NDArray[np.float64], face_area_mm2: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Mask (faces,) of the faces that have a property which area_mm2 (faces,) of their face_area_mm2 (faces,) has."""
    enough: NDArray[np.bool_] = (area_mm2 > MIN_FRACTION * face_area_mm2) & (area_mm2 > MIN_AREA_MM2)
    return enough


def connected(part: Part, faces: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    """Groups of the given faces that are connected by edges, each ascending, in the order of their smallest face."""
    members = np.unique(np.fromiter(faces, np.int64))
    if len(members) == 0:
        return ()
    inside = np.zeros(len(part.faces) + 1, np.bool_)  # the last one is for -1, the missing face of an open edge
    inside[members] = True
    links = np.array([edge.faces for edge in part.edges], np.int64).reshape(-1, 2)
    links = np.searchsorted(members, links[inside[links].all(axis=1)])
    if len(links) == 0:
        return tuple((face,) for face in members.tolist())
    graph = coo_array((np.ones(len(links), np.bool_), links.T), shape=(len(members), len(members)))
    group = connected_components(graph, directed=False)[1]
    order = np.argsort(group, kind="stable")
    groups = np.split(members[order], np.flatnonzero(np.diff(group[order])) + 1)
    return tuple(tuple(found.tolist()) for found in groups)
