# mypy: allow-untyped-defs, disable-error-code="no-any-return"
"""Walls that never stop a ray from one of their own points: planes, shafts, holes along the ray.

Such a ray runs beside its wall, often along all of it, and enters the box of nearly every leaf on its way. What the
wall alone fills is passed over instead.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh, unsigned
from fettle.geometry.part import Part
from fettle.geometry.surfaces.encoding import CYLINDER, PLANE, pack
from fettle.jit import njit, njit_inner
from fettle.jit.lanes import LANES
from fettle.measure.bvh import Bvh

SEVERAL, NONE = -1, -2
"""In place of a wall's number: below a child with more than one wall, and for a ray that any wall may stop."""
ALONG_COS = 1.0 - 1e-12
"""Cosine from which a ray runs along a hole: over the part's length it leaves the wall by an eighth of the distance at
which it starts off it (`START_OFFSET`)."""
SAME_PLACE = 1e-6
"""Largest distance between the axes of two faces of one cylinder, as a share of the diagonal: a tenth of that
distance."""
ON_SURFACE = 5e-6
"""Largest distance of a face's mesh from its surface, as a share of the diagonal: half of that distance, as the point
where a ray starts may be too low and what it passes too high."""
ACROSS_COS = 1e-6
"""Largest cosine between a cylinder's axis and the normals of its mesh."""


class Walls(NamedTuple):
    """Which walls a ray may pass over; a tuple, because compiled functions accept tuples of arrays.

    number (faces,): the wall of each face; the faces of one shaft share one. hidden (faces,): the face lies behind
    each plane that touches it: planes and shafts. axes (faces, 3): of cylinders, in the frame of the tree, 0 for others
    and where the mesh is not on the cylinder: slivers of broken files. below (nodes, 8): the wall to which all
    triangles below a node's child belong, or `SEVERAL`.
    """

    number: NDArray[np.int32]
    hidden: NDArray[np.bool_]
    axes: NDArray[np.float64]
    below: NDArray[np.int32]


def find_walls(
    part: Part, mesh: Mesh, tree: Bvh, fixed: Callable[[NDArray[np.float64]], NDArray[np.float64]], diagonal_mm: float
) -> Walls:
    """The walls of a part whose triangles the tree holds; `fixed` turns directions (k, 3) into the tree's frame."""
    kinds, rows = pack(part.faces)
    outside = np.array([face.convex is True for face in part.faces])
    meshed = _is_meshed(mesh.points, mesh.normals, unsigned(mesh.point_face), kinds, rows, ON_SURFACE * diagonal_mm)
    kinds = np.where(meshed, kinds, NONE)
    number = _number_cylinders(kinds, rows, outside, SAME_PLACE * diagonal_mm)
    hidden = (kinds == PLANE) | (outside & (kinds == CYLINDER))
    axes = fixed(np.where((kinds == CYLINDER)[:, None], rows[:, 3:6], 0.0))
    return Walls(number, hidden, axes, _walls_below(tree.box, tree.child, number[tree.face]))


@njit_inner
def own_wall(walls, face, x, y, z):
    """The wall that a ray from a face along the unit vector (x, y, z), away from the face or along it, passes over."""
    along = walls.axes[face, 0] * x + walls.axes[face, 1] * y + walls.axes[face, 2] * z
    return walls.number[face] if walls.hidden[face] or abs(along) >= ALONG_COS else NONE


@njit(cache=True)
def _is_meshed(points, normals, point_face, kinds, rows, apart):
    """Mask (faces,) of the planes and cylinders on which all their mesh points (n, 3) are, with normals (n, 3) that are
    theirs."""
    meshed = (kinds == PLANE) | (kinds == CYLINDER)
    for i in range(len(points)):
        face = point_face[i]
        if not meshed[face]:
            continue
        ax, ay, az = rows[face, 3], rows[face, 4], rows[face, 5]
        x, y, z = points[i, 0] - rows[face, 0], points[i, 1] - rows[face, 1], points[i, 2] - rows[face, 2]
        along = x * ax + y * ay + z * az
        cosine = abs(normals[i, 0] * ax + normals[i, 1] * ay + normals[i, 2] * az)
        if kinds[face] == PLANE:
            meshed[face] = abs(along) <= apart and cosine >= ALONG_COS
        else:
            x, y, z = x - along * ax, y - along * ay, z - along * az
            off = math.sqrt(x * x + y * y + z * z) - rows[face, 6]
            meshed[face] = abs(off) <= apart and cosine <= ACROSS_COS
    return meshed


@njit(cache=True)
def _number_cylinders(kinds, rows, outside, apart):
    """A number (faces,) for each face: its own, or that of the first face of the same shaft. In a hole the facets of
    one face may reach farther in than the rays from another start."""
    number = np.arange(len(kinds)).astype(np.int32)
    for i in range(len(kinds)):
        if kinds[i] != CYLINDER or not outside[i]:
            continue
        for j in range(i):
            if kinds[j] != CYLINDER or not outside[j] or abs(rows[i, 6] - rows[j, 6]) > apart:
                continue
            x, y, z = rows[i, 0] - rows[j, 0], rows[i, 1] - rows[j, 1], rows[i, 2] - rows[j, 2]
            along = x * rows[j, 3] + y * rows[j, 4] + z * rows[j, 5]
            x, y, z = x - along * rows[j, 3], y - along * rows[j, 4], z - along * rows[j, 5]
            cosine = rows[i, 3] * rows[j, 3] + rows[i, 4] * rows[j, 4] + rows[i, 5] * rows[j, 5]
            if abs(cosine) >= ALONG_COS and x * x + y * y + z * z <= apart * apart:
                number[i] = number[j]
                break
    return number


@njit(cache=True)
def _walls_below(box, child, wall):
    """The wall (nodes, 8) below each child of each node; wall (8 * leaves,): of the triangle in each slot."""
    below, common = np.full(child.shape, SEVERAL, np.int32), np.empty(len(child), np.int32)
    for node in range(len(child) - 1, -1, -1):  # children follow their parents
        for c in range(LANES):
            if box[node, c] > box[node, 3 * LANES + c]:
                break  # inverted: the node has no more children
            if child[node, c] >= 0:
                below[node, c] = common[child[node, c]]
            else:
                first = LANES * ~child[node, c]
                below[node, c] = wall[first]
                for slot in range(first + 1, first + LANES):
                    if wall[slot] != wall[first]:
                        below[node, c] = SEVERAL
            if c == 0:
                common[node] = below[node, 0]
            elif below[node, c] != common[node]:
                common[node] = SEVERAL
    return below
