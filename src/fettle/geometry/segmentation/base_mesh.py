# mypy: allow-untyped-defs
"""The base `Mesh` of patches: rows split at patch borders, normals from the fitted surfaces."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.segmentation.patches import Patches
from fettle.geometry.surfaces.encoding import FREEFORM
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit


def build_mesh(patches: Patches) -> Mesh:
    """The mesh of patches: one row of points for each pair of a vertex and a patch that it lies in."""
    net = patches.net
    key = np.repeat(patches.triangle_patch, 3) * len(net.points) + net.triangles.ravel()
    used, row = np.unique(key, return_inverse=True)
    point_patch, vertex = used // len(net.points), used % len(net.points)
    triangles = row.reshape(-1, 3)
    points = net.points[vertex]
    sides = np.roll(points[triangles], -1, axis=1) - points[triangles]
    return Mesh(
        points=points,
        normals=_normals(patches, points, point_patch, triangles),
        point_face=point_patch.astype(np.int32),
        vertex=vertex.astype(np.int32),
        triangles=triangles.astype(np.int32),
        triangle_face=patches.triangle_patch.astype(np.int32),
        max_edge_mm=float(np.linalg.norm(sides, axis=2).max()),
        curvature=_elements_per_turn(patches),
    )


def _normals(
    patches: Patches, points: NDArray[np.float64], point_patch: NDArray[np.int64], triangles: NDArray[np.int64]
) -> NDArray[np.float64]:
    """Mean of the triangles' normals by area, replaced by the surface's own where there is one."""
    net = patches.net
    weighted = np.repeat(net.normals * net.areas[:, None], 3, axis=0)
    sums = np.stack(
        [np.bincount(triangles.ravel(), weights=weighted[:, k], minlength=len(points)) for k in range(3)], axis=1
    )
    normals: NDArray[np.float64] = sums / np.maximum(np.linalg.norm(sums, axis=1), 1e-300)[:, None]
    lost = np.linalg.norm(normals, axis=1) < 0.5
    normals[lost] = [0.0, 0.0, 1.0]
    _set_surface_normals(patches.kinds, patches.primitives, points, point_patch, normals)
    return normals


@njit(cache=True)
def _set_surface_normals(kinds, primitives, points, point_patch, normals):
    """Replace normals of triangles by those of the fitted surfaces, in place; rows of a patch are consecutive."""
    low = 0
    while low < len(points):
        patch = point_patch[low]
        high = low
        facing = 0.0
        while high < len(points) and point_patch[high] == patch:
            if kinds[patch] != FREEFORM:
                p, n = points[high], normals[high]
                _, x, y, z = distance_and_normal(kinds[patch], primitives[patch], p[0], p[1], p[2])
                facing += x * n[0] + y * n[1] + z * n[2]
            high += 1
        if kinds[patch] != FREEFORM:
            sign = -1.0 if facing < 0 else 1.0
            for i in range(low, high):
                _, x, y, z = distance_and_normal(
                    kinds[patch], primitives[patch], points[i, 0], points[i, 1], points[i, 2]
                )
                # the apex of a cone and the pole of a degenerated torus have no normal of their own
                if x * x + y * y + z * z > 0.25:
                    normals[i, 0], normals[i, 1], normals[i, 2] = sign * x, sign * y, sign * z
        low = high


def _elements_per_turn(patches: Patches) -> float:
    """Elements in a full turn where the curved patches are coarsest."""
    net = patches.net
    left, right = np.repeat(np.arange(len(net.triangles)), 3), net.neighbors.ravel()
    same = patches.triangle_patch[left] == patches.triangle_patch[right]
    cosine = np.einsum("ij,ij->i", net.normals[left[same]], net.normals[right[same]])
    turn = float(np.arccos(np.clip(cosine, -1.0, 1.0)).max(initial=0.0))
    return 2.0 * np.pi / max(turn, 2.0 * np.pi / 360.0)
