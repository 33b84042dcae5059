"""Lines and circles along the parameters of cylinders, cones and tori, as straight lines in these parameters.

A surface is a row of its frame and sizes, as the kernel keeps them: origin, axis, Y, X, then radius; radius and half
angle; major and minor radius. A curve is a row of its first and last parameter and then origin and direction of a line,
or center, axis, Y, X and radius of a circle.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, TORUS
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

OTHER_CURVE, LINE, CIRCLE = -1, 0, 1
NO_WIRE = -1

TURN = 2.0 * math.pi
TIE = 1e-9
"""Radians by which places in the parameters are off for rounding."""
MEETING_RAD = 1e-3
"""Lines that meet are no further apart about the axis, however near to it: at the tip of a cone an edge is missing."""
COMPARED = 5
"""Places along a curve where it is compared with its line in the parameters, both ends included."""


@njit(cache=True)
def straight_trims(
    surface_kind: NDArray[np.int8],
    surfaces: Array,
    curve_kind: NDArray[np.int8],
    curves: Array,
    wire_face: NDArray[np.int64],
    wire_start: NDArray[np.int64],
    edge: NDArray[np.int64],
    backwards: NDArray[np.bool_],
    slack_mm: float,
) -> tuple[Array, NDArray[np.bool_]]:
    """Lines (uses, 4), u, v at the curve's parameter 0 and du, dv along it, and which faces (faces,) have one for every
    use, along boundaries that close in the parameters, the outer one to the left and the holes to the right.
    surface_kind (faces,): codes of `surfaces.encoding`, those of freeform surfaces for faces that are not asked for.

    Wire w runs along `edge` of its uses wire_start[w] to wire_start[w + 1]. No place of a curve is further than
    `slack_mm` from its line, and no curve ends further than that from where the next begins.
    """
    lines = np.full((len(edge), 4), np.nan)
    complete = surface_kind != FREEFORM
    areas = np.zeros(len(wire_face))
    boxes = np.zeros((len(wire_face), 4))
    for wire in range(len(wire_face)):
        face = wire_face[wire]
        first, last = wire_start[wire], wire_start[wire + 1]
        if not complete[face]:
            continue
        for use in range(first, last):
            one = edge[use]
            if curve_kind[one] == OTHER_CURVE:
                complete[face] = False
                break
            if not _line_of(surface_kind[face], surfaces[face], curve_kind[one], curves[one], lines[use], slack_mm):
                complete[face] = False
                break
            if backwards[use] and _is_seam(edge, first, last, use):
                # a turn after its other use, as the kernel has it
                lines[use, 0 if lines[use, 2] == 0.0 else 1] += TURN
        if complete[face] and not _close(
            surface_kind[face], surfaces[face], curves, edge, backwards, lines, first, last, slack_mm
        ):
            complete[face] = False
        if complete[face]:
            areas[wire] = _settle(surface_kind[face], curves, edge, backwards, lines, first, last, boxes[wire])
    outer = np.full(len(complete), NO_WIRE)
    _nest(surface_kind, complete, wire_face, wire_start, lines, areas, boxes, outer)
    return lines, complete


@njit_inner
def _line_of(kind: int, surface: Array, curve_kind: int, curve: Array, line: Array, slack_mm: float) -> bool:
    """Write the line of a curve, its start in the first turn; False where it has none."""
    rx, ry, rz = curve[2] - surface[0], curve[3] - surface[1], curve[4] - surface[2]
    height = rx * surface[3] + ry * surface[4] + rz * surface[5]
    u = v = du = dv = 0.0
    if curve_kind == LINE:
        along = _dot(curve, 5, surface, 3)
        dv = 1.0 if along > 0.0 else -1.0
        if kind == CYLINDER:
            u = math.atan2(
                rx * surface[6] + ry * surface[7] + rz * surface[8],
                rx * surface[9] + ry * surface[10] + rz * surface[11],
            )
            v = height
        elif kind == CONE:
            out = dv if surface[13] > 0.0 else -dv
            u = math.atan2(out * _dot(curve, 5, surface, 6), out * _dot(curve, 5, surface, 9))
            v = height / math.cos(surface[13])
        else:
            return False
    elif abs(_dot(curve, 5, surface, 3)) > 0.5:
        u = math.atan2(_dot(curve, 11, surface, 6), _dot(curve, 11, surface, 9))
        turning = math.cos(u) * _dot(curve, 8, surface, 6) - math.sin(u) * _dot(curve, 8, surface, 9)
        du = 1.0 if turning > 0.0 else -1.0
        if kind == CYLINDER:
            v = height
        elif kind == CONE:
            v = height / math.cos(surface[13])
        else:
            v = math.atan2(height, curve[14] - surface[12])
    elif kind == TORUS:
        u = math.atan2(
            rx * surface[6] + ry * surface[7] + rz * surface[8], rx * surface[9] + ry * surface[10] + rz * surface[11]
        )
        cosine, sine = math.cos(u), math.sin(u)
        v = math.atan2(
            _dot(curve, 11, surface, 3), cosine * _dot(curve, 11, surface, 9) + sine * _dot(curve, 11, surface, 6)
        )
        outwards = cosine * _dot(curve, 8, surface, 9) + sine * _dot(curve, 8, surface, 6)
        dv = 1.0 if math.cos(v) * _dot(curve, 8, surface, 3) - math.sin(v) * outwards > 0.0 else -1.0
    else:
        return False
    u -= TURN * math.floor((u + du * curve[0] + TIE) / TURN)
    if kind == TORUS:
        v -= TURN * math.floor((v + dv * curve[0] + TIE) / TURN)
    line[0], line[1], line[2], line[3] = u, v, du, dv
    return _is_along(kind, surface, curve_kind, curve, line, slack_mm)


@njit_inner
def _is_seam(edge: NDArray[np.int64], first: int, last: int, use: int) -> bool:
    """Whether another use of the wire is of the same edge."""
    count = 0
    for other in range(first, last):
        count += edge[other] == edge[use]
    return count > 1


@njit_inner
def _dot(one: Array, i: int, other: Array, j: int) -> float:
    product: float = one[i] * other[j] + one[i + 1] * other[j + 1] + one[i + 2] * other[j + 2]
    return product


@njit_inner
def _is_along(kind: int, surface: Array, curve_kind: int, curve: Array, line: Array, slack_mm: float) -> bool:
    """Whether a curve and its line are at the same places."""
    for k in range(COMPARED):
        t = curve[0] + (curve[1] - curve[0]) * k / (COMPARED - 1)
        u, v = line[0] + line[2] * t, line[1] + line[3] * t
        if kind == CYLINDER:
            radius, height = surface[12], v
        elif kind == CONE:
            radius, height = surface[12] + v * math.sin(surface[13]), v * math.cos(surface[13])
        else:
            radius, height = surface[12] + surface[13] * math.cos(v), surface[13] * math.sin(v)
        x, y = radius * math.cos(u), radius * math.sin(u)
        gap = 0.0
        for axis in range(3):
            place = surface[axis] + x * surface[9 + axis] + y * surface[6 + axis] + height * surface[3 + axis]
            if curve_kind == LINE:
                there = curve[2 + axis] + t * curve[5 + axis]
            else:
                there = curve[2 + axis] + curve[14] * (math.cos(t) * curve[11 + axis] + math.sin(t) * curve[8 + axis])
            gap += (place - there) ** 2
        # false for nan as well
        if not gap <= slack_mm * slack_mm:
            return False
    return True


@njit_inner
def _close(
    kind: int,
    surface: Array,
    curves: Array,
    edge: NDArray[np.int64],
    backwards: NDArray[np.bool_],
    lines: Array,
    first: int,
    last: int,
    slack_mm: float,
) -> bool:
    """Move each line of a wire by whole turns to where the one before it ends, from the last on; False where the wire
    does not close then."""
    u, v = _end(lines, curves, edge, backwards, last - 1, True)
    meets = True
    for use in range(first, last):
        start_u, start_v = _end(lines, curves, edge, backwards, use, False)
        lines[use, 0] += TURN * math.floor((u - start_u) / TURN + 0.5)
        if kind == TORUS:
            lines[use, 1] += TURN * math.floor((v - start_v) / TURN + 0.5)
        start_u, start_v = _end(lines, curves, edge, backwards, use, False)
        meets &= _is_near(kind, surface, u, v, start_u, start_v, slack_mm)
        u, v = _end(lines, curves, edge, backwards, use, True)
    start_u, start_v = _end(lines, curves, edge, backwards, first, False)
    return meets and _is_near(kind, surface, u, v, start_u, start_v, slack_mm)


@njit_inner
def _end(
    lines: Array, curves: Array, edge: NDArray[np.int64], backwards: NDArray[np.bool_], use: int, is_end: bool
) -> tuple[float, float]:
    """Where a use of an edge begins, or ends."""
    t = curves[edge[use], 1] if is_end != backwards[use] else curves[edge[use], 0]
    return lines[use, 0] + lines[use, 2] * t, lines[use, 1] + lines[use, 3] * t


@njit_inner
def _is_near(kind: int, surface: Array, u: float, v: float, other_u: float, other_v: float, slack_mm: float) -> bool:
    if kind == CYLINDER:
        radius, scale = surface[12], 1.0
    elif kind == CONE:
        radius, scale = surface[12] + v * math.sin(surface[13]), 1.0
    else:
        radius, scale = surface[12] + surface[13] * math.cos(v), surface[13]
    off = abs(other_u - u)
    return off <= MEETING_RAD and off * abs(radius) <= slack_mm and abs(other_v - v) * scale <= slack_mm


@njit_inner
def _settle(
    kind: int,
    curves: Array,
    edge: NDArray[np.int64],
    backwards: NDArray[np.bool_],
    lines: Array,
    first: int,
    last: int,
    box: Array,
) -> float:
    """Move a closed wire by whole turns so that its middle is in the first; write its box (lowest u, v, highest u, v)
    and return its area in the parameters, positive to the left."""
    box[0] = box[1] = np.inf
    box[2] = box[3] = -np.inf
    area = 0.0
    for use in range(first, last):
        u, v = _end(lines, curves, edge, backwards, use, False)
        next_u, next_v = _end(lines, curves, edge, backwards, use, True)
        area += 0.5 * (u * next_v - v * next_u)
        box[0], box[1] = min(box[0], u), min(box[1], v)
        box[2], box[3] = max(box[2], u), max(box[3], v)
    for axis in range(2 if kind == TORUS else 1):
        off = 0.5 * (box[axis] + box[axis + 2]) - 0.5 * TURN
        if abs(off) > 0.5 * TURN:
            turns = math.floor(abs(off) / TURN + 0.5)
            _move(lines, first, last, axis, -TURN * turns if off > 0.0 else TURN * turns, box)
    return area


@njit_inner
def _move(lines: Array, first: int, last: int, axis: int, by: float, box: Array) -> None:
    for use in range(first, last):
        lines[use, axis] += by
    box[axis] += by
    box[axis + 2] += by


@njit_inner
def _nest(
    surface_kind: NDArray[np.int8],
    complete: NDArray[np.bool_],
    wire_face: NDArray[np.int64],
    wire_start: NDArray[np.int64],
    lines: Array,
    areas: Array,
    boxes: Array,
    outer: NDArray[np.int64],
) -> None:
    """Move holes by whole turns into the one outer boundary of their face; where that cannot be, the face is not
    complete. `outer` (faces,), none so far, becomes the number of that boundary."""
    for wire in range(len(wire_face)):
        face = wire_face[wire]
        if not complete[face]:
            continue
        if areas[wire] > 0.0:
            complete[face] = outer[face] == NO_WIRE
            outer[face] = wire
        elif not areas[wire] < 0.0:
            complete[face] = False
    for wire in range(len(wire_face)):
        face = wire_face[wire]
        if not complete[face] or outer[face] == wire:
            continue
        if outer[face] == NO_WIRE:
            complete[face] = False
            continue
        around = boxes[outer[face]]
        for axis in range(2 if surface_kind[face] == TORUS else 1):
            off = 0.5 * (boxes[wire, axis] + boxes[wire, axis + 2] - around[axis] - around[axis + 2])
            _move(
                lines, wire_start[wire], wire_start[wire + 1], axis, -TURN * math.floor(off / TURN + 0.5), boxes[wire]
            )
        for axis in range(2):
            if boxes[wire, axis] < around[axis] - TIE or boxes[wire, axis + 2] > around[axis + 2] + TIE:
                complete[face] = False
