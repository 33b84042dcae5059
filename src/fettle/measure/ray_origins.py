# mypy: allow-untyped-defs
"""Where rays start: every mesh point, moved a hair into its own face where it lies on the face's border.

A point on a sharp edge belongs to all the faces that meet there. A ray from it along one face's normal would run inside
another face's plane, and what it hits would be chance. A hair further in, the answer is the face's own.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.jit import njit
from fettle.measure.readings import NUDGE

POINTED = 0.7
"""Cosine to the nearest of its own triangles below which a point's normal means nothing."""


@njit(cache=True)
def _nudge(points, triangles, border, length, moved):
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
            b = math.sqrt(bx * bx + by * by + bz * bz)
            cx, cy, cz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
            height = math.sqrt(cx * cx + cy * cy + cz * cz) / max(u, v)
            step = min(length[i], 0.3 * height, 0.3 * min(u, v))
            if b < 1e-9:
                continue
            moved[i, 0] = points[i, 0] + step * bx / b
            moved[i, 1] = points[i, 1] + step * by / b
            moved[i, 2] = points[i, 2] + step * bz / b


@njit(cache=True)
def _straightest(points, normals, triangles, best):
    """Largest cosine between each point's normal and those of its own triangles."""
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
def _sag(points, normals, triangles, triangle_face, pointed, sag):
    for t in range(triangles.shape[0]):
        face = triangle_face[t]
        for k in range(3):
            a, b = triangles[t, k], triangles[t, (k + 1) % 3]
            x, y, z = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
            for p in (a, b):
                if not pointed[p]:
                    rise = abs(x * normals[p, 0] + y * normals[p, 1] + z * normals[p, 2])
                    sag[face] = max(sag[face], rise / 4.0)


@dataclass(frozen=True, slots=True, eq=False)
class RayOrigins:
    """points (n, 3) mm: where rays start; pointed (n,): the surface has no normal there (the point of a cone)."""

    points: NDArray[np.float64]
    pointed: NDArray[np.bool_]


def on_border(mesh: Mesh) -> NDArray[np.bool_]:
    """Which points (n,) lie on the border of their face: their vertex has a point of another face too."""
    border: NDArray[np.bool_] = np.bincount(mesh.vertex)[mesh.vertex] > 1
    return border


def step_inside(mesh: Mesh, length_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """The points (n, 3), those on the border of their face moved into it by length_mm (n,), less on small triangles."""
    moved = mesh.points.copy()
    _nudge(mesh.points, mesh.triangles, on_border(mesh), length_mm, moved)
    return moved


def ray_origins(mesh: Mesh, diagonal_mm: float) -> RayOrigins:
    """A origins for each mesh point, on its own face."""
    moved = step_inside(mesh, np.full(len(mesh.points), NUDGE * diagonal_mm))
    straight = np.full(len(mesh.points), -1.0)
    _straightest(mesh.points, mesh.normals, mesh.triangles, straight)
    return RayOrigins(moved, straight < POINTED)


def sag_by_face(mesh: Mesh, pointed: NDArray[np.bool_], face_count: int) -> NDArray[np.float64]:
    """How deep the facets of each face cut below its true surface, in mm (face_count,): 0 on planes.

    An edge from a to b leaves the tangent plane at a by four times the rise of the arc over it.
    """
    sag = np.zeros(face_count)
    _sag(mesh.points, mesh.normals, mesh.triangles, mesh.triangle_face, pointed, sag)
    return sag
