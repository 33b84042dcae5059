"""What can be seen from where: whether a straight way out of the part along a direction is free at each point.

Draft (a mould half leaves along it) and access (a cutter comes in along it) ask the same question of the same six axes,
so the answers of the panel are kept.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.measure.footing import sag_by_face, step_inside
from fettle.measure.ground import Ground
from fettle.measure.reading import Triple

CLEAR = 2.5
"""Distance kept from facets, in multiples of how deep they cut."""

INSIDE = 0.25
"""How far inside its face a point on the border looks out, in longest edges: it speaks for the area around it there."""


class Sight:
    """`tolerance_deg`: a wall turned back by up to this much still counts as parallel to the direction."""

    def __init__(self, ground: Ground, tolerance_deg: float) -> None:
        self._normals = ground.mesh.normals
        self._scene = ground.scene
        self._panel = ground.panel.rows
        self._origins = _clear_of_facets(ground)
        self._back = -math.sin(math.radians(tolerance_deg))
        self._known: dict[Triple, NDArray[np.bool_]] = {}

    def free(self, direction: Triple) -> NDArray[np.bool_]:
        """Of the ground's panel (k,): which points are not turned away from `direction` and see nothing in it."""
        if direction not in self._known:
            self._known[direction] = self.free_at(self._panel, direction)
        return self._known[direction]

    def free_at(self, rows: NDArray[np.int64], direction: Triple) -> NDArray[np.bool_]:
        """The same of any rows of the mesh (k,)."""
        return self._scene.free(self._origins, self._normals, rows, direction, self._back)

    def free_everywhere(self, direction: Triple) -> NDArray[np.bool_]:
        """The same of all points (n,)."""
        rows = self._scene.tree.points
        answer = np.empty(len(rows), np.bool_)
        answer[rows] = self.free_at(rows, direction)
        return answer

    def free_along_normals(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the way straight out of the surface is free, shape (k,)."""
        return self._scene.free_along_normals(self._origins, self._normals, rows)


def _clear_of_facets(ground: Ground) -> NDArray[np.float64]:
    """Where rays start (n, 3): so far off the surface that facets of a round wall alongside do not stop them.

    Chords cut into a hole. A ray up its wall, or up from its bottom beside the wall, would run into them although the
    true wall is straight.
    """
    mesh, start = ground.mesh, ground.scene.start_mm
    sag = sag_by_face(mesh, ground.footing.pointed, len(ground.part.faces))[mesh.point_face]
    around = np.zeros(int(mesh.vertex.max()) + 1)
    np.maximum.at(around, mesh.vertex, sag)
    length = np.maximum(INSIDE * mesh.max_edge_mm, CLEAR * around[mesh.vertex])
    origins: NDArray[np.float64] = step_inside(mesh, length) + (start + CLEAR * sag)[:, None] * mesh.normals
    return origins
