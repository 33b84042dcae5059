# mypy: allow-untyped-defs, allow-untyped-calls
"""Triangles of faces on planes, cylinders and cones, from the points along their outlines.

Such a face is laid out flat without stretching it, and triangulated there between the points of its outlines: the
triangles are Delaunay on the surface itself. A side that would turn too far about the axis gets a point at its middle.
Arrays only, no kernel.
"""

from __future__ import annotations

from math import atan2, ceil, cos, hypot, pi, sin
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.constrained_delaunay import (
    FRAME,
    FREE,
    GRID,
    Net,
    across,
    begin,
    can_flip,
    fix,
    flip,
    improve,
    insert,
    mark_inside,
)
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, PLANE
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

FRAME_WIDTH = 14
"""Numbers of a surface's frame: origin, Z, Y, X, then a cylinder's radius, or a cone's radius and half angle."""

TURN = 2.0 * pi
MOST_BETWEEN_POINTS = 0.75 * pi
"""An outline that turns further from one point to the next could have gone either way round."""
MOST_OFF = 0.1
"""Share of its radius by which outlines may lie off a surface: what is nearer to the axis has no clear turn."""
AT_TIP = 1e-9
"""Share of a cone's largest radius below which a point is its tip."""
INSIDE_STEPS = 2.0
"""A side inside a face may turn so many times as far as one of its outlines before it gets a point."""
MOST_ADDED = 4
"""Points added inside a face for each of its outlines, at the most."""


class Outlines(NamedTuple):
    """u uses of edges by w wires. wire_face (w,): increasing; wire_start (w + 1,); edge (u,); backwards (u,): the wire
    runs against the edge; vertices (edges, 2): numbers of its first and last; polygon_start (edges + 1,), polygons
    (p, 3): points along each edge, its ends included."""

    wire_face: NDArray[np.int64]
    wire_start: NDArray[np.int64]
    edge: NDArray[np.int64]
    backwards: NDArray[np.bool_]
    vertices: NDArray[np.int64]
    polygon_start: NDArray[np.int64]
    polygons: Array


class DevelopedFaces(NamedTuple):
    """points, normals (n, 3), the normals those of the surfaces (dU x dV); point_face (n,); triangles (t, 3),
    counterclockwise about these normals; triangle_face (t,); use_row (u,): the row where a use of an edge begins, the
    others following up to the row where the next use begins; done (faces,): those that were triangulated."""

    points: Array
    normals: Array
    point_face: NDArray[np.int32]
    triangles: NDArray[np.int32]
    triangle_face: NDArray[np.int32]
    use_row: NDArray[np.int64]
    done: NDArray[np.bool_]


@njit(cache=True, error_model="numpy")
def develop(kinds, frames, outlines, angle, slack):
    """DevelopedFaces of all wires' faces; those that were not done have no rows.

    kinds (faces,), frames (faces, 14): planes, cylinders and cones; angle: between points along the outlines, radians;
    slack: mm by which outlines may lie off their surface. A face is not done where outlines leave its surface, cross
    each other or do not close when it is laid out.
    """
    wire_face, wire_start = outlines.wire_face, outlines.wire_start
    done = np.zeros(len(kinds), np.bool_)
    use_row = np.full(len(outlines.edge), -1)
    room = 0
    for use in range(len(outlines.edge)):
        room += _steps(outlines, use)
    room += MOST_ADDED * room
    points, normals = np.empty((room, 3)), np.empty((room, 3))
    point_face = np.empty(room, np.int32)
    triangles, triangle_face = np.empty((2 * room, 3), np.int32), np.empty(2 * room, np.int32)
    rows = triangle_count = first = 0
    while first < len(wire_face):
        face, last = wire_face[first], first
        while last < len(wire_face) and wire_face[last] == face:
            last += 1
        count = 0
        for use in range(wire_start[first], wire_start[last]):
            count += _steps(outlines, use)
        places, turns, ids, loops = (
            np.empty((count, 2)),
            np.empty(count),
            np.empty(count, np.int64),
            np.empty(last - first + 1, np.int64),
        )
        _walk(outlines, first, last, points, rows, use_row, ids, loops)
        frame = frames[face]
        low = _lay_out(kinds[face], frame, points[rows : rows + count], loops, places, turns, slack)
        of_face, inside = np.empty((0, 3), np.int32), np.empty((0, 2))
        if not np.isnan(low):
            most_turn = np.inf if kinds[face] == PLANE else INSIDE_STEPS * angle
            of_face, inside = _triangulate(kinds[face], frame, places, turns, ids, loops, low, most_turn)
        if len(of_face):
            done[face] = True
            added = len(inside)
            for i in range(added):
                _write_point(frame, kinds[face], inside[i, 0], inside[i, 1], points, rows + count + i)
            for i in range(count + added):
                point_face[rows + i] = face
                _write_normal(kinds[face], frame, turns[i] if i < count else inside[i - count, 0], normals, rows + i)
            for i in range(len(of_face)):
                triangle_face[triangle_count] = face
                for k in range(3):
                    triangles[triangle_count, k] = rows + of_face[i, k]
                triangle_count += 1
            rows += count + added
        else:
            use_row[wire_start[first] : wire_start[last]] = -1
        first = last
    return DevelopedFaces(
        points[:rows].copy(),
        normals[:rows].copy(),
        point_face[:rows].copy(),
        triangles[:triangle_count].copy(),
        triangle_face[:triangle_count].copy(),
        use_row,
        done,
    )


@njit_inner
def _steps(outlines, use):
    """Points of a use without its last, which is the first of the next."""
    edge = outlines.edge[use]
    return outlines.polygon_start[edge + 1] - outlines.polygon_start[edge] - 1


@njit_inner
def _walk(outlines, first, last, points, row, use_row, ids, loops):
    """Write the points along the wires `first` to `last`, from `row` on, the row of each use, a number for each point
    that is the same wherever an outline comes by again, and where each wire begins, counted from `row`."""
    index = 0
    for wire in range(first, last):
        loops[wire - first] = index
        for use in range(outlines.wire_start[wire], outlines.wire_start[wire + 1]):
            edge, size = outlines.edge[use], _steps(outlines, use)
            start = outlines.polygon_start[edge]
            use_row[use] = row + index
            for i in range(size):
                at = start + size - i if outlines.backwards[use] else start + i
                for axis in range(3):
                    points[row + index, axis] = outlines.polygons[at, axis]
                ids[index] = -1 - outlines.vertices[edge, 1 if outlines.backwards[use] else 0] if i == 0 else at
                index += 1
    loops[last - first] = index


@njit_inner
def _lay_out(kind, frame, points, loops, places, turns, slack):
    """Write places (n, 2) of points on the surface laid out flat, and how far each is turned about the axis, radians.
    Returns where the turns begin, nan where points are off the surface by more than the slack, or an outline does not
    close there."""
    low, high, largest = np.inf, -np.inf, -1.0
    for loop in range(len(loops) - 1):
        first, last = loops[loop], loops[loop + 1]
        for i in range(first, last):
            x, y, z = _in_frame(frame, points, i)
            if kind == PLANE:
                if not abs(z) <= slack:
                    return np.nan
                places[i, 0], places[i, 1], turns[i] = x, y, 0.0
                continue
            radius = frame[12]
            if kind == CONE:
                radius += z * np.tan(frame[13])
            if not abs(hypot(x, y) - radius) <= min(slack, MOST_OFF * frame[12]):
                return np.nan
            places[i, 1] = z
            turn = atan2(y, x)
            if kind == CONE and radius <= AT_TIP * frame[12]:
                if radius < -AT_TIP * frame[12]:
                    return np.nan
                turn = np.nan
            turns[i] = turn
        if kind != PLANE and not _unroll(turns, first, last):
            return np.nan
    if kind == PLANE:
        return 0.0
    main = 0
    for loop in range(len(loops) - 1):
        area = 0.0
        for i in range(loops[loop], loops[loop + 1]):
            after = i + 1 if i + 1 < loops[loop + 1] else loops[loop]
            area += turns[i] * places[after, 1] - turns[after] * places[i, 1]
        if abs(area) > largest:
            largest, main = abs(area), loop
    for i in range(loops[main], loops[main + 1]):
        low, high = min(low, turns[i]), max(high, turns[i])
    # what turns further covers itself
    if high - low > TURN * (1.0 + 1e-6):
        return np.nan
    for loop in range(len(loops) - 1):
        first, last = loops[loop], loops[loop + 1]
        middle = 0.0
        for i in range(first, last):
            middle += turns[i] / (last - first)
        shift = TURN * ceil((low - middle) / TURN) if loop != main else 0.0
        if middle + shift > high:
            return np.nan
        for i in range(first, last):
            turns[i] += shift
    for i in range(len(turns)):
        places[i, 0], places[i, 1] = _laid(kind, frame, turns[i] - low, places[i, 1])
    return low


@njit_inner
def _in_frame(frame, points, i):
    dx, dy, dz = points[i, 0] - frame[0], points[i, 1] - frame[1], points[i, 2] - frame[2]
    x = dx * frame[9] + dy * frame[10] + dz * frame[11]
    y = dx * frame[6] + dy * frame[7] + dz * frame[8]
    z = dx * frame[3] + dy * frame[4] + dz * frame[5]
    return x, y, z


@njit_inner
def _unroll(turns, first, last):
    """Make the turns along a loop run on where they jump by a whole turn; False where the loop then ends a turn from
    where it began, or what it turns from one point to the next is not clear. nan is the tip of a cone, where any turn
    is right: the loop begins after it, and it takes the turn before it."""
    count, start, tips = last - first, first, 0
    for i in range(first, last):
        if np.isnan(turns[i]):
            tips += 1
            start = i + 1 if i + 1 < last else first
    if tips > 1 or count < 2:
        return False
    before = turns[start]
    for step in range(1, count + 1):
        i = first + (start - first + step) % count
        if np.isnan(turns[i]):
            turns[i] = before
            return True
        change = turns[i] - before
        change -= TURN * np.rint(change / TURN)
        if abs(change) > MOST_BETWEEN_POINTS:
            return False
        before += change
        if step < count:
            turns[i] = before
    return abs(before - turns[start]) < pi


@njit_inner
def _laid(kind, frame, turn, along):
    """Place of a point that is turned about the axis, and so far along it, on the surface laid out flat."""
    if kind == CYLINDER:
        return frame[12] * turn, along
    sine = sin(frame[13])
    slant = (frame[12] + along * np.tan(frame[13])) / abs(sine)
    sweep = turn * abs(sine)
    bow = 2.0 * slant * sin(0.5 * sweep) ** 2
    return slant * sin(sweep), along / cos(frame[13]) - (bow if sine > 0.0 else -bow)


@njit_inner
def _lifted(kind, frame, x, y, near):
    """Turn and way along the axis of a place, the inverse of `_laid`; `near`: about what the turn is."""
    if kind == CYLINDER:
        return x / frame[12], y
    sine = sin(frame[13])
    tip = frame[12] / abs(sine)
    down = tip + y if sine > 0.0 else tip - y
    sweep = atan2(x, down)
    sweep += TURN * np.rint((near * abs(sine) - sweep) / TURN)
    along = (hypot(x, down) - tip) * cos(frame[13])
    return sweep / abs(sine), along if sine > 0.0 else -along


@njit_inner
def _write_point(frame, kind, turn, along, points, row):
    radius = frame[12] + (along * np.tan(frame[13]) if kind == CONE else 0.0)
    x, y = radius * cos(turn), radius * sin(turn)
    for i in range(3):
        points[row, i] = frame[i] + x * frame[9 + i] + y * frame[6 + i] + along * frame[3 + i]


@njit_inner
def _write_normal(kind, frame, turn, normals, row):
    """dU x dV, of length 1."""
    # Z, or the way out, in a right-handed frame; the other way in a left-handed one
    hand = (frame[10] * frame[8] - frame[11] * frame[7]) * frame[3]
    hand += (frame[11] * frame[6] - frame[9] * frame[8]) * frame[4]
    hand += (frame[9] * frame[7] - frame[10] * frame[6]) * frame[5]
    sign = 1.0 if hand > 0.0 else -1.0
    half = frame[13] if kind == CONE else 0.0
    out, up = (0.0, sign) if kind == PLANE else (sign * cos(half), -sign * sin(half))
    for i in range(3):
        normals[row, i] = out * (cos(turn) * frame[9 + i] + sin(turn) * frame[6 + i]) + up * frame[3 + i]


@njit(cache=True, error_model="numpy")
def _triangulate(kind, frame, places, turns, ids, loops, low, most_turn):
    """Triangles (t, 3) between points of the outlines, none where these cross, and turn and way along the axis of the
    points (k, 2) added inside, which are numbered after those of the outlines."""
    count = len(places)
    most = FRAME + (1 + MOST_ADDED) * count
    net = Net(
        np.empty((most, 2), np.int64),
        np.empty((2 * most, 3), np.int32),
        np.empty(6 * most, np.int32),
        np.empty(6 * most, np.int8),
        np.empty(most, np.int32),
        np.empty((6 * most, 2), np.int32),
        np.empty(6 * most, np.int32),
    )
    nothing = np.empty((0, 3), np.int32), np.empty((0, 2))
    x, y, width = np.min(places[:, 0]), np.min(places[:, 1]), 0.0
    for i in range(count):
        width = max(width, places[i, 0] - x, places[i, 1] - y)
    if not width > 0.0:
        return nothing
    scale = GRID / width
    begin(net)
    triangle_count, near = 1, 0
    same = np.empty(count, np.int32)
    for i in range(count):
        point = FRAME + i
        net.place[point, 0] = np.int64(np.rint((places[i, 0] - x) * scale))
        net.place[point, 1] = np.int64(np.rint((places[i, 1] - y) * scale))
        triangle_count, near, found = insert(net, point, triangle_count, near)
        if found < 0 or (found != point and ids[found - FRAME] != ids[i]):
            return nothing
        same[i] = found
    has_flipped = 0
    for loop in range(len(loops) - 1):
        for i in range(loops[loop], loops[loop + 1]):
            after = i + 1 if i + 1 < loops[loop + 1] else loops[loop]
            flipped = fix(net, same[i], same[after], triangle_count)
            if flipped < 0:
                return nothing
            has_flipped |= flipped
    if has_flipped:
        improve(net, triangle_count)
    added = np.empty((MOST_ADDED * count, 2))
    added_count = 0
    is_inside = np.empty(2 * most, np.int8)
    mark_inside(net, triangle_count, is_inside)
    if most_turn < TURN:
        _straighten(kind, frame, net, places, turns, most_turn, triangle_count, is_inside)
        triangle_count, added_count = _divide_wide(
            kind, frame, net, places, turns, low, most_turn, triangle_count, is_inside, added, (x, y, scale)
        )
        mark_inside(net, triangle_count, is_inside)
    found = 0
    triangles = np.empty((triangle_count, 3), np.int32)
    for t in range(triangle_count):
        if is_inside[t] == 1:
            for k in range(3):
                triangles[found, k] = net.corners[t, k] - FRAME
            found += 1
    return triangles[:found].copy(), added[:added_count].copy()


@njit_inner
def _straighten(kind, frame, net, places, turns, most_turn, count, is_inside):
    """Flip every side inside that turns too far to the other diagonal where that turns less. The Delaunay triangles of
    a long tube lean: those at its far end are in nobody's circle."""
    changed = True
    while changed:
        changed = False
        for side in range(3 * count):
            if net.fixed[side] != FREE or is_inside[side // 3] != 1:
                continue
            a, b, c, d = across(net, side)
            now, then = abs(turns[a - FRAME] - turns[b - FRAME]), abs(turns[c - FRAME] - turns[d - FRAME])
            if now <= most_turn or then >= now or not can_flip(net, a, b, c, d):
                continue
            if kind == CONE and (_is_tip(frame, places, a - FRAME) or _is_tip(frame, places, b - FRAME)):
                continue
            flip(net, side)
            changed = True


@njit_inner
def _divide_wide(kind, frame, net, places, turns, low, most_turn, count, is_inside, added, grid):
    """Add a point at the middle of every side inside that turns too far, until there is none; how many triangles there
    are then, and how many points were added."""
    x, y, scale = grid
    rows, room = len(places), len(added)
    added_count, before = 0, -1
    while before < added_count < room:
        before, t = added_count, 0
        while t < count and added_count < room:
            k, turn, along = _middle_of_widest(kind, frame, net, places, turns, low, most_turn, is_inside, added, t)
            if k < 0:
                t += 1
                continue
            added[added_count, 0], added[added_count, 1] = turn + low, along
            middle_x, middle_y = _laid(kind, frame, turn, along)
            point = FRAME + rows + added_count
            net.place[point, 0] = np.int64(np.rint((middle_x - x) * scale))
            net.place[point, 1] = np.int64(np.rint((middle_y - y) * scale))
            larger, _, found = insert(net, point, count, t)
            if found != point:
                t += 1
                continue
            # triangles are only turned where no outline is between them
            is_inside[count:larger] = 1
            count = larger
            added_count += 1
    return count, added_count


@njit_inner
def _middle_of_widest(kind, frame, net, places, turns, low, most_turn, is_inside, added, t):
    """The side of a triangle that turns farthest if that is too far, -1 for none; turn and way along the axis of the
    point at its middle."""
    rows, widest, side = len(places), most_turn, -1
    turn, along = 0.0, 0.0
    if is_inside[t] != 1:
        return side, turn, along
    for k in range(3):
        if net.fixed[3 * t + k] != FREE:
            continue
        a, b = net.corners[t, k] - FRAME, net.corners[t, (k + 1) % 3] - FRAME
        turn_a = turns[a] if a < rows else added[a - rows, 0]
        turn_b = turns[b] if b < rows else added[b - rows, 0]
        if abs(turn_a - turn_b) > widest:
            x, y = _place_of(kind, frame, a, low, places, added)
            other_x, other_y = _place_of(kind, frame, b, low, places, added)
            if kind == CONE and (_is_tip(frame, places, a) or _is_tip(frame, places, b)):
                continue
            widest, side = abs(turn_a - turn_b), k
            middle = 0.5 * (turn_a + turn_b) - low
            turn, along = _lifted(kind, frame, 0.5 * (x + other_x), 0.5 * (y + other_y), middle)
    return side, turn, along


@njit_inner
def _place_of(kind, frame, point, low, places, added):
    rows = len(places)
    if point < rows:
        return places[point, 0], places[point, 1]
    return _laid(kind, frame, added[point - rows, 0] - low, added[point - rows, 1])


@njit_inner
def _is_tip(frame, places, point):
    """Whether a point is the tip of a cone; points that were added are not."""
    if point >= len(places):
        return False
    tip = frame[12] / abs(sin(frame[13]))
    down = tip + (places[point, 1] if frame[13] > 0.0 else -places[point, 1])
    return hypot(places[point, 0], down) <= AT_TIP * tip
