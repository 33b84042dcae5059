"""Walls as patches: the thickness that a face has over an area worth calling a wall.

The thinnest reading of a face may be the tip of a wedge, a chamfer's edge or a web of a square millimeter between two
holes. A wall is thin when a patch of it is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.readings import Method, WallField

WEDGE = 1.05
"""Across a wedge the ray is longer than the ball between its sides: by more than this from 25 degrees on."""
PATCH_SHARE = 0.05
"""A patch is at least this share of its face, as in every reading of a face."""


@dataclass(frozen=True, slots=True, eq=False)
class WallPatches:
    """thickness_mm (faces,): thickness that a patch of each face stays at or below, nan where the face has no such
    patch between two walls; thinnest (faces,): the mesh point with the thinnest reading, -1 for none."""

    thickness_mm: NDArray[np.float64]
    thinnest: NDArray[np.int64]


def measure_wall_patches(
    mesh: Mesh, thickness: WallField, area_mm2: NDArray[np.float64], face_count: int, patch_mm2: float
) -> WallPatches:
    """Thickness of the thinnest patch of `patch_mm2` (or of 5 % of the face, if that is more) of each face.

    area_mm2 (n,): of the mesh points. Readings across wedges and those of narrow sides, which take over the thickness
    of the wall beside them, are left out.
    """
    rows = np.flatnonzero(_across_walls(thickness))
    rows = rows[np.lexsort((thickness.value_mm[rows], mesh.point_face[rows]))]
    face = mesh.point_face[rows]
    upto = np.cumsum(area_mm2[rows])
    first = np.searchsorted(face, np.arange(face_count))
    ends = np.searchsorted(face, np.arange(face_count), side="right")
    before = np.where(first > 0, upto[np.maximum(first, 1) - 1], 0.0) if len(rows) else np.zeros(face_count)
    whole = np.bincount(mesh.point_face, weights=area_mm2, minlength=face_count)
    # A hair less than the patch, so that a face of just that area has one.
    at = np.searchsorted(upto, before + (1.0 - 1e-9) * np.maximum(patch_mm2, PATCH_SHARE * whole))
    found = at < ends
    values = np.full(face_count, np.nan)
    values[found] = thickness.value_mm[rows[at[found]]]
    thinnest = np.full(face_count, -1)
    thinnest[found] = rows[first[found]]
    return WallPatches(values, thinnest)


def _across_walls(thickness: WallField) -> NDArray[np.bool_]:
    """Points (n,) whose reading goes from one side of a wall to the other."""
    measured = (thickness.method == Method.RAY) | (thickness.method == Method.BALL)
    with np.errstate(invalid="ignore"):
        wedge = thickness.ray_mm > WEDGE * thickness.ball_mm
    across: NDArray[np.bool_] = (thickness.method == Method.ANALYTIC) | (measured & ~wedge)
    return across & np.isfinite(thickness.value_mm)
