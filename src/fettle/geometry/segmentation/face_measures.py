# mypy: allow-untyped-defs
"""Measures of each patch: area, box, centroid, range about and along its axis."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.segmentation.patches import Patches
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE
from fettle.geometry.surfaces.frames import axis_frame
from fettle.geometry.surfaces.linear_algebra import dot
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit

_ON_AXIS = 1e-2
"""A corner this close to the axis, as a share of the furthest one, has no angle about it."""


class FaceMeasures(NamedTuple):
    """Measures of p patches. areas (p,); centroids, area_vectors (p, 3); boxes (p, 2, 3); `first` (p,): one triangle of
    each; points, normals (p, 3): a place on the surface and the outward normal there; sides (p,): 1 where that is the
    primitive's own normal, -1 where it is the opposite, 0 for freeform.

    turns (p, 2): angular range about the axis, radians; whole (p,): it goes all the way round; reaches (p, 2): range
    along the axis; radii (p, 2): least and largest radius of curvature of freeform patches. nan where meaningless.
    """

    areas: NDArray[np.float64]
    centroids: NDArray[np.float64]
    area_vectors: NDArray[np.float64]
    boxes: NDArray[np.float64]
    first: NDArray[np.int64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    sides: NDArray[np.float64]
    turns: NDArray[np.float64]
    whole: NDArray[np.bool_]
    reaches: NDArray[np.float64]
    radii: NDArray[np.float64]


def measure_faces(patches: Patches) -> FaceMeasures:
    order = np.argsort(patches.triangle_patch, kind="stable")
    starts = np.searchsorted(patches.triangle_patch[order], np.arange(len(patches.kinds) + 1))
    count = len(patches.kinds)
    figures = FaceMeasures(
        np.zeros(count),
        np.zeros((count, 3)),
        np.zeros((count, 3)),
        np.tile([[np.inf], [-np.inf]], (count, 1, 3)),
        order[starts[:-1]],
        np.zeros((count, 3)),
        np.zeros((count, 3)),
        np.zeros(count),
        np.full((count, 2), np.nan),
        np.zeros(count, dtype=np.bool_),
        np.full((count, 2), np.nan),
        np.full((count, 2), np.nan),
    )
    surfaces = (patches.triangle_patch, patches.kinds, patches.primitives)
    _measure(patches.net, surfaces, order, starts, figures)
    for array in figures:
        array.setflags(write=False)
    return figures


@njit(cache=True)
def _measure(net, surfaces, order, starts, out):
    triangle_patch, kinds, primitives = surfaces
    for p in range(len(kinds)):
        own = order[starts[p] : starts[p + 1]]
        largest = _add_up(net, own, p, out)
        kind, q = kinds[p], primitives[p]
        x, y, z = 0.0, 0.0, 0.0
        for k in range(3):
            corner = net.points[net.triangles[largest, k]]
            x, y, z = x + corner[0] / 3.0, y + corner[1] / 3.0, z + corner[2] / 3.0
        n = net.normals[largest]
        if kind == FREEFORM:
            out.points[p, 0], out.points[p, 1], out.points[p, 2] = x, y, z
            out.normals[p] = n
            _curvature(net, own, triangle_patch, out.radii[p])
            continue
        away, nx, ny, nz = distance_and_normal(kind, q, x, y, z)
        side = 1.0 if nx * n[0] + ny * n[1] + nz * n[2] > 0 else -1.0
        out.points[p, 0], out.points[p, 1], out.points[p, 2] = x - away * nx, y - away * ny, z - away * nz
        out.normals[p, 0], out.normals[p, 1], out.normals[p, 2] = side * nx, side * ny, side * nz
        out.sides[p] = side
        if kind > PLANE:
            out.whole[p] = _turn(net, own, q, out.turns[p])
        if CYLINDER <= kind <= CONE:
            _reach(net, own, q, out.reaches[p])


@njit(cache=True)
def _add_up(net, own, p, out):
    """Sums over a patch's triangles; the largest of them."""
    largest = own[0]
    for t in own:
        area = net.areas[t]
        if area > net.areas[largest]:
            largest = t
        out.areas[p] += area
        for j in range(3):
            out.area_vectors[p, j] += area * net.normals[t, j]
            for k in range(3):
                x = net.points[net.triangles[t, k], j]
                out.centroids[p, j] += area * x / 3.0
                out.boxes[p, 0, j] = min(out.boxes[p, 0, j], x)
                out.boxes[p, 1, j] = max(out.boxes[p, 1, j], x)
    for j in range(3):
        out.centroids[p, j] /= max(out.areas[p], 1e-300)
    return largest


@njit(cache=True)
def _turn(net, own, q, out):
    """Angular range about the axis; True where the patch goes all the way round.

    The widest gap between the angles of its corners is the gap of the patch, unless a triangle bridges it.
    """
    u, v = axis_frame(q[3:6])
    flat = np.empty((len(own), 3, 2))
    reach = 0.0
    for i in range(len(own)):
        for k in range(3):
            w = net.points[net.triangles[own[i], k]] - q[:3]
            flat[i, k, 0], flat[i, k, 1] = dot(w, u), dot(w, v)
            reach = max(reach, np.hypot(flat[i, k, 0], flat[i, k, 1]))
    angles = np.empty((len(own), 3))
    ranked = np.empty(3 * len(own))
    count = 0
    for i in range(len(own)):
        for k in range(3):
            x, y = flat[i, k, 0], flat[i, k, 1]
            # a corner on the axis, such as an apex, has no angle; the triangle's other corners are used instead
            angles[i, k] = np.nan
            if np.hypot(x, y) > _ON_AXIS * reach:
                angles[i, k] = np.arctan2(y, x)
                ranked[count] = angles[i, k]
                count += 1
    ranked = np.sort(ranked[:count])
    widest, gap = count - 1, ranked[0] + 2.0 * np.pi - ranked[count - 1]
    for i in range(count - 1):
        if ranked[i + 1] - ranked[i] > gap:
            widest, gap = i, ranked[i + 1] - ranked[i]
    middle = ranked[widest] + 0.5 * gap
    for i in range(len(own)):
        low, high = np.inf, -np.inf
        for k in range(3):
            if np.isnan(angles[i, k]):
                continue
            around = (angles[i, k] - middle + np.pi) % (2.0 * np.pi) - np.pi
            low, high = min(low, around), max(high, around)
        if low < 0.0 < high and high - low < np.pi:
            out[0], out[1] = ranked[0], ranked[0] + 2.0 * np.pi
            return True
    out[0] = ranked[(widest + 1) % count]
    out[1] = out[0] + 2.0 * np.pi - gap
    return False


@njit(cache=True)
def _reach(net, own, q, out):
    """Range along the axis from the surface's origin."""
    low, high = np.inf, -np.inf
    for t in own:
        for k in range(3):
            along = dot(net.points[net.triangles[t, k]] - q[:3], q[3:6])
            low, high = min(low, along), max(high, along)
    out[0] = low
    out[1] = high


@njit(cache=True)
def _curvature(net, own, triangle_patch, out):
    """Least and largest radius, from the turn between neighbors and the distance of their centers."""
    least, most = np.inf, 0.0
    for t in own:
        for k in range(3):
            other = net.neighbors[t, k]
            if triangle_patch[other] != triangle_patch[t]:
                continue
            apart = 0.0
            for j in range(3):
                d = 0.0
                for c in range(3):
                    d += net.points[net.triangles[t, c], j] - net.points[net.triangles[other, c], j]
                apart += d * d / 9.0
            turn = np.arccos(min(max(dot(net.normals[t], net.normals[other]), -1.0), 1.0))
            radius = np.sqrt(apart) / turn if turn > 1e-4 else np.inf
            least, most = min(least, radius), max(most, radius)
    out[0] = least
    out[1] = most if most > 0.0 else np.inf
