"""What a cutter reaches, from which directions, in how many set-ups.

A cutter coming along a direction reaches a point that is not turned away from it and has a free way out (walls parallel
to the direction are side-milled). Several directions may share a face: a shaft is turned over. Set-ups are the smallest
set of machine axes that together reach every face that can be reached at all, found by trying all 63 sets.

The machine stands on the part's own frame: its first axis is the pull, its second the largest flat side along it.
"""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Part, Plane
from fettle.measure.context import FaceSamples, MeasureContext, face_samples, sum_by
from fettle.measure.draft import opposite
from fettle.measure.face_regions import connected
from fettle.measure.pull import unit
from fettle.measure.readings import Access, Triple
from fettle.measure.visibility import Visibility

SIDE_MILLING_DEG = 1.0
"""A wall turned back by up to this much is still milled with the cutter's side."""
TURNED_AWAY = -math.sin(math.radians(SIDE_MILLING_DEG))
REACHED = 0.95
"""Share of a face's area that must be reached; the rest is corners and slivers."""
IN_DOUBT = (0.85, 0.999)
"""A share between these, told by a few points, may in truth lie on the other side of the limit."""
ON_TABLE = -0.98
"""Cosine to the base axis of faces that lie on the table of a 5-axis machine."""
MAX_HOLE_AXES = 12
SAME = math.cos(math.radians(0.5))


def machine_axes(part: Part, pull: Triple) -> tuple[Triple, ...]:
    """The six axes of a machine set up on the part: along the pull and back, then the two sides and back."""
    w = np.asarray(pull)
    sides: list[tuple[float, tuple[float, float, float]]] = []
    for face in part.faces:
        if isinstance(face.surface, Plane):
            across, weight = face.surface.normal, face.area_mm2
        elif isinstance(face.surface, Cylinder):
            # A flat side tells more about how a part is clamped than a hole does.
            across, weight = face.surface.axis, 1e-3 * face.area_mm2
        else:
            continue
        if abs(float(across @ w)) > 1e-3:
            continue
        x, y, z = unit((across - float(across @ w) * w).tolist())
        for k, (area, (a, b, c)) in enumerate(sides):
            if abs(a * x + b * y + c * z) >= SAME:
                sides[k] = (area + weight, (a, b, c))
                break
        else:
            sides.append((weight, (x, y, z)))
    if sides:
        u = np.asarray(max(sides, key=lambda side: round(side[0], 6))[1])
    else:
        nearest_square = np.eye(3)[int(np.abs(w).argmin())]
        u = nearest_square - float(nearest_square @ w) * w
    first = unit(u.tolist())
    second = unit(np.cross(w, first).tolist())
    return tuple(way for axis in (pull, first, second) for way in (axis, opposite(axis)))


def hole_axes(part: Part, known: tuple[Triple, ...]) -> tuple[Triple, ...]:
    """Both ways along every hole that none of the known directions follows, largest holes first."""
    found: list[Triple] = list(known)
    holes = [(f.area_mm2, f.surface) for f in part.faces if isinstance(f.surface, Cylinder) and f.convex is False]
    holes.sort(key=lambda hole: -hole[0])
    for _, hole in holes:
        way = unit(hole.axis.tolist())
        if (np.abs(np.array(found) @ way) < SAME).all():
            found += [way, opposite(way)]
        if len(found) >= len(known) + 2 * MAX_HOLE_AXES:
            break
    return tuple(found[len(known) :])


def measure_access(context: MeasureContext, visibility: Visibility, pull: Triple, tilt_deg: float = 90.0) -> Access:
    """Reach of the machine's six axes and of every hole's own axis; a 5-axis spindle tilts by up to `tilt_deg`."""
    part, samples = context.part, context.samples
    axes = machine_axes(part, pull)
    by_three = np.array([visibility.free(way) for way in axes]) & _not_away(context, samples, axes)
    samples, by_three = _look_closer(context, visibility, axes, by_three)
    directions = axes + hole_axes(part, axes)
    not_away = _not_away(context, samples, directions)
    seen = np.zeros((len(directions), len(samples.rows)), np.bool_)
    seen[:6] = by_three
    reach = np.full((len(directions), len(part.faces)), np.nan)
    reach[:6] = [_reached(context, samples, row) for row in by_three]
    # Holes have their own axes for the sake of what the directions before leave; both ways along one go together.
    so_far = np.logical_or.reduce(by_three)
    for k in range(6, len(directions), 2):
        wanting = _reached(context, samples, so_far) < IN_DOUBT[1]
        places = np.flatnonzero(wanting[samples.faces])
        for way in (k, k + 1):
            seen[way, visibility.free_among(samples, places, directions[way])] = True
            seen[way] &= not_away[way]
            reach[way, wanting] = _reached(context, samples, seen[way])[wanting]
        so_far |= seen[k] | seen[k + 1]
    setups_3, unreached_3 = _fewest(context, samples, by_three, axes)
    setups_5, unreached_5 = _tilted_setups(context, visibility, samples, directions, seen, tilt_deg)
    return Access(
        directions=np.array(directions),
        reach=reach,
        setups_3axis=setups_3,
        setups_5axis=setups_5,
        unreached_3axis=unreached_3,
        unreached_5axis=unreached_5,
        undercut_regions=connected(part, unreached_3),
    )


def _not_away(context: MeasureContext, samples: FaceSamples, ways: tuple[Triple, ...]) -> NDArray[np.bool_]:
    """Points (ways, k) a cutter's side allows: visibility may be asked with a wider tolerance for draft."""
    return _along(context.mesh.normals[samples.rows], np.array(ways)) >= TURNED_AWAY


def _along(normals: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines (ways, k) of normals (k, 3) to unit directions (ways, 3)."""
    # one by one: a product of two matrices of this shape is handed to threads that mostly wait for each other
    return np.array([normals @ way for way in ways])


def _reached(context: MeasureContext, samples: FaceSamples, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Visible fraction (faces,) of each face's area, from the samples seen (k,); 0 for a face without samples."""
    whole = context.face_area_mm2
    area = sum_by(samples.faces[seen], samples.area_mm2[seen], len(whole))
    return np.divide(area, whole, out=np.zeros(len(whole)), where=whole > 0.0)


def _look_closer(
    context: MeasureContext, visibility: Visibility, axes: tuple[Triple, ...], seen: NDArray[np.bool_]
) -> tuple[FaceSamples, NDArray[np.bool_]]:
    """Resample the faces whose visible fraction is too near the limit: with all their points instead of a few.

    Returns the samples and what each of the six axes sees of them (6, k). An axis that saw none of the few samples of a
    face is taken to see none of the others.
    """
    samples, faces = context.samples, context.mesh.point_face
    shares = np.array([_reached(context, samples, row) for row in (*seen, np.logical_or.reduce(seen))])
    close: NDArray[np.bool_] = np.logical_or.reduce((shares > IN_DOUBT[0]) & (shares < IN_DOUBT[1]))
    kept = np.flatnonzero(~close[samples.faces])
    added = np.flatnonzero(close[faces])
    more = face_samples(added, faces[added], context.area_mm2[added])
    closer = np.zeros((len(axes), len(added)), np.bool_)
    for k, way in enumerate(axes):
        asked = np.flatnonzero((shares[k] > 0.0)[more.faces])
        closer[k, asked] = visibility.free_at(added[asked], way)
    closer &= _not_away(context, more, axes)
    wider = face_samples(
        np.concatenate([samples.rows[kept], more.rows]),
        np.concatenate([samples.faces[kept], more.faces]),
        np.concatenate([samples.area_mm2[kept], more.area_mm2]),
    )
    return wider, np.hstack([seen[:, kept], closer])


def _tilted_setups(
    context: MeasureContext,
    visibility: Visibility,
    samples: FaceSamples,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """Set-ups of a 5-axis machine and the faces it does not reach.

    The first axis and its opposite are the first pair in order, and a spindle that tilts by 90 degrees sees from those
    two what it sees at all, but for faces on the table. So points are first asked only for the sake of that pair.
    """
    axes = directions[:6]
    by_pair = _seen_tilted(context, visibility, samples, directions, seen, tilt_deg, for_first_pair=True)
    setups, unreached = _fewest(context, samples, by_pair, axes)
    if setups == axes[:2]:
        return setups, unreached
    by_all = _seen_tilted(context, visibility, samples, directions, seen, tilt_deg, for_first_pair=False)
    return _fewest(context, samples, by_all, axes)


def _seen_tilted(
    context: MeasureContext,
    visibility: Visibility,
    samples: FaceSamples,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
    *,
    for_first_pair: bool,
) -> NDArray[np.bool_]:
    """Samples (6, k) that a 5-axis machine reaches from each base with its spindle tilted by up to `tilt_deg`.

    The directions at hand serve first. What they leave is tried along its own normal and along the diagonals between
    the axes: rays are shot only for points that would gain by them. `for_first_pair`: only for points that neither of
    the first two bases reaches; of all others only as much as the directions at hand show.
    """
    axes = np.array(directions[:6])
    limit = math.cos(math.radians(tilt_deg)) - 1e-6
    points = samples.rows
    normals = context.mesh.normals[points]
    along = _along(normals, axes)
    off_table = along >= ON_TABLE
    reached: NDArray[np.bool_] = (
        np.array([seen[np.array(directions) @ base >= limit].any(axis=0) for base in axes]) & off_table
    )
    if for_first_pair:
        by_pair = reached[0] | reached[1]
        short = _reached(context, samples, by_pair) < REACHED
        wanting = off_table & (short[samples.faces] & ~by_pair)
    else:
        shares = np.array([_reached(context, samples, row) for row in reached])
        wanting = ~reached & off_table & (shares < REACHED)[:, samples.faces]
    own = (along >= limit) & off_table
    rows = np.flatnonzero((wanting & own).any(axis=0))
    free = rows[visibility.free_along_normals(points[rows])]
    reached[:, free] |= own[:, free]
    left = np.flatnonzero((wanting & ~reached).any(axis=0))
    # Scouts speak for faces that nothing has seen yet; of the others every point counts.
    glimpsed = np.zeros(len(context.part.faces), np.bool_)
    glimpsed[samples.faces[reached.any(axis=0)]] = True
    for way in _diagonals(axes):
        if for_first_pair:
            left = left[~reached[:2, left].any(axis=0)]
        if len(left) == 0:
            break
        inside = axes @ np.asarray(way) >= limit
        rows = left[(wanting[:, left] & ~reached[:, left])[inside].any(axis=0)]
        known = glimpsed[samples.faces[rows]]
        found = np.concatenate(
            [
                rows[known][visibility.free_at(points[rows[known]], way)],
                visibility.free_among(samples, rows[~known], way),
            ]
        )
        glimpsed[samples.faces[found]] = True
        reached[:, found] |= inside[:, None] & off_table[:, found]
    return reached


def _diagonals(axes: NDArray[np.float64]) -> list[Triple]:
    """The 12 directions halfway between two axes and the 8 between three."""
    u, v, w = axes[0], axes[2], axes[4]
    steps = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if abs(a) + abs(b) + abs(c) > 1]
    return [unit((a * u + b * v + c * w).tolist()) for a, b, c in steps]


def _fewest(
    context: MeasureContext, samples: FaceSamples, seen: NDArray[np.bool_], axes: tuple[Triple, ...]
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """The smallest set of axes that reaches all that all six reach, and the faces that even six do not.

    Every point belongs to one of 64 classes, the set of axes that see it; areas of faces by class answer for every
    set of axes at once. Of equally small sets the first in the order of `axes` is taken.
    """
    kind = (seen.astype(np.int64) << np.arange(6)[:, None]).sum(axis=0)
    by_class = np.bincount(
        samples.faces * 64 + kind, weights=samples.area_mm2, minlength=len(context.part.faces) * 64
    ).reshape(-1, 64)
    need = REACHED * context.face_area_mm2
    reachable = by_class[:, 1:].sum(axis=1) >= need
    unreached = tuple(np.flatnonzero(~reachable).tolist())
    classes = np.arange(64)
    # What lies in the clamps of the first set-up needs a second one, whatever the part.
    for size in range(2, 7):
        for chosen in combinations(range(6), size):
            mask = sum(1 << axis for axis in chosen)
            covered = by_class[:, (classes & mask) > 0].sum(axis=1) >= need
            if (covered | ~reachable).all():
                return tuple(axes[axis] for axis in chosen), unreached
    raise AssertionError("all six axes reach what all six axes reach")
