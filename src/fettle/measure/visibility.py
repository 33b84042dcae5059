"""Visibility: whether a ray from a mesh point along a direction leaves the point's body without hitting it.

Draft (a mold half moves along the direction) and tool access (a cutter comes in against it) need the same answers for
the same six axes, so the answers at the face samples are cached by direction.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Convexity, Part
from fettle.measure.context import FaceSamples, MeasureContext
from fettle.measure.own_walls import find_walls
from fettle.measure.ray_origins import sag_by_face, step_inside
from fettle.measure.rays import UNKNOWN
from fettle.measure.readings import Triple

SAG_CLEARANCE = 2.5
"""Distance of ray origins from the surface, in multiples of the facets' depth below it."""
INSET = 0.25
"""Distance by which origins on the border of a face are moved into it, in longest mesh edges: the point represents the
area around it."""
CACHED_DIRECTIONS = 64
"""Directions whose answers are cached, one byte a mesh point each."""


class SurfaceVisibility(Protocol):
    """What draft asks, of one part or of the bodies of a file; answers as those of `Visibility`."""

    def free(self, direction: Triple) -> NDArray[np.bool_]: ...

    def free_at(self, rows: NDArray[np.int64], direction: Triple) -> NDArray[np.bool_]: ...

    def free_everywhere(self, direction: Triple) -> NDArray[np.bool_]: ...


class Visibility:
    """Visibility of mesh points along directions, cached.

    A wall that leans back from the direction by up to `tolerance_deg` still counts as parallel to it.
    """

    def __init__(self, context: MeasureContext, tolerance_deg: float) -> None:
        self.context = context
        self._normals = context.normals
        self._point_face = context.mesh.point_face
        self._face_count = len(context.part.faces)
        self._scene = context.scene
        self._samples = context.samples
        self._probes, self._others = (np.flatnonzero(mask) for mask in (self._samples.probes, ~self._samples.probes))
        self._origins = context.scene.fixed(_clear_of_facets(context))
        self._walls = find_walls(
            context.part, context.mesh, context.scene.tree, context.scene.fixed, context.scene.diagonal_mm
        )
        self._min_cosine = -math.sin(math.radians(tolerance_deg))
        self._sample_cache: dict[Triple, NDArray[np.bool_]] = {}
        self._point_cache: dict[Triple, NDArray[np.int8]] = {}

    def free(self, direction: Triple) -> NDArray[np.bool_]:
        """Mask (k,) of the context's face samples that do not face away from `direction` and are visible along it."""
        if direction not in self._sample_cache:
            if len(self._sample_cache) >= CACHED_DIRECTIONS:
                self._sample_cache.clear()
                self._point_cache.clear()
            self._point_cache[direction] = np.full(len(self._normals), UNKNOWN, np.int8)
            answer = np.zeros(len(self._samples.rows), np.bool_)
            answer[self._free_behind(self._samples, self._probes, self._others, direction)] = True
            answer.setflags(write=False)
            self._sample_cache[direction] = answer
        return self._sample_cache[direction]

    def free_at(self, rows: NDArray[np.int64], direction: Triple) -> NDArray[np.bool_]:
        """Mask (k,) of the mesh points, given by rows (k,), that are visible along `direction`."""
        cache = self._point_cache.get(direction)
        if cache is None:
            cache = np.full(len(self._normals), UNKNOWN, np.int8)
        return self._scene.free(
            self._origins,
            self._normals,
            self.context.body_roots,
            rows,
            direction,
            self._min_cosine,
            self._walls,
            self._point_face,
            cache,
        )

    def free_among(self, samples: FaceSamples, chosen: NDArray[np.int64], direction: Triple) -> NDArray[np.int64]:
        """Indices, out of some chosen samples (k,), of those visible along `direction`.

        The probes of each face are tested first; the other samples of a face only if one of its probes is visible or
        none was chosen.
        """
        is_probe = samples.probes[chosen]
        return self._free_behind(samples, chosen[is_probe], chosen[~is_probe], direction)

    def _free_behind(
        self, samples: FaceSamples, probes: NDArray[np.int64], others: NDArray[np.int64], direction: Triple
    ) -> NDArray[np.int64]:
        """As `free_among`, of chosen samples divided into probes (k,) and others (m,)."""
        free = probes[self.free_at(samples.rows[probes], direction)]
        tested = np.ones(self._face_count, np.bool_)
        tested[samples.faces[probes]] = False
        tested[samples.faces[free]] = True
        others = others[tested[samples.faces[others]]]
        return np.concatenate([free, others[self.free_at(samples.rows[others], direction)]])

    def free_everywhere(self, direction: Triple) -> NDArray[np.bool_]:
        """Mask (n,) of all mesh points visible along `direction`; False on faces of which no sample is."""
        partly_free = np.zeros(self._face_count, np.bool_)
        partly_free[self._samples.faces[self.free(direction)]] = True
        rows = self._scene.tree.points
        rows = rows.compress(partly_free.take(self._point_face.take(rows)))
        answer = np.zeros(len(self._point_face), np.bool_)
        answer[rows] = self.free_at(rows, direction)
        return answer

    def free_along_normals(self, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Mask (k,) of the mesh points, given by rows (k,), that are visible along their own normal."""
        return self._scene.free_along_normals(self._origins, self._normals, rows, self._walls, self._point_face)


def _clear_of_facets(context: MeasureContext) -> NDArray[np.float64]:
    """Ray origins (n, 3) mm, far enough off the surface that rays along a round wall do not hit its facets.

    Facets of a hole's wall lie inside the hole. A ray along the wall, or from the bottom beside it, would hit them
    although it passes along the true wall.
    """
    mesh, start = context.mesh, context.scene.start_mm
    by_face = sag_by_face(mesh, context.origins.apex, len(context.part.faces))
    sag = _largest_tangent_sag(context.part, by_face)[mesh.point_face]
    vertex_sag = np.zeros(int(mesh.vertex.max()) + 1)
    np.maximum.at(vertex_sag, mesh.vertex, sag)
    length = np.maximum(INSET * mesh.max_edge_mm, SAG_CLEARANCE * vertex_sag[mesh.vertex])
    origins: NDArray[np.float64] = (
        step_inside(mesh, context.origins.ways, length) + (start + SAG_CLEARANCE * sag)[:, None] * mesh.normals
    )
    return origins


def _largest_tangent_sag(part: Part, sag_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Largest sag (faces,) in mm of each face and its tangent neighbors: a fillet at the foot of a wall lies below the
    facets of that wall."""
    pairs = np.array([edge.faces for edge in part.edges if edge.convexity is Convexity.SMOOTH], np.int64).reshape(-1, 2)
    largest = sag_mm.copy()
    np.maximum.at(largest, pairs[:, 0], sag_mm[pairs[:, 1]])
    np.maximum.at(largest, pairs[:, 1], sag_mm[pairs[:, 0]])
    return largest
