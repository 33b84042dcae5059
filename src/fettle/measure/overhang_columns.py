"""Overhangs of a part in one build direction, and the columns of air below them that supports would fill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.half_edges import link
from fettle.jit import njit
from fettle.measure.context import MeasureContext
from fettle.measure.overhang_spans import Terrain, measure_spans
from fettle.measure.readings import BuildOrientation, Triple
from fettle.measure.support import ANGLE_TOLERANCE_DEG

STEEPEST_DEG = 62.0
"""Steeper faces carry themselves in every process: they are not sampled. No angle that parts are drawn with, at which
rounding would decide."""
SPANNED_DEG = 45.0
"""Regions whose spans are measured are flatter than this; the border of an arch is where it gets steeper."""
ON_PLATE = 1e-4
"""Height above the lowest point, as a share of the diagonal, up to which a face lies on the plate."""
FLAT_DEG = 1.0
"""Largest angle to the plate of a face that lies on it."""
BELOW = 1e-5
"""How far below its surface a column starts, as a share of the diagonal."""
SLENDER = 5.0
"""A part higher than this many sides of a square of its foot's area sways and comes loose while it is printed."""
SLOPE_DECIMALS = 6
"""Decimals of the sine of a slope within which triangles are equally steep, whatever rounding did to them."""
OUTLOOKS = 24
"""Directions in the plane in which the center of mass is compared with the foot."""


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceTriangles:
    """The triangles of the mesh as all build directions need them, coordinates in rows: points (3, n) mm, corners
    (3, m) rows of them, normals (3, m) unit, area_mm2 (m,), ring (3 m,) of the sides along each edge, and the part's
    center of mass (3,) mm."""

    points: NDArray[np.float64]
    corners: NDArray[np.intp]
    normals: NDArray[np.float64]
    area_mm2: NDArray[np.float64]
    ring: NDArray[np.int32]
    center_of_mass: NDArray[np.float64]

    def centers(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Centers (k, 3) of some triangles, mm."""
        centers: NDArray[np.float64] = self.points[:, self.corners[:, rows]].mean(axis=1).T
        return centers


def surface_triangles(context: MeasureContext) -> SurfaceTriangles:
    """Measure the triangles of the context's mesh once for all directions."""
    mesh = context.mesh
    points, corners = np.ascontiguousarray(mesh.points.T), np.ascontiguousarray(mesh.triangles.T, np.intp)
    normals, area, mass = _measure_triangles(points, corners)
    ring, _ = link(mesh.welded, int(mesh.vertex.max()) + 1)
    return SurfaceTriangles(points, corners, normals, area, ring, mass)


@njit(cache=True, error_model="numpy")
def _measure_triangles(points, corners):  # type: ignore[no-untyped-def]
    """Normals (3, m), areas (m,) and the center of mass (3,) of what the triangles enclose: that of the tetrahedra
    between them and a point, which add up to it."""
    count = corners.shape[1]
    normals, area = np.zeros((3, count)), np.empty(count)
    x, y, z = points[0].mean(), points[1].mean(), points[2].mean()
    whole, mass_x, mass_y, mass_z = 0.0, 0.0, 0.0, 0.0
    for t in range(count):
        a, b, c = corners[0, t], corners[1, t], corners[2, t]
        ax, ay, az = points[0, a] - x, points[1, a] - y, points[2, a] - z
        bx, by, bz = points[0, b] - x, points[1, b] - y, points[2, b] - z
        cx, cy, cz = points[0, c] - x, points[1, c] - y, points[2, c] - z
        ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
        nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = np.sqrt(nx * nx + ny * ny + nz * nz)
        area[t] = 0.5 * length
        if length > 0.0:
            normals[0, t], normals[1, t], normals[2, t] = nx / length, ny / length, nz / length
        volume = ax * nx + ay * ny + az * nz
        whole += volume
        mass_x += volume * (ax + bx + cx)
        mass_y += volume * (ay + by + cy)
        mass_z += volume * (az + bz + cz)
    if whole > 0.0:
        x, y, z = x + mass_x / (4.0 * whole), y + mass_y / (4.0 * whole), z + mass_z / (4.0 * whole)
    return normals, area, np.array([x, y, z])


def along(vectors: NDArray[np.float64], direction: Sequence[float] | NDArray[np.float64]) -> NDArray[np.float64]:
    """Dot products (n,) of vectors (3, n) with a direction (3,), or with as many (3, n). Without threads: they cost
    more than they save on arrays of this size."""
    x, y, z = direction
    product: NDArray[np.float64] = vectors[0] * x + vectors[1] * y + vectors[2] * z
    return product


def measure_columns(
    context: MeasureContext, surface: SurfaceTriangles, direction: Triple, aside: Triple, samples: int
) -> BuildOrientation:
    """The part printed along `direction`: its overhangs at no more than so many samples of equal area on the plate.

    `aside` is another direction of the part: spans are measured along it and at equal angles to it.
    """
    mesh, up = context.mesh, np.asarray(direction)
    falling = -along(surface.normals, direction)
    heights = along(surface.points, direction)
    lowest = float(heights.min())
    resting = _resting(surface, falling, heights - lowest <= ON_PLATE * context.part.diagonal_mm)
    hanging = np.flatnonzero((falling > math.cos(math.radians(STEEPEST_DEG))) & ~resting)
    # by slope, so that the samples have every slope in its share
    hanging = hanging[np.lexsort((hanging, -falling[hanging].round(SLOPE_DECIMALS)))]
    chosen, share = _sample(surface.area_mm2[hanging] * falling[hanging], samples)
    rows = hanging[chosen]
    centers = surface.centers(rows)
    gap = BELOW * context.part.diagonal_mm
    _, distance = context.scene.first_hit(centers - gap * up, np.broadcast_to(-up, centers.shape))
    plan = _plan(surface.points, up, np.asarray(aside))
    spanned = (falling > math.cos(math.radians(SPANNED_DEG - ANGLE_TOLERANCE_DEG))) & ~resting
    bridge, arch, ledge = measure_spans(
        Terrain(plan, surface.points, mesh.triangles, surface.ring, surface.normals, falling, spanned, resting),
        rows[spanned[rows]],
    )
    contact, height = float(surface.area_mm2[resting].sum()), float(heights.max()) - lowest
    foot = np.zeros(len(heights), np.bool_)
    foot[surface.corners[:, resting]] = True
    return BuildOrientation(
        direction=direction,
        height_mm=height,
        contact_mm2=contact,
        stable=stands(surface, direction, aside, foot, contact, height),
        face=mesh.triangle_face[rows],
        position_mm=centers,
        area_mm2=share,
        slope_deg=np.degrees(np.arccos(np.clip(falling[rows], -1.0, 1.0))),
        column_mm=np.where(np.isnan(distance), along(centers.T, direction) - lowest, distance + gap),
        bridge_mm=_where(spanned[rows], bridge),
        arch_mm=_where(spanned[rows], arch / math.sin(math.radians(SPANNED_DEG))),
        ledge_mm=_where(spanned[rows], ledge),
        exit_mm=np.full(len(rows), np.nan),
    )


def _resting(surface: SurfaceTriangles, falling: NDArray[np.float64], low: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which triangles (m,) lie on the plate: flat, all corners among the lowest points (n,)."""
    resting = falling > math.cos(math.radians(FLAT_DEG))
    resting[resting] = low[surface.corners[:, resting]].all(axis=0)
    return resting


def _sample(weight_mm2: NDArray[np.float64], samples: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Rows (k,) at equal steps of the weights' sum, and the share of it (k,) that each covers; all rows with their own
    weights where they are fewer."""
    if len(weight_mm2) <= samples:
        return np.arange(len(weight_mm2)), weight_mm2
    upto = np.cumsum(weight_mm2)
    steps = (np.arange(samples) + 0.5) * (upto[-1] / samples)
    return np.searchsorted(upto, steps), np.full(samples, upto[-1] / samples)


def _plan(points: NDArray[np.float64], up: NDArray[np.float64], aside: NDArray[np.float64]) -> NDArray[np.float64]:
    """Coordinates (2, n) of points (3, n) in the plane of the plate, x along `aside`, y to its left seen from above."""
    x = aside - (aside @ up) * up
    x /= np.linalg.norm(x)
    return np.stack([along(points, x), along(points, np.cross(up, x))])


def stands(
    surface: SurfaceTriangles,
    direction: Triple,
    aside: Triple,
    foot: NDArray[np.bool_],
    contact_mm2: float,
    height_mm: float,
) -> bool:
    """Whether the part stands by itself on some of its points (n,): it is not slender, and its center of mass is above
    their convex hull, so that in every direction some of them lie farther out than it does."""
    if height_mm >= SLENDER * math.sqrt(contact_mm2):
        return False
    up, x_axis = np.asarray(direction), np.asarray(aside)
    feet = _plan(surface.points[:, foot] - surface.center_of_mass[:, None], up, x_axis)
    turns = np.arange(OUTLOOKS) * (2.0 * math.pi / OUTLOOKS)
    outlooks = np.stack([np.cos(turns), np.sin(turns)], axis=1)
    return bool(((outlooks @ feet).max(axis=1) > 0.0).all())


def _where(rows: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values at the chosen rows (k,), inf at the others."""
    spread = np.full(len(rows), np.inf)
    spread[rows] = values
    return spread
