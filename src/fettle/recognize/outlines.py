"""Planar outlines: areas, overlaps, and what a straight line crosses.

Outlines are given by the sampled points of their edges: exact for straight sides, within the sampling for arcs.
Compiled here rather than taken from shapely: on 32 parts of the corpus with 150 faces and more the overlaps agree to
4e-12, but shapely takes 11 times as long for them and 100 times as long for the inscribed circles, and it refuses the
outlines of passages, whose segments run either way and need not close.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Part, Plane, Vector
from fettle.jit import njit
from fettle.recognize.graph import Graph, Region, Ring, cross, frame, frame_numbers, plane_of, rings
from fettle.recognize.tolerances import ROUNDING, ZERO

CHORD_MM = 1e-4
MAX_PAIRS = 4_000_000
"""Pairs of segments up to which whole outlines are laid over one another."""

Outline = NDArray[np.float64]
"""Shape (k, 4): segments x1 y1 x2 y2 of all rings, material to the left."""


class FlatBoxes(NamedTuple):
    """Numbers of the flat regions, shape (k,), their boxes, shape (k, 2, 3), normals and origins, shape (k, 3)."""

    numbers: NDArray[np.int64]
    boxes: NDArray[np.float64]
    normals: NDArray[np.float64]
    origins: NDArray[np.float64]


def outline(point_rings: Sequence[NDArray[np.float64]], origin: Vector, across: Vector, up: Vector) -> Outline:
    """Segments of closed rings (each shape (k, 3)) in the plane's own two coordinates."""
    if not point_rings:
        return np.zeros((0, 4))
    offset = np.concatenate(point_rings) - origin
    segments = np.empty((len(offset), 4))
    segments[:, 0], segments[:, 1] = offset @ across, offset @ up
    segments[:-1, 2:] = segments[1:, :2]
    end = 0
    for points in point_rings:
        start, end = end, end + len(points)
        segments[end - 1, 2:] = segments[start, :2]
    return segments


def fine_runs(part: Part, ring: Ring) -> list[NDArray[np.float64]]:
    """Points of a ring edge by edge, shape (k, 3), each edge without its last one, arcs drawn so finely that chords
    stay within `CHORD_MM` of them; arcs that were fitted to a mesh stay as they were sampled."""
    runs = []
    for edge, back in zip(ring.edges, ring.backward, strict=True):
        points = part.edges[edge].points
        curve = part.edges[edge].curve
        if isinstance(curve, Circle) and curve.radius_mm > CHORD_MM and part.source.exact:
            points = _arc(points, curve)
        runs.append((points[::-1] if back else points)[:-1])
    return runs


def _arc(points: NDArray[np.float64], curve: Circle) -> NDArray[np.float64]:
    """The arc through sampled points, from the first to the last of them."""
    step = 2 * math.acos(1 - CHORD_MM / curve.radius_mm)
    count = max(2, math.ceil(math.radians(curve.extent_deg) / step))
    first = points[0] - curve.center
    beside = cross(curve.axis, first)
    sense = 1.0 if float((points[1] - points[0]) @ beside) > 0 else -1.0
    angles = np.linspace(0.0, sense * math.radians(curve.extent_deg), count + 1)
    arc: NDArray[np.float64] = curve.center + np.outer(np.cos(angles), first) + np.outer(np.sin(angles), beside)
    return arc


def ring_area(points: NDArray[np.float64], normal: Vector) -> float:
    """Signed area of a ring about the normal: positive where it runs counter-clockwise (an outer ring)."""
    offset = points - points[0]
    # All sums of products at once. The first point is the origin, so the closing pair adds nothing.
    (_, xy, xz), (yx, _, yz), (zx, zy, _) = (offset[:-1].T @ offset[1:]).tolist()
    nx, ny, nz = normal.tolist()
    return 0.5 * float((yz - zy) * nx + (zx - xz) * ny + (xy - yx) * nz)


def ring_areas(graph: Graph, region: int) -> tuple[float, ...]:
    """Signed areas of the rings of a flat region, outer ones positive; worked out once."""
    known = graph.area_cache.get(region)
    if known is None:
        normal = plane_of(graph.regions[region]).normal
        known = graph.area_cache[region] = tuple(ring_area(ring.points, normal) for ring in rings(graph, region))
    return known


@njit(cache=True)
def overlap_area(one: Outline, two: Outline) -> float:
    """Area common to two outlines, mm2.

    Cut into bands at every corner and crossing; within a band all widths are linear, so its middle line is exact.
    """
    both = np.concatenate((one, two))
    low, high = np.minimum(both[:, 1], both[:, 3]), np.maximum(both[:, 1], both[:, 3])
    coming = np.argsort(low)
    levels = np.sort(np.concatenate((both[:, 1], _crossing_levels(both, len(one), coming))))
    marks = np.empty(len(both))
    active = np.empty(len(both), dtype=np.int64)
    met = used = 0
    total = 0.0
    for band in range(len(levels) - 1):
        height = levels[band + 1] - levels[band]
        if height < 1e-12:
            continue
        y = 0.5 * (levels[band] + levels[band + 1])
        used = _drop_passed(active, used, high, y)
        while met < len(coming) and low[coming[met]] <= y:
            if high[coming[met]] > y:
                used = _insert(active, used, coming[met])
            met += 1
        for k in range(used):
            i = active[k]
            t = (y - both[i, 1]) / (both[i, 3] - both[i, 1])
            marks[k] = both[i, 0] + t * (both[i, 2] - both[i, 0])
        order = np.argsort(marks[:used])
        in_one = False
        in_two = False
        for k in range(used - 1):
            if active[order[k]] < len(one):
                in_one = not in_one
            else:
                in_two = not in_two
            if in_one and in_two:
                total += height * (marks[order[k + 1]] - marks[order[k]])
    return total


@njit(cache=True)
def _crossing_levels(both: Outline, count: int, coming: NDArray[np.int64]) -> NDArray[np.float64]:
    """Heights at which one of the first `count` segments crosses one of the others. `coming`: all by their lower end.

    Each is held against those of the other outline that have begun below it and still reach it.
    """
    high = np.maximum(both[:, 1], both[:, 3])
    levels = np.empty(len(both))
    active = np.empty(len(both), dtype=np.int64)
    reached = used = 0
    for i in coming:
        ax, ay = both[i, 0], both[i, 1]
        bx, by = both[i, 2] - ax, both[i, 3] - ay
        reached = _drop_passed(active, reached, high, min(ay, both[i, 3]))
        for k in range(reached):
            j = active[k]
            if (i < count) == (j < count):
                continue
            cx, cy = both[j, 0], both[j, 1]
            dx, dy = both[j, 2] - cx, both[j, 3] - cy
            turn = bx * dy - by * dx
            if turn == 0.0:
                continue
            t = ((cx - ax) * dy - (cy - ay) * dx) / turn
            s = ((cx - ax) * by - (cy - ay) * bx) / turn
            if 0.0 < t < 1.0 and 0.0 < s < 1.0:
                if used == len(levels):
                    levels = np.concatenate((levels, np.empty(used)))
                levels[used] = ay + t * by
                used += 1
        active[reached] = i
        reached += 1
    return levels[:used]


@njit(cache=True)
def _drop_passed(active: NDArray[np.int64], used: int, high: NDArray[np.float64], y: float) -> int:
    """Keep the segments that reach beyond a height, in order; returns how many."""
    kept = 0
    for k in range(used):
        if high[active[k]] > y:
            active[kept] = active[k]
            kept += 1
    return kept


@njit(cache=True)
def _insert(active: NDArray[np.int64], used: int, item: int) -> int:
    """Put a number into its place among the first `used`, which are in order."""
    k = used
    while k > 0 and active[k - 1] > item:
        active[k] = active[k - 1]
        k -= 1
    active[k] = item
    return used + 1


@njit(cache=True)
def contains(segments: Outline, x: float, y: float) -> bool:
    """Whether a point lies inside an outline."""
    inside = False
    for i in range(len(segments)):
        ax, ay, bx, by = segments[i, 0], segments[i, 1], segments[i, 2], segments[i, 3]
        if (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
            inside = not inside
    return inside


def region_outline(graph: Graph, region: int) -> Outline:
    """Outline of a planar region about its plane's origin, in the `frame` of its normal; worked out once."""
    segments = graph.outline_cache.get(region)
    if segments is None:
        surface = plane_of(graph.regions[region])
        segments = outline([ring.points for ring in rings(graph, region)], surface.origin, *frame(surface.normal))
        graph.outline_cache[region] = segments
    return segments


def common_area(graph: Graph, one: int, two: int) -> float:
    """Area of two parallel flat regions that lies opposite one another, mm2.

    Outlines are sampled; what both share is scaled by how much the sampling of the smaller one is off. Where rings are
    many, only the outer ones are laid over one another: holes of a plate go through both its faces, so the regions'
    own areas account for them.
    """
    small, large = sorted((one, two), key=lambda number: graph.regions[number].area_mm2)
    exact = graph.regions[small].area_mm2
    surface = plane_of(graph.regions[small])
    across, up = frame(surface.normal)
    around, beyond = ([ring.points for ring in rings(graph, number)] for number in (small, large))
    if sum(map(len, around)) * sum(map(len, beyond)) > MAX_PAIRS:
        beyond = _outer(beyond, -surface.normal)
        first = outline(_outer(around, surface.normal), surface.origin, across, up)
    else:
        first = region_outline(graph, small)
    second = outline(beyond, surface.origin, across, up)
    drawn = outline_area(first)
    shared = float(overlap_area(first, second))
    return shared * exact / drawn if drawn > 0 else 0.0


def _outer(point_rings: Sequence[NDArray[np.float64]], normal: Vector) -> list[NDArray[np.float64]]:
    return [points for points in point_rings if ring_area(points, normal) > 0]


def outline_area(segments: Outline) -> float:
    """Area inside closed rings given as segments, whose holes run the other way."""
    return abs(0.5 * float(np.sum(segments[:, 0] * segments[:, 3] - segments[:, 2] * segments[:, 1])))


@lru_cache(maxsize=1)
def _flat_boxes(graph: Graph) -> FlatBoxes:
    """Every flat region with its box; kept for the last graph."""
    flat = [region for region in graph.regions if isinstance(region.surface, Plane)]
    around = [region_box(graph, region) for region in flat] or [np.empty((0, 3))]
    planes = np.array([plane for plane in graph.planes if plane is not None]).reshape(-1, 2, 3)
    return FlatBoxes(
        np.array([region.number for region in flat], dtype=np.int64),
        np.concatenate(around).reshape(-1, 2, 3),
        np.ascontiguousarray(planes[:, 0]),
        np.ascontiguousarray(planes[:, 1]),
    )


def region_box(graph: Graph, region: Region) -> NDArray[np.float64]:
    """The box around all faces of a region, shape (2, 3)."""
    if len(region.faces) == 1:
        return graph.part.faces[region.face].box
    boxes = np.array([graph.part.faces[face].box for face in region.faces])
    return np.array([boxes[:, 0].min(axis=0), boxes[:, 1].max(axis=0)])


def segment_hits_flat(graph: Graph, start: Vector, end: Vector) -> bool:
    """Whether a straight line crosses one of the flat regions strictly between its ends."""
    flats, direction = _flat_boxes(graph), end - start
    (sx, sy, sz), (dx, dy, dz) = start.tolist(), direction.tolist()
    for row in _pierced(flats.boxes, flats.normals, flats.origins, start, direction).tolist():
        (nx, ny, nz), (ox, oy, oz) = flats.normals[row].tolist(), flats.origins[row].tolist()
        t = ((ox - sx) * nx + (oy - sy) * ny + (oz - sz) * nz) / (dx * nx + dy * ny + dz * nz)
        (ax, ay, az), (ux, uy, uz) = frame_numbers(nx, ny, nz)
        x, y, z = sx + t * dx - ox, sy + t * dy - oy, sz + t * dz - oz
        around = region_outline(graph, int(flats.numbers[row]))
        if contains(around, x * ax + y * ay + z * az, x * ux + y * uy + z * uz):
            return True
    return False


@njit(cache=True)
def _pierced(
    boxes: NDArray[np.float64], normals: NDArray[np.float64], origins: NDArray[np.float64], start: Vector, way: Vector
) -> NDArray[np.int64]:
    """Rows of the planes that a line crosses strictly between its ends, in whose boxes it comes."""
    found = np.empty(len(boxes), np.int64)
    count = 0
    for row in range(len(boxes)):
        near = True
        for k in range(3):
            low, high = min(start[k], start[k] + way[k]), max(start[k], start[k] + way[k])
            if boxes[row, 0, k] > high + ROUNDING or boxes[row, 1, k] < low - ROUNDING:
                near = False
                break
        if not near:
            continue
        slope = rise = 0.0
        for k in range(3):
            slope += way[k] * normals[row, k]
            rise += (origins[row, k] - start[k]) * normals[row, k]
        if abs(slope) >= ZERO and ROUNDING < rise / slope < 1.0 - ROUNDING:
            found[count] = row
            count += 1
    return found[:count]
