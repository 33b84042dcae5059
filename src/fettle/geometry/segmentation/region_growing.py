# mypy: allow-untyped-defs
"""Region growing: facets gathered into curved primitives.

A seed facet and its neighbors of similar size give first guesses of a cylinder, a cone, a sphere and a torus. Each
guess is grown over the facets it explains and fitted again until it stops growing; of all kinds the one that explains
the largest area is kept. A fillet between two planes is found this way although it meets both without an edge, because
the planes' far corners do not lie on its cylinder.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.segmentation.facets import Facets
from fettle.geometry.segmentation.initial_guesses import guess
from fettle.geometry.segmentation.least_squares import flatness, refine
from fettle.geometry.surfaces.encoding import COLUMNS, CYLINDER, TORUS, is_valid
from fettle.geometry.surfaces.linear_algebra import dot, mean_and_reach
from fettle.geometry.surfaces.projection import distance_and_normal
from fettle.jit import njit

# By kind (plane, cylinder, cone, sphere, torus): the fewest facets that are evidence, more than determine it.
_MIN_FACETS = np.array([1, 3, 5, 6, 9])
# A latitude band of a sphere or torus is exactly a cone, a short cylinder lies on a sphere: the less simple kind must
# explain clearly more.
_TRUST = np.array([1.0, 1.0, 0.95, 0.9, 0.8])
_SAME_NORMAL = np.cos(np.radians(16.5))
_MIN_TURN = np.cos(np.radians(6.0))
_DOMINANT = 0.6
"""Where one facet has more than this share of the area it is a plane with slivers beside it, not a curved surface."""
_CURVED = 6.0
"""A patch is curved only where it leaves its best plane by this many tolerances: below is a noisy plane."""
_OPPOSITE = np.cos(np.radians(30.0))
_MAX_RADII = 100.0
"""Largest radius, in sizes of the patch, up to which its curvature is significant; a tenth of it for a torus' tube."""
_SAMPLE = 400
_MAX_RING = 60
_ALIKE = 8.0


class Segments(NamedTuple):
    """owner (f,): primitive of each facet, -1 for none; kinds (p,) and primitives (p, 8)."""

    owner: NDArray[np.int64]
    kinds: NDArray[np.int64]
    primitives: NDArray[np.float64]


class _Work(NamedTuple):
    """Working arrays of the search: `stamp` and `turn` mark what the current attempt visited, `members` lists it."""

    owner: NDArray[np.int64]
    stamp: NDArray[np.int64]
    turn: NDArray[np.int64]
    members: NDArray[np.int64]
    tolerance: float
    slack: float


def find_curved(facets: Facets, tolerance_mm: float, slack_mm: float) -> Segments:
    """Cylinders, cones, spheres and tori among the facets; vertices lie on them within the tolerance, or within the
    slack where that allows for a simpler kind."""
    count = len(facets.areas)
    largest = np.zeros(count)
    np.maximum.at(largest, np.repeat(np.arange(count), np.diff(facets.ring_starts)), facets.areas[facets.ring])
    # facets among equals first: inside a curved region every neighbor belongs to the same surface
    seeds = np.argsort(largest / np.maximum(facets.areas, 1e-300), kind="stable")
    work = _Work(
        np.full(count, -1),
        np.full(count, -1),
        np.zeros(1, np.int64),
        np.empty(count, np.int64),
        tolerance_mm,
        max(slack_mm, tolerance_mm),
    )
    kinds, primitives = _search(facets, seeds, work)
    return Segments(work.owner, kinds, primitives)


def extend(facets: Facets, segments: Segments, tolerance_mm: float) -> None:
    """Extend every primitive over neighboring free facets that lie on it within a wider tolerance, in place.

    Where a face ends at another, the file's common curve may be off both of them by the tolerance of its model.
    """
    areas = np.bincount(segments.owner + 1, weights=facets.areas, minlength=len(segments.kinds) + 1)[1:]
    members = np.argsort(segments.owner, kind="stable")
    starts = np.searchsorted(segments.owner[members], np.arange(len(areas) + 1))
    ranked = (np.argsort(-areas, kind="stable"), members, starts, _DOMINANT * areas)
    _extend(facets, segments, ranked, tolerance_mm)


@njit(cache=True)
def _extend(facets, segments, ranked, tolerance):
    order, members, starts, largest = ranked
    owner, kinds, primitives = segments
    queue = np.empty(len(owner), np.int64)
    for number in order:
        end = starts[number + 1] - starts[number]
        queue[:end] = members[starts[number] : starts[number + 1]]
        kind, q = kinds[number], primitives[number]
        side = _fits(facets, kind, q, queue[0], tolerance)
        at = 0
        while at < end:
            here = queue[at]
            at += 1
            for k in range(facets.gentle_starts[here], facets.gentle_starts[here + 1]):
                other = facets.gentle[k]
                if owner[other] >= 0 or facets.areas[other] > largest[number]:
                    continue
                if _fits(facets, kind, q, other, tolerance) == side:
                    owner[other] = number
                    queue[end] = other
                    end += 1


@njit(cache=True)
def _search(facets, seeds, work):
    kinds = np.empty(len(seeds), np.int64)
    primitives = np.empty((len(seeds), COLUMNS))
    found = 0
    for seed in seeds:
        if work.owner[seed] >= 0 or facets.gentle_starts[seed] == facets.gentle_starts[seed + 1]:
            continue
        kind, q, tolerance = _best(facets, seed, work)
        if tolerance == 0.0:
            continue
        count = _grow(facets, work, kind, q, seed, tolerance)[0]
        for k in range(count):
            work.owner[work.members[k]] = found
        kinds[found] = kind
        primitives[found] = q
        found += 1
    return kinds[:found].copy(), primitives[:found].copy()


@njit(cache=True)
def _best(facets, seed, work):
    """The primitive through the seed that covers the largest area: kind, primitive and its tolerance, 0 for none."""
    best_kind, best, best_score = 0, np.zeros(COLUMNS), 0.0
    near = _alike(facets, seed, facets.gentle[facets.gentle_starts[seed] : facets.gentle_starts[seed + 1]], work)
    ring = _alike(facets, seed, facets.ring[facets.ring_starts[seed] : facets.ring_starts[seed + 1]], work)
    for kind in range(CYLINDER, TORUS + 1):
        for wide in range(2):
            members = ring if wide else near
            if len(members) < (6 if kind == TORUS else 2) or len(members) > _MAX_RING:
                continue
            q, score = _propose(facets, work, kind, members, seed)
            if score > best_score:
                best_kind, best, best_score = kind, q, score
            if score > 0.0:
                break
    if best_score == 0.0:
        best_kind, best, best_score = _best_strip(facets, seed, near, work)
    if best_score > 0.0:
        # a few facets of a slim cone fit a sphere as well, and a cone from so few is a poor guess: all that was
        # gathered is a better one
        count = min(_grow(facets, work, best_kind, best, seed, work.tolerance)[0], _MAX_RING)
        gathered = work.members[:count].copy()
        for kind in range(CYLINDER, TORUS + 1):
            if kind != best_kind:
                q, score = _propose(facets, work, kind, gathered, seed)
                if score > best_score:
                    best_kind, best, best_score = kind, q, score
        # one band of a torus is a cone: only the bands beside it show the torus
        q, score = _propose(facets, work, 4, _second_ring(facets, seed, ring, work), seed)
        if score > best_score:
            best_kind, best, best_score = TORUS, q, score
        best_kind, best, wide = _simplest(facets, work, best_kind, best, seed)
        return best_kind, best, wide
    return 0, best, 0.0


@njit(cache=True)
def _simplest(facets, work, kind, q, seed):
    """A simpler kind where it fits the same facets within the slack, and the tolerance that it needs.

    Two rows of vertices fit a cylinder and a torus alike; noise in one of them would favor the torus.
    """
    count = _grow(facets, work, kind, q, seed, work.tolerance)[0]
    sample = _vertices_of(facets, work.members[:count])
    members = work.members[: min(count, _MAX_RING)].copy()
    for simpler in range(1, kind):
        better, fine = guess(simpler, facets.normals[members], facets.centers[members], sample)
        if fine:
            better, worst = refine(simpler, better, sample, 10)
            if worst < work.slack and _grow(facets, work, simpler, better, seed, work.slack)[0] >= count:
                return simpler, _without_outliers(simpler, better, sample, work.tolerance), work.slack
    return kind, q, work.tolerance


@njit(cache=True)
def _without_outliers(kind, q, points, tolerance):
    """Fitted again to the points that lie closer than most: an inexact border must not tilt an axis."""
    away = np.empty(len(points))
    for _ in range(2):
        for i in range(len(points)):
            away[i] = abs(distance_and_normal(kind, q, points[i, 0], points[i, 1], points[i, 2])[0])
        near = points[away <= max(2.0 * np.median(away), tolerance)]
        better, worst = refine(kind, q, near, 6)
        if not np.isfinite(worst):
            break
        q = better
    return q


@njit(cache=True)
def _second_ring(facets, seed, ring, work):
    """The ring and what lies around it, as far as its facets are of a similar size; no more than `_MAX_RING`."""
    members = np.empty(_MAX_RING, np.int64)
    count = min(len(ring), _MAX_RING)
    members[:count] = ring[:count]
    for here in ring[1:]:
        for other in _alike(facets, seed, facets.ring[facets.ring_starts[here] : facets.ring_starts[here + 1]], work):
            known = count == _MAX_RING
            for k in range(count):
                known = known or members[k] == other
            if not known:
                members[count] = other
                count += 1
    return members[:count]


@njit(cache=True)
def _best_strip(facets, seed, near, work):
    """A cylinder or cone through the seed and two neighbors on opposite sides of it.

    The other neighbors of a strip may lie on the surfaces that it meets smoothly at its ends.
    """
    trio = np.empty(3, np.int64)
    trio[0] = seed
    for i in range(1, len(near)):
        for j in range(i + 1, len(near)):
            trio[1], trio[2] = near[i], near[j]
            one = np.cross(facets.normals[near[i]], facets.normals[seed])
            two = np.cross(facets.normals[seed], facets.normals[near[j]])
            if dot(one, two) < _OPPOSITE * np.sqrt(dot(one, one) * dot(two, two)):
                continue
            for kind in range(1, 3):
                q, score = _propose(facets, work, kind, trio, seed)
                if score > 0.0:
                    return kind, q, score
    return 0, np.zeros(COLUMNS), 0.0


@njit(cache=True)
def _propose(facets, work, kind, members, seed):
    """A primitive through the members, grown from the seed; its score, 0 for none."""
    sample = _vertices_of(facets, members)
    q, fine = guess(kind, facets.normals[members], facets.centers[members], sample)
    if not fine:
        return q, 0.0
    q, worst = refine(kind, q, sample, 10)
    if worst > 4.0 * work.tolerance:
        return q, 0.0
    return _attempt(facets, work, kind, q, seed)


@njit(cache=True)
def _alike(facets, seed, others, work):
    """The seed and those of the others that are free and of a similar size: a plane beside a fillet is not."""
    members = np.empty(len(others) + 1, np.int64)
    members[0] = seed
    count = 1
    for other in others:
        ratio = facets.areas[other] / facets.areas[seed]
        if work.owner[other] < 0 and 1.0 / _ALIKE < ratio < _ALIKE:
            members[count] = other
            count += 1
    return members[:count]


@njit(cache=True)
def _attempt(facets, work, kind, q, seed):
    """Grow, fit, grow again: the primitive and its score (area times confidence), 0 with too little evidence."""
    count, area = _grow(facets, work, kind, q, seed, work.tolerance)
    if count < 3:
        return q, 0.0
    for _ in range(12):
        better, worst = refine(kind, q, _vertices_of(facets, work.members[:count]), 6)
        if worst > 2.0 * work.tolerance or not is_valid(kind, better):
            break
        grown, grown_area = _grow(facets, work, kind, better, seed, work.tolerance)
        if grown < count:
            _grow(facets, work, kind, q, seed, work.tolerance)
            break
        q, area = better, grown_area
        if grown == count:
            break
        count = grown
    if count < _MIN_FACETS[kind] or (count < 6 and _least_cosine(facets, work.members[:count]) > _MIN_TURN):
        return q, 0.0
    largest = 0.0
    for facet in work.members[:count]:
        largest = max(largest, facets.areas[facet])
    if largest > _DOMINANT * area:
        return q, 0.0
    if not _is_large_enough(kind, q, _vertices_of(facets, work.members[:count])):
        return q, 0.0
    if flatness(_vertices_of(facets, work.members[:count])) < _CURVED * work.tolerance:
        return q, 0.0
    return q, area * _TRUST[kind]


@njit(cache=True)
def _least_cosine(facets, members):
    """Cosine of the widest angle between members' normals, in two sweeps: first to farthest, and on from there."""
    far, least = members[0], 1.0
    for _ in range(2):
        start = far
        for other in members:
            cosine = dot(facets.normals[start], facets.normals[other])
            if cosine < least:
                far, least = other, cosine
    return least


@njit(cache=True)
def _is_large_enough(kind, q, points):
    """Whether the patch is large enough for its radii to be significant."""
    _, reach = mean_and_reach(points)
    if kind == TORUS:
        return q[6] < _MAX_RADII * reach and q[7] < 0.1 * _MAX_RADII * reach
    return q[6] < _MAX_RADII * reach


@njit(cache=True)
def _grow(facets, work, kind, q, seed, tolerance):
    """Facets around the seed that lie on the primitive, into work.members; their number and area."""
    work.turn[0] += 1
    mark = work.turn[0]
    work.stamp[seed] = mark
    side = _fits(facets, kind, q, seed, tolerance)
    if side == 0.0:
        return 0, 0.0
    work.members[0] = seed
    count = 1
    area = facets.areas[seed]
    at = 0
    while at < count:
        here = work.members[at]
        at += 1
        for k in range(facets.gentle_starts[here], facets.gentle_starts[here + 1]):
            other = facets.gentle[k]
            if work.stamp[other] == mark or work.owner[other] >= 0:
                continue
            work.stamp[other] = mark
            if _fits(facets, kind, q, other, tolerance) == side:
                work.members[count] = other
                count += 1
                area += facets.areas[other]
    return count, area


@njit(cache=True)
def _fits(facets, kind, q, facet, tolerance):
    """Side of the surface (1 or -1) that the facet's normal faces, 0 when the facet does not lie on it."""
    c = facets.centers[facet]
    n = facets.normals[facet]
    _, nx, ny, nz = distance_and_normal(kind, q, c[0], c[1], c[2])
    cosine = nx * n[0] + ny * n[1] + nz * n[2]
    if abs(cosine) < _SAME_NORMAL:
        return 0.0
    for k in range(facets.vertex_starts[facet], facets.vertex_starts[facet + 1]):
        v = facets.vertices[k]
        if (
            abs(distance_and_normal(kind, q, facets.points[v, 0], facets.points[v, 1], facets.points[v, 2])[0])
            > tolerance
        ):
            return 0.0
    return 1.0 if cosine > 0 else -1.0


@njit(cache=True)
def _vertices_of(facets, members):
    """Corners (n, 3) of the facets, thinned evenly to the most that a fit uses."""
    total = 0
    for f in members:
        total += facets.vertex_starts[f + 1] - facets.vertex_starts[f]
    step = max(1, total // _SAMPLE)
    sample = np.empty((total // step + 1, 3))
    count = 0
    seen = 0
    for f in members:
        for k in range(facets.vertex_starts[f], facets.vertex_starts[f + 1]):
            if seen % step == 0:
                sample[count] = facets.points[facets.vertices[k]]
                count += 1
            seen += 1
    return sample[:count]
