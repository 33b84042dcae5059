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
_EIGHT_X, _EIGHT_Y = np.cos(np.arange(8) * (math.pi / 4)), np.sin(np.arange(8) * (math.pi / 4))


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
    `aside` (3,)."""
    low, high = np.full(2 * TURNS, np.inf), np.full(2 * TURNS, -np.inf)
    cosines, sines = _COSINES.copy(), _SINES.copy()
    xs, ys = np.empty(points.shape[1]), np.empty(points.shape[1])
    for i in range(points.shape[1]):
        xs[i] = points[0, i] * across[0] + points[1, i] * across[1] + points[2, i] * across[2]
        ys[i] = points[0, i] * aside[0] + points[1, i] * aside[1] + points[2, i] * aside[2]
    inside = _within_corners(xs, ys)
    for i in range(points.shape[1]):
        if inside[i]:
            continue
        # all turns of a point: the compiler takes several at once, of points it would take one after the other
        for turn in range(2 * TURNS):
            width = cosines[turn] * xs[i] + sines[turn] * ys[i]
            low[turn] = width if width < low[turn] else low[turn]
            high[turn] = width if width > high[turn] else high[turn]
    return high - low


@njit(cache=True)
def _within_corners(xs, ys):
    """Which of flat points (n,) lie inside the ring of those that reach farthest along eight directions: they reach
    farthest along none, and are most of a mesh."""
    corners = np.zeros(len(_EIGHT_X), np.int64)
    for k in range(len(_EIGHT_X)):
        most = -np.inf
        for i in range(len(xs)):
            reach = _EIGHT_X[k] * xs[i] + _EIGHT_Y[k] * ys[i]
            if reach > most:
                most, corners[k] = reach, i
    inside = np.ones(len(xs), np.bool_)
    for k in range(len(corners)):
        one, two = corners[k], corners[(k + 1) % len(corners)]
        x, y = xs[one], ys[one]
        dx, dy = xs[two] - x, ys[two] - y
        hair = 1e-9 * (abs(dx) + abs(dy)) * (abs(dx) + abs(dy))
        if one != two:
            for i in range(len(xs)):
                inside[i] &= dx * (ys[i] - y) - dy * (xs[i] - x) > hair
    inside[corners] = False
    return inside


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
