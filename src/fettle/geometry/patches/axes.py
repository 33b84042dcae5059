# mypy: allow-untyped-defs
"""Axes made square to the planes beside them and cones set on the axes of their cylinders, where the points allow it.

The axis of a low ring is uncertain by its tolerance over its height. A bore that ends in a plane within that is square
to it, and is then coaxial with the bore below the plane; so is the point of a drill with its bore.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.patches.algebra import dot, mean_and_reach
from fettle.geometry.patches.facets import TriangleNet
from fettle.geometry.patches.fits import largest_distance
from fettle.geometry.patches.guesses import guess_cylinder

_NEARLY_SQUARE = np.cos(np.radians(1.0))
_NEARLY_ALONG = np.cos(np.radians(5.0))
_NEAR_AXIS = 0.1
"""How far the axis of a cone may lie off that of its cylinder, in radii of the cylinder."""


def square_up(
    net: TriangleNet,
    patch: NDArray[np.int64],
    kinds: NDArray[np.int64],
    primitives: NDArray[np.float64],
    tolerance_mm: float,
) -> None:
    """Turn axes of cylinders and cones, in place; points may then lie twice as far off as before, or the tolerance."""
    order = np.argsort(patch, kind="stable")
    starts = np.searchsorted(patch[order], np.arange(len(kinds) + 1))
    _square_up(net, patch, (order, starts), (kinds, primitives), tolerance_mm)
    _line_up(net, patch, (order, starts), (kinds, primitives), tolerance_mm)


@njit(cache=True)
def _square_up(net, patch, groups, surfaces, tolerance):
    order, starts = groups
    kinds, primitives = surfaces
    for p in range(len(kinds)):
        own = order[starts[p] : starts[p + 1]]
        if kinds[p] != 1 or len(own) == 0:
            continue
        q = primitives[p]
        plane, cosine = -1, _NEARLY_SQUARE
        for t in own:
            for k in range(3):
                other = patch[net.neighbours[t, k]]
                if kinds[other] == 0 and abs(dot(primitives[other, 3:6], q[3:6])) > cosine:
                    plane, cosine = other, abs(dot(primitives[other, 3:6], q[3:6]))
        if plane < 0:
            continue
        points = _corners(net, own)
        sign = 1.0 if dot(primitives[plane, 3:6], q[3:6]) > 0 else -1.0
        squared = np.zeros(8)
        for k in range(3):
            squared[3 + k] = sign * primitives[plane, 3 + k]
        if not guess_cylinder(squared, points):
            continue
        if largest_distance(1, squared, points) > max(2.0 * largest_distance(1, q, points), tolerance):
            continue
        mean, _ = mean_and_reach(points)
        along = dot(mean - squared[:3], squared[3:6])
        for k in range(3):
            squared[k] += along * squared[3 + k]
        primitives[p] = squared


@njit(cache=True)
def _corners(net, triangles):
    points = np.empty((3 * len(triangles), 3))
    for i in range(len(triangles)):
        for k in range(3):
            points[3 * i + k] = net.points[net.triangles[triangles[i], k]]
    return points


@njit(cache=True)
def _line_up(net, patch, groups, surfaces, tolerance):
    """Cones beside a cylinder that lie about its axis as well as about their own."""
    order, starts = groups
    kinds, primitives = surfaces
    for p in range(len(kinds)):
        own = order[starts[p] : starts[p + 1]]
        if kinds[p] != 2 or len(own) == 0:
            continue
        beside = _cylinder_beside(net, patch, own, surfaces, primitives[p])
        if beside < 0:
            continue
        points = _corners(net, own)
        lined = _about(primitives[beside], points)
        if lined[7] > 0.0 and largest_distance(2, lined, points) <= max(
            2.0 * largest_distance(2, primitives[p], points), tolerance
        ):
            primitives[p] = lined


@njit(cache=True)
def _cylinder_beside(net, patch, own, surfaces, q):
    """A cylinder that touches a cone and nearly has its axis, -1 for none."""
    kinds, primitives = surfaces
    for t in own:
        for k in range(3):
            other = patch[net.neighbours[t, k]]
            if kinds[other] != 1 or abs(dot(primitives[other, 3:6], q[3:6])) < _NEARLY_ALONG:
                continue
            c = primitives[other]
            away = q[:3] - c[:3]
            along = dot(away, c[3:6])
            if np.sqrt(max(dot(away, away) - along * along, 0.0)) < _NEAR_AXIS * c[6]:
                return other
    return -1


@njit(cache=True)
def _about(cylinder, points):
    """The cone about a cylinder's axis through points (n, 3) by least squares; its angle is 0 where there is none."""
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
    cone = np.zeros(8)
    spread = sum_hh - sum_h * sum_h
    if spread <= 0.0:
        return cone
    slope = (sum_hr - sum_h * sum_r) / spread
    for k in range(3):
        cone[k] = cylinder[k] + sum_h * axis[k]
        cone[3 + k] = axis[k] if slope > 0 else -axis[k]
    cone[6] = sum_r
    cone[7] = np.arctan(abs(slope))
    return cone
