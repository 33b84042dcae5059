"""Transitions between walls: how much thicker the wall becomes within a short way along the surface.

A casting tears where a thin wall meets a thick one. Walls of different thickness far from each other, or joined by a
ramp, feed one another and are sound.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.readings import WallField
from fettle.measure.wall_patches import across_walls

THIN_SAMPLES, THICK_SAMPLES = 1000, 3000
"""Points of the part, spread evenly by area, from which thicker walls are looked for, and those that are looked at."""
REACH = 2.0
"""Way along the surface, in thicknesses of the thin wall, within which a change is abrupt: a ramp of 1 in 4, as
foundries ask for, adds half a thickness over it. The ball in a thick wall has its full size half a diameter further."""
SPACING = 1.5
"""The reach is at least this many distances between neighbors of the points looked at."""
SAME_SIDE_COS = 0.5
"""Points are on the same side of a wall if their normals are within 60 degrees."""
LEAST_SHARE = 0.01
"""Share of the area beside an abrupt change, on its thin side, from which it counts."""


@dataclass(frozen=True, slots=True)
class WallTransition:
    """The steepest transition: thick over thin wall, and the mesh points on its thin and thick side."""

    ratio: float
    thin: int
    thick: int


def steepest_transition(mesh: Mesh, thickness: WallField) -> WallTransition | None:
    """The ratio that the walls reach within `REACH` thicknesses over `LEAST_SHARE` of the area; None without walls."""
    rows = np.flatnonzero(across_walls(thickness))
    if not len(rows):
        return None
    upto = np.cumsum(mesh.point_areas_mm2()[rows])
    thin, thick = (_spread(rows, upto, count) for count in (THIN_SAMPLES, THICK_SAMPLES))
    value, other = thickness.value_mm[thin], thickness.value_mm[thick]
    reach = np.maximum(REACH * value, SPACING * math.sqrt(float(upto[-1]) / len(thick)))[:, None] + 0.5 * other
    places, others = mesh.points[thin], mesh.points[thick]
    square = np.einsum("ij,ij->i", places, places)[:, None] + np.einsum("ij,ij->i", others, others)
    near = square - 2.0 * (places @ others.T) <= reach**2
    near &= mesh.normals[thin] @ mesh.normals[thick].T >= SAME_SIDE_COS
    beside = np.where(near, other, 0.0)
    thickest = beside.argmax(axis=1)
    ratio = np.maximum(beside[np.arange(len(thin)), thickest] / value, 1.0)
    order = np.argsort(-ratio, kind="stable")
    one = int(order[min(math.ceil(LEAST_SHARE * len(thin)), len(thin)) - 1])
    return WallTransition(float(ratio[one]), int(thin[one]), int(thick[thickest[one]]))


def _spread(rows: NDArray[np.intp], upto_mm2: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """At most `count` of the rows at equal steps of area; upto_mm2: running sum of their areas."""
    if len(rows) <= count:
        return rows
    at = np.searchsorted(upto_mm2, (np.arange(count) + 0.5) / count * upto_mm2[-1])
    return np.unique(rows[np.minimum(at, len(rows) - 1)])
