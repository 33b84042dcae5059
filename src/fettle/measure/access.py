"""Tool access: which faces a cutter reaches, along which directions, in how many set-ups.

A cutter along a direction reaches a point that does not face away from it and from which a ray against the feed leaves
the part (walls parallel to the direction are side-milled). Directions may share a face: the two halves of a shaft are
milled from opposite sides.

Directions come from the part, whatever its position in the file: the frame of its largest plane sides, then the axes of
holes and the normals of plane floors that lie askew in that frame. An askew direction is a set-up more (the part is
indexed or clamped on a wedge). Set-ups are the smallest set of frame axes that together reach every face that any of
them reaches, found by trying all sets of the six, and the smallest set of askew directions that reaches the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import combinations
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Part, Plane
from fettle.measure.context import FaceSamples, MeasureContext, face_samples, sum_by
from fettle.measure.draft import opposite
from fettle.measure.face_regions import connected
from fettle.measure.pull import SAME_DIRECTION_COS, snapped, unit
from fettle.measure.readings import Access, Triple
from fettle.measure.sides import weigh_sides
from fettle.measure.visibility import Visibility

SIDE_MILLING_DEG = 1.0
"""A wall that leans back from the direction by up to this angle is still milled with the cutter's side."""
MIN_FACING_COS = -math.sin(math.radians(SIDE_MILLING_DEG))
"""The same as a cosine between normal and direction."""
REACHED_FRACTION = 0.95
"""Fraction of a face's area that must be reached for the face to count as reached; the rest is corners and slivers."""
RESAMPLED_RANGE = (0.85, 0.999)
"""Fractions estimated from samples between these limits are computed again from all points of the face: the sampling
error could put them on the wrong side of `REACHED_FRACTION`."""
TABLE_COS = -0.98
"""Faces whose normal has a cosine below this to a 5-axis machine's base axis lie on its table (within 11 degrees)."""
MAX_HOLE_AXES = 12
"""Distinct hole axes that are tried, largest holes first; bounds the time on parts with holes in every direction."""
PERPENDICULAR_COS = 1e-3
"""Largest cosine between two perpendicular directions (0.06 degrees)."""
MAX_PLANE_NORMALS = 6
"""Distinct normals of askew planes that are tried, largest planes first: slanted pockets have a floor."""
SAME_WEIGHT = 1e-6
"""Relative difference below which the areas of two sides are equal."""
MAX_TRIED_SETS = 3
"""Sets of askew directions up to this size are tried one by one; larger ones grow by the direction that adds most."""

AxisSets: TypeAlias = NDArray[np.uint8]
"""Sets of the six axes, bit by bit, the first in the lowest: a sixth of the work of six masks."""
FIRST_PAIR = 0b11
"""The set of the first axis and its opposite."""


def machine_axes(part: Part, pull: Triple) -> tuple[Triple, ...]:
    """Six unit vectors, three axes with their opposites: the frame of the part's largest sides.

    The pull only decides the order (the axis along it comes first), and the frame of a part without plane or round
    sides.
    """
    sides = weigh_sides(part, SAME_DIRECTION_COS)
    if sides:
        w = np.asarray(_heaviest(sides, pull))
        across = [(weight, way) for weight, way in sides if abs(float(np.asarray(way) @ w)) <= PERPENDICULAR_COS]
    else:
        w, across = np.asarray(pull), []
    if across:
        u = np.asarray(_heaviest(across, pull))
    else:
        towards_pull = np.asarray(pull) - float(np.asarray(pull) @ w) * w
        is_across = float(np.linalg.norm(towards_pull)) > 0.1
        u = towards_pull if is_across else np.eye(3)[int(np.abs(w).argmin())]
    u = u - float(u @ w) * w
    frame = [snapped(unit(axis.tolist())) for axis in (w, u, np.cross(w, u))]
    frame.sort(key=lambda axis: -abs(round(float(np.asarray(axis) @ np.asarray(pull)), 6)))
    along_pull = float(np.asarray(frame[0]) @ np.asarray(pull))
    if along_pull < 0.0:
        frame[0] = opposite(frame[0])
    if 1.0 - abs(along_pull) < 1e-12:
        frame[0] = pull  # the very same numbers, so that its visibility is cast once
    return tuple(signed for axis in frame for signed in (axis, opposite(axis)))


def _heaviest(sides: list[tuple[float, Triple]], pull: Triple) -> Triple:
    """The side with the largest weight; of equal ones that nearest to the pull."""
    most = max(weight for weight, _ in sides)
    equal = [way for weight, way in sides if weight >= (1.0 - SAME_WEIGHT) * most]
    return max(equal, key=lambda way: abs(round(float(np.asarray(way) @ np.asarray(pull)), 6)))


def askew_directions(part: Part, known: tuple[Triple, ...]) -> tuple[Triple, ...]:
    """Both directions along every hole axis and every plane's normal that is not among the known directions: largest
    holes first, then largest planes."""
    found: list[Triple] = list(known)
    holes = [(f.area_mm2, f.surface.axis) for f in part.faces if isinstance(f.surface, Cylinder) and f.convex is False]
    planes = [(f.area_mm2, f.surface.normal) for f in part.faces if isinstance(f.surface, Plane)]
    for ways, most in ((holes, MAX_HOLE_AXES), (planes, MAX_PLANE_NORMALS)):
        ways.sort(key=lambda one: -one[0])
        end = len(found) + 2 * most
        for _, along in ways:
            if len(found) >= end:
                break
            axis = x, y, z = snapped(unit(along.tolist()))
            # in plain numbers: for a handful of directions arrays take ten times as long
            if all(abs(a * x + b * y + c * z) < SAME_DIRECTION_COS for a, b, c in found):
                found += [axis, opposite(axis)]
    return tuple(found[len(known) :])


def measure_access(context: MeasureContext, visibility: Visibility, pull: Triple, tilt_deg: float = 90.0) -> Access:
    """Measure access along the directions of the part; a 5-axis spindle tilts by up to `tilt_deg`."""
    part, samples = context.part, context.samples
    axes = machine_axes(part, pull)
    seen_by_axes = np.array([visibility.free(axis) for axis in axes]) & _not_facing_away(context, samples, axes)
    samples, seen_by_axes = _resample(context, visibility, axes, seen_by_axes)
    directions = axes + askew_directions(part, axes)
    not_facing_away = _not_facing_away(context, samples, directions)
    seen = np.zeros((len(directions), len(samples.rows)), np.bool_)
    seen[:6] = seen_by_axes
    reach = np.full((len(directions), len(part.faces)), np.nan)
    reach[:6] = [_reached_fraction(context, samples, row) for row in seen_by_axes]
    # An askew direction is tried only on faces that the directions before it do not fully reach, both ways at once.
    so_far = np.logical_or.reduce(seen_by_axes)
    for k in range(6, len(directions), 2):
        incomplete = _reached_fraction(context, samples, so_far) < RESAMPLED_RANGE[1]
        tested = np.flatnonzero(incomplete[samples.faces])
        for number in (k, k + 1):
            seen[number, visibility.free_among(samples, tested, directions[number])] = True
            seen[number] &= not_facing_away[number]
            reach[number, incomplete] = _reached_fraction(context, samples, seen[number])[incomplete]
        so_far |= seen[k] | seen[k + 1]
    setups_3, hidden_from_axes = _smallest_axis_set(context, samples, _axis_sets(seen_by_axes), axes)
    askew, unreached_3 = _askew_setups(context, samples, seen, directions, hidden_from_axes)
    setups_5, unreached_5 = _tilted_setups(context, visibility, samples, directions, seen, tilt_deg)
    return Access(
        directions=np.array(directions),
        reach=reach,
        setups_3axis=setups_3 + askew,
        setups_5axis=setups_5,
        unreached_3axis=unreached_3,
        unreached_5axis=unreached_5,
        undercut_regions=connected(part, unreached_3),
    )


def _not_facing_away(
    context: MeasureContext, samples: FaceSamples, directions: tuple[Triple, ...]
) -> NDArray[np.bool_]:
    """Mask (d, k) of the samples that do not face away by more than `SIDE_MILLING_DEG` from each of d directions:
    `Visibility` may have a wider tolerance, for draft."""
    return _cosines(context.mesh.normals.take(samples.rows, axis=0), np.array(directions)) >= MIN_FACING_COS


def _cosines(normals: NDArray[np.float64], directions: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines (d, k) between normals (k, 3) and unit directions (d, 3)."""
    # One product a direction: BLAS runs a product of two matrices of this shape in threads that mostly wait.
    return np.array([normals @ direction for direction in directions])


def _reached_fraction(context: MeasureContext, samples: FaceSamples, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Reached fraction (faces,) of each face's area, from a mask (k,) of the samples seen; 0 for faces without area."""
    face_area = context.face_area_mm2
    area = sum_by(samples.faces[seen], samples.area_mm2[seen], len(face_area))
    return np.divide(area, face_area, out=np.zeros(len(face_area)), where=face_area > 0.0)


def _resample(
    context: MeasureContext, visibility: Visibility, axes: tuple[Triple, ...], seen: NDArray[np.bool_]
) -> tuple[FaceSamples, NDArray[np.bool_]]:
    """Replace the samples of faces within `RESAMPLED_RANGE` by all points of those faces.

    Returns the samples and a mask (6, k) of those seen along each of the six axes. A face of which no sample is seen
    along an axis is not tested again along that axis.
    """
    samples, faces = context.samples, context.mesh.point_face
    fractions = np.array([_reached_fraction(context, samples, row) for row in (*seen, np.logical_or.reduce(seen))])
    low, high = RESAMPLED_RANGE
    uncertain: NDArray[np.bool_] = np.logical_or.reduce((fractions > low) & (fractions < high))
    kept = np.flatnonzero(~uncertain[samples.faces])
    rows = np.flatnonzero(uncertain[faces])
    added = face_samples(rows, faces[rows], context.area_mm2[rows])
    added_seen = np.zeros((len(axes), len(rows)), np.bool_)
    for k, axis in enumerate(axes):
        tested = np.flatnonzero((fractions[k] > 0.0)[added.faces])
        added_seen[k, tested] = visibility.free_at(rows[tested], axis)
    added_seen &= _not_facing_away(context, added, axes)
    resampled = face_samples(
        np.concatenate([samples.rows[kept], added.rows]),
        np.concatenate([samples.faces[kept], added.faces]),
        np.concatenate([samples.area_mm2[kept], added.area_mm2]),
    )
    return resampled, np.hstack([seen[:, kept], added_seen])


def _askew_setups(
    context: MeasureContext,
    samples: FaceSamples,
    seen: NDArray[np.bool_],
    directions: tuple[Triple, ...],
    hidden: tuple[int, ...],
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """Smallest set of askew directions that reaches the faces hidden from the frame's axes, and those still unreached.

    seen (d, k): samples seen along each direction; a face may be reached by an axis and an askew direction together.
    """
    if not hidden or len(directions) == 6:
        return (), hidden
    by_axes: NDArray[np.bool_] = np.logical_or.reduce(seen[:6])
    chosen_faces = np.array(hidden)

    def reached(along: tuple[int, ...]) -> NDArray[np.bool_]:
        mask = by_axes | np.logical_or.reduce(seen[list(along)], axis=0)
        reached_faces: NDArray[np.bool_] = _reached_fraction(context, samples, mask)[chosen_faces] >= REACHED_FRACTION
        return reached_faces

    askew = tuple(range(6, len(directions)))
    reachable = reached(askew)
    # Sets of faces as the bits of integers: many sets of directions are tried.
    alone = {k: sum(1 << int(bit) for bit in np.flatnonzero(reached((k,)))) for k in askew}
    useful = [k for k in askew if alone[k]]
    together = _joined(alone, useful)
    grown: tuple[int, ...] = next(
        (
            along
            for size in range(MAX_TRIED_SETS + 1)
            for along in combinations(useful, size)
            if _joined(alone, along) == together
        ),
        (),
    )
    while not (reached(grown) | ~reachable).all():
        left = [k for k in askew if k not in grown]
        grown += (max(left, key=lambda k: int(reached((*grown, k)).sum())),)
    return tuple(directions[k] for k in grown), tuple(chosen_faces[~reachable].tolist())


def _joined(bits: Mapping[int, int], numbers: Iterable[int]) -> int:
    """Union of the sets of bits with these numbers."""
    joined = 0
    for number in numbers:
        joined |= bits[number]
    return joined


def _tilted_setups(
    context: MeasureContext,
    visibility: Visibility,
    samples: FaceSamples,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """Set-ups of a 5-axis machine and the faces it does not reach.

    The first axis and its opposite are the first pair tried, and a spindle that tilts by 90 degrees reaches from those
    two all that it reaches at all, except faces on the table. So rays are first cast only for that pair.
    """
    axes = directions[:6]
    by_pair = _seen_tilted(context, visibility, samples, directions, seen, tilt_deg, for_first_pair=True)
    setups, unreached = _smallest_axis_set(context, samples, by_pair, axes)
    if setups == axes[:2]:
        return setups, unreached
    by_all = _seen_tilted(context, visibility, samples, directions, seen, tilt_deg, for_first_pair=False)
    return _smallest_axis_set(context, samples, by_all, axes)


def _seen_tilted(
    context: MeasureContext,
    visibility: Visibility,
    samples: FaceSamples,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
    *,
    for_first_pair: bool,
) -> AxisSets:
    """The base axes (k,) from which a 5-axis machine reaches each sample, its spindle tilted by `tilt_deg`, as sets.

    `seen` (d, k): samples seen along the given directions, which are used first. Samples not reached along those are
    tested along their own normal, then along the diagonals between the axes. `for_first_pair`: rays are cast only for
    samples that neither of the first two base axes reaches.
    """
    axes = np.array(directions[:6])
    limit = math.cos(math.radians(tilt_deg)) - 1e-6
    points = samples.rows
    normals = context.mesh.normals[points]
    along = _cosines(normals, axes)
    off_table = _axis_sets(along >= TABLE_COS)
    within_tilt = _axis_sets(along >= limit) & off_table
    seen_tilted = np.array([seen[np.array(directions) @ base >= limit].any(axis=0) for base in axes])
    reached = _axis_sets(seen_tilted) & off_table
    if for_first_pair:
        by_pair = (reached & FIRST_PAIR) > 0
        incomplete = _reached_fraction(context, samples, by_pair) < REACHED_FRACTION
        missing = np.where(incomplete[samples.faces] & ~by_pair, off_table, np.uint8(0))
    else:
        fractions = np.array([_reached_fraction(context, samples, (reached & 1 << axis) > 0) for axis in range(6)])
        missing = ~reached & off_table & _axis_sets(fractions < REACHED_FRACTION)[samples.faces]
    rows = np.flatnonzero(missing & within_tilt)
    free = rows[visibility.free_along_normals(points[rows])]
    reached[free] |= within_tilt[free]
    left = np.flatnonzero(missing & ~reached)
    # Faces of which no sample is reached yet are tested by their probes first, the others by all their samples.
    partly_reached = np.zeros(len(context.part.faces), np.bool_)
    partly_reached[samples.faces[reached > 0]] = True
    for diagonal in _diagonals(axes):
        if for_first_pair:
            left = left[(reached[left] & FIRST_PAIR) == 0]
        if len(left) == 0:
            break
        tilted = _axis_sets(axes @ np.asarray(diagonal) >= limit)
        rows = left[(missing[left] & ~reached[left] & tilted) > 0]
        partly = partly_reached[samples.faces[rows]]
        found = np.concatenate(
            [
                rows[partly][visibility.free_at(points[rows[partly]], diagonal)],
                visibility.free_among(samples, rows[~partly], diagonal),
            ]
        )
        partly_reached[samples.faces[found]] = True
        reached[found] |= tilted & off_table[found]
    return reached


def _axis_sets(masks: NDArray[np.bool_]) -> AxisSets:
    """Sets (...) of the six axes for which each of some masks (6, ...) holds."""
    sets: AxisSets = np.zeros(masks.shape[1:], np.uint8)
    for axis, mask in enumerate(masks):
        sets |= mask.view(np.uint8) << axis
    return sets


def _diagonals(axes: NDArray[np.float64]) -> list[Triple]:
    """Unit vectors of the 12 directions halfway between two axes and the 8 between three."""
    u, v, w = axes[0], axes[2], axes[4]
    steps = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if abs(a) + abs(b) + abs(c) > 1]
    return [unit((a * u + b * v + c * w).tolist()) for a, b, c in steps]


def _smallest_axis_set(
    context: MeasureContext, samples: FaceSamples, seen_by: AxisSets, axes: tuple[Triple, ...]
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """Smallest set of axes that reaches every face that all six together reach, and the faces that they do not.

    seen_by (k,): the axes along which each sample is seen. Samples are classed by these sets, 64 classes; the face
    areas by class then give the reached area of any set of axes. Of equally small sets the first in the order of `axes`
    is taken.
    """
    by_class = np.bincount(
        samples.faces * 64 + seen_by, weights=samples.area_mm2, minlength=len(context.part.faces) * 64
    ).reshape(-1, 64)
    need = REACHED_FRACTION * context.face_area_mm2
    reachable = by_class[:, 1:].sum(axis=1) >= need
    unreached = tuple(np.flatnonzero(~reachable).tolist())
    classes = np.arange(64)
    # At least two set-ups: the side that is clamped in the first is machined in the second.
    for size in range(2, 7):
        for chosen in combinations(range(6), size):
            mask = sum(1 << axis for axis in chosen)
            covered = by_class[:, (classes & mask) > 0].sum(axis=1) >= need
            if (covered | ~reachable).all():
                return tuple(axes[axis] for axis in chosen), unreached
    raise AssertionError("unreachable: the set of all six axes reaches every reachable face")
