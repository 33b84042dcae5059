# mypy: allow-untyped-defs
"""Facets: the flat pieces of a triangle mesh, and which of them meet at a gentle angle.

A tessellated cylinder is a ring of flat strips, a sphere a net of small flat cells, a plane one facet. Patches are
grown from facets rather than from triangles, because a facet lies wholly on one surface.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.segmentation.shells import paired_sides
from fettle.geometry.segmentation.welding import edge_table
from fettle.geometry.surfaces.encoding import COLUMNS
from fettle.geometry.surfaces.linear_algebra import dot, least_axis
from fettle.jit import njit

_MIN_HEIGHT = 6.0
"""A triangle lower than this many roundings has no reliable normal."""

_START = 12
_MAX_FLOODS = 8

GENTLE_DEG = 32.0
"""Largest turn between two facets of one curved surface: a circle of at least twelve segments."""


class TriangleNet(NamedTuple):
    """A closed mesh with its neighbors (m, 3), the triangle across side k; normals (m, 3), zero where a triangle is
    too thin to have one; areas (m,)."""

    points: NDArray[np.float64]
    triangles: NDArray[np.int64]
    neighbors: NDArray[np.int64]
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
    firm = double > _MIN_HEIGHT * rounding_mm * longest
    normals = np.where(firm[:, None], cross / np.maximum(double, 1e-300)[:, None], 0.0)
    left, right = paired_sides(points, triangles, edge_table(triangles))
    neighbors = np.full(triangles.size, -1, dtype=np.int64)
    neighbors[left], neighbors[right] = right // 3, left // 3
    return TriangleNet(points, triangles, neighbors.reshape(-1, 3), normals, 0.5 * double)


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
    right = net.neighbors.ravel()
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


def fit_planes(facets: Facets, numbers: NDArray[np.int64]) -> NDArray[np.float64]:
    """Least-squares planes (k, 8) of some facets, as primitives."""
    return np.asarray(_fit_planes(facets, numbers))


@njit(cache=True)
def _fit_planes(facets, numbers):
    planes = np.zeros((len(numbers), COLUMNS))
    for i in range(len(numbers)):
        f = numbers[i]
        own = facets.vertices[facets.vertex_starts[f] : facets.vertex_starts[f + 1]]
        middle = np.zeros(3)
        for v in own:
            middle += facets.points[v] / len(own)
        spread = np.zeros((3, 3))
        for v in own:
            d = facets.points[v] - middle
            for j in range(3):
                for k in range(3):
                    spread[j, k] += d[j] * d[k]
        normal = least_axis(spread) if len(own) > 3 else facets.normals[f]
        sign = 1.0 if dot(normal, facets.normals[f]) >= 0 else -1.0
        for k in range(3):
            planes[i, k] = middle[k]
            planes[i, 3 + k] = sign * normal[k]
    return planes


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
    pairs = np.sort(keys * value_count + values)
    pairs = pairs[np.diff(pairs, prepend=-1) > 0]
    starts = np.searchsorted(pairs, np.arange(key_count + 1) * value_count)
    return starts, pairs % max(value_count, 1)


@njit(cache=True)
def _sharing(starts, facets):
    """Ordered pairs of facets at each vertex; vertices where more than 64 meet, hubs of fans, are left out."""
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
    facet = np.full(len(net.triangles), -1, np.int64)
    stamp = np.full(len(net.triangles), -1, np.int64)
    queue = np.empty(len(net.triangles), np.int64)
    sums = np.zeros((4, 3))
    count = 0
    tries = 0
    for seed in seeds:
        if facet[seed] >= 0:
            continue
        tries += 1
        origin = net.points[net.triangles[seed, 0]]
        end, plane = _start_flat(net, seed, tolerance, (facet, stamp, queue), (tries, sums))
        for _ in range(_MAX_FLOODS):
            if end < _START:
                break
            before = end
            tries += 1
            end = _flood_flat(net, seed, plane, tolerance, (facet, stamp, queue), tries)
            if end <= before:
                break
            sums[:] = 0.0
            for i in range(end):
                _add_corners(sums, net.points, net.triangles[queue[i]], origin, 1.0)
            plane = _plane_through(sums, 3 * end, origin, plane)
        for i in range(end):
            facet[queue[i]] = count
        count += 1
    return facet, count


@njit(cache=True)
def _start_flat(net, seed, tolerance, marks, scratch):
    """The first few triangles of a facet, and its plane (normal, offset).

    The plane of a sliver is uncertain across it. So what is not clearly off the plane is fitted together with it, and
    judged by the distances that then remain.
    """
    points, triangles = net.points, net.triangles
    facet, stamp, queue = marks
    mark, sums = scratch
    nx, ny, nz = net.normals[seed, 0], net.normals[seed, 1], net.normals[seed, 2]
    origin = points[triangles[seed, 0]]
    plane = (nx, ny, nz, nx * origin[0] + ny * origin[1] + nz * origin[2])
    sums[:] = 0.0
    _add_corners(sums, points, triangles[seed], origin, 1.0)
    longest = 0.0
    for k in range(3):
        a, b = points[triangles[seed, k]], points[triangles[seed, (k + 1) % 3]]
        longest = max(longest, (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2)
    height = 2.0 * net.areas[seed] / max(np.sqrt(longest), 1e-300)
    stamp[seed] = mark
    queue[0] = seed
    end = 1
    at = 0
    while at < end < _START:
        here = queue[at]
        at += 1
        for k in range(3):
            other = net.neighbors[here, k]
            if other < 0 or facet[other] >= 0 or stamp[other] == mark or not _faces(net.normals[other], plane):
                continue
            away, reach = 0.0, 0.0
            for c in range(3):
                p = points[triangles[other, c]]
                away = max(away, abs(_off(plane, p)))
                reach = max(reach, (p[0] - origin[0]) ** 2 + (p[1] - origin[1]) ** 2 + (p[2] - origin[2]) ** 2)
            if away > tolerance * (1.0 + 2.0 * np.sqrt(reach) / max(height, 1e-300)):
                continue
            _add_corners(sums, points, triangles[other], origin, 1.0)
            fitted = _plane_through(sums, 3 * (end + 1), origin, plane)
            queue[end] = other
            if not _all_on(net, queue[: end + 1], fitted, tolerance):
                _add_corners(sums, points, triangles[other], origin, -1.0)
                continue
            plane = fitted
            stamp[other] = mark
            end += 1
            if end == _START:
                break
    return end, plane


@njit(cache=True)
def _flood_flat(net, seed, plane, tolerance, marks, mark):
    """All triangles around the seed that lie on the plane, into the queue; their number."""
    facet, stamp, queue = marks
    stamp[seed] = mark
    queue[0] = seed
    end = 1
    at = 0
    while at < end:
        here = queue[at]
        at += 1
        for k in range(3):
            other = net.neighbors[here, k]
            if other < 0 or facet[other] >= 0 or stamp[other] == mark or not _faces(net.normals[other], plane):
                continue
            w = net.triangles[other]
            if (
                abs(_off(plane, net.points[w[0]])) <= tolerance
                and abs(_off(plane, net.points[w[1]])) <= tolerance
                and abs(_off(plane, net.points[w[2]])) <= tolerance
            ):
                stamp[other] = mark
                queue[end] = other
                end += 1
    return end


@njit(cache=True)
def _faces(normal, plane):
    """Whether a triangle faces the plane's way; a thin one (normal zero) always does."""
    cosine = normal[0] * plane[0] + normal[1] * plane[1] + normal[2] * plane[2]
    return cosine >= 0.5 or cosine == 0.0


@njit(cache=True)
def _off(plane, point):
    return plane[0] * point[0] + plane[1] * point[1] + plane[2] * point[2] - plane[3]


@njit(cache=True)
def _all_on(net, members, plane, tolerance):
    for t in members:
        for c in range(3):
            if abs(_off(plane, net.points[net.triangles[t, c]])) > tolerance:
                return False
    return True


@njit(cache=True)
def _add_corners(sums, points, triangle, origin, sign):
    """Moments about the origin of a triangle's corners: sums (4, 3) holds the second ones and, last, the first."""
    for c in range(3):
        p = points[triangle[c]]
        x, y, z = p[0] - origin[0], p[1] - origin[1], p[2] - origin[2]
        sums[0, 0] += sign * x * x
        sums[0, 1] += sign * x * y
        sums[0, 2] += sign * x * z
        sums[1, 1] += sign * y * y
        sums[1, 2] += sign * y * z
        sums[2, 2] += sign * z * z
        sums[3, 0] += sign * x
        sums[3, 1] += sign * y
        sums[3, 2] += sign * z


@njit(cache=True)
def _plane_through(sums, count, origin, side):
    """Least-squares plane from the moments of `count` corners, its normal on the side of another plane's."""
    spread = np.empty((3, 3))
    for j in range(3):
        for k in range(j, 3):
            spread[j, k] = spread[k, j] = sums[j, k] - sums[3, j] * sums[3, k] / count
    normal = least_axis(spread)
    sign = 1.0 if dot(normal, side) > 0 else -1.0
    x, y, z = sign * normal[0], sign * normal[1], sign * normal[2]
    middle = origin + sums[3] / count
    return x, y, z, x * middle[0] + y * middle[1] + z * middle[2]
