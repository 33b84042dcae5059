"""Patches: the faces of a bare mesh, found from its triangles alone.

First the exact pass: tessellated CAD has nearly all its vertices on the true surfaces up to float32 rounding, so
primitives are asked to fit that closely, which keeps a fine torus from looking like many cylinders. Each is then let
over what lies on it loosely: the vertices of inexact borders. What stays unexplained is tried again with that wider
tolerance; the rest becomes planes and freeform patches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fettle.geometry.segmentation.axis_alignment import square_up
from fettle.geometry.segmentation.facets import GENTLE_DEG, Facets, TriangleNet, connect, find_facets, fit_planes
from fettle.geometry.segmentation.merging import merge, settle
from fettle.geometry.segmentation.primitives import PrimitiveKind
from fettle.geometry.segmentation.region_growing import extend, find_curved
from fettle.geometry.segmentation.shells import ClosedMesh

ROUNDING = 5e-7
"""Share of the largest coordinate by which float32 files and their transforms are off."""

ROUNDED_OFF = 0.6
"""Share of a grid's step by which positions on it are off: half a step each way, rarely all three the full half."""

COARSE = 2e-5
"""Share of the box diagonal by which the borders of faces are off in files of common CAD systems."""

_FEW = 6
"""Flat pieces that meet at gentle angles are a polyhedron up to this number, and a curved surface beyond it."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """p patches by falling area. triangle_patch (m,); kinds (p,) codes of `Kind`; primitives (p, 8), nan for freeform;
    `tolerance_mm`: how far vertices may be off the surfaces."""

    net: TriangleNet
    triangle_patch: NDArray[np.int64]
    kinds: NDArray[np.int64]
    primitives: NDArray[np.float64]
    tolerance_mm: float


def find_patches(mesh: ClosedMesh, grid_mm: float = 0.0) -> Patches:
    """Of closed shells; `grid_mm` is the step that their positions were rounded to, where they were."""
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    diagonal = float(np.linalg.norm(high - low))
    rounding = ROUNDING * max(float(np.abs(mesh.points).max()), diagonal)
    noise = max(rounding, ROUNDED_OFF * grid_mm)
    draft = _Draft(connect(mesh.points, mesh.triangles, noise))
    loose = max(COARSE * diagonal, 2.0 * noise)
    draft.explain(noise, loose)
    draft.explain(loose, loose)
    draft.close()
    draft.join(2.0 * loose, noise)
    return draft.numbered(loose)


class _Draft:
    """Patches while they are found: number of each triangle's patch (-1: none yet), and the patches so far."""

    def __init__(self, net: TriangleNet) -> None:
        self.net = net
        self.patch = np.full(len(net.triangles), -1, dtype=np.int64)
        self.kinds: list[int] = []
        self.primitives: list[NDArray[np.float64]] = []
        self.loose: Facets | None = None
        self.loose_group: NDArray[np.int64] = np.empty(0, dtype=np.int64)
        self.flat: NDArray[np.bool_] = np.empty(0, dtype=np.bool_)

    def explain(self, tolerance_mm: float, loose_mm: float) -> None:
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
        """A loose facet is flat when it stands alone, dwarfs the facets it flows into, or is one of a few quads."""
        count = len(facets.areas)
        left, right = np.repeat(np.arange(count), np.diff(facets.gentle_starts)), facets.gentle
        keep = (owner[left] < 0) & (owner[right] < 0)
        left, right = left[keep], right[keep]
        graph = coo_array((np.ones(len(left)), (left, right)), shape=(count, count))
        self.loose_group = np.asarray(connected_components(graph, directed=False)[1], dtype=np.int64)
        order = np.lexsort([facets.areas, self.loose_group])
        starts = np.searchsorted(self.loose_group[order], np.arange(self.loose_group.max(initial=-1) + 2))
        sizes = np.diff(starts)
        median = facets.areas[order[starts[:-1] + sizes // 2]]
        quads = np.bincount(facets.facet[facets.facet >= 0], minlength=count) >= 2
        self.flat = (
            (sizes[self.loose_group] <= 2)
            | (facets.areas > 5.0 * median[self.loose_group])
            | (quads & (sizes[self.loose_group] <= _FEW))
        )

    def _loose(self) -> Facets:
        if self.loose is None:
            raise RuntimeError("explain() comes first")
        return self.loose

    def close(self) -> None:
        """Give every triangle a patch: flat facets become planes, connected rests freeform patches."""
        facets = self._loose()
        own = np.flatnonzero(self.patch < 0)
        facet = facets.facet[own]
        flat = self.flat[facet]
        numbers, which = np.unique(facet[flat], return_inverse=True)
        self._add(own[flat], which, PrimitiveKind.PLANE, fit_planes(facets, numbers))
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
        graph = coo_array((np.ones(int(keep.sum())), (left[keep], right[keep])), shape=(len(self.patch),) * 2)
        group = np.asarray(connected_components(graph, directed=False)[1])[rest]
        groups, which = np.unique(group, return_inverse=True)
        self._add(rest, which, PrimitiveKind.FREEFORM, np.full((len(groups), 8), np.nan))

    def _add(
        self,
        triangles: NDArray[np.int64],
        which: NDArray[np.int64],
        kind: PrimitiveKind,
        primitives: NDArray[np.float64],
    ) -> None:
        """New patches of one kind; `which` of them each triangle is in."""
        self.patch[triangles] = len(self.kinds) + which
        self.kinds += [int(kind)] * len(primitives)
        self.primitives += list(primitives)

    def join(self, tolerance_mm: float, rounding_mm: float) -> None:
        """Pieces of one surface together, and each triangle at a border on the side that it lies on."""
        kinds, primitives = np.array(self.kinds, dtype=np.int64), np.array(self.primitives)
        self.patch = merge(self.net, self.patch, kinds, primitives, tolerance_mm)
        settle(self.net, self.patch, kinds, primitives, rounding_mm)
        square_up(self.net, self.patch, kinds, primitives, 2.0 * rounding_mm)
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
