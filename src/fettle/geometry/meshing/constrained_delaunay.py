# mypy: allow-untyped-defs, allow-untyped-calls
"""Constrained Delaunay triangulation in a plane: point by point, then the sides that must be there.

Places are on a grid of whole numbers, so that every question of left and right has an exact answer: whatever the
outlines are, the triangles form a valid net, and outlines that cross are found out. Which of two diagonals is the
Delaunay one is decided in floating point, where a wrong answer only costs quality.

Lawson, "Software for C1 surface interpolation", 1977 (insertion); Sloan, "A fast algorithm for generating constrained
Delaunay triangulations", 1993 (sides).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit_inner

GRID = 1 << 26
"""Places are whole numbers from 0 to this: with the frame around them, products of two differences fit 63 bits."""
FRAME = 3
"""Points 0, 1, 2 are the corners of a triangle around all others."""

SAME_CIRCLE = 1e-12
"""Share of its terms below which the determinant of four points on a circle is 0."""

FREE, ODD, EVEN = 0, 1, 2
"""Whether outlines run along a side: not, once (or an odd number of times), twice (or an even number)."""

INSIDE, ON_SIDE, AT_CORNER, LOST = 0, 1, 2, 3
"""Where a place is in the triangle that holds it."""


class Net(NamedTuple):
    """A triangulation that grows: p points and t triangles at the most, those of the frame included.

    place (p, 2) int64; corners (t, 3) int32, counterclockwise; twin (3 t,) int32: side 3 t + k runs from corner k to
    corner k + 1, and its twin is the same side of the other triangle, -1 at the frame; fixed (3 t,) int8: FREE, ODD or
    EVEN; side_at (p,) int32: a side that begins at the point; pairs (3 t, 2) int32 and stack (3 t,) int32: room.
    """

    place: NDArray[np.int64]
    corners: NDArray[np.int32]
    twin: NDArray[np.int32]
    fixed: NDArray[np.int8]
    side_at: NDArray[np.int32]
    pairs: NDArray[np.int32]
    stack: NDArray[np.int32]


@njit_inner
def begin(net):
    """One triangle, the frame."""
    net.place[0, 0], net.place[0, 1] = -8 * GRID, -8 * GRID
    net.place[1, 0], net.place[1, 1] = 16 * GRID, -8 * GRID
    net.place[2, 0], net.place[2, 1] = -8 * GRID, 16 * GRID
    _set(net, 0, 0, 1, 2)
    net.twin[:3] = -1
    net.fixed[:3] = FREE


@njit_inner
def insert(net, point, count, near):
    """Add a point to `count` triangles, looked for from the triangle `near`.

    Returns how many triangles there are then, a triangle at the point, and the point that was there before, itself
    where there was none; -1 where the place lies on a fixed side, or was not found.
    """
    t, k, where = locate(net, point, near, count)
    if where == AT_CORNER:
        return count, t, net.corners[t, k]
    if where == LOST or (where == ON_SIDE and net.fixed[3 * t + k] != FREE):
        return count, t, -1
    if where == INSIDE:
        a, b, c = net.corners[t, 0], net.corners[t, 1], net.corners[t, 2]
        ab, bc, ca = net.twin[3 * t], net.twin[3 * t + 1], net.twin[3 * t + 2]
        of_ab, of_bc, of_ca = net.fixed[3 * t], net.fixed[3 * t + 1], net.fixed[3 * t + 2]
        one, two = count, count + 1
        _set(net, t, a, b, point)
        _set(net, one, b, c, point)
        _set(net, two, c, a, point)
        _join(net, 3 * t, ab, of_ab)
        _join(net, 3 * one, bc, of_bc)
        _join(net, 3 * two, ca, of_ca)
        _join(net, 3 * t + 1, 3 * one + 2, FREE)
        _join(net, 3 * one + 1, 3 * two + 2, FREE)
        _join(net, 3 * two + 1, 3 * t + 2, FREE)
        net.stack[0], net.stack[1], net.stack[2] = 3 * t, 3 * one, 3 * two
        _legalize(net, 3)
        return count + 2, t, point
    u, j = net.twin[3 * t + k] // 3, net.twin[3 * t + k] % 3
    a, b, c = net.corners[t, k], net.corners[t, (k + 1) % 3], net.corners[t, (k + 2) % 3]
    d = net.corners[u, (j + 2) % 3]
    bc, ca = net.twin[3 * t + (k + 1) % 3], net.twin[3 * t + (k + 2) % 3]
    ad, db = net.twin[3 * u + (j + 1) % 3], net.twin[3 * u + (j + 2) % 3]
    of_bc, of_ca = net.fixed[3 * t + (k + 1) % 3], net.fixed[3 * t + (k + 2) % 3]
    of_ad, of_db = net.fixed[3 * u + (j + 1) % 3], net.fixed[3 * u + (j + 2) % 3]
    one, two = count, count + 1
    _set(net, t, c, a, point)
    _set(net, u, a, d, point)
    _set(net, one, d, b, point)
    _set(net, two, b, c, point)
    _join(net, 3 * t, ca, of_ca)
    _join(net, 3 * u, ad, of_ad)
    _join(net, 3 * one, db, of_db)
    _join(net, 3 * two, bc, of_bc)
    _join(net, 3 * t + 1, 3 * u + 2, FREE)
    _join(net, 3 * u + 1, 3 * one + 2, FREE)
    _join(net, 3 * one + 1, 3 * two + 2, FREE)
    _join(net, 3 * two + 1, 3 * t + 2, FREE)
    net.stack[0], net.stack[1], net.stack[2], net.stack[3] = 3 * t, 3 * u, 3 * one, 3 * two
    _legalize(net, 4)
    return count + 2, t, point


@njit_inner
def fix(net, a, b, count):
    """Make the way from a to b one side, or several where points lie on it, and count an outline along it. Returns
    whether sides were flipped for it, or -1 where one that is fixed crosses it."""
    flipped = 0
    while a != b:
        start = net.side_at[a]
        side, following = start, -1
        while following < 0:
            t, k = side // 3, side % 3
            p, q = net.corners[t, (k + 1) % 3], net.corners[t, (k + 2) % 3]
            side_of_p = _double_area(net, a, b, p)
            if p == b or (side_of_p == 0 and _ahead(net, a, b, p)):
                _count_outline(net, side)
                following = p
            elif side_of_p < 0 and _double_area(net, a, b, q) > 0:
                following = _clear(net, a, b, 3 * t + (k + 1) % 3, count)
                flipped = 1
                if following < 0:
                    return -1
            else:
                side = net.twin[3 * t + (k + 2) % 3]
                if side < 0 or side == start:
                    return -1
        a = following
    return flipped


@njit_inner
def improve(net, count):
    """Flip every free side that is not Delaunay, as after `fix`."""
    changed = True
    while changed:
        changed = False
        for side in range(3 * count):
            if net.fixed[side] == FREE and net.twin[side] >= 0 and _should_double_area(net, side):
                flip(net, side)
                changed = True


@njit_inner
def mark_inside(net, count, is_inside):
    """Mark the triangles (t,) int8 that an odd number of outlines surrounds."""
    is_inside[:count] = -1
    first = net.side_at[0] // 3
    is_inside[first] = 0
    net.stack[0], waiting = first, 1
    while waiting > 0:
        waiting -= 1
        t = net.stack[waiting]
        for k in range(3):
            twin = net.twin[3 * t + k]
            if twin >= 0 and is_inside[twin // 3] < 0:
                is_inside[twin // 3] = is_inside[t] ^ (net.fixed[3 * t + k] == ODD)
                net.stack[waiting] = twin // 3
                waiting += 1


@njit_inner
def locate(net, point, t, count):
    """Triangle that holds a point, the side or corner that it is at, and which of these it is."""
    for _ in range(count + 3):
        on, zeros, across = -1, 0, -1
        for k in range(3):
            area = _double_area(net, net.corners[t, k], net.corners[t, (k + 1) % 3], point)
            if area < 0:
                across = net.twin[3 * t + k]
                break
            if area == 0:
                # of two sides in a row the corner between them, of the last and the first corner 0
                on = k if zeros == 0 else (0 if on == 0 and k == 2 else k)
                zeros += 1
        if across >= 0:
            t = across // 3
            continue
        if zeros == 0:
            return t, -1, INSIDE
        return t, on, ON_SIDE if zeros == 1 else AT_CORNER
    return t, -1, LOST


@njit_inner
def across(net, side):
    """Ends a, b of a side, and the corners c, d of its triangles across from it."""
    twin = net.twin[side]
    t, k = side // 3, side % 3
    return (
        net.corners[t, k],
        net.corners[t, (k + 1) % 3],
        net.corners[t, (k + 2) % 3],
        net.corners[twin // 3, (twin + 2) % 3],
    )


@njit_inner
def can_flip(net, a, b, c, d):
    """Whether triangles (a, b, c) and (b, a, d) can be (a, d, c) and (d, b, c)."""
    return _double_area(net, a, d, c) > 0 and _double_area(net, d, b, c) > 0


@njit_inner
def flip(net, side):
    """Triangles (a, b, c) and (b, a, d), `side` being a to b, become (a, d, c) and (d, b, c)."""
    twin = net.twin[side]
    t, k, u, j = side // 3, side % 3, twin // 3, twin % 3
    a, b, c, d = across(net, side)
    bc, ca = 3 * t + (k + 1) % 3, 3 * t + (k + 2) % 3
    ad, db = 3 * u + (j + 1) % 3, 3 * u + (j + 2) % 3
    to_bc, to_ca, to_ad, to_db = net.twin[bc], net.twin[ca], net.twin[ad], net.twin[db]
    of_bc, of_ca, of_ad, of_db = net.fixed[bc], net.fixed[ca], net.fixed[ad], net.fixed[db]
    _set(net, t, a, d, c)
    _set(net, u, d, b, c)
    _join(net, 3 * t, to_ad, of_ad)
    _join(net, 3 * t + 2, to_ca, of_ca)
    _join(net, 3 * u, to_db, of_db)
    _join(net, 3 * u + 1, to_bc, of_bc)
    _join(net, 3 * t + 1, 3 * u + 2, FREE)


@njit_inner
def _set(net, t, a, b, c):
    net.corners[t, 0], net.corners[t, 1], net.corners[t, 2] = a, b, c
    net.side_at[a], net.side_at[b], net.side_at[c] = 3 * t, 3 * t + 1, 3 * t + 2


@njit_inner
def _join(net, side, twin, fixed):
    net.twin[side], net.fixed[side] = twin, fixed
    if twin >= 0:
        net.twin[twin], net.fixed[twin] = side, fixed


@njit_inner
def _count_outline(net, side):
    fixed = EVEN if net.fixed[side] == ODD else ODD
    net.fixed[side] = net.fixed[net.twin[side]] = fixed


@njit_inner
def _double_area(net, a, b, c):
    """Double area of a triangle of points, exact: positive where it turns to the left."""
    place = net.place
    return (place[b, 0] - place[a, 0]) * (place[c, 1] - place[a, 1]) - (place[b, 1] - place[a, 1]) * (
        place[c, 0] - place[a, 0]
    )


@njit_inner
def _ahead(net, a, b, p):
    """Whether p is on b's side of a."""
    place = net.place
    return (place[b, 0] - place[a, 0]) * (place[p, 0] - place[a, 0]) + (place[b, 1] - place[a, 1]) * (
        place[p, 1] - place[a, 1]
    ) > 0


@njit_inner
def _legalize(net, waiting):
    """Flip the sides of `stack`, each across from a new point that is corner 2, while they are not Delaunay."""
    while waiting > 0:
        waiting -= 1
        side = net.stack[waiting]
        twin = net.twin[side]
        if twin < 0 or net.fixed[side] != FREE or not _should_double_area(net, side):
            continue
        flip(net, side)
        # the new point is a corner of both triangles still
        net.stack[waiting], net.stack[waiting + 1] = side, twin - twin % 3
        waiting += 2


@njit_inner
def _should_double_area(net, side):
    """Whether the other diagonal is the Delaunay one; never where it would leave a triangle without area."""
    a, b, c, d = across(net, side)
    place = net.place
    ax, ay = float(place[a, 0] - place[d, 0]), float(place[a, 1] - place[d, 1])
    bx, by = float(place[b, 0] - place[d, 0]), float(place[b, 1] - place[d, 1])
    cx, cy = float(place[c, 0] - place[d, 0]), float(place[c, 1] - place[d, 1])
    square_a, square_b, square_c = ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy
    inside = square_a * (bx * cy - cx * by) + square_b * (cx * ay - ax * cy) + square_c * (ax * by - bx * ay)
    terms = square_a * (abs(bx * cy) + abs(cx * by)) + square_b * (abs(cx * ay) + abs(ax * cy))
    terms += square_c * (abs(ax * by) + abs(bx * ay))
    return inside > SAME_CIRCLE * terms and can_flip(net, a, b, c, d)


@njit_inner
def _clear(net, a, b, side, count):
    """Flip the sides that cross the way from a to b, of which `side` is the first, up to the first point on it; that
    point, or -1 where one of them is fixed. The way is a side then, and is counted."""
    crossing, end = 0, -1
    while end < 0:
        if net.fixed[side] != FREE:
            return -1
        t, k = side // 3, side % 3
        net.pairs[crossing, 0], net.pairs[crossing, 1] = net.corners[t, k], net.corners[t, (k + 1) % 3]
        crossing += 1
        twin = net.twin[side]
        u, j = twin // 3, twin % 3
        d = net.corners[u, (j + 2) % 3]
        area = _double_area(net, a, b, d)
        if area == 0:
            end = d
        else:
            # p is to the right and q to the left: the way goes on between d and that of the other hand
            side = 3 * u + (j + 1) % 3 if area > 0 else 3 * u + (j + 2) % 3
    head, waiting, room = 0, crossing, crossing
    for _ in range(crossing * (crossing + 8)):
        if waiting == 0:
            break
        p, q = net.pairs[head % room, 0], net.pairs[head % room, 1]
        head += 1
        waiting -= 1
        side = _side_between(net, p, q, count)
        if side < 0:
            return -1
        twin = net.twin[side]
        c, d = net.corners[side // 3, (side + 2) % 3], net.corners[twin // 3, (twin + 2) % 3]
        keep_p, keep_q = p, q
        if can_flip(net, p, q, c, d):
            flip(net, side)
            keep_p, keep_q = c, d
            if c in (a, end) or d in (a, end) or not _apart(_double_area(net, a, end, c), _double_area(net, a, end, d)):
                continue
        net.pairs[(head + waiting) % room, 0], net.pairs[(head + waiting) % room, 1] = keep_p, keep_q
        waiting += 1
    side = _side_between(net, a, end, count)
    if waiting > 0 or side < 0:
        return -1
    _count_outline(net, side)
    return end


@njit_inner
def _apart(one, two):
    """Whether one is positive and the other negative."""
    return (one > 0 and two < 0) or (one < 0 and two > 0)


@njit_inner
def _side_between(net, p, q, count):
    """The side from p to q, -1 where there is none; not both are corners of the frame."""
    if p < FRAME:
        # around a corner of the frame there is no full turn
        side = _side_from(net, q, p, count)
        return net.twin[side] if side >= 0 else -1
    return _side_from(net, p, q, count)


@njit_inner
def _side_from(net, p, q, count):
    side = net.side_at[p]
    for _ in range(3 * count):
        t, k = side // 3, side % 3
        if net.corners[t, (k + 1) % 3] == q:
            return side
        side = net.twin[3 * t + (k + 2) % 3]
    return -1
