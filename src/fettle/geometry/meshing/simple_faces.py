# mypy: allow-untyped-defs, allow-untyped-calls
"""Triangles of faces on planes, cylinders, cones, spheres and tori, from the points along their outlines.

Such a face is laid out in a plane (see `charts`) and triangulated there between the points of its outlines. A side
inside it that leaves the surface too far gets a point at its middle. Arrays only, no kernel.
"""

from __future__ import annotations

from math import ceil, cos, hypot, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.charts import (
    STEPS,
    WIDTH,
    excess,
    is_tip,
    lay_out,
    local_normal,
    local_point,
    normal_sign,
    parameters_of,
    place_of,
    set_steps,
    spacing_of,
    write_normal,
    write_point,
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
from fettle.geometry.surfaces.encoding import CONE, PLANE, SPHERE, TORUS
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

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


class SimpleFaces(NamedTuple):
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
def triangulate_outlines(kinds, frames, outlines, angle, deflection):
    """SimpleFaces of all wires' faces; those that were not done have no rows.

    kinds (faces,), frames (faces, 14): see `charts`; angle: by which the surface may turn along a side, radians;
    deflection: mm by which chords may leave the surface, and outlines too. A face is not done where outlines leave its surface, cross each other or do
    not close when it is laid out.
    """
    wire_face, wire_start = outlines.wire_face, outlines.wire_start
    done = np.zeros(len(kinds), np.bool_)
    use_row = np.full(len(outlines.edge), -1)
    room = 0
    for use in range(len(outlines.edge)):
        room += _steps(outlines, use)
    room *= 1 + MOST_ADDED
    points, normals = np.empty((room, 3)), np.empty((room, 3))
    point_face = np.empty(room, np.int32)
    triangles, triangle_face = np.empty((2 * room, 3), np.int32), np.empty(2 * room, np.int32)
    net, largest = _net_of(0), 0
    rows = triangle_count = first = 0
    while first < len(wire_face):
        face, last, count = wire_face[first], first, 0
        while last < len(wire_face) and wire_face[last] == face:
            for use in range(wire_start[last], wire_start[last + 1]):
                count += _steps(outlines, use)
            last += 1
        kind, frame = kinds[face], np.empty(WIDTH)
        frame[:STEPS] = frames[face]
        set_steps(kind, frame, angle, deflection)
        ids, loops = np.empty(count, np.int64), np.empty(last - first + 1, np.int64)
        _walk(outlines, first, last, points, rows, use_row, ids, loops)
        parameters = np.empty((count, 2))
        of_face = np.empty((0, 3), np.int32)
        if lay_out(kind, frame, points[rows : rows + count], loops, parameters, deflection):
            if count > largest:
                net, largest = _net_of(2 * count), 2 * count
            of_face, parameters = _triangles_of_face(kind, frame, parameters, ids, loops, angle, deflection, net)
        if len(of_face) == 0:
            use_row[wire_start[first] : wire_start[last]] = -1
            first = last
            continue
        done[face] = True
        sign = normal_sign(kind, frame)
        for i in range(len(parameters)):
            one, two = parameters[i, 0], parameters[i, 1]
            point_face[rows + i] = face
            write_normal(frame, local_normal(kind, frame, one, two), sign, normals, rows + i)
            if i >= count:
                write_point(frame, local_point(kind, frame, one, two), points, rows + i)
        if kind == CONE:
            _mean_normals_at_tips(frame, parameters, of_face, normals[rows : rows + len(parameters)])
        for t in range(len(of_face)):
            triangle_face[triangle_count] = face
            for k in range(3):
                triangles[triangle_count, k] = rows + of_face[t, k]
            triangle_count += 1
        rows += len(parameters)
        first = last
    return SimpleFaces(
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


@njit(cache=True, error_model="numpy")
def _net_of(count):
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
def _triangles_of_face(kind, frame, parameters, ids, loops, most_turn, deflection, net):
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
    """Least x and y of the places, how many steps of the grid a unit of them has, inf where all are one, and the largest
    x and y."""
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
    columns, rows = int(ceil(width / step)), int(ceil(height / step))
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
    the other two lean less. The Delaunay triangles of a long tube lean: points at its far end are in nobody's circle."""
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
    """Least cosine of the angle between the normal of a triangle of points and the surface's at its corners; the tip of a
    cone has none."""
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
    leans = not _is_thin(net, t) and _facing(kind, frame, parameters, a, b, c) < cos(most_turn)
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


@njit_inner
def _mean_normals_at_tips(frame, parameters, triangles, normals):
    """At the tip of a cone the mean of the normals at the other corners of its triangles."""
    for tip in range(len(parameters)):
        if not is_tip(CONE, frame, parameters[tip, 1]):
            continue
        x, y, z = 0.0, 0.0, 0.0
        for t in range(len(triangles)):
            if tip in (triangles[t, 0], triangles[t, 1], triangles[t, 2]):
                for k in range(3):
                    if triangles[t, k] != tip:
                        other = triangles[t, k]
                        x, y, z = x + normals[other, 0], y + normals[other, 1], z + normals[other, 2]
        length = sqrt(x * x + y * y + z * z)
        if length > 0.0:
            normals[tip, 0], normals[tip, 1], normals[tip, 2] = x / length, y / length, z / length
