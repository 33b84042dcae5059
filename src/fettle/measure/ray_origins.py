# mypy: allow-untyped-defs
"""Ray origins: the mesh points, moved slightly into their own face where they lie on its border.

A point on a sharp edge belongs to every face that meets there. A ray from it along one face's normal would run inside
another face's plane and hit or miss by rounding; from slightly inside the face the answer is well defined.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.jit import njit
from fettle.measure.readings import BORDER_OFFSET

APEX_COS = 0.7
"""A point whose normal has no larger cosine than this to any of its triangles is an apex: it has no normal (45 deg)."""


@njit(cache=True)
def _widest_corners(points, triangles, border, bisector, room):
    """Bisector (n, 3) of the widest triangle corner at each border point, not of unit length, and how far (n,) in mm it
    may be followed; what is at other points stays."""
    widest = np.full(points.shape[0], 2.0)
    for t in range(triangles.shape[0]):
        for k in range(3):
            i = triangles[t, k]
            if not border[i]:
                continue
            j, m = triangles[t, (k + 1) % 3], triangles[t, (k + 2) % 3]
            ux, uy, uz = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
            vx, vy, vz = points[m, 0] - points[i, 0], points[m, 1] - points[i, 1], points[m, 2] - points[i, 2]
            u, v = math.sqrt(ux * ux + uy * uy + uz * uz), math.sqrt(vx * vx + vy * vy + vz * vz)
            if u == 0.0 or v == 0.0:
                continue
            cosine = (ux * vx + uy * vy + uz * vz) / (u * v)
            # The triangle with the widest corner at this point leaves most room on both sides of its bisector.
            if cosine >= widest[i]:
                continue
            widest[i] = cosine
            bx, by, bz = ux / u + vx / v, uy / u + vy / v, uz / u + vz / v
            if math.sqrt(bx * bx + by * by + bz * bz) < 1e-9:
                continue
            cx, cy, cz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            height = math.sqrt(cx * cx + cy * cy + cz * cz) / max(u, v)
            bisector[i, 0], bisector[i, 1], bisector[i, 2] = bx, by, bz
            room[i] = min(0.3 * height, 0.3 * min(u, v))


@njit(cache=True)
def _step(points, bisector, room, length):
    """Points (n, 3) moved along their bisector by length (n,) mm, at most by their room."""
    moved = points.copy()
    for i in range(len(points)):
        if room[i] > 0.0:
            x, y, z = bisector[i, 0], bisector[i, 1], bisector[i, 2]
            step, b = min(length[i], room[i]), math.sqrt(x * x + y * y + z * z)
            moved[i, 0] = points[i, 0] + step * x / b
            moved[i, 1] = points[i, 1] + step * y / b
            moved[i, 2] = points[i, 2] + step * z / b
    return moved


@njit(cache=True)
def _largest_cosine(points, normals, triangles, best):
    """Largest cosine (n,) between each point's normal and those of its own triangles, written into `best`."""
    for t in range(triangles.shape[0]):
        i, j, m = triangles[t, 0], triangles[t, 1], triangles[t, 2]
        ux, uy, uz = points[j, 0] - points[i, 0], points[j, 1] - points[i, 1], points[j, 2] - points[i, 2]
        vx, vy, vz = points[m, 0] - points[i, 0], points[m, 1] - points[i, 1], points[m, 2] - points[i, 2]
        x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        length = math.sqrt(x * x + y * y + z * z)
        if length == 0.0:
            continue
        for k in range(3):
            i = triangles[t, k]
            cosine = (x * normals[i, 0] + y * normals[i, 1] + z * normals[i, 2]) / length
            best[i] = max(best[i], cosine)


@njit(cache=True)
def _sag(points, normals, triangles, triangle_face, apex, sag):
    """Largest chord height (faces,) of each face's mesh edges in mm, written into `sag`."""
    for t in range(triangles.shape[0]):
        face = triangle_face[t]
        highest = sag[face]
        for k in range(3):
            a, b = triangles[t, k], triangles[t, (k + 1) % 3]
            x, y, z = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
            for p in (a, b):
                if not apex[p]:
                    offset = abs(x * normals[p, 0] + y * normals[p, 1] + z * normals[p, 2])
                    highest = max(highest, offset / 4.0)
        sag[face] = highest


@dataclass(frozen=True, slots=True, eq=False)
class WaysInside:
    """Ways from the border of faces into them: a mask on_border (n,) of the points there, bisector (n, 3), not of unit
    length, of the widest triangle corner at each, and how far it may be followed, room_mm (n,); 0 at other points."""

    on_border: NDArray[np.bool_]
    bisector: NDArray[np.float64]
    room_mm: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class RayOrigins:
    """Origins of rays, one for each mesh point: points (n, 3) mm; apex (n,): no normal there (the apex of a cone).
    `ways`: by which those of border points came into their faces."""

    points: NDArray[np.float64]
    apex: NDArray[np.bool_]
    ways: WaysInside


def _on_border(mesh: Mesh) -> NDArray[np.bool_]:
    """Mask (n,) of the points on the border of their face: another face has a point at the same vertex."""
    border: NDArray[np.bool_] = np.bincount(mesh.vertex)[mesh.vertex] > 1
    return border


def ways_inside(mesh: Mesh) -> WaysInside:
    """The ways from all points of a mesh into their faces."""
    ways = WaysInside(_on_border(mesh), np.empty(mesh.points.shape), np.zeros(len(mesh.points)))
    _widest_corners(mesh.points, unsigned(mesh.triangles), ways.on_border, ways.bisector, ways.room_mm)
    return ways


def step_inside(mesh: Mesh, ways: WaysInside, length_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Mesh points (n, 3) mm; those on their face's border moved into it by length_mm (n,), less on small triangles."""
    moved: NDArray[np.float64] = _step(mesh.points, ways.bisector, ways.room_mm, length_mm)
    return moved


def ray_origins(mesh: Mesh, diagonal_mm: float) -> RayOrigins:
    """Origins of rays from every mesh point, on its own face; `diagonal_mm`: diagonal of the bounding box."""
    ways = ways_inside(mesh)
    moved = step_inside(mesh, ways, np.full(len(mesh.points), BORDER_OFFSET * diagonal_mm))
    cosine = np.full(len(mesh.points), -1.0)
    _largest_cosine(mesh.points, mesh.normals, unsigned(mesh.triangles), cosine)
    return RayOrigins(moved, cosine < APEX_COS, ways)


def sag_by_face(mesh: Mesh, apex: NDArray[np.bool_], face_count: int) -> NDArray[np.float64]:
    """Largest distance of each face's facets from its true surface, in mm (face_count,): 0 on planes.

    The end of a mesh edge lies off the tangent plane at its start by four times the height of the arc over the edge.
    """
    sag = np.zeros(face_count)
    _sag(mesh.points, mesh.normals, unsigned(mesh.triangles), unsigned(mesh.triangle_face), apex, sag)
    return sag
