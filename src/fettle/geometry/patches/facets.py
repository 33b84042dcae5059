# mypy: allow-untyped-defs
"""Facets: the flat pieces of a triangle mesh, and which of them meet at a gentle angle.

A tessellated cylinder is a ring of flat strips, a sphere a net of small flat cells, a plane one facet. Patches are
grown from facets rather than from triangles, because a facet lies wholly on one surface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.patches.algebra import dot, least_axis, mean_and_reach
from fettle.geometry.patches.shells import paired_sides
from fettle.geometry.patches.soup import edge_table

_FIRM = 6.0
"""A triangle lower than this many roundings has no direction to speak of."""

GENTLE_DEG = 32.0
"""Largest turn between two facets of one curved surface: a circle of at least twelve segments."""


class TriangleNet(NamedTuple):
    """A closed mesh with its neighbours (m, 3), the triangle across side k; normals (m, 3), zero where a triangle is
    too thin to have one; areas (m,)."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    neighbours: NDArray[np.int64]
    normals: NDArray[np.float64]
    areas: NDArray[np.float64]


class Facets(NamedTuple):
    """f facets. points (n, 3): all vertices of the mesh; facet (m,): of each triangle, -1 where it was not asked for;
    by facet: normals and centers (f, 3), areas (f,); vertex_starts (f + 1,), vertices: its vertices, each once.

    gentle_starts (f + 1,), gentle: facets across an edge with a turn below `GENTLE_DEG`, each once; ring_starts, ring:
    facets that share at least a vertex and turn no more than that.
    """

    points: NDArray[np.float64]
    facet: NDArray[np.int64]
    normals: NDArray[np.float64]
    centers: NDArray[np.float64]
    areas: NDArray[np.float64]
    vertex_starts: NDArray[np.int64]
    vertices: NDArray[np.int64]
    gentle_starts: NDArray[np.int64]
    gentle: NDArray[np.int64]
    ring_starts: NDArray[np.int64]
    ring: NDArray[np.int64]


def connect(points: NDArray[np.float64], triangles: NDArray[np.int64], rounding_mm: float) -> TriangleNet:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    cross = np.cross(b - a, c - a)
    double = np.linalg.norm(cross, axis=1)
    longest = np.sqrt(np.max([((x - y) ** 2).sum(axis=1) for x, y in ((a, b), (b, c), (c, a))], axis=0))
    firm = double > _FIRM * rounding_mm * longest
    normals = np.where(firm[:, None], cross / np.maximum(double, 1e-300)[:, None], 0.0)
    left, right = paired_sides(points, triangles, edge_table(triangles))
    neighbours = np.full(triangles.size, -1, dtype=np.int64)
    neighbours[left], neighbours[right] = right // 3, left // 3
    return TriangleNet(points, triangles, neighbours.reshape(-1, 3), normals, 0.5 * double)


def find_facets(net: TriangleNet, wanted: NDArray[np.bool_], tolerance_mm: float) -> Facets:
    """Facets of the triangles `wanted` (m,): connected, and flat within the tolerance."""
    seeds = np.argsort(-net.areas, kind="stable")
    facet, count = _grow_flat(net, seeds[wanted[seeds]], tolerance_mm)
    own = np.flatnonzero(facet >= 0)
    number = facet[own]
    weights = net.areas[own]
    areas = np.bincount(number, weights=weights, minlength=count).astype(np.float64)
    middles = net.points[net.triangles[own]].mean(axis=1)
    sums = np.stack(
        [np.bincount(number, weights=weights * net.normals[own, k], minlength=count) for k in range(3)], axis=1
    )
    centers = np.stack(
        [np.bincount(number, weights=weights * middles[:, k], minlength=count) for k in range(3)], axis=1
    )
    normals = sums / np.maximum(np.linalg.norm(sums, axis=1), 1e-300)[:, None]
    vertex_starts, vertices = _group(np.repeat(number, 3), net.triangles[own].ravel(), count, len(net.points))

    left = np.repeat(np.arange(len(facet)), 3)
    right = net.neighbours.ravel()
    here, there = facet[left], np.where(right >= 0, facet[right], -1)
    across = (here >= 0) & (there >= 0) & (here != there)
    gentle_starts, gentle = _group(*_gentle_pairs(normals, here[across], there[across]), count, count)
    facet_starts, facets_at = _group(
        vertices, np.repeat(np.arange(count), np.diff(vertex_starts)), len(net.points), count
    )
    ring_starts, ring = _group(*_gentle_pairs(normals, *_sharing(facet_starts, facets_at)), count, count)
    return Facets(
        net.points,
        facet,
        normals,
        centers / np.maximum(areas, 1e-300)[:, None],
        areas,
        vertex_starts,
        vertices,
        gentle_starts,
        gentle,
        ring_starts,
        ring,
    )


def _gentle_pairs(
    normals: NDArray[np.float64], left: NDArray[np.int64], right: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    cosine = np.einsum("ij,ij->i", normals[left], normals[right])
    keep = cosine > np.cos(np.radians(GENTLE_DEG))
    return left[keep], right[keep]


def _group(
    keys: NDArray[np.int64], values: NDArray[np.int64], key_count: int, value_count: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Values by key, each once, as starts (key_count + 1,) and a flat array."""
    pairs = np.unique(keys * value_count + values)
    starts = np.searchsorted(pairs, np.arange(key_count + 1) * value_count)
    return starts, pairs % max(value_count, 1)


@njit(cache=True)
def _sharing(starts, facets):
    """Ordered pairs of facets at each vertex; vertices where more than 64 meet are the hub of a fan and say nothing."""
    total = 0
    for v in range(len(starts) - 1):
        n = starts[v + 1] - starts[v]
        if n <= 64:
            total += n * (n - 1)
    left = np.empty(total, np.int64)
    right = np.empty(total, np.int64)
    at = 0
    for v in range(len(starts) - 1):
        if starts[v + 1] - starts[v] > 64:
            continue
        for i in range(starts[v], starts[v + 1]):
            for j in range(starts[v], starts[v + 1]):
                if i != j:
                    left[at] = facets[i]
                    right[at] = facets[j]
                    at += 1
    return left, right


@njit(cache=True)
def _grow_flat(net, seeds, tolerance):
    """Facet number of each triangle, largest triangles first; the plane is fitted again while the facet grows."""
    points, triangles, neighbours, normals, _ = net
    facet = np.full(len(triangles), -1, np.int64)
    stamp = np.full(len(triangles), -1, np.int64)
    queue = np.empty(len(triangles), np.int64)
    count = 0
    tries = 0
    for seed in seeds:
        if facet[seed] >= 0:
            continue
        nx, ny, nz = normals[seed, 0], normals[seed, 1], normals[seed, 2]
        v = triangles[seed, 0]
        offset = nx * points[v, 0] + ny * points[v, 1] + nz * points[v, 2]
        size = 0
        while True:
            tries += 1
            stamp[seed] = tries
            queue[0] = seed
            end = 1
            at = 0
            while at < end:
                t = queue[at]
                at += 1
                for k in range(3):
                    other = neighbours[t, k]
                    if other < 0 or facet[other] >= 0 or stamp[other] == tries:
                        continue
                    cosine = nx * normals[other, 0] + ny * normals[other, 1] + nz * normals[other, 2]
                    # a thin triangle (normal zero) goes wherever its corners lie
                    if cosine < 0.5 and cosine != 0.0:
                        continue
                    w = triangles[other]
                    flat = True
                    for c in range(3):
                        away = nx * points[w[c], 0] + ny * points[w[c], 1] + nz * points[w[c], 2] - offset
                        if abs(away) > tolerance:
                            flat = False
                            break
                    if flat:
                        stamp[other] = tries
                        queue[end] = other
                        end += 1
            if end <= size * 1.2 or end < 4:
                break
            size = end
            nx, ny, nz, offset = _fit_plane(points, triangles, queue[:end], (nx, ny, nz))
        for i in range(end):
            facet[queue[i]] = count
        count += 1
    return facet, count


@njit(cache=True)
def _fit_plane(points, triangles, members, side):
    """Least-squares plane through the corners, its normal on the side given."""
    corners = np.empty((3 * len(members), 3))
    for i in range(len(members)):
        for k in range(3):
            for j in range(3):
                corners[3 * i + k, j] = points[triangles[members[i], k], j]
    mean, _ = mean_and_reach(corners)
    spread = np.zeros((3, 3))
    for i in range(len(corners)):
        for j in range(3):
            for k in range(3):
                spread[j, k] += (corners[i, j] - mean[j]) * (corners[i, k] - mean[k])
    normal = least_axis(spread)
    sign = 1.0 if dot(normal, side) > 0 else -1.0
    return sign * normal[0], sign * normal[1], sign * normal[2], sign * dot(normal, mean)
