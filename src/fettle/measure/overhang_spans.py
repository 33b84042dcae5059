# mypy: allow-untyped-defs
"""Spans of overhangs: how far it is from a point of a down-facing region to what carries the region on both sides.

A region is a set of connected triangles that face the plate. Seen along the build direction it is flat and without
folds, so a straight walk from triangle to triangle finds its border. There the region is carried where the next
triangle bends down (a wall below, the flank of an arch) or lies on the plate, and ends in the air where it bends up.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner

LINES = 8
"""Lines through a point along which its span is measured, at equal angles: the shortest is at most 2 % too long."""
ARCH_END_DEG = 15.0
"""A span whose ends are steeper than this is the chord of an arch, otherwise a bridge."""


class Terrain(NamedTuple):
    """The mesh as walks need it, a tuple so that compiled loops take it whole.

    plan (2, n): the points in the plane of the plate, mm; points (3, n) mm; corners (m, 3): rows of both by triangle;
    ring (3 m,): the next side along the same edge; normals (3, m) unit; falling (m,): cosine of each triangle's angle
    to the plate; overhanging, resting (m,): the triangles of the regions, and those on the plate.
    """

    plan: NDArray[np.float64]
    points: NDArray[np.float64]
    corners: NDArray[np.uint32]
    ring: NDArray[np.uint32]
    normals: NDArray[np.float64]
    falling: NDArray[np.float64]
    overhanging: NDArray[np.bool_]
    resting: NDArray[np.bool_]


def measure_spans(
    terrain: Terrain, triangles: NDArray[np.uint32], farthest_mm: float
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Shortest bridge, arch and ledge in mm through the center of each of k overhanging triangles, shape (k,) each, inf
    where there is none. A bridge is carried at both ends, an arch too but with ends that slope, a ledge at one. Borders
    are looked for up to `farthest_mm` from the center."""
    angles = np.arange(LINES) * (math.pi / LINES)
    ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    bridge, arch, ledge = _shortest_spans(terrain, triangles, ways, math.cos(math.radians(ARCH_END_DEG)), farthest_mm)
    return bridge, arch, ledge


@njit(cache=True, error_model="numpy")
def _shortest_spans(terrain, triangles, ways, arch_end, farthest):
    found = np.full((3, len(triangles)), np.inf)
    for i in range(len(triangles)):
        a, b, c = terrain.corners[triangles[i]]
        x = (terrain.plan[0, a] + terrain.plan[0, b] + terrain.plan[0, c]) / 3.0
        y = (terrain.plan[1, a] + terrain.plan[1, b] + terrain.plan[1, c]) / 3.0
        for w in range(len(ways)):
            ahead, carried_ahead, falls_ahead = _walk(terrain, triangles[i], x, y, ways[w, 0], ways[w, 1], farthest)
            if ahead == np.inf:
                continue
            behind, carried_behind, falls_behind = _walk(
                terrain, triangles[i], x, y, -ways[w, 0], -ways[w, 1], farthest
            )
            if not (carried_ahead or carried_behind):
                continue
            kind = 2
            if carried_ahead and carried_behind:
                kind = 1 if max(falls_ahead, falls_behind) < arch_end else 0
            found[kind, i] = min(found[kind, i], ahead + behind)
    return found[0], found[1], found[2]


@njit_inner
def _walk(terrain, triangle, x, y, way_x, way_y, farthest):
    """Distance from a place in a triangle to the border of its region, whether the region is carried there, and the
    cosine of the last triangle's angle to the plate; inf, False where the border is too far."""
    plan, corners, ring = terrain.plan, terrain.corners, terrain.ring
    here, entered = triangle, -1
    while True:
        best, side = np.inf, -1
        for k in range(3):
            if k == entered:
                continue
            a, b = corners[here, k], corners[here, (k + 1) % 3]
            edge_x, edge_y = plan[0, b] - plan[0, a], plan[1, b] - plan[1, a]
            # Seen from above a triangle that faces down runs clockwise: its outside is on the left of its sides.
            outward = edge_x * way_y - edge_y * way_x
            if outward > 0.0:
                distance = (edge_x * (plan[1, a] - y) - edge_y * (plan[0, a] - x)) / outward
                if distance < best:
                    best, side = distance, k
        if side < 0 or best > farthest:
            return np.inf, False, 0.0
        mate = ring[3 * here + side]
        other = mate // 3
        if other == here or ring[mate] != 3 * here + side:
            return best, False, terrain.falling[here]
        if not terrain.overhanging[other]:
            return best, _carries(terrain, here, side, mate), terrain.falling[here]
        here, entered = other, mate % 3


@njit_inner
def _carries(terrain, triangle, side, mate):
    """Whether the triangle of `mate`, beyond a side of an overhanging one, holds it up."""
    if terrain.resting[mate // 3]:
        return True
    a, tip = terrain.corners[triangle, side], terrain.corners[mate // 3, (mate % 3 + 2) % 3]
    out = 0.0
    for k in range(3):
        out += (terrain.points[k, tip] - terrain.points[k, a]) * terrain.normals[k, triangle]
    return out > 0.0
