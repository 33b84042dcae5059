"""What can be seen from where: whether a straight way out of the part along a direction is free at each point.

Draft (a mold half leaves along it) and access (a cutter comes in along it) ask the same question of the same six axes,
so answers along directions that were asked of the samples are kept.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Convexity, Part
from fettle.measure.context import FaceSamples, MeasureContext
from fettle.measure.ray_origins import sag_by_face, step_inside
from fettle.measure.rays import UNASKED
from fettle.measure.readings import Triple

CLEAR = 2.5
"""Distance kept from facets, in multiples of how deep they cut."""

INSIDE = 0.25
"""How far inside its face a point on the border looks out, in longest edges: it speaks for the area around it there."""

REMEMBERED = 64
"""Directions whose answers are kept, a byte a point each."""


class Visibility:
    """`tolerance_deg`: a wall turned back by up to this much still counts as parallel to the direction."""

    def __init__(self, context: MeasureContext, tolerance_deg: float) -> None:
        self.context = context
        self._normals = context.mesh.normals
        self._point_face = context.mesh.point_face
        self._face_count = len(context.part.faces)
        self._scene = context.scene
        self._panel = context.samples
        self._origins = _clear_of_facets(context)
        self._back = -math.sin(math.radians(tolerance_deg))
        self._free: dict[Triple, NDArray[np.bool_]] = {}
        self._known: dict[Triple, NDArray[np.int8]] = {}

    def free(self, direction: Triple) -> NDArray[np.bool_]:
        """Of the context's samples (k,): which points are not turned away from `direction` and see nothing in it."""
        if direction not in self._free:
            if len(self._free) >= REMEMBERED:
                self._free.clear()
                self._known.clear()
            self._known[direction] = np.full(len(self._normals), UNASKED, np.int8)
            answer = np.zeros(len(self._panel.rows), np.bool_)
            answer[self.free_among(self._panel, np.arange(len(answer)), direction)] = True
            answer.setflags(write=False)
            self._free[direction] = answer
        return self._free[direction]

    def free_at(self, rows: NDArray[np.int64], direction: Triple) -> NDArray[np.bool_]:
        """The same of any rows of the mesh (k,)."""
        known = self._known.get(direction)
        if known is None:
            known = np.full(len(self._normals), UNASKED, np.int8)
        return self._scene.free(self._origins, self._normals, rows, direction, self._back, known)

    def free_among(self, samples: FaceSamples, places: NDArray[np.int64], direction: Triple) -> NDArray[np.int64]:
        """Those of some places in a samples (k,) that are free: scouts look first, and the others of a face only where
        one of its scouts is free or none was asked."""
        scouting = samples.scouts[places]
        ahead, behind = places[scouting], places[~scouting]
        free = ahead[self.free_at(samples.rows[ahead], direction)]
        hopeless = np.zeros(self._face_count, np.bool_)
        hopeless[samples.faces[ahead]] = True
        hopeless[samples.faces[free]] = False
        behind = behind[~hopeless[samples.faces[behind]]]
        return np.concatenate([free, behind[self.free_at(samples.rows[behind], direction)]])

    def free_everywhere(self, direction: Triple) -> NDArray[np.bool_]:
        """The same of all points (n,); none on faces of which the samples sees none free."""
        hopeful = np.zeros(self._face_count, np.bool_)
        hopeful[self._panel.faces[self.free(direction)]] = True
        rows = self._scene.tree.points
        rows = rows[hopeful[self._point_face[rows]]]
        answer = np.zeros(len(self._point_face), np.bool_)
        answer[rows] = self.free_at(rows, direction)
        return answer

    def free_along_normals(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether the way straight out of the surface is free, shape (k,)."""
        return self._scene.free_along_normals(self._origins, self._normals, rows)


def _clear_of_facets(context: MeasureContext) -> NDArray[np.float64]:
    """Where rays start (n, 3): so far off the surface that facets of a round wall alongside do not stop them.

    Chords cut into a hole. A ray up its wall, or up from its bottom beside the wall, would run into them although the
    true wall is straight.
    """
    mesh, start = context.mesh, context.scene.start_mm
    by_face = sag_by_face(mesh, context.origins.pointed, len(context.part.faces))
    sag = _smoothed(context.part, by_face)[mesh.point_face]
    around = np.zeros(int(mesh.vertex.max()) + 1)
    np.maximum.at(around, mesh.vertex, sag)
    length = np.maximum(INSIDE * mesh.max_edge_mm, CLEAR * around[mesh.vertex])
    origins: NDArray[np.float64] = step_inside(mesh, length) + (start + CLEAR * sag)[:, None] * mesh.normals
    return origins


def _smoothed(part: Part, sag_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """The largest sag (faces,) of each face and of those that run on from it smoothly: a round at the foot of a wall
    lies below the facets of that wall."""
    pairs = np.array([edge.faces for edge in part.edges if edge.convexity is Convexity.SMOOTH], np.int64).reshape(-1, 2)
    smoothed = sag_mm.copy()
    np.maximum.at(smoothed, pairs[:, 0], sag_mm[pairs[:, 1]])
    np.maximum.at(smoothed, pairs[:, 1], sag_mm[pairs[:, 0]])
    return smoothed
