"""Overhangs of a part in one build direction, and the columns of air below them that supports would fill."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import unsigned
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
ROW_BITS = 32
"""Bits for the number of a triangle; those for its slope are above them."""
OUTLOOKS = 24
"""Directions in the plane in which the center of mass is compared with the foot."""
_TURNS = np.arange(OUTLOOKS) * (2.0 * math.pi / OUTLOOKS)
_OUTLOOKS = np.stack([np.cos(_TURNS), np.sin(_TURNS)], axis=1)
_COSINES = tuple(math.cos(math.radians(deg)) for deg in (FLAT_DEG, STEEPEST_DEG, SPANNED_DEG - ANGLE_TOLERANCE_DEG))


@dataclass(frozen=True, slots=True, eq=False)
class SurfaceTriangles:
    """The triangles of the mesh as all build directions need them, coordinates in rows: points (3, n) mm, corners
    (3, m) rows of them, normals (3, m) unit, area_mm2 (m,), ring (3 m,) of the sides along each edge, and the part's
    center of mass (3,) mm."""

    points: NDArray[np.float64]
    corners: NDArray[np.uint32]
    normals: NDArray[np.float64]
    area_mm2: NDArray[np.float64]
    ring: NDArray[np.uint32]
    center_of_mass: NDArray[np.float64]

    def centers(self, rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Centers (k, 3) of some triangles, mm."""
        centers: NDArray[np.float64] = self.points[:, self.corners[:, rows]].mean(axis=1).T
        return centers


def surface_triangles(context: MeasureContext) -> SurfaceTriangles:
    """Measure the triangles of the context's mesh once for all directions."""
    mesh = context.mesh
    points, corners = np.ascontiguousarray(mesh.points.T), np.ascontiguousarray(unsigned(mesh.triangles).T)
    normals, area, mass = _measure_triangles(points, corners)
    ring, _ = link(unsigned(mesh.welded), int(mesh.vertex.max()) + 1)
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


@njit(cache=True)
def extent_along(points, direction):  # type: ignore[no-untyped-def]
    """The least and the largest height of points (3, n) along a direction (3,), mm."""
    lowest, highest = np.inf, -np.inf
    for i in range(points.shape[1]):
        height = points[0, i] * direction[0] + points[1, i] * direction[1] + points[2, i] * direction[2]
        lowest, highest = min(lowest, height), max(highest, height)
    return lowest, highest


def measure_columns(
    context: MeasureContext, surface: SurfaceTriangles, direction: Triple, aside: Triple, samples: int, span_mm: float
) -> BuildOrientation:
    """The part printed along `direction`: its overhangs at no more than so many samples of equal area on the plate.

    `aside` is another direction of the part: spans are measured along it and at equal angles to it, and no farther than
    `span_mm` to either side.
    """
    mesh, up = context.mesh, np.asarray(direction)
    plan_x, plan_y = _plan_axes(up, np.asarray(aside))
    view = _look_along(
        surface.points,
        surface.corners,
        surface.normals,
        np.stack([up, plan_x, plan_y]),
        ON_PLATE * context.part.diagonal_mm,
        _COSINES,
    )
    falling, resting, spanned, foot, plan, lowest, highest, hanging = view
    # by slope, so that the samples have every slope in its share
    hanging = hanging[_steepest_last(falling[hanging])]
    chosen, share = _sample(surface.area_mm2[hanging] * falling[hanging], samples)
    rows = hanging[chosen]
    centers = surface.centers(rows)
    gap = BELOW * context.part.diagonal_mm
    _, distance = context.scene.first_hit(centers - gap * up, np.broadcast_to(-up, centers.shape))
    bridge, arch, ledge = measure_spans(
        Terrain(
            plan, surface.points, unsigned(mesh.triangles), surface.ring, surface.normals, falling, spanned, resting
        ),
        rows[spanned[rows]].astype(np.uint32),
        span_mm,
    )
    contact, height = float(surface.area_mm2[resting].sum()), highest - lowest
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


@njit(cache=True, error_model="numpy")
def _look_along(points, corners, normals, axes, on_plate, cosines):  # type: ignore[no-untyped-def]
    """The triangles seen along a build direction, in one pass: axes (3, 3), rows: that direction, and x and y of the
    plate; on_plate: height in mm up to which a point lies on it; cosines (3,): of a face that lies on the plate, of the
    steepest one sampled, and of the steepest one of a region with spans.

    Returns the cosine of each triangle's angle to the plate (m,), whether it lies on the plate (m,): flat, all corners
    among the lowest points; whether it belongs to a region with spans (m,), the points (n,) of triangles on the plate,
    all points in the plane of the plate (2, n), the lowest and the largest height, and the triangles (k,) that hang.
    """
    up_x, up_y, up_z = axes[0]
    flat, steepest, spanning = cosines
    count, n_points = corners.shape[1], points.shape[1]
    heights, plan, foot = np.empty(n_points), np.empty((2, n_points)), np.zeros(n_points, np.bool_)
    lowest, highest = np.inf, -np.inf
    for i in range(n_points):
        x, y, z = points[0, i], points[1, i], points[2, i]
        heights[i] = x * up_x + y * up_y + z * up_z
        plan[0, i] = x * axes[1, 0] + y * axes[1, 1] + z * axes[1, 2]
        plan[1, i] = x * axes[2, 0] + y * axes[2, 1] + z * axes[2, 2]
        lowest, highest = min(lowest, heights[i]), max(highest, heights[i])
    falling, hanging, n_hanging = np.empty(count), np.empty(count, np.intp), 0
    resting, spanned = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    for t in range(count):
        falls = -(normals[0, t] * up_x + normals[1, t] * up_y + normals[2, t] * up_z)
        falling[t] = falls
        if falls > flat:
            a, b, c = corners[0, t], corners[1, t], corners[2, t]
            highest_corner = max(heights[a], heights[b], heights[c])
            if highest_corner - lowest <= on_plate:
                resting[t] = foot[a] = foot[b] = foot[c] = True
                continue
        spanned[t] = falls > spanning
        if falls > steepest:
            hanging[n_hanging] = t
            n_hanging += 1
    return falling, resting, spanned, foot, plan, lowest, highest, hanging[:n_hanging]


def _steepest_last(falling: NDArray[np.float64]) -> NDArray[np.int64]:
    """Order (k,) of cosines to the plate, the largest first, equal ones in their order: numbers that end in the row are
    sorted several times as fast as rows by their cosine."""
    steps = np.rint(falling * 10.0**SLOPE_DECIMALS).astype(np.int64)
    numbers = (-steps << ROW_BITS) | np.arange(len(falling))
    numbers.sort()
    return numbers & ((1 << ROW_BITS) - 1)


def _sample(weight_mm2: NDArray[np.float64], samples: int) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Rows (k,) at equal steps of the weights' sum, and the share of it (k,) that each covers; all rows with their own
    weights where they are fewer."""
    if len(weight_mm2) <= samples:
        return np.arange(len(weight_mm2)), weight_mm2
    upto = np.cumsum(weight_mm2)
    steps = (np.arange(samples) + 0.5) * (upto[-1] / samples)
    return np.searchsorted(upto, steps), np.full(samples, upto[-1] / samples)


def _plan_axes(up: NDArray[np.float64], aside: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Unit vectors x and y (3,) in the plane of the plate: x along `aside`, y to its left seen from above."""
    x = aside - (aside @ up) * up
    x /= np.linalg.norm(x)
    (up_x, up_y, up_z), (x_x, x_y, x_z) = up.tolist(), x.tolist()
    return x, np.array([up_y * x_z - up_z * x_y, up_z * x_x - up_x * x_z, up_x * x_y - up_y * x_x])


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
    axes = np.stack(_plan_axes(np.asarray(direction), np.asarray(aside)))
    return bool(_surrounds(surface.points, foot, surface.center_of_mass, axes, _OUTLOOKS))


@njit(cache=True, error_model="numpy")
def _surrounds(points, foot, center, axes, outlooks):  # type: ignore[no-untyped-def]
    """Whether in every one of the outlooks (k, 2) some of the points (3, n) of the foot (n,) lie farther out than the
    center (3,); axes (2, 3): x and y of the plane in which they are compared."""
    covered, left = np.zeros(len(outlooks), np.bool_), len(outlooks)
    for i in range(points.shape[1]):
        if foot[i]:
            away_x, away_y, away_z = points[0, i] - center[0], points[1, i] - center[1], points[2, i] - center[2]
            x = away_x * axes[0, 0] + away_y * axes[0, 1] + away_z * axes[0, 2]
            y = away_x * axes[1, 0] + away_y * axes[1, 1] + away_z * axes[1, 2]
            for k in range(len(outlooks)):
                if not covered[k] and outlooks[k, 0] * x + outlooks[k, 1] * y > 0.0:
                    covered[k] = True
                    left -= 1
            if left == 0:
                return True
    return False


def _where(rows: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Values at the chosen rows (k,), inf at the others."""
    spread = np.full(len(rows), np.inf)
    spread[rows] = values
    return spread
