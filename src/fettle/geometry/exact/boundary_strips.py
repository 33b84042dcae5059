"""How much volume a boundary that is not known exactly leaves open: strips along it, seen from the body's middle."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.surfaces.encoding import FREEFORM
from fettle.geometry.surfaces.projection import project
from fettle.jit import njit

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@njit(cache=True)
def strip_volumes(
    kinds: NDArray[np.int8],
    rows: Array,
    mean_height: Array,
    references: Array,
    points: Array,
    steps: Array,
    start: Index,
    faces: Index,
    widths: Array,
) -> Array:
    """Shape (n,) mm3: flux through a strip of widths[i] along piece i of a boundary, on the surface of faces[i].

    Piece i owns rows start[i] to start[i + 1] of points and steps (tangent times quadrature weight). kinds, rows: of
    the surfaces, as in `surfaces.encoding`; mean_height (faces,): of a freeform face above its point of
    `references` (faces, 3), along its normal, which on other surfaces is computed at each point."""
    volumes = np.zeros(len(faces))
    for piece in range(len(faces)):
        if widths[piece] == 0.0:
            continue
        f = faces[piece]
        for k in range(start[piece], start[piece + 1]):
            height = mean_height[f]
            if kinds[f] != FREEFORM:
                on = project(kinds[f], rows[f], points[k, 0], points[k, 1], points[k, 2])
                height = abs(
                    (on[0] - references[f, 0]) * on[3]
                    + (on[1] - references[f, 1]) * on[4]
                    + (on[2] - references[f, 2]) * on[5]
                )
            length = math.sqrt(steps[k, 0] ** 2 + steps[k, 1] ** 2 + steps[k, 2] ** 2)
            volumes[piece] += widths[piece] * length * height / 3.0
    return volumes
