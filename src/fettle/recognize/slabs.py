"""SLAB: parallel faces with material between them, far wider than they are apart."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.recognize.directions import flat_directions
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, Region
from fettle.recognize.kinds.slab import SLAB_FACE, Slab
from fettle.recognize.outlines import common_area, region_box
from fettle.recognize.tolerances import LEAST_OVERLAP, ROUNDING, SAME_LENGTH_MM

Box: TypeAlias = Sequence[Sequence[float]]
"""Lower and upper corner."""

SLAB_SPREAD = 3.0
"""Least root of the common area of a slab, in thicknesses."""


def find_slabs(graph: Graph, taken: Collection[int], confidence: float) -> list[Claim[Slab]]:
    """Parallel faces with material between them, each paired with the nearest opposite one."""
    groups: dict[int, list[Region]] = {}
    for region, group in zip(graph.regions, flat_directions(graph), strict=True):
        if group >= 0 and region.number not in taken:
            groups.setdefault(group, []).append(region)
    found: list[Claim[Slab]] = []
    for members in groups.values():
        along = (graph.normals[[region.number for region in members]] @ members[0].normal).tolist()
        down = [region for region, way in zip(members, along, strict=True) if way < 0]
        upper = [region for region, way in zip(members, along, strict=True) if way > 0]
        if not down or not upper:
            continue
        boxes = [region_box(graph, region).tolist() for region in down]
        points = graph.points[[region.number for region in down]]
        used: set[int] = set()
        for region in sorted(upper, key=lambda region: (-region.area_mm2, region.number)):
            slab = _slab(graph, region, down, points, boxes, used)
            if slab is not None:
                found.append(Claim(replace(slab.feature, confidence=confidence), slab.roles))
                used.update(slab.roles)
    return sorted(found, key=lambda slab: tuple(slab.roles))


def _slab(
    graph: Graph,
    region: Region,
    down: Sequence[Region],
    points: NDArray[np.float64],
    boxes: Sequence[Box],
    used: Collection[int],
) -> Claim[Slab] | None:
    """The slab between a region and the nearest of those that look the other way; `points`: shape (down, 3), one of
    each of them, `boxes`: their boxes."""
    thickness = (region.point - points) @ region.normal
    limit = math.sqrt(region.area_mm2) / SLAB_SPREAD
    near = np.flatnonzero((thickness > ROUNDING) & (thickness <= limit))
    if not len(near):
        return None
    box = region_box(graph, region).tolist()
    for apart, index in sorted(zip(thickness[near].tolist(), near.tolist(), strict=True)):
        other = down[index]
        if other.number in used or other.body != region.body:
            continue
        # Opposite faces need not touch: their boxes may be a thickness apart.
        if not _within(box, boxes[index], apart + SAME_LENGTH_MM):
            continue
        common = common_area(graph, region.number, other.number)
        if common < LEAST_OVERLAP * min(region.area_mm2, other.area_mm2):
            continue
        if math.sqrt(common) < SLAB_SPREAD * apart:
            return None
        slab = Slab(
            faces=graph.faces_of((region.number, other.number)),
            thickness_mm=apart,
            overlap_area_mm2=common,
        )
        return Claim(slab, dict.fromkeys((region.number, other.number), SLAB_FACE))
    return None


def _within(one: Box, two: Box, reach_mm: float) -> bool:
    """Whether two boxes are nowhere further apart than this along an axis."""
    for low, far, near, high in zip(two[0], two[1], one[0], one[1], strict=True):
        if low > high + reach_mm or far < near - reach_mm:
            return False
    return True
