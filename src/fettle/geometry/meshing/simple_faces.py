# mypy: allow-untyped-defs, allow-untyped-calls
"""Triangles of faces on planes, cylinders, cones, spheres and tori, from the points along their outlines.

Such a face is laid out in a plane (`charts`), triangulated there between the points of its outlines
(`chart_triangles`), and lifted back. Arrays only, no kernel.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.chart_triangles import MOST_ADDED, room_for, triangulate_chart
from fettle.geometry.meshing.charts import STEPS, WIDTH, lay_out, normal_sign, set_steps, to_part
from fettle.geometry.surfaces.encoding import CONE
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]


class FaceOutlines(NamedTuple):
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
    deflection: mm by which chords may leave the surface, and outlines too. A face is not done where outlines leave its
    surface, cross each other or do not close when it is laid out.
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
    net, largest = room_for(0), 0
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
        parameters, lifted = np.empty((count, 2)), np.empty((0, 6))
        of_face = np.empty((0, 3), np.int32)
        if lay_out(kind, frame, points[rows : rows + count], loops, parameters, deflection):
            if count > largest:
                net, largest = room_for(2 * count), 2 * count
            of_face, lifted = triangulate_chart(kind, frame, parameters, ids, loops, angle, deflection, net)
        if len(of_face) == 0:
            use_row[wire_start[first] : wire_start[last]] = -1
            first = last
            continue
        done[face] = True
        sign = normal_sign(kind, frame)
        for i in range(len(lifted)):
            point_face[rows + i] = face
            to_part(frame, lifted[i, 3:], normals[rows + i], sign)
            if i >= count:
                to_part(frame, lifted[i], points[rows + i], 1.0)
                points[rows + i] += frame[:3]
        if kind == CONE:
            _mean_normals_at_tips(lifted, of_face, normals[rows : rows + len(lifted)])
        for t in range(len(of_face)):
            triangle_face[triangle_count] = face
            for k in range(3):
                triangles[triangle_count, k] = rows + of_face[t, k]
            triangle_count += 1
        rows += len(lifted)
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


@njit_inner
def _mean_normals_at_tips(lifted, triangles, normals):
    """At the tip of a cone, which has no normal, the mean of those at the other corners of its triangles."""
    for tip in range(len(lifted)):
        if lifted[tip, 3] != 0.0 or lifted[tip, 4] != 0.0 or lifted[tip, 5] != 0.0:
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
