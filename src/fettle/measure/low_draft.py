# mypy: allow-untyped-defs
"""Low draft by face: how much of each face has less draft than a limit, and between which heights, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit
from fettle.measure.draft_limits import STEEP_DEG


@njit(cache=True)
def low_draft_by_face(signed_deg, effective_deg, heights, point_face, area, count, limit_deg):
    """Area (count,) of each of so many faces, the area (count,) of its steep points with less draft than the limit,
    whether it has steep points at all (count,), and the least and the largest height (count,) of those of low draft;
    inf and -inf for none. Draft, height, face and area (n,) of the points; nan is no draft."""
    whole, low, steep = np.zeros(count), np.zeros(count), np.zeros(count, np.bool_)
    bottom, top = np.full(count, np.inf), np.full(count, -np.inf)
    for i in range(len(point_face)):
        face = point_face[i]
        whole[face] += area[i]
        if abs(signed_deg[i]) < STEEP_DEG:
            steep[face] = True
            if effective_deg[i] < limit_deg:
                low[face] += area[i]
                bottom[face], top[face] = min(bottom[face], heights[i]), max(top[face], heights[i])
    return whole, low, steep, bottom, top
