# mypy: allow-untyped-defs, allow-untyped-calls
"""Refinement of the base mesh until no edge is longer than `max_edge`: arrays only, no kernel.

The longest edges are split first, near their middle, in all triangles that share them; the diagonals around each new
point are flipped to the Delaunay ones inside a face. New points are projected onto the surface of the face (of both
faces along an edge of the part), so that the mesh does not stay on the chords of the base tessellation.
"""

from __future__ import annotations

from dataclasses import replace
from math import ceil, cos, log10, pi, sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from fettle.errors import TooDetailed
from fettle.geometry.mesh import MAX_TRIANGLES, Mesh, unsigned
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.coarse_planes import find_coarse_planes
from fettle.geometry.meshing.delaunay import MAX_STACK, SAME_LENGTH, legalize
from fettle.geometry.meshing.edge_split import divide, normal_between
from fettle.geometry.meshing.half_edges import link, split
from fettle.geometry.meshing.same_triangles import choose_triangles
from fettle.geometry.part import Part
from fettle.geometry.surfaces.encoding import PLANE, pack
from fettle.geometry.surfaces.projection import set_exact_normals
from fettle.jit import njit, njit_inner

TURN_SLACK = 1.001
"""Rounding of an edge that turns by exactly one element."""

FINEST_PER_DIAGONAL = 5e-4
"""Edges below this share of the diagonal are not split for their turn: a kink inside a face would never end."""

SHRINK = 0.9
"""Edges are split in falling classes of length, each this share of the one before: on planes with 0.9 a tenth fewer
triangles come of it than with 0.75, and nearer to 1 the passes cost more than they save."""


def refine(mesh: Mesh, part: Part, options: MeshOptions) -> Mesh:
    """Bound the edges of `mesh`, the base mesh of `part`. TooDetailed beyond the triangle cap."""
    max_edge = options.max_edge_used_mm(part.diagonal_mm, part.area_mm2)
    fewest = fewest_triangles(mesh, max_edge)
    refuse_beyond_cap(fewest, max_edge)
    kind, parameters = pack(part.faces)
    # the facets of a mesh file are its exact geometry: new points stay on them
    bend = part.source.exact
    min_cosine = cos(TURN_SLACK * 2.0 * pi / mesh.curvature)
    if bend:
        mesh = choose_triangles(mesh, kind, min_cosine)
    normals = mesh.normals.copy()
    if bend:
        set_exact_normals(mesh.points, normals, mesh.point_face, kind, parameters)
    vertex_count = int(mesh.vertex.max(initial=-1)) + 1
    base_ring, largest_ring = link(unsigned(mesh.welded), vertex_count)
    counts = np.array([len(mesh.points), len(mesh.triangles), vertex_count])
    arrays: tuple[NDArray[Any], ...] = (
        mesh.points,
        normals,
        unsigned(mesh.point_face),
        unsigned(mesh.vertex),
        unsigned(mesh.triangles),
        unsigned(mesh.triangle_face),
        base_ring,
    )
    surfaces = (kind, parameters, bend)
    limits = (max_edge, part.diagonal_mm * FINEST_PER_DIAGONAL, min_cosine)
    room = len(mesh.triangles) + int(fewest) + 1024
    done = False
    while not done and counts[1] <= MAX_TRIANGLES:
        room *= 2
        *rows, ring = arrays
        arrays = (*(_grown(array, room) for array in rows), _grown(ring, 3 * room))
        done = _bound_edges(arrays, counts, largest_ring, surfaces, limits)
    points, normals, point_face, vertex, triangles, triangle_face, ring = arrays
    refuse_beyond_cap(2.0 * MAX_TRIANGLES if counts[1] > MAX_TRIANGLES else 0.0, max_edge)
    fine = Mesh(
        points=points[: counts[0]].copy(),
        normals=normals[: counts[0]].copy(),
        point_face=point_face[: counts[0]].astype(np.int32),
        vertex=vertex[: counts[0]].astype(np.int32),
        triangles=triangles[: counts[1]].astype(np.int32),
        triangle_face=triangle_face[: counts[1]].astype(np.int32),
        max_edge_mm=max_edge,
        curvature=mesh.curvature,
    )
    return replace(fine, coarse_planes=find_coarse_planes(mesh, base_ring, fine, ring, kind if bend else None))


def _grown(array: NDArray[Any], size: int) -> NDArray[Any]:
    larger = np.empty((size, *array.shape[1:]), dtype=array.dtype)
    larger[: len(array)] = array
    return larger


def fewest_triangles(mesh: Mesh, max_edge_mm: float) -> float:
    """How many triangles a refined mesh has at least: one with sides up to L has at most the area of the equilateral
    one."""
    return float(mesh.triangle_areas_mm2().sum()) / (sqrt(3.0) / 4.0 * max_edge_mm**2)


def refuse_beyond_cap(triangle_count: float, max_edge_mm: float) -> None:
    """Raise TooDetailed beyond the triangle cap."""
    if triangle_count <= MAX_TRIANGLES:
        return
    wanted = 1.5 * max_edge_mm * sqrt(triangle_count / MAX_TRIANGLES)
    digits = 10.0 ** (ceil(log10(wanted)) - 2)
    raise TooDetailed(
        f"a mesh with max_edge {max_edge_mm:.4g} mm would have more than {MAX_TRIANGLES:,} triangles; "
        f"ask for a coarser max_edge, {ceil(wanted / digits) * digits:g} mm or more, or leave it out for auto"
    )


@njit(cache=True, error_model="numpy")
def _bound_edges(arrays, counts, largest_ring, surfaces, limits):
    """Split in place until edges are at most `max_edge` and, on curved faces, turn by no more than `min_cosine`.

    `arrays` are a mesh's and its ring, with room at their ends; `counts`: points, triangles and vertices in use, kept
    up to date. False when the arrays are full; call again with larger ones.
    """
    points, normals, _, vertex, triangles, triangle_face, ring = arrays
    kind, parameters, bend = surfaces
    max_edge, finest, min_cosine = limits
    point_count, triangle_count, vertex_count = counts
    room = min(len(points), len(triangles)) - largest_ring
    sides = np.empty(largest_ring, dtype=np.uint32)
    rows = np.empty(largest_ring, dtype=np.int32)
    stack = np.empty(2 * largest_ring + MAX_STACK, dtype=np.uint32)
    max_square = (1.0 - SAME_LENGTH) * max_edge * max_edge
    # square of the longest side of each triangle, -1 where it changed, 0 where nothing is left to be done; which it is
    longest, longest_side = np.full(len(triangles), -1.0), np.empty(len(triangles), np.uint32)
    limit = 0.0
    for t in range(triangle_count):
        longest_side[t], longest[t] = _longest_side(points, triangles, t)
        limit = max(limit, longest[t])
    changed = True
    while changed or limit > max_square:
        changed = False
        limit = max(max_square, SHRINK * SHRINK * limit)
        t = 0
        while t < triangle_count:
            k = -1
            if longest[t] < 0.0:
                longest_side[t], longest[t] = _longest_side(points, triangles, t)
            for_turn = longest[t] <= limit
            if not for_turn:
                k = longest_side[t]
            elif limit == max_square and longest[t] > 0.0:
                if bend and kind[triangle_face[t]] != PLANE:
                    k = _turning_side(points, normals, triangles, t, finest * finest, min_cosine)
                if k < 0:
                    longest[t] = 0.0
            if k < 0:
                t += 1
                continue
            if max(triangle_count, point_count) > room:
                counts[0], counts[1], counts[2] = point_count, triangle_count, vertex_count
                return False
            sides[0] = 3 * t + k
            count = 1
            while ring[sides[count - 1]] != sides[0]:
                sides[count] = ring[sides[count - 1]]
                count += 1
            x, y, z, bent = divide(
                points, normals, triangles, triangle_face, sides, count, kind, parameters, bend, max_edge
            )
            if for_turn and not bent:
                # normals that turn along a straight edge contradict it: the kernel's own mesh is wrong here
                t += 1
                continue
            changed = True
            new_points = _add_rows(arrays, surfaces, sides, count, (x, y, z), point_count, vertex_count, rows)
            for i in range(count):
                triangle_face[triangle_count + i] = triangle_face[sides[i] // 3]
            point_count += new_points
            vertex_count += 1
            split(triangles, ring, vertex, sides, rows, count, triangle_count)
            for i in range(count):
                stack[2 * i] = 3 * (sides[i] // 3) + (sides[i] + 2) % 3
                stack[2 * i + 1] = 3 * (triangle_count + i) + 1
                longest[sides[i] // 3] = -1.0
            triangle_count += count
            legalize(
                points,
                normals,
                vertex,
                triangles,
                triangle_face,
                ring,
                longest,
                kind,
                bend,
                stack,
                2 * count,
                max_square,
                min_cosine,
            )
    counts[0], counts[1], counts[2] = point_count, triangle_count, vertex_count
    return True


@njit_inner
def _add_rows(arrays, surfaces, sides, count, place, point_count, vertex_count, rows):
    """Write a new vertex, a row for each face around the edge `sides[:count]`; its rows to `rows`, how many are new."""
    points, normals, point_face, vertex, triangles, triangle_face, _ = arrays
    kind, parameters, _ = surfaces
    x, y, z = place
    new = point_count
    for i in range(count):
        rows[i] = _row_of_face(triangles, triangle_face, sides, rows, i)
        if rows[i] < 0:
            face = triangle_face[sides[i] // 3]
            a, b = _ends(triangles, sides[i])
            points[new, 0], points[new, 1], points[new, 2] = x, y, z
            nx, ny, nz = normal_between(points, normals, a, b, kind[face], parameters[face], x, y, z)
            normals[new, 0], normals[new, 1], normals[new, 2] = nx, ny, nz
            point_face[new], vertex[new] = face, vertex_count
            rows[i] = new
            new += 1
    return new - point_count


@njit_inner
def _ends(triangles, side):
    return triangles[side // 3, side % 3], triangles[side // 3, (side % 3 + 1) % 3]


@njit_inner
def _row_of_face(triangles, triangle_face, sides, rows, i):
    """Row that another side of the ring has already made for the same face, or -1.

    Both triangles take one row unless the face meets itself at an angle there: then they share neither end.
    """
    a, b = _ends(triangles, sides[i])
    for other in range(i):
        c, d = _ends(triangles, sides[other])
        if triangle_face[sides[other] // 3] == triangle_face[sides[i] // 3] and (a in (c, d) or b in (c, d)):
            return rows[other]
    return -1


@njit_inner
def _longest_side(points, triangles, t):
    best, longest = 0, -1.0
    for k in range(3):
        square = _square(points, triangles[t, k], triangles[t, (k + 1) % 3])
        if square > (1.0 + SAME_LENGTH) * longest:
            best, longest = k, square
    return best, longest


@njit_inner
def _turning_side(points, normals, triangles, t, least_square, min_cosine):
    """The longest side whose normals differ by more than an element, -1 when there is none."""
    best, longest = -1, least_square
    for k in range(3):
        a, b = triangles[t, k], triangles[t, (k + 1) % 3]
        cosine = normals[a, 0] * normals[b, 0] + normals[a, 1] * normals[b, 1] + normals[a, 2] * normals[b, 2]
        if cosine < min_cosine:
            square = _square(points, a, b)
            if square > (1.0 + SAME_LENGTH) * longest:
                best, longest = k, square
    return best


@njit_inner
def _square(points, a, b):
    x, y, z = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
    return x * x + y * y + z * z
