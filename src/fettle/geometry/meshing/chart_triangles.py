# mypy: allow-untyped-defs, allow-untyped-calls
"""Triangles between the outlines of a face that is laid out in a plane, so that they follow the surface when lifted.

They are Delaunay in the plane. A side that goes too far from the surface, or a triangle that leans over, is flipped to
the better diagonal, or gets a point at its middle; faces that bend in two directions get points inside from the start.
"""

from __future__ import annotations

from math import acos, ceil, cos, hypot, sin, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.charts import (
    FARTHEST_COSINE,
    STEPS,
    TURN,
    excess,
    lift,
    parameters_of,
    place_of,
    ring_radius,
)
from fettle.geometry.meshing.constrained_delaunay import (
    FRAME,
    FREE,
    GRID,
    LOST,
    Net,
    across,
    begin,
    can_flip,
    fix,
    flip,
    improve,
    insert,
    locate,
    mark_inside,
)
from fettle.geometry.surfaces.encoding import PLANE, SPHERE, TORUS
from fettle.jit import njit, njit_inner

LEAST_TURN = 0.1
"""Share of the most that the surface may turn along a side below which no side is divided: three points in a row around
a tube have a triangle across it, however near they are."""
MOST_PASSES = 20
"""Passes over all sides of a face; a few are usual."""
THINNEST = 1e-4
"""Height of a triangle over its longest side below which it is left as it is."""
CLOSE = 0.5
"""Share of a step within which points inside a face keep away from its outlines and from each other."""
MOST_ADDED = 8
"""Points added inside a face for each of its outlines, at the most."""


class Chart(NamedTuple):
    """A face while it is triangulated: room for p points, the net having its frame's corners before them.

    kind, frame: see `charts`; parameters (p, 2); lifted (p, 6): what `lift` writes; is_inside (t,) int8: 1 for those of
    the face; grid: least x and y of the places, steps of the grid for a unit of them, and the largest x and y;
    most_turn, deflection: how far a side may go.
    """

    kind: int
    frame: NDArray[np.float64]
    net: Net
    parameters: NDArray[np.float64]
    lifted: NDArray[np.float64]
    is_inside: NDArray[np.int8]
    grid: tuple[float, float, float, float, float]
    most_turn: float
    deflection: float


@njit(cache=True, error_model="numpy")
def room_for(count):
    """Room for the triangulation of a face with so many points along its outlines."""
    most = FRAME + (1 + MOST_ADDED) * count
    return Net(
        np.empty((most, 2), np.int64),
        np.empty((2 * most, 3), np.uint32),
        np.empty(6 * most, np.int32),
        np.empty(6 * most, np.int8),
        np.empty(most, np.uint32),
        np.empty((6 * most, 2), np.uint32),
        np.empty(6 * most, np.uint32),
    )


@njit(cache=True, error_model="numpy")
def triangulate_chart(kind, frame, outlined, ids, loops, most_turn, deflection, net):
    """Triangles (t, 3) between points with the parameters `outlined` (n, 2), none where the outlines cross; and what
    `lift` writes of these points and those added inside (m, 6). `net`: room for them.

    ids (n,): the same number for the same point of two outlines; loops (l + 1,): where each begins.
    """
    count = len(outlined)
    nothing = np.empty((0, 3), np.int32), np.empty((0, 6))
    grid = _grid_of(kind, frame, outlined)
    if not grid[2] < np.inf:
        return nothing
    room = count if kind == PLANE else (1 + MOST_ADDED) * count
    parameters, lifted = np.empty((room, 2)), np.empty((room, 6))
    chart = Chart(
        kind, frame, net, parameters, lifted, np.empty(len(net.corners), np.int8), grid, most_turn, deflection
    )
    begin(net)
    triangles, near = 1, 0
    same = np.empty(count, np.int32)
    for i in range(count):
        _place(chart, i, outlined[i, 0], outlined[i, 1])
        triangles, near, there = insert(net, FRAME + i, triangles, near)
        if there < 0 or (there != FRAME + i and ids[there - FRAME] != ids[i]):
            return nothing
        same[i] = there
    has_flipped = 0
    for loop in range(len(loops) - 1):
        for i in range(loops[loop], loops[loop + 1]):
            after = i + 1 if i + 1 < loops[loop + 1] else loops[loop]
            flipped = fix(net, same[i], same[after], triangles)
            if flipped < 0:
                return nothing
            has_flipped |= flipped
    if has_flipped:
        improve(net, triangles)
    mark_inside(net, triangles, chart.is_inside)
    used = count
    if kind == TORUS:
        used, triangles = _fill_torus(chart, used, triangles)
    elif kind == SPHERE:
        used, triangles = _fill_sphere(chart, used, triangles)
    if kind != PLANE:
        _straighten(chart, triangles)
        used, triangles = _divide_long(chart, used, triangles)
    found = np.empty((triangles, 3), np.int32)
    inside = 0
    for t in range(triangles):
        if chart.is_inside[t] == 1:
            for k in range(3):
                found[inside, k] = net.corners[t, k] - FRAME
            inside += 1
    return found[:inside].copy(), lifted[:used].copy()


@njit_inner
def _grid_of(kind, frame, parameters):
    """As in `Chart`; inf steps where all places are one."""
    low_x, low_y = place_of(kind, frame, parameters[0, 0], parameters[0, 1])
    high_x, high_y = low_x, low_y
    for i in range(len(parameters)):
        x, y = place_of(kind, frame, parameters[i, 0], parameters[i, 1])
        low_x, low_y, high_x, high_y = min(low_x, x), min(low_y, y), max(high_x, x), max(high_y, y)
    return low_x, low_y, GRID / max(high_x - low_x, high_y - low_y), high_x, high_y


@njit_inner
def _place(chart, i, one, two):
    """Write a point with these parameters."""
    x, y = place_of(chart.kind, chart.frame, one, two)
    chart.parameters[i, 0], chart.parameters[i, 1] = one, two
    lift(chart.kind, chart.frame, one, two, chart.lifted[i])
    chart.net.place[FRAME + i, 0] = np.int64(np.rint((x - chart.grid[0]) * chart.grid[2]))
    chart.net.place[FRAME + i, 1] = np.int64(np.rint((y - chart.grid[1]) * chart.grid[2]))


@njit(cache=True, error_model="numpy")
def _add_inside(chart, i, near, count):
    """Add a point that was placed to the triangles; how many there are then, as many as before if it is not inside, as
    may be in a triangle as thin as a step of the grid."""
    t, _, where = locate(chart.net, FRAME + i, near, count)
    if where == LOST or chart.is_inside[t] != 1:
        return count
    larger, _, _ = insert(chart.net, FRAME + i, count, t)
    # triangles are only flipped where no outline is between them
    chart.is_inside[count:larger] = 1
    return larger


@njit_inner
def _fill_torus(chart, used, count):
    """Add points a step apart inside a face of a torus; how many points and triangles there are then."""
    low_x, low_y, _, high_x, high_y = chart.grid
    # places are counted in steps
    columns, rows = ceil(high_x - low_x), ceil(high_y - low_y)
    for row in range(1, rows):
        for column in range(1, columns):
            x, y = low_x + column * (high_x - low_x) / columns, low_y + row * (high_y - low_y) / rows
            used, count = _fill_in(chart, used, count, x, y, 1.0)
    return used, count


@njit_inner
def _fill_sphere(chart, used, count):
    """Add points a step apart inside a face of a sphere, in rings around its middle; as `_fill_torus`."""
    frame, step = chart.frame, chart.frame[STEPS]
    for ring in range(ceil(acos(FARTHEST_COSINE) / step)):
        radius, on_ring = ring_radius(frame, ring * step), max(1, ceil(TURN * sin(ring * step) / step))
        spacing = ring_radius(frame, (ring + 0.5) * step) - ring_radius(frame, (ring - 0.5) * step)
        for k in range(on_ring):
            x, y = radius * cos(k * TURN / on_ring), radius * sin(k * TURN / on_ring)
            used, count = _fill_in(chart, used, count, x, y, spacing)
    return used, count


@njit(cache=True, error_model="numpy")
def _fill_in(chart, used, count, x, y, spacing):
    """Add a place if it is inside and not too near to outlines and other points for this spacing, and there is room;
    how many points and triangles there are then."""
    low_x, low_y, scale, high_x, high_y = chart.grid
    if used == len(chart.parameters) or not (low_x < x < high_x and low_y < y < high_y):
        return used, count
    one, two = parameters_of(chart.kind, chart.frame, x, y, 0.0)
    _place(chart, used, one, two)
    t, _, where = locate(chart.net, FRAME + used, count - 1, count)
    if where == LOST or _is_close(chart.net, t, FRAME + used, CLOSE * spacing * scale):
        return used, count
    larger = _add_inside(chart, used, t, count)
    return (used + 1 if larger > count else used), larger


@njit_inner
def _is_close(net, t, point, distance):
    """Whether a point in a triangle is closer to one of its corners or fixed sides, in steps of the grid."""
    place = net.place
    for k in range(3):
        a, b = net.corners[t, k], net.corners[t, (k + 1) % 3]
        dx, dy = float(place[a, 0] - place[point, 0]), float(place[a, 1] - place[point, 1])
        if hypot(dx, dy) < distance:
            return True
        if net.fixed[3 * t + k] != FREE:
            ex, ey = float(place[b, 0] - place[a, 0]), float(place[b, 1] - place[a, 1])
            if abs(dx * ey - dy * ex) < distance * hypot(ex, ey):
                return True
    return False


@njit_inner
def _straighten(chart, count):
    """Flip sides inside that go too far where the other diagonal does less, and those of triangles that lean over where
    the other two lean less. Delaunay triangles of a long tube lean: points at its far end are in nobody's circle."""
    net, least = chart.net, cos(chart.most_turn)
    for _ in range(MOST_PASSES):
        changed = False
        for side in range(3 * count):
            # a side is looked at from one of its triangles
            if net.fixed[side] != FREE or side > net.twin[side] or chart.is_inside[side // 3] != 1:
                continue
            a, b, c, d = across(net, side)
            now = _excess(chart, a, b)
            facing = min(_facing(chart, a, b, c), _facing(chart, b, a, d))
            if (now <= 1.0 and facing >= least) or not can_flip(net, a, b, c, d):
                continue
            then = _excess(chart, c, d)
            if now > 1.0 or then > 1.0:
                is_better = then < now
            else:
                is_better = min(_facing(chart, a, d, c), _facing(chart, d, b, c)) > facing
            if is_better:
                flip(net, side)
                changed = True
        if not changed:
            break


@njit_inner
def _divide_long(chart, used, count):
    """Add a point at the middle of sides inside that go too far, until there is none or no room; how many points and
    triangles there are then."""
    kind, frame, net, parameters = chart.kind, chart.frame, chart.net, chart.parameters
    before = -1
    while before < used < len(parameters):
        before, t = used, 0
        while t < count and used < len(parameters):
            k = _longest_side(chart, t)
            if k >= 0:
                a, b = net.corners[t, k] - FRAME, net.corners[t, (k + 1) % 3] - FRAME
                x, y = place_of(kind, frame, parameters[a, 0], parameters[a, 1])
                other_x, other_y = place_of(kind, frame, parameters[b, 0], parameters[b, 1])
                near = 0.5 * (parameters[a, 0] + parameters[b, 0])
                one, two = parameters_of(kind, frame, 0.5 * (x + other_x), 0.5 * (y + other_y), near)
                _place(chart, used, one, two)
                larger = _add_inside(chart, used, t, count)
                if larger > count:
                    used, count = used + 1, larger
                    continue
            t += 1
    return used, count


@njit_inner
def _longest_side(chart, t):
    """The free side of a triangle inside that goes farthest, -1 for none: if that is too far, or the triangle leans too
    far over to follow the surface."""
    net, found = chart.net, -1
    if chart.is_inside[t] != 1:
        return found
    a, b, c = net.corners[t, 0], net.corners[t, 1], net.corners[t, 2]
    # rows of points around a torus are as close as it needs
    leans = chart.kind != TORUS and _facing(chart, a, b, c) < cos(chart.most_turn) and not _is_thin(net, t)
    most = LEAST_TURN if leans else 1.0
    for k in range(3):
        if net.fixed[3 * t + k] == FREE:
            between = _excess(chart, net.corners[t, k], net.corners[t, (k + 1) % 3])
            if between > most:
                most, found = between, k
    return found


@njit_inner
def _excess(chart, a, b):
    """`excess` between two points of the net; 0 to the tip of a cone, which all lines go to."""
    if _is_tip(chart.lifted[a - FRAME]) or _is_tip(chart.lifted[b - FRAME]):
        return 0.0
    one, other = chart.parameters[a - FRAME], chart.parameters[b - FRAME]
    return excess(chart.kind, chart.frame, one[0], one[1], other[0], other[1], chart.most_turn, chart.deflection)


@njit_inner
def _is_tip(lifted):
    return lifted[3] == 0.0 and lifted[4] == 0.0 and lifted[5] == 0.0


@njit_inner
def _facing(chart, one, two, three):
    """Least cosine of the angle between the normal of a triangle of points and the surface's at its corners; the tip of
    a cone has none."""
    a, b, c = chart.lifted[one - FRAME], chart.lifted[two - FRAME], chart.lifted[three - FRAME]
    ux, uy, uz, vx, vy, vz = b[0] - a[0], b[1] - a[1], b[2] - a[2], c[0] - a[0], c[1] - a[1], c[2] - a[2]
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length, least = sqrt(x * x + y * y + z * z), 1.0
    for corner in (a, b, c):
        if length > 0.0 and not _is_tip(corner):
            least = min(least, (x * corner[3] + y * corner[4] + z * corner[5]) / length)
    return least


@njit_inner
def _is_thin(net, t):
    """Whether a triangle is so thin that dividing it would make it vanish."""
    place, corners = net.place, net.corners[t]
    ux, uy = float(place[corners[1], 0] - place[corners[0], 0]), float(place[corners[1], 1] - place[corners[0], 1])
    vx, vy = float(place[corners[2], 0] - place[corners[0], 0]), float(place[corners[2], 1] - place[corners[0], 1])
    longest = max(ux * ux + uy * uy, vx * vx + vy * vy, (vx - ux) ** 2 + (vy - uy) ** 2)
    return ux * vy - uy * vx < THINNEST * longest
