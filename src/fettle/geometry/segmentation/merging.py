# mypy: allow-untyped-defs
"""Borders between patches: pieces of one surface are merged, triangles at a border reassigned to the nearer surface."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.segmentation.facets import TriangleNet
from fettle.geometry.surfaces.encoding import FREEFORM
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit

_REASSIGN_ROUNDS = 8
_AGREE = np.cos(np.radians(25.0))
_NEGLIGIBLE = 1e-3
"""Triangles smaller than this share of the largest do not count for the side that a patch faces."""


def merge(
    net: TriangleNet,
    patch: NDArray[np.int64],
    kinds: NDArray[np.int64],
    primitives: NDArray[np.float64],
    tolerance_mm: float,
) -> NDArray[np.int64]:
    """Patch (m,) of each triangle after neighboring patches on one surface were merged into the larger of them."""
    left, right = np.repeat(patch, 3), patch[net.neighbors.ravel()]
    across = left < right
    pairs = np.unique(left[across] * len(kinds) + right[across])
    order = np.argsort(patch, kind="stable")
    starts = np.searchsorted(patch[order], np.arange(len(kinds) + 1))
    areas = np.bincount(patch, weights=net.areas, minlength=len(kinds))
    # the largest pairs first, so that a piece is merged into the largest of its neighbors
    first, second = pairs // len(kinds), pairs % len(kinds)
    rank = np.argsort(-np.maximum(areas[first], areas[second]), kind="stable")
    pairs = np.column_stack([first[rank], second[rank]])
    parent = _merge(net, (order, starts, areas), (kinds, primitives), pairs, tolerance_mm)
    return np.asarray(parent[patch])


def reassign_border_triangles(
    net: TriangleNet,
    patch: NDArray[np.int64],
    kinds: NDArray[np.int64],
    primitives: NDArray[np.float64],
    rounding_mm: float,
) -> None:
    """Move triangles at borders to the neighbor whose surface they lie on more closely, in place."""
    thin = ~net.normals.any(axis=1)
    for _ in range(_REASSIGN_ROUNDS):
        _assign_thin_triangles(net, patch, thin)
        if not _reassign(net, patch, kinds, primitives, rounding_mm):
            break


@njit(cache=True)
def _merge(net, groups, surfaces, pairs, tolerance):
    """Patch (p,) that each patch was merged into. Merged pieces form a linked list, so that only they are visited."""
    order, starts, areas = groups
    kinds, primitives = surfaces
    parent = np.arange(len(kinds))
    follow = np.full(len(kinds), -1)
    last = np.arange(len(kinds))
    for i in range(len(pairs)):
        a, b = pairs[i, 0], pairs[i, 1]
        while parent[a] != a:
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        if a == b:
            continue
        if areas[a] < areas[b] or kinds[a] == FREEFORM:
            a, b = b, a
        if kinds[a] == FREEFORM or areas[a] < areas[b]:
            continue
        side = _side(net, order[starts[a] : starts[a + 1]], kinds[a], primitives[a], np.inf)
        piece = b
        joins = True
        while piece >= 0 and joins:
            own = order[starts[piece] : starts[piece + 1]]
            joins = _side(net, own, kinds[a], primitives[a], tolerance) == side
            piece = follow[piece]
        if joins:
            parent[b] = a
            areas[a] += areas[b]
            follow[last[a]] = b
            last[a] = last[b]
    return parent


@njit(cache=True)
def _side(net, triangles, kind, q, tolerance):
    """Side of the primitive (1 or -1) that all the triangles face, 0 where one does not lie on it."""
    largest = 0.0
    for t in triangles:
        largest = max(largest, net.areas[t])
    side = 0.0
    for t in triangles:
        x, y, z = 0.0, 0.0, 0.0
        for k in range(3):
            p = net.points[net.triangles[t, k]]
            if abs(distance_and_normal(kind, q, p[0], p[1], p[2])[0]) > tolerance:
                return 0.0
            x, y, z = x + p[0] / 3.0, y + p[1] / 3.0, z + p[2] / 3.0
        n = net.normals[t]
        if net.areas[t] <= _NEGLIGIBLE * largest or (n[0] == 0.0 and n[1] == 0.0 and n[2] == 0.0):
            continue
        _, nx, ny, nz = distance_and_normal(kind, q, x, y, z)
        cosine = nx * n[0] + ny * n[1] + nz * n[2]
        if tolerance == np.inf:
            return 1.0 if cosine > 0 else -1.0
        if abs(cosine) < _AGREE or (side != 0.0 and (cosine > 0) != (side > 0)):
            return 0.0
        side = 1.0 if cosine > 0 else -1.0
    return side


@njit(cache=True)
def _worst(net, triangle, kind, primitive):
    """Largest distance of a triangle's corners from a primitive; infinite where its normal disagrees."""
    x, y, z, worst = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        p = net.points[net.triangles[triangle, k]]
        worst = max(worst, abs(distance_and_normal(kind, primitive, p[0], p[1], p[2])[0]))
        x, y, z = x + p[0] / 3.0, y + p[1] / 3.0, z + p[2] / 3.0
    _, nx, ny, nz = distance_and_normal(kind, primitive, x, y, z)
    n = net.normals[triangle]
    return worst if abs(nx * n[0] + ny * n[1] + nz * n[2]) > 0.96 else np.inf


@njit(cache=True)
def _assign_thin_triangles(net, patch, thin):
    """Give thin triangles the patch of the neighbor across their longest side, in place."""
    for t in range(len(patch)):
        if thin[t]:
            side, longest = 0, -1.0
            for k in range(3):
                a, b = net.points[net.triangles[t, k]], net.points[net.triangles[t, (k + 1) % 3]]
                length = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2
                if length > longest:
                    side, longest = k, length
            patch[t] = patch[net.neighbors[t, side]]


@njit(cache=True)
def _reassign(net, patch, kinds, primitives, rounding):
    moved = False
    for t in range(len(patch)):
        own = patch[t]
        if kinds[own] == FREEFORM:
            continue
        best, least = own, -1.0
        for k in range(3):
            other = patch[net.neighbors[t, k]]
            if other == own or kinds[other] == FREEFORM:
                continue
            if least < 0.0:
                least = 0.5 * _worst(net, t, kinds[own], primitives[own]) - 0.03 * rounding
            worst = _worst(net, t, kinds[other], primitives[other])
            if worst < least:
                best, least = other, worst
        if best != own:
            patch[t] = best
            moved = True
    return moved
