# mypy: allow-untyped-defs, allow-untyped-calls
"""Passes over the points of a mesh, compiled: which may be outermost, how far they reach, and what a mold sees."""

from __future__ import annotations

import math

import numpy as np

from fettle.jit import njit

TURNS = 36
"""Turns about the direction, at equal steps over a right angle, among which the smallest rectangle is looked for."""
_ANGLES = np.arange(2 * TURNS) * (math.pi / 2 / TURNS)
_COSINES, _SINES = np.cos(_ANGLES), np.sin(_ANGLES)
EIGHTH = TURNS // 2
"""Of these turns in an eighth of a full turn."""
HAIR = 1e-9
"""Share of the farthest coordinate by which points must lie within a line to be dropped, whatever is rounded."""
NEAR_CORNER = 1e-6
"""Share of the farthest coordinate within which points compete with one that is the corner of two directions."""


@njit(cache=True)
def outermost_points(points, vertex, point_face, plane):
    """Points (3, k) of (n, 3), each once, without those within plane faces (faces,), most of a part of planes: a plane
    reaches no farther than its rim, whose points are those of several faces. All of them where none is left."""
    shared = np.zeros(vertex.max() + 1, np.int64)
    for i in range(len(vertex)):
        shared[vertex[i]] += 1
    kept, count = np.empty((3, len(points))), 0
    for i in range(len(points)):
        faces = shared[vertex[i]]
        if faces > 1 or (faces == 1 and not plane[point_face[i]]):
            shared[vertex[i]] = 0
            kept[0, count], kept[1, count], kept[2, count] = points[i, 0], points[i, 1], points[i, 2]
            count += 1
    return kept[:, :count].copy() if count else points.T.copy()


@njit(cache=True)
def reach_along(points, x, y, z):
    """How far points (3, k) reach along a direction."""
    low, high = np.inf, -np.inf
    for i in range(points.shape[1]):
        height = points[0, i] * x + points[1, i] * y + points[2, i] * z
        low, high = min(low, height), max(high, height)
    return high - low


@njit(cache=True)
def widths_about(points, across, aside):
    """Widths (2 * TURNS,) of points (3, k) along directions that turn by two right angles, from `across` (3,) over
    `aside` (3,).

    The points that reach farthest along eight of the directions are corners of the outline. Between two of the eight
    only what lies beyond the line between their corners can reach farthest: most points are looked at in one turn of
    eight, those within the ring of corners in none.
    """
    low, high = np.full(2 * TURNS, np.inf), np.full(2 * TURNS, -np.inf)
    cosines, sines = _COSINES.copy(), _SINES.copy()
    xs, ys = np.empty(points.shape[1]), np.empty(points.shape[1])
    for i in range(points.shape[1]):
        xs[i] = points[0, i] * across[0] + points[1, i] * across[1] + points[2, i] * across[2]
        ys[i] = points[0, i] * aside[0] + points[1, i] * aside[1] + points[2, i] * aside[2]
    corners = _corners(xs, ys, low, high)
    scale = max(high[0], -low[0], high[TURNS], -low[TURNS])
    beyond = np.empty(len(xs), np.int64)
    for k in range(8):
        count = _beyond(xs, ys, corners[k], corners[(k + 1) % 8], scale, beyond)
        first = k % 4 * EIGHTH
        # all turns of a point: the compiler takes several at once, of points it would take one after the other
        if k < 4:
            for i in beyond[:count]:
                for turn in range(first, first + EIGHTH):
                    width = cosines[turn] * xs[i] + sines[turn] * ys[i]
                    high[turn] = width if width > high[turn] else high[turn]
        else:
            for i in beyond[:count]:
                for turn in range(first, first + EIGHTH):
                    width = cosines[turn] * xs[i] + sines[turn] * ys[i]
                    low[turn] = width if width < low[turn] else low[turn]
    return high - low


@njit(cache=True)
def _corners(xs, ys, low, high):
    """Numbers (8,) of the flat points (n,) that reach farthest along every eighth of a full turn; how far they do is
    written to `low` and `high`."""
    corners = np.zeros(8, np.int64)
    for k in range(4):
        turn = k * EIGHTH
        cosine, sine = _COSINES[turn], _SINES[turn]
        least, most = np.inf, -np.inf
        for i in range(len(xs)):
            reach = cosine * xs[i] + sine * ys[i]
            if reach > most:
                most, corners[k] = reach, i
            if reach < least:
                least, corners[k + 4] = reach, i
        low[turn], high[turn] = least, most
    return corners


@njit(cache=True)
def _beyond(xs, ys, one, two, scale, beyond):
    """Writes to `beyond` which of the flat points (n,) do not lie within the line from corner `one` to corner `two`,
    and returns how many; of two corners in one place those near it. Without branches, which no processor foresees."""
    x, y = xs[one], ys[one]
    dx, dy = xs[two] - x, ys[two] - y
    length, count = abs(dx) + abs(dy), 0
    if length <= HAIR * scale:
        for i in range(len(xs)):
            beyond[count] = i
            count += abs(xs[i] - x) + abs(ys[i] - y) <= NEAR_CORNER * scale
        return count
    hair = HAIR * length * scale
    for i in range(len(xs)):
        beyond[count] = i
        count += dx * (ys[i] - y) - dy * (xs[i] - x) <= hair
    return count


@njit(cache=True)
def seen_mm2(normals, area_mm2, point_face, hidden, pull):
    """Area that points of some normals (n, 3) and areas (n,) show of themselves along the pull (3,), without hidden
    faces (faces,)."""
    seen = 0.0
    for i in range(len(normals)):
        if not hidden[point_face[i]]:
            along = normals[i, 0] * pull[0] + normals[i, 1] * pull[1] + normals[i, 2] * pull[2]
            seen += abs(along) * area_mm2[i]
    return seen


@njit(cache=True)
def box_volumes(points, point_face, region_of, axes, count):
    """Volumes (count,) of the boxes along three directions (3, 3), rows, around the points (n, 3) of regions of faces;
    `region_of` (faces,): the region of each face, -1 for none."""
    low, high = np.full((count, 3), np.inf), np.full((count, 3), -np.inf)
    for i in range(len(points)):
        region = region_of[point_face[i]]
        if region >= 0:
            for k in range(3):
                along = points[i, 0] * axes[k, 0] + points[i, 1] * axes[k, 1] + points[i, 2] * axes[k, 2]
                low[region, k], high[region, k] = min(low[region, k], along), max(high[region, k], along)
    sides = high - low
    return sides[:, 0] * sides[:, 1] * sides[:, 2]
