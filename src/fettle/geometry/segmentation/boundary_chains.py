# mypy: allow-untyped-defs
"""Chains of mesh sides along which two patches meet, with their angles and the curves that they follow."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.segmentation.patches import Patches
from fettle.geometry.surfaces.circle import fit_circle
from fettle.geometry.surfaces.frames import axis_frame
from fettle.geometry.surfaces.linear_algebra import dot, least_axis, mean_and_reach
from fettle.jit import njit

POLYLINE, LINE, CIRCLE = 0, 1, 2


class Chains(NamedTuple):
    """c chains. faces (c, 2), the lower number first: its material lies to the left, seen from outside;
    starts (c + 1,), vertices: of chain i from end to end, the same at both when it is closed."""

    faces: NDArray[np.int64]
    starts: NDArray[np.int64]
    vertices: NDArray[np.int64]


class ChainShapes(NamedTuple):
    """Angles and curves of c chains. angles (c, 3): through the material, degrees, mean and extremes; areas (c, 3):
    vector of the area that each sweeps seen from the origin; kinds (c,): POLYLINE, LINE or CIRCLE; lengths (c,) mm;
    shapes (c, 8): a line's direction first, or a circle's center, axis, radius and extent in degrees."""

    angles: NDArray[np.float64]
    areas: NDArray[np.float64]
    kinds: NDArray[np.int64]
    lengths: NDArray[np.float64]
    shapes: NDArray[np.float64]


def find_chains(patches: Patches) -> Chains:
    """Chains from branching vertex to branching vertex, in the order of their faces."""
    net, patch = patches.net, patches.triangle_patch
    tail, tip = net.triangles.ravel(), np.roll(net.triangles, -1, axis=1).ravel()
    here, there = np.repeat(patch, 3), patch[net.neighbors.ravel()]
    border = np.flatnonzero(here < there)
    tail, tip, pair = tail[border], tip[border], here[border] * len(patches.kinds) + there[border]
    order = np.lexsort([tail, pair])
    tail, tip, pair = tail[order], tip[order], pair[order]
    degree = np.bincount(np.concatenate([tail, tip]), minlength=len(net.points))
    _, group = np.unique(pair, return_inverse=True)
    leaving, arriving = group * len(net.points) + tail, np.sort(group * len(net.points) + tip)
    left = np.searchsorted(leaving, leaving, side="right") - np.searchsorted(leaving, leaving)
    entered = np.searchsorted(arriving, leaving, side="right") - np.searchsorted(arriving, leaving)
    branching = (degree[tail] != 2) | (left != 1) | (entered != 1)
    first, starts, vertices = _trace(leaving, tip, group, branching, len(net.points))
    count = len(patches.kinds)
    return Chains(np.column_stack([pair[first] // count, pair[first] % count]), starts, vertices)


def measure_chains(chains: Chains, patches: Patches, mesh: Mesh, tolerance_mm: float) -> ChainShapes:
    """Angles from the mesh's normals on both sides; lines and circles are those within the tolerance."""
    # rows of the mesh are sorted by face and vertex
    keys = mesh.point_face.astype(np.int64) * len(patches.net.points) + mesh.vertex
    lengths = np.diff(chains.starts)
    sides = [
        mesh.normals[
            np.searchsorted(keys, np.repeat(chains.faces[:, k], lengths) * len(patches.net.points) + chains.vertices)
        ]
        for k in range(2)
    ]
    points = patches.net.points[chains.vertices]
    closed = chains.vertices[chains.starts[:-1]] == chains.vertices[chains.starts[1:] - 1]
    return ChainShapes(*_measure_chains(chains.starts, points, closed, (sides[0], sides[1]), tolerance_mm))


@njit(cache=True)
def _trace(leaving, tip, group, branching, vertex_count):
    """First side of each chain, starts, and vertices. `leaving` (b,), sorted: key of the group and tail of a side."""
    used = np.zeros(len(tip), np.bool_)
    first = np.empty(len(tip), np.int64)
    starts = np.zeros(len(tip) + 1, np.int64)
    vertices = np.empty(2 * len(tip), np.int64)
    count, end = 0, 0
    low = 0
    while low < len(tip):
        high = low
        while high < len(tip) and group[high] == group[low]:
            high += 1
        for closed in range(2):
            for side in range(low, high):
                if used[side] or not (closed or branching[side]):
                    continue
                begin = leaving[side] - group[side] * vertex_count
                first[count] = side
                vertices[end] = begin
                end += 1
                at = side
                while at >= 0:
                    used[at] = True
                    v = tip[at]
                    vertices[end] = v
                    end += 1
                    at = -1
                    if v != begin:
                        onward = np.searchsorted(leaving[low:high], group[low] * vertex_count + v) + low
                        while onward < high and leaving[onward] == group[low] * vertex_count + v:
                            if branching[onward]:
                                break
                            if not used[onward]:
                                at = onward
                                break
                            onward += 1
                count += 1
                starts[count] = end
        low = high
    return first[:count].copy(), starts[: count + 1].copy(), vertices[:end].copy()


@njit(cache=True)
def _measure_chains(starts, points, closed, sides, tolerance):
    count = len(starts) - 1
    angles = np.empty((count, 3))
    areas = np.zeros((count, 3))
    kinds = np.zeros(count, np.int64)
    lengths = np.zeros(count)
    shapes = np.zeros((count, 8))
    for c in range(count):
        low, high = starts[c], starts[c + 1]
        run = points[low:high]
        _angles(run, closed[c], sides[0][low:high], sides[1][low:high], angles[c])
        for i in range(len(run) - 1):
            a, b = run[i], run[i + 1]
            for k in range(3):
                j, m = (k + 1) % 3, (k + 2) % 3
                areas[c, k] += 0.5 * (a[j] * b[m] - a[m] * b[j])
            lengths[c] += np.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2)
        if not closed[c] and _is_line(run, tolerance, shapes[c]):
            kinds[c] = LINE
            chord = run[-1] - run[0]
            lengths[c] = np.sqrt(dot(chord, chord))
        elif len(run) > 3 and _is_circle(run, closed[c], tolerance, shapes[c]):
            kinds[c] = CIRCLE
            lengths[c] = shapes[c, 6] * np.radians(shapes[c, 7])
    return angles, areas, kinds, lengths, shapes


@njit(cache=True)
def _angles(run, closed, first, second, out):
    """Mean, least and largest angle; the ends are left out, where a third face may change the normals."""
    last = len(run) - 1
    low, high = (1, last) if last > 1 else (0, last + 1)
    total, least, most = 0.0, np.inf, -np.inf
    for i in range(low, high):
        after = run[i + 1] if i < last else run[i]
        before = run[i - 1] if closed and i > 0 else (run[i] if i < last else run[i - 1])
        tangent = after - before
        a, b = first[i], second[i]
        x, y, z = a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]
        bend = np.sqrt(x * x + y * y + z * z)
        if x * tangent[0] + y * tangent[1] + z * tangent[2] < 0:
            bend = -bend
        angle = 180.0 - np.degrees(np.arctan2(bend, dot(a, b)))
        total += angle
        least = min(least, angle)
        most = max(most, angle)
    out[0] = total / (high - low)
    out[1] = least
    out[2] = most


@njit(cache=True)
def _is_line(run, tolerance, shape):
    chord = run[-1] - run[0]
    length = np.sqrt(dot(chord, chord))
    for k in range(3):
        shape[k] = chord[k] / max(length, 1e-300)
    for i in range(1, len(run) - 1):
        d = run[i] - run[0]
        h = dot(d, shape[:3])
        if dot(d, d) - h * h > tolerance * tolerance:
            return False
    return True


@njit(cache=True)
def _is_circle(run, closed, tolerance, shape):
    """The circle through all the points, its axis right-handed to their order."""
    middle, _ = mean_and_reach(run)
    spread = np.zeros((3, 3))
    for i in range(len(run)):
        for j in range(3):
            for k in range(3):
                spread[j, k] += (run[i, j] - middle[j]) * (run[i, k] - middle[k])
    axis = least_axis(spread)
    for i in range(len(run)):
        if abs(dot(run[i] - middle, axis)) > tolerance:
            return False
    u, v = axis_frame(axis)
    flat = np.empty((len(run), 2))
    for i in range(len(run)):
        flat[i, 0] = dot(run[i] - middle, u)
        flat[i, 1] = dot(run[i] - middle, v)
    center = np.zeros(2)
    radius = fit_circle(flat, center)
    if radius == 0.0:
        return False
    turn = 0.0
    for i in range(len(run)):
        x, y = flat[i, 0] - center[0], flat[i, 1] - center[1]
        if abs(np.sqrt(x * x + y * y) - radius) > tolerance:
            return False
        if i + 1 < len(run):
            s, t = flat[i + 1, 0] - center[0], flat[i + 1, 1] - center[1]
            turn += np.arctan2(x * t - y * s, x * s + y * t)
    for k in range(3):
        shape[k] = middle[k] + center[0] * u[k] + center[1] * v[k]
        shape[3 + k] = axis[k] if turn > 0 else -axis[k]
    shape[6] = radius
    shape[7] = 360.0 if closed else min(abs(np.degrees(turn)), 360.0)
    return True
