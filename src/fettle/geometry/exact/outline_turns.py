"""Outlines of faces in the parameters of their surfaces: how they turn, what they enclose, how far off they run."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.surfaces.encoding import CONE, CYLINDER, PLANE, SPHERE, TORUS
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]
Index = NDArray[np.int64]

TURN = 2.0 * math.pi
TURNED_RAD = 0.1
"""Outlines come back to their start by this much, or have gone round: far above the quadrature's error, far below a
turn."""
CLOSE_SHARE = 1e-6
"""Points nearer to the axis than this share of their distance from the surface's origin or size have no place about
it."""


@njit(cache=True)
def lay_out(
    kinds: NDArray[np.int8],
    frames: Array,
    wire_face: Index,
    wire_start: Index,
    edge: Index,
    backwards: NDArray[np.bool_],
    sample_start: Index,
    sample_points: Array,
    sample_steps: Array,
) -> tuple[Array, Array]:
    """Area (wires,) mm2 that each wire encloses to its left, nan where it goes round an axis or passes through one,
    leaves one half of a sphere, or its face is of a kind that has no frame; and how far (uses,) mm an edge runs off the
    surface.

    kinds (faces,) and frames (faces, 14): as of `kernel.frames`. On a cone, cylinder or torus the area is that of the
    outline unrolled, about right where it is small and of the right sign everywhere. Wire w has the uses wire_start[w]
    to wire_start[w + 1] of edges, whose samples are points and steps (tangent times quadrature weight).
    """
    areas, off_mm = np.zeros(len(wire_face)), np.zeros(len(edge))
    for wire in range(len(wire_face)):
        kind, frame = kinds[wire_face[wire]], frames[wire_face[wire]]
        if kind == SPHERE:
            areas[wire] = _on_sphere(
                frame, wire_start[wire], wire_start[wire + 1], edge, backwards, sample_start, sample_points,
                sample_steps, off_mm,
            )  # fmt: skip
            continue
        u = 0.0
        is_first = True
        turned_u = turned_v = 0.0
        for use in range(wire_start[wire], wire_start[wire + 1]):
            low, high = sample_start[edge[use]], sample_start[edge[use] + 1]
            sign = -1.0 if backwards[use] else 1.0
            for index in range(high - low):
                at = high - 1 - index if backwards[use] else low + index
                next_u, by_u, by_v, scale, off = _place(kind, frame, sample_points[at], sample_steps[at])
                off_mm[use] = max(off_mm[use], off)
                if is_first:
                    u, is_first = next_u, False
                if kind != PLANE:
                    # the same place in the turn that the outline has come to
                    next_u += TURN * math.floor((u - next_u) / TURN + 0.5)
                    u = next_u
                areas[wire] += sign * scale * next_u * by_v
                turned_u += sign * by_u
                turned_v += sign * by_v
        # at the tip of a cone the angle may jump, by less than a turn
        most_turned = TURN - TURNED_RAD if kind == CONE else TURNED_RAD
        has_turned = kind != PLANE and not abs(turned_u) < most_turned
        has_turned |= kind == TORUS and not abs(turned_v) < TURNED_RAD
        if is_first or has_turned:
            areas[wire] = np.nan
    return areas, off_mm


@njit_inner
def _place(kind: int, frame: Array, point: Array, step: Array) -> tuple[float, float, float, float, float]:
    """Parameter u of a point, the steps of both parameters, by what u dv is to be multiplied for mm2, and how far off
    the surface the point is. nan where it has no place."""
    x, y, z, dx, dy, dz = _in_frame(frame, point, step)
    if kind == PLANE:
        return x, dx, dy, 1.0, abs(z)
    out = math.hypot(x, y)
    if not out > CLOSE_SHARE * (abs(z) + frame[12]):
        return np.nan, np.nan, np.nan, np.nan, 0.0
    u, by_u, by_out = math.atan2(y, x), (x * dy - y * dx) / (out * out), (x * dx + y * dy) / out
    if kind == CYLINDER:
        return u, by_u, dz, frame[12], abs(out - frame[12])
    if kind == CONE:
        sine, cosine = math.sin(frame[13]), math.cos(frame[13])
        # beyond the tip the surface goes on, half a turn away
        off = abs((out - frame[12]) * cosine - z * sine)
        return u, by_u, dz, out / cosine, off
    if kind == TORUS:
        tube, arm = frame[13], out - frame[12]
        around = arm * arm + z * z
        by_v = (arm * dz - z * by_out) / around
        return u, by_u, by_v, out * tube, abs(math.sqrt(around) - tube)
    return np.nan, np.nan, np.nan, np.nan, 0.0


@njit_inner
def _in_frame(frame: Array, point: Array, step: Array) -> tuple[float, float, float, float, float, float]:
    """Along X, Y and Z of the frame, from its origin: the point, and the step."""
    x = y = z = dx = dy = dz = 0.0
    for axis in range(3):
        arm = point[axis] - frame[axis]
        z += arm * frame[3 + axis]
        y += arm * frame[6 + axis]
        x += arm * frame[9 + axis]
        dz += step[axis] * frame[3 + axis]
        dy += step[axis] * frame[6 + axis]
        dx += step[axis] * frame[9 + axis]
    return x, y, z, dx, dy, dz


@njit_inner
def _on_sphere(
    frame: Array,
    first: int,
    last: int,
    edge: Index,
    backwards: NDArray[np.bool_],
    sample_start: Index,
    sample_points: Array,
    sample_steps: Array,
    off_mm: Array,
) -> float:
    """Area mm2 to the left of the wire of the uses `first` to `last`, nan where it leaves the half of the sphere about
    its middle; how far its edges run off is written to `off_mm` (uses,).

    A sphere has no axis of its own, and many corners of blends have a vertex on the one that the file chose. The solid
    angle is the integral of (m x p) . dp / (1 + m . p), which is finite but opposite to the middle m.
    """
    mx = my = mz = 0.0
    for use in range(first, last):
        for at in range(sample_start[edge[use]], sample_start[edge[use] + 1]):
            x, y, z, dx, dy, dz = _in_frame(frame, sample_points[at], sample_steps[at])
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            mx, my, mz = mx + length * x, my + length * y, mz + length * z
            off_mm[use] = max(off_mm[use], abs(math.sqrt(x * x + y * y + z * z) - frame[12]))
    size = math.sqrt(mx * mx + my * my + mz * mz)
    angle = 0.0
    for use in range(first, last):
        sign = -1.0 if backwards[use] else 1.0
        for at in range(sample_start[edge[use]], sample_start[edge[use] + 1]):
            x, y, z, dx, dy, dz = _in_frame(frame, sample_points[at], sample_steps[at])
            ahead = mx * x + my * y + mz * z
            if not ahead > 0.0:
                return np.nan
            radius = math.sqrt(x * x + y * y + z * z)
            turned = (my * z - mz * y) * dx + (mz * x - mx * z) * dy + (mx * y - my * x) * dz
            angle += sign * turned / (radius * (size * radius + ahead))
    area: float = frame[12] * frame[12] * angle
    return area
