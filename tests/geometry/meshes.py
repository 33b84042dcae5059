"""Small meshes with known answers, built from their formulas."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh

CUBE_CORNERS = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
CUBE_QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
CUBE_TRIANGLES = np.array([t for a, b, c, d in CUBE_QUADS for t in ((a, b, c), (a, c, d))])
"""Twelve triangles, counter-clockwise from outside."""


def cube_mesh(side_mm: float) -> Mesh:
    """Cube with a corner at the origin: 24 points, split at the borders of its 6 faces."""
    points, normals, faces = [], [], []
    for face, quad in enumerate(CUBE_QUADS):
        corners = CUBE_CORNERS[list(quad)] * side_mm
        normal = np.cross(corners[1] - corners[0], corners[2] - corners[0])
        points.append(corners)
        normals.append(np.tile(normal / np.linalg.norm(normal), (4, 1)))
        faces.append(np.full(4, face))
    triangles = np.array([[4 * f + k for k in t] for f in range(6) for t in ((0, 1, 2), (0, 2, 3))], dtype=np.int32)
    return Mesh(
        points=np.concatenate(points),
        normals=np.concatenate(normals),
        point_face=np.concatenate(faces).astype(np.int32),
        vertex=np.array([v for quad in CUBE_QUADS for v in quad], dtype=np.int32),
        triangles=triangles,
        triangle_face=np.repeat(np.arange(6), 2).astype(np.int32),
        max_edge_mm=side_mm,
        curvature=24.0,
    )


def triangle_soup(corners: NDArray[np.float64], triangles: NDArray[np.integer]) -> NDArray[np.float64]:
    """Unshared corners (3 m, 3) of m triangles."""
    unshared: NDArray[np.float64] = corners[triangles.ravel()]
    return unshared
