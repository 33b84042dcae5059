"""Walls as patches: the thickness that a face has over an area worth calling a wall.

The thinnest reading of a face may be the tip of a wedge, a chamfer's edge or a web of a square millimeter between two
holes. A wall is thin when a patch of it is. Faces smaller than a patch count together with small neighbors in the same
surface, so that a wall in facets or strips is a wall.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.geometry.part import Part
from fettle.measure.readings import Method, WallField

WEDGE = 1.05
"""Across a wedge the ray is longer than the ball between its sides: by more than this from 25 degrees on."""
PATCH_SHARE = 0.05
"""A patch is at least this share of its surface, as in every reading of a face."""
SAME_AREA = 1e-6
"""Share by which a face of just a patch's area may miss it in rounding."""
SAME_SURFACE_DEG = 30.0
"""Small faces that meet at less than this angle are one surface."""


@dataclass(frozen=True, eq=False)
class WallPatches:
    """thickness_mm (faces,): thickness that a patch of each face stays at or below, nan where the face has no such
    patch between two walls; thinnest (faces,): the mesh point with the thinnest reading, -1 for none."""

    thickness_mm: NDArray[np.float64]
    thinnest: NDArray[np.int64]

    @cached_property
    def listed_mm(self) -> list[float]:
        """The thickness of every face as a list, of which single entries are read faster."""
        listed: list[float] = self.thickness_mm.tolist()
        return listed

    def thinnest_face(self, faces: Iterable[int]) -> int | None:
        """The face with the thinnest patch among some, None where none of them has one."""
        thickness_mm = self.listed_mm
        known = [face for face in faces if not math.isnan(thickness_mm[face])]
        return min(known, key=thickness_mm.__getitem__, default=None)


@dataclass(frozen=True, slots=True, eq=False)
class WallReadings:
    """Readings that go from one side of a wall to the other, the thinnest first: the mesh points rows (k,) and the
    thickness_mm (k,) at them. Those across wedges and those of narrow sides, which take over the thickness of the wall
    beside them, are left out. thinnest (faces,): the point of each face's thinnest reading, -1 for none; least_mm
    (faces,): that reading, infinite for none."""

    mesh: Mesh
    rows: NDArray[np.intp]
    thickness_mm: NDArray[np.float64]
    thinnest: NDArray[np.int64]
    least_mm: NDArray[np.float64]


def sort_readings(part: Part, mesh: Mesh, thickness: WallField) -> WallReadings:
    """The readings across walls of a field; sorted once for patches of every size."""
    ranks, count = thickness.ranks
    sort_by = import_module("fettle.geometry.meshing.counting_sort").sort_by
    rows = sort_by(np.flatnonzero(_across_walls(thickness)), unsigned(ranks), count)
    thinnest = np.full(len(part.faces), -1)
    thinnest[mesh.point_face[rows[::-1]]] = rows[::-1]
    least_mm = np.where(thinnest >= 0, thickness.value_mm[thinnest], np.inf)
    return WallReadings(mesh, rows, thickness.value_mm[rows], thinnest, least_mm)


def measure_wall_patches(
    part: Part, readings: WallReadings, patch_mm2: float, least_share: float = PATCH_SHARE
) -> WallPatches:
    """Thickness of the thinnest patch of `patch_mm2` (or of `least_share` of the face, if that is more) of each
    face."""
    mesh = readings.mesh
    surface = _surfaces(part, patch_mm2)
    # A hair less than the patch, so that a face of just that area has one.
    patch = _compiled().values_at_areas(
        readings.thickness_mm,
        readings.rows,
        mesh.point_face,
        surface,
        mesh.point_areas_mm2(),
        (1.0 - SAME_AREA) * patch_mm2,
        (1.0 - SAME_AREA) * least_share,
    )
    return WallPatches(_where_as_thin(readings, patch[surface]), readings.thinnest)


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.measure.weighted_statistics")


def _where_as_thin(readings: WallReadings, patch_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """The patches of the faces' surfaces (faces,), nan where the face itself is nowhere as thin."""
    return np.where(readings.least_mm <= patch_mm, patch_mm, np.nan)


def _surfaces(part: Part, patch_mm2: float) -> NDArray[np.int64]:
    """Number (faces,) of the surface of each face: its own, or the least of its small neighbors' for a face below a
    patch."""
    surface = list(range(len(part.faces)))

    def root(face: int) -> int:
        while surface[face] != face:
            surface[face] = surface[surface[face]]
            face = surface[face]
        return face

    small = [face.area_mm2 < (1.0 - SAME_AREA) * patch_mm2 for face in part.faces]
    for edge in part.edges:
        one, other = edge.faces
        if other >= 0 and small[one] and small[other] and abs(edge.angle_deg - 180.0) < SAME_SURFACE_DEG:
            low, high = sorted((root(one), root(other)))
            surface[high] = low
    return np.array([root(face) for face in range(len(surface))])


def _across_walls(thickness: WallField) -> NDArray[np.bool_]:
    """Points (n,) whose reading goes from one side of a wall to the other."""
    measured = (thickness.method == Method.RAY) | (thickness.method == Method.BALL)
    with np.errstate(invalid="ignore"):
        wedge = thickness.ray_mm > WEDGE * thickness.ball_mm
    across: NDArray[np.bool_] = (thickness.method == Method.ANALYTIC) | (measured & ~wedge)
    return across & np.isfinite(thickness.value_mm)
