# mypy: allow-untyped-defs
"""Axes made perpendicular to neighboring planes, and cones coaxial with neighboring cylinders, where points allow it.

The axis of a low ring is uncertain by its tolerance over its height. A bore that ends in a plane within that is square
to it, and is then coaxial with the bore below the plane; so is the point of a drill with its bore.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.segmentation.facets import TriangleNet
from fettle.geometry.segmentation.initial_guesses import guess_cylinder
from fettle.geometry.segmentation.least_squares import largest_distance
from fettle.geometry.surfaces.encoding import COLUMNS, CYLINDER, PLANE
from fettle.geometry.surfaces.linear_algebra import dot, mean_and_reach
from fettle.jit import njit

_NEARLY_SQUARE = np.cos(np.radians(1.0))
_NEARLY_ALONG = np.cos(np.radians(5.0))
_NEAR_AXIS = 0.1
"""How far the axis of a cone may lie off that of its cylinder, in radii of the cylinder."""


def align_axes(
    net: TriangleNet,
    patch: NDArray[np.int64],
    kinds: NDArray[np.int64],
    primitives: NDArray[np.float64],
    tolerance_mm: float,
) -> None:
    """Turn axes of cylinders and cones, in place; points may then lie twice as far off as before, or the tolerance."""
    order = np.argsort(patch, kind="stable")
    starts = np.searchsorted(patch[order], np.arange(len(kinds) + 1))
    for kind in (1, 2):
        _turn(net, patch, (order, starts), (kinds, primitives), kind, tolerance_mm)


@njit(cache=True)
def _turn(net, patch, groups, surfaces, kind, tolerance):
    """Give the patches of a kind the axes of the plane or cylinder beside them, where their points allow it."""
    order, starts = groups
    kinds, primitives = surfaces
    for p in range(len(kinds)):
        own = order[starts[p] : starts[p + 1]]
        if kinds[p] != kind or len(own) == 0:
            continue
        q = primitives[p]
        if kind == CYLINDER:
            beside = _plane_beside(net, patch, own, surfaces, q)
        else:
            beside = _cylinder_beside(net, patch, own, surfaces, q)
        if beside < 0:
            continue
        points = _corners(net, own)
        turned = _square_to(primitives[beside], q, points) if kind == CYLINDER else _about(primitives[beside], points)
        allowed = max(2.0 * largest_distance(kind, q, points), tolerance)
        if turned[6] > 0.0 and largest_distance(kind, turned, points) <= allowed:
            primitives[p] = turned


@njit(cache=True)
def _plane_beside(net, patch, own, surfaces, q):
    """The plane that touches a cylinder and is most nearly square to it, -1 for none."""
    kinds, primitives = surfaces
    plane, cosine = -1, _NEARLY_SQUARE
    for t in own:
        for k in range(3):
            other = patch[net.neighbors[t, k]]
            if kinds[other] == PLANE and abs(dot(primitives[other, 3:6], q[3:6])) > cosine:
                plane, cosine = other, abs(dot(primitives[other, 3:6], q[3:6]))
    return plane


@njit(cache=True)
def _square_to(plane, q, points):
    """The cylinder perpendicular to a plane through points (n, 3), its axis pointing as q's; radius 0 for none."""
    sign = 1.0 if dot(plane[3:6], q[3:6]) > 0 else -1.0
    squared = np.zeros(COLUMNS)
    for k in range(3):
        squared[3 + k] = sign * plane[3 + k]
    if not guess_cylinder(squared, points):
        squared[6] = 0.0
        return squared
    mean, _ = mean_and_reach(points)
    along = dot(mean - squared[:3], squared[3:6])
    for k in range(3):
        squared[k] += along * squared[3 + k]
    return squared


@njit(cache=True)
def _corners(net, triangles):
    points = np.empty((3 * len(triangles), 3))
    for i in range(len(triangles)):
        for k in range(3):
            points[3 * i + k] = net.points[net.triangles[triangles[i], k]]
    return points


@njit(cache=True)
def _cylinder_beside(net, patch, own, surfaces, q):
    """A cylinder that touches a cone and nearly has its axis, -1 for none."""
    kinds, primitives = surfaces
    for t in own:
        for k in range(3):
            other = patch[net.neighbors[t, k]]
            if kinds[other] != CYLINDER or abs(dot(primitives[other, 3:6], q[3:6])) < _NEARLY_ALONG:
                continue
            c = primitives[other]
            away = q[:3] - c[:3]
            along = dot(away, c[3:6])
            if np.sqrt(max(dot(away, away) - along * along, 0.0)) < _NEAR_AXIS * c[6]:
                return other
    return -1


@njit(cache=True)
def _about(cylinder, points):
    """The cone about a cylinder's axis through points (n, 3) by least squares; its radius is 0 where there is none."""
    axis = cylinder[3:6]
    n = len(points)
    sum_h, sum_r, sum_hh, sum_hr = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        d = points[i] - cylinder[:3]
        h = dot(d, axis)
        r = np.sqrt(max(dot(d, d) - h * h, 0.0))
        sum_h += h / n
        sum_r += r / n
        sum_hh += h * h / n
        sum_hr += h * r / n
    cone = np.zeros(COLUMNS)
    spread = sum_hh - sum_h * sum_h
    slope = (sum_hr - sum_h * sum_r) / spread if spread > 0.0 else 0.0
    if slope == 0.0:
        return cone
    for k in range(3):
        cone[k] = cylinder[k] + sum_h * axis[k]
        cone[3 + k] = axis[k] if slope > 0 else -axis[k]
    cone[6] = sum_r
    cone[7] = np.arctan(abs(slope))
    return cone
