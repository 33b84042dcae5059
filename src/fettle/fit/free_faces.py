# mypy: allow-untyped-defs, allow-untyped-calls
"""How much of each face has a free way straight out of it, compiled."""

from __future__ import annotations

import numpy as np

from fettle.jit import njit


@njit(cache=True)
def free_shares(point_face, area, near, ray, opposite, adjoining, count):
    """Share of the area of each face (count,) that sees nothing along its normal, or only a face that adjoins it.

    Of every point: its face, area, whether its reading is of a wall nearby, how far it sees (nan or inf for endlessly)
    and which face, all (n,). Points with a reading of a wall nearby count only on faces without others. adjoining (k,):
    one face times `count` plus the other of every pair that adjoins, sorted.
    """
    apart, whole, stopped = np.zeros(count, np.bool_), np.zeros(count), np.zeros(count)
    for i in range(len(point_face)):
        if not near[i]:
            apart[point_face[i]] = True
    for i in range(len(point_face)):
        face = point_face[i]
        if near[i] and apart[face]:
            continue
        whole[face] += area[i]
        if np.isfinite(ray[i]):
            pair = np.int64(face) * count + opposite[i]
            at = np.searchsorted(adjoining, pair)
            if at == len(adjoining) or adjoining[at] != pair:
                stopped[face] += area[i]
    return 1.0 - stopped / np.where(whole > 0.0, whole, 1.0)
