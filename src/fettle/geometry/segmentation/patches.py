"""Patches: the faces of a bare mesh, found from its triangles alone.

The first pass is exact: tessellated CAD has nearly all its vertices on the true surfaces up to float32 rounding, so
primitives have to fit that closely, which keeps a fine torus from being taken for many cylinders. Each is then extended
over neighbors within a wider tolerance: the vertices of inexact borders. What is left is tried again with the wider
tolerance; the rest becomes planes and freeform patches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.components import components
from fettle.geometry.segmentation.axis_alignment import align_axes
from fettle.geometry.segmentation.facets import GENTLE_DEG, Facets, TriangleNet, connect, find_facets, fit_planes
from fettle.geometry.segmentation.merging import merge, reassign_border_triangles
from fettle.geometry.segmentation.region_growing import extend, find_curved
from fettle.geometry.segmentation.shells import ClosedMesh
from fettle.geometry.surfaces.encoding import COLUMNS, FREEFORM, PLANE

ROUNDING = 5e-7
"""Rounding error of float32 files and their transforms, as a share of the largest coordinate."""

ROUNDED_OFF = 0.6
"""Error of positions on a grid, in steps: half a step along each axis, rarely the full half along all three."""

COARSE = 2e-5
"""Error of the borders of faces in files of common CAD systems, as a share of the box diagonal."""

_MAX_POLYHEDRON_FACES = 6
"""Flat pieces that meet at gentle angles are a polyhedron up to this number, and a curved surface beyond it."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """p patches by falling area. triangle_patch (m,); kinds (p,) and primitives (p, 8) as in `surfaces.encoding`, nan
    for freeform; `tolerance_mm`: how far vertices may be off the surfaces."""

    net: TriangleNet
    triangle_patch: NDArray[np.int64]
    kinds: NDArray[np.int64]
    primitives: NDArray[np.float64]
    tolerance_mm: float


def find_patches(mesh: ClosedMesh, grid_mm: float = 0.0) -> Patches:
    """Patches of closed shells; `grid_mm`: step of the grid that their positions were rounded to, 0 for none."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    diagonal = float(np.linalg.norm(high - low))
    rounding = ROUNDING * max(float(np.abs(mesh.points).max()), diagonal)
    noise = max(rounding, ROUNDED_OFF * grid_mm)
    draft = _PatchBuilder(connect(mesh.points, mesh.triangles, noise))
    loose = max(COARSE * diagonal, 2.0 * noise)
    draft.find_curved_patches(noise, loose)
    draft.find_curved_patches(loose, loose)
    draft.close()
    draft.merge_pieces(2.0 * loose, noise)
    return draft.numbered(loose)


class _PatchBuilder:
    """Patches as they are found; `patch` (m,): of each triangle, -1 for none yet."""

    def __init__(self, net: TriangleNet) -> None:
        self.net = net
        self.patch = np.full(len(net.triangles), -1, dtype=np.int64)
        self.kinds: list[int] = []
        self.primitives: list[NDArray[np.float64]] = []
        self.loose: Facets | None = None
        self.loose_group: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.flat: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)

    def find_curved_patches(self, tolerance_mm: float, loose_mm: float) -> None:
        """Find curved patches among the triangles without one; what is left is sorted into flat and freeform."""
        facets = find_facets(self.net, self.patch < 0, tolerance_mm)
        segments = find_curved(facets, 2.0 * tolerance_mm, loose_mm)
        extend(facets, segments, loose_mm)
        own = np.flatnonzero(facets.facet >= 0)
        owner = segments.owner[facets.facet[own]]
        self.patch[own] = np.where(owner >= 0, owner + len(self.kinds), -1)
        self.kinds += segments.kinds.tolist()
        self.primitives += list(segments.primitives)
        self.loose = facets
        self._sort_loose(facets, segments.owner)

    def _sort_loose(self, facets: Facets, owner: NDArray[np.int64]) -> None:
        """Decide which loose facets are flat: those alone, much larger than their smooth neighbors, or one of a few."""
        count = len(facets.areas)
        left, right = np.repeat(np.arange(count), np.diff(facets.gentle_starts)), facets.gentle
        keep = (owner[left] < 0) & (owner[right] < 0)
        left, right = left[keep], right[keep]
        self.loose_group = components(count, left, right).astype(np.int64)
        order = np.lexsort([facets.areas, self.loose_group])
        starts = np.searchsorted(self.loose_group[order], np.arange(self.loose_group.max(initial=-1) + 2))
        sizes = np.diff(starts)
        median = facets.areas[order[starts[:-1] + sizes // 2]]
        quads = np.bincount(facets.facet[facets.facet >= 0], minlength=count) >= 2
        self.flat = (
            (sizes[self.loose_group] <= 2)
            | (facets.areas > 5.0 * median[self.loose_group])
            | (quads & (sizes[self.loose_group] <= _MAX_POLYHEDRON_FACES))
        )

    def _loose(self) -> Facets:
        if self.loose is None:
            raise RuntimeError("find_curved_patches() comes first")
        return self.loose

    def close(self) -> None:
        """Give every triangle a patch: flat facets become planes, connected remainders freeform patches."""
        facets = self._loose()
        own = np.flatnonzero(self.patch < 0)
        facet = facets.facet[own]
        flat = self.flat[facet]
        numbers, which = np.unique(facet[flat], return_inverse=True)
        self._add(own[flat], which, PLANE, fit_planes(facets, numbers))
        rest = own[~flat]
        if not len(rest):
            return
        # a freeform patch is connected without the flat facets that cut it
        inside = np.zeros(len(self.patch), dtype=np.bool_)
        inside[rest] = True
        left, right = np.repeat(np.arange(len(self.patch)), 3), self.net.neighbors.ravel()
        cosine = np.einsum("ij,ij->i", facets.normals[facets.facet[left]], facets.normals[facets.facet[right]])
        gentle = cosine > np.cos(np.radians(GENTLE_DEG))
        keep = inside[left] & inside[right] & gentle
        group = components(len(self.patch), left[keep], right[keep])[rest]
        groups, which = np.unique(group, return_inverse=True)
        self._add(rest, which, FREEFORM, np.full((len(groups), COLUMNS), np.nan))

    def _add(
        self,
        triangles: NDArray[np.int64],
        which: NDArray[np.int64],
        kind: int,
        primitives: NDArray[np.float64],
    ) -> None:
        """New patches of one kind; `which` of them each triangle is in."""
        self.patch[triangles] = len(self.kinds) + which
        self.kinds += [kind] * len(primitives)
        self.primitives += list(primitives)

    def merge_pieces(self, tolerance_mm: float, rounding_mm: float) -> None:
        """Merge pieces of one surface, and reassign triangles at borders to the surface that they lie on."""
        kinds, primitives = np.array(self.kinds, dtype=np.int64), np.array(self.primitives)
        self.patch = merge(self.net, self.patch, kinds, primitives, tolerance_mm)
        reassign_border_triangles(self.net, self.patch, kinds, primitives, rounding_mm)
        align_axes(self.net, self.patch, kinds, primitives, 2.0 * rounding_mm)
        self.primitives = list(primitives)

    def numbered(self, tolerance_mm: float) -> Patches:
        used, patch = np.unique(self.patch, return_inverse=True)
        areas = np.bincount(patch, weights=self.net.areas)
        order = np.argsort(-areas, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        kinds = np.array(self.kinds, dtype=np.int64)[used][order]
        primitives = np.array(self.primitives)[used][order]
        return Patches(self.net, rank[patch], kinds, primitives, tolerance_mm)
