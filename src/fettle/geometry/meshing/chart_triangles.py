# mypy: allow-untyped-defs, allow-untyped-calls
"""Triangles between the outlines of a face that is laid out in a plane, so that they follow the surface when lifted.

They are Delaunay in the plane. A side that goes too far from the surface, or a triangle that leans over, is flipped to
the better diagonal, or gets a point at its middle; faces that bend in two directions get points inside from the start.
"""

from __future__ import annotations

from math import ceil, cos, hypot, sqrt

import numpy as np

from fettle.geometry.meshing.charts import (
    excess,
    is_tip,
    local_normal,
    local_point,
    parameters_of,
    place_of,
    spacing_of,
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
"""Share of a step within which points inside a face keep away from its outlines."""
MOST_ADDED = 8
"""Points added inside a face for each of its outlines, at the most."""


@njit(cache=True, error_model="numpy")
def room_for(count):
    """Room for the triangulation of a face with so many points along its outlines."""
    most = FRAME + (1 + MOST_ADDED) * count
    return Net(
        np.empty((most, 2), np.int64),
        np.empty((2 * most, 3), np.int32),
        np.empty(6 * most, np.int32),
        np.empty(6 * most, np.int8),
        np.empty(most, np.int32),
        np.empty((6 * most, 2), np.int32),
        np.empty(6 * most, np.int32),
    )


@njit(cache=True, error_model="numpy")
def triangulate_chart(kind, frame, parameters, ids, loops, most_turn, deflection, net):
    """Triangles (t, 3) between points with these parameters, none where the outlines cross, and the parameters with
    those of the points added inside. `net`: room for them."""
    count = len(parameters)
    nothing = np.empty((0, 3), np.int32), parameters
    found = np.empty((count if kind == PLANE else (1 + MOST_ADDED) * count, 2))
    found[:count] = parameters
    grid = _grid_of(kind, frame, parameters)
    if not grid[2] < np.inf:
        return nothing
    begin(net)
    triangle_count, near = 1, 0
    same = np.empty(count, np.int32)
    for i in range(count):
        _place_on_grid(kind, frame, found, net, i, grid)
        triangle_count, near, there = insert(net, FRAME + i, triangle_count, near)
        if there < 0 or (there != FRAME + i and ids[there - FRAME] != ids[i]):
            return nothing
        same[i] = there
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
    is_inside = np.empty(len(net.corners), np.int8)
    mark_inside(net, triangle_count, is_inside)
    used = count
    if kind in (TORUS, SPHERE):
        triangle_count, used = _fill(kind, frame, net, found, count, triangle_count, is_inside, grid)
    if kind != PLANE:
        _straighten(kind, frame, net, found, most_turn, deflection, triangle_count, is_inside)
        triangle_count, used = _divide_long(
            kind, frame, net, found, used, most_turn, deflection, triangle_count, is_inside, grid
        )
    triangles = np.empty((triangle_count, 3), np.int32)
    inside = 0
    for t in range(triangle_count):
        if is_inside[t] == 1:
            for k in range(3):
                triangles[inside, k] = net.corners[t, k] - FRAME
            inside += 1
    return triangles[:inside].copy(), found[:used].copy()


@njit_inner
def _grid_of(kind, frame, parameters):
    """Least x and y of the places, how many steps of the grid a unit of them has (inf where all are one), and the
    largest x and y."""
    low_x, low_y = place_of(kind, frame, parameters[0, 0], parameters[0, 1])
    high_x, high_y = low_x, low_y
    for i in range(len(parameters)):
        x, y = place_of(kind, frame, parameters[i, 0], parameters[i, 1])
        low_x, low_y, high_x, high_y = min(low_x, x), min(low_y, y), max(high_x, x), max(high_y, y)
    return low_x, low_y, GRID / max(high_x - low_x, high_y - low_y), high_x, high_y


@njit_inner
def _place_on_grid(kind, frame, parameters, net, i, grid):
    x, y = place_of(kind, frame, parameters[i, 0], parameters[i, 1])
    net.place[FRAME + i, 0] = np.int64(np.rint((x - grid[0]) * grid[2]))
    net.place[FRAME + i, 1] = np.int64(np.rint((y - grid[1]) * grid[2]))


@njit_inner
def _excess_between(kind, frame, parameters, a, b, most_turn, deflection):
    """`excess` between two points; 0 to the tip of a cone, which all lines go to."""
    if is_tip(kind, frame, parameters[a, 1]) or is_tip(kind, frame, parameters[b, 1]):
        return 0.0
    one, other = parameters[a], parameters[b]
    return excess(kind, frame, one[0], one[1], other[0], other[1], most_turn, deflection)


@njit_inner
def _fill(kind, frame, net, parameters, used, count, is_inside, grid):
    """Add points a step apart inside a face that bends in two directions, not too near to its outlines; how many
    triangles there are then, and how many points."""
    step = spacing_of(kind, frame)
    width, height = grid[3] - grid[0], grid[4] - grid[1]
    columns, rows = ceil(width / step), ceil(height / step)
    near = 0
    for row in range(1, rows):
        for column in range(1, columns):
            if used == len(parameters):
                return count, used
            x, y = grid[0] + column * width / columns, grid[1] + row * height / rows
            one, two = parameters_of(kind, frame, x, y, 0.0)
            parameters[used, 0], parameters[used, 1] = one, two
            _place_on_grid(kind, frame, parameters, net, used, grid)
            near, _, where = locate(net, FRAME + used, near, count)
            if where == LOST or _is_close(net, near, FRAME + used, CLOSE * step * grid[2]):
                continue
            larger = _add_inside(net, FRAME + used, near, count, is_inside)
            used += 1 if larger > count else 0
            count = larger
    return count, used


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
def _straighten(kind, frame, net, parameters, most_turn, deflection, count, is_inside):
    """Flip sides inside that go too far where the other diagonal does less, and those of triangles that lean over where
    the other two lean less. Delaunay triangles of a long tube lean: points at its far end are in nobody's circle."""
    least = cos(most_turn)
    for _ in range(MOST_PASSES):
        changed = False
        for side in range(3 * count):
            if net.fixed[side] != FREE or is_inside[side // 3] != 1:
                continue
            a, b, c, d = across(net, side)
            now = _excess_between(kind, frame, parameters, a - FRAME, b - FRAME, most_turn, deflection)
            facing = min(_facing(kind, frame, parameters, a, b, c), _facing(kind, frame, parameters, b, a, d))
            if (now <= 1.0 and facing >= least) or not can_flip(net, a, b, c, d):
                continue
            then = _excess_between(kind, frame, parameters, c - FRAME, d - FRAME, most_turn, deflection)
            if now > 1.0 or then > 1.0:
                is_better = then < now
            else:
                others = min(_facing(kind, frame, parameters, a, d, c), _facing(kind, frame, parameters, d, b, c))
                is_better = others > facing
            if is_better:
                flip(net, side)
                changed = True
        if not changed:
            break


@njit_inner
def _facing(kind, frame, parameters, one, two, three):
    """Least cosine of the angle between the normal of a triangle of points and the surface's at its corners; the tip of
    a cone has none."""
    a, b, c = parameters[one - FRAME], parameters[two - FRAME], parameters[three - FRAME]
    ax, ay, az = local_point(kind, frame, a[0], a[1])
    bx, by, bz = local_point(kind, frame, b[0], b[1])
    cx, cy, cz = local_point(kind, frame, c[0], c[1])
    ux, uy, uz, vx, vy, vz = bx - ax, by - ay, bz - az, cx - ax, cy - ay, cz - az
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length, least = sqrt(x * x + y * y + z * z), 1.0
    for corner in (a, b, c):
        if length > 0.0 and not is_tip(kind, frame, corner[1]):
            nx, ny, nz = local_normal(kind, frame, corner[0], corner[1])
            least = min(least, (x * nx + y * ny + z * nz) / length)
    return least


@njit_inner
def _divide_long(kind, frame, net, parameters, used, most_turn, deflection, count, is_inside, grid):
    """Add a point at the middle of sides inside that go too far, until there is none or no room; how many triangles
    there are then, and how many points."""
    before = -1
    while before < used < len(parameters):
        before, t = used, 0
        while t < count and used < len(parameters):
            k = _longest_side(kind, frame, net, parameters, most_turn, deflection, is_inside, t)
            if k < 0:
                t += 1
                continue
            a, b = net.corners[t, k] - FRAME, net.corners[t, (k + 1) % 3] - FRAME
            x, y = place_of(kind, frame, parameters[a, 0], parameters[a, 1])
            other_x, other_y = place_of(kind, frame, parameters[b, 0], parameters[b, 1])
            near = 0.5 * (parameters[a, 0] + parameters[b, 0])
            parameters[used, 0], parameters[used, 1] = parameters_of(
                kind, frame, 0.5 * (x + other_x), 0.5 * (y + other_y), near
            )
            _place_on_grid(kind, frame, parameters, net, used, grid)
            larger = _add_inside(net, FRAME + used, t, count, is_inside)
            if larger == count:
                t += 1
                continue
            count = larger
            used += 1
    return count, used


@njit_inner
def _add_inside(net, point, near, count, is_inside):
    """Add a point that lies in a triangle inside; how many triangles there are then, as many as before if it does not:
    in a triangle as thin as a step of the grid it may not."""
    t, _, where = locate(net, point, near, count)
    if where == LOST or is_inside[t] != 1:
        return count
    larger, _, _ = insert(net, point, count, t)
    # triangles are only flipped where no outline is between them
    is_inside[count:larger] = 1
    return larger


@njit_inner
def _longest_side(kind, frame, net, parameters, most_turn, deflection, is_inside, t):
    """The free side of a triangle inside that goes farthest, -1 for none: if that is too far, or the triangle leans too
    far over to follow the surface."""
    found = -1
    if is_inside[t] != 1:
        return found
    a, b, c = net.corners[t, 0], net.corners[t, 1], net.corners[t, 2]
    # rows of points around a torus are as close as it needs
    leans = kind != TORUS and not _is_thin(net, t) and _facing(kind, frame, parameters, a, b, c) < cos(most_turn)
    most = LEAST_TURN if leans else 1.0
    for k in range(3):
        if net.fixed[3 * t + k] == FREE:
            a, b = net.corners[t, k] - FRAME, net.corners[t, (k + 1) % 3] - FRAME
            between = _excess_between(kind, frame, parameters, a, b, most_turn, deflection)
            if between > most:
                most, found = between, k
    return found


@njit_inner
def _is_thin(net, t):
    """Whether a triangle is so thin that dividing it would make it vanish."""
    place, corners = net.place, net.corners[t]
    ux, uy = float(place[corners[1], 0] - place[corners[0], 0]), float(place[corners[1], 1] - place[corners[0], 1])
    vx, vy = float(place[corners[2], 0] - place[corners[0], 0]), float(place[corners[2], 1] - place[corners[0], 1])
    longest = max(ux * ux + uy * uy, vx * vx + vy * vy, (vx - ux) ** 2 + (vy - uy) ** 2)
    return ux * vy - uy * vx < THINNEST * longest
