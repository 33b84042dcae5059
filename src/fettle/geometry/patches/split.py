# mypy: allow-untyped-defs
"""Patches: the faces of a bare mesh, found from its triangles alone.

First the exact pass: tessellated CAD has its vertices on the true surfaces up to float32 rounding, so primitives are
asked to fit that closely, which keeps a fine torus from looking like many cylinders. What stays unexplained is tried
again with a tolerance for quantized and scanned meshes; the rest becomes planes and freeform patches.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fettle.geometry.patches.facets import Facets, TriangleNet, connect, find_facets
from fettle.geometry.patches.fits import refine
from fettle.geometry.patches.primitives import Kind, distance_and_normal, evaluate
from fettle.geometry.patches.segments import find_curved
from fettle.geometry.patches.shells import ClosedMesh

ROUNDING = 5e-7
"""Share of the largest coordinate by which float32 files and their transforms are off."""

COARSE = 2e-5
"""Share of the box diagonal by which quantized meshes are off (16 bits: 1.5e-5)."""

_SETTLE_ROUNDS = 8

RETRY_SHARE = 0.005
"""Unexplained share of the area above which the coarse pass is worth its time."""


@dataclass(frozen=True, slots=True, eq=False)
class Patches:
    """p patches by falling area. triangle_patch (m,); kinds (p,) codes of `Kind`; primitives (p, 8), nan for freeform;
    `tolerance_mm`: how far vertices may be off the surfaces."""

    net: TriangleNet
    triangle_patch: NDArray[np.int64]
    kinds: NDArray[np.int64]
    primitives: NDArray[np.float64]
    tolerance_mm: float


def find_patches(mesh: ClosedMesh) -> Patches:
    low, high = mesh.points.min(axis=0), mesh.points.max(axis=0)
    diagonal = float(np.linalg.norm(high - low))
    rounding = ROUNDING * max(float(np.abs(mesh.points).max()), diagonal)
    draft = _Draft(connect(mesh.points, mesh.triangles, rounding))
    draft.explain(rounding)
    tolerance = rounding
    if draft.unexplained_share() > RETRY_SHARE:
        tolerance = max(COARSE * diagonal, rounding)
        draft.explain(tolerance)
    draft.close()
    draft.merge(4.0 * tolerance)
    draft.settle(rounding)
    return draft.numbered(tolerance)


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

    def explain(self, tolerance_mm: float) -> None:
        """Find curved patches among the triangles without one; what is left is sorted into flat and freeform."""
        facets = find_facets(self.net, self.patch < 0, tolerance_mm)
        segments = find_curved(facets, 2.0 * tolerance_mm)
        own = np.flatnonzero(facets.facet >= 0)
        owner = segments.owner[facets.facet[own]]
        self.patch[own] = np.where(owner >= 0, owner + len(self.kinds), -1)
        self.kinds += segments.kinds.tolist()
        self.primitives += list(segments.primitives)
        self.loose = facets
        self._sort_loose(facets, segments.owner)

    def _sort_loose(self, facets: Facets, owner: NDArray[np.int64]) -> None:
        """A loose facet is flat when it stands alone, or dwarfs the facets it flows into."""
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
        self.flat = (sizes[self.loose_group] <= 2) | (facets.areas > 5.0 * median[self.loose_group])

    def unexplained_share(self) -> float:
        """Share of the area that is neither flat nor on a primitive."""
        own = np.flatnonzero(self.patch < 0)
        own = own[~self.flat[self._loose().facet[own]]]
        return float(self.net.areas[own].sum() / self.net.areas.sum())

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
        for number in np.unique(facet[flat]):
            mine = own[facet == number]
            self._add(mine, Kind.PLANE, _plane(self.net, mine, facets.normals[number]))
        rest = own[~flat]
        if not len(rest):
            return
        # a freeform patch is connected without the flat facets that cut it
        inside = np.zeros(len(self.patch), dtype=np.bool_)
        inside[rest] = True
        left, right = np.repeat(np.arange(len(self.patch)), 3), self.net.neighbours.ravel()
        gentle = np.einsum("ij,ij->i", facets.normals[facets.facet[left]], facets.normals[facets.facet[right]]) > 0.848
        keep = inside[left] & inside[right] & gentle
        graph = coo_array((np.ones(int(keep.sum())), (left[keep], right[keep])), shape=(len(self.patch),) * 2)
        group = np.asarray(connected_components(graph, directed=False)[1])[rest]
        for number in np.unique(group):
            self._add(rest[group == number], Kind.FREEFORM, np.full(8, np.nan))

    def _add(self, triangles: NDArray[np.int64], kind: Kind, primitive: NDArray[np.float64]) -> None:
        self.patch[triangles] = len(self.kinds)
        self.kinds.append(int(kind))
        self.primitives.append(primitive)

    def merge(self, tolerance_mm: float) -> None:
        """Join neighbours that lie on one surface: a patch may have been found in pieces."""
        left, right = np.repeat(self.patch, 3), self.patch[self.net.neighbours.ravel()]
        pairs = np.unique(np.sort(np.column_stack([left, right])[left != right], axis=1), axis=0)
        areas = np.bincount(self.patch, weights=self.net.areas, minlength=len(self.kinds))
        parent = np.arange(len(self.kinds))
        for first, second in pairs.tolist():
            a, b = int(parent[first]), int(parent[second])
            if a == b or self.kinds[a] != self.kinds[b] or self.kinds[a] == Kind.FREEFORM:
                continue
            big, small = (a, b) if areas[a] >= areas[b] else (b, a)
            mine = np.flatnonzero(parent[self.patch] == small)
            if _explains(self.net, mine, self.kinds[big], self.primitives[big], tolerance_mm):
                parent[parent == small] = big
                areas[big] += areas[small]
        self.patch = parent[self.patch]

    def settle(self, rounding_mm: float) -> None:
        """Move triangles at borders to the neighbour whose surface they lie on more closely."""
        kinds, primitives = np.array(self.kinds), np.array(self.primitives)
        thin = ~self.net.normals.any(axis=1)
        for _ in range(_SETTLE_ROUNDS):
            _lend(self.net, self.patch, thin)
            if not _settle(self.net, self.patch, kinds, primitives, rounding_mm):
                break

    def numbered(self, tolerance_mm: float) -> Patches:
        used, patch = np.unique(self.patch, return_inverse=True)
        areas = np.bincount(patch, weights=self.net.areas)
        order = np.argsort(-areas, kind="stable")
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        kinds = np.array(self.kinds, dtype=np.int64)[used][order]
        primitives = np.array(self.primitives)[used][order]
        return Patches(self.net, rank[patch], kinds, primitives, tolerance_mm)


def _plane(net: TriangleNet, triangles: NDArray[np.int64], normal: NDArray[np.float64]) -> NDArray[np.float64]:
    corners = net.points[np.unique(net.triangles[triangles])]
    guess = np.concatenate([corners.mean(axis=0), normal, [0.0, 0.0]])
    if len(corners) > 3:
        guess = refine(0, guess, corners, 4)[0]
    return guess


def _explains(
    net: TriangleNet, triangles: NDArray[np.int64], kind: int, primitive: NDArray[np.float64], tolerance_mm: float
) -> bool:
    """Whether all the triangles lie on the primitive and show to one side of it."""
    corners = net.points[net.triangles[triangles]]
    away, _ = evaluate(kind, primitive, corners.reshape(-1, 3))
    if float(np.abs(away).max()) > tolerance_mm:
        return False
    _, normals = evaluate(kind, primitive, corners.mean(axis=1))
    cosine = np.einsum("ij,ij->i", normals, net.normals[triangles])
    large = net.areas[triangles] > 1e-3 * net.areas[triangles].max()
    return bool((np.abs(cosine[large]) > 0.9).all() and (cosine[large] > 0).all() == (cosine[large] > 0).any())


@njit(cache=True)
def _worst(net, triangle, kind, primitive):
    """Largest distance of a triangle's corners from a primitive; infinite where its normal is another."""
    x, y, z, worst = 0.0, 0.0, 0.0, 0.0
    for k in range(3):
        p = net.points[net.triangles[triangle, k]]
        worst = max(worst, abs(distance_and_normal(kind, primitive, p[0], p[1], p[2])[0]))
        x, y, z = x + p[0] / 3.0, y + p[1] / 3.0, z + p[2] / 3.0
    _, nx, ny, nz = distance_and_normal(kind, primitive, x, y, z)
    n = net.normals[triangle]
    return worst if abs(nx * n[0] + ny * n[1] + nz * n[2]) > 0.96 else np.inf


@njit(cache=True)
def _lend(net, patch, thin):
    """Thin triangles go with the neighbour across their longest side."""
    for t in range(len(patch)):
        if thin[t]:
            side, longest = 0, -1.0
            for k in range(3):
                a, b = net.points[net.triangles[t, k]], net.points[net.triangles[t, (k + 1) % 3]]
                length = (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2
                if length > longest:
                    side, longest = k, length
            patch[t] = patch[net.neighbours[t, side]]


@njit(cache=True)
def _settle(net, patch, kinds, primitives, rounding):
    moved = False
    for t in range(len(patch)):
        own = patch[t]
        if kinds[own] == 5:
            continue
        best, least = own, -1.0
        for k in range(3):
            other = patch[net.neighbours[t, k]]
            if other == own or kinds[other] == 5:
                continue
            if least < 0.0:
                least = 0.5 * _worst(net, t, kinds[own], primitives[own]) - 0.03 * rounding
            worst = _worst(net, t, kinds[other], primitives[other])
            if worst < least:
                best, least = other, worst
        if best != own:
            patch[t] = best
            moved = True
    return moved
