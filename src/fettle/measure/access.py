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
from fettle.measure.draft import opposite
from fettle.measure.ground import Ground, Panel, gather, sum_by
from fettle.measure.pull import unit
from fettle.measure.reading import Access, Triple
from fettle.measure.regions import connected
from fettle.measure.sight import Sight

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


def measure_access(ground: Ground, sight: Sight, pull: Triple, tilt_deg: float = 90.0) -> Access:
    """Reach of the machine's six axes and of every hole's own axis; a 5-axis spindle tilts by up to `tilt_deg`."""
    part, panel = ground.part, ground.panel
    axes = machine_axes(part, pull)
    by_three = np.array([sight.free(way) for way in axes]) & _not_away(ground, panel, axes)
    panel, by_three = _look_closer(ground, sight, axes, by_three)
    directions = axes + hole_axes(part, axes)
    not_away = _not_away(ground, panel, directions)
    seen = np.zeros((len(directions), len(panel.rows)), np.bool_)
    seen[:6] = by_three
    reach = np.full((len(directions), len(part.faces)), np.nan)
    reach[:6] = [_reached(ground, panel, row) for row in by_three]
    # Holes have their own axes for the sake of what the directions before leave; both ways along one go together.
    so_far = np.logical_or.reduce(by_three)
    for k in range(6, len(directions), 2):
        wanting = _reached(ground, panel, so_far) < IN_DOUBT[1]
        places = np.flatnonzero(wanting[panel.faces])
        for way in (k, k + 1):
            seen[way, sight.free_among(panel, places, directions[way])] = True
            seen[way] &= not_away[way]
            reach[way, wanting] = _reached(ground, panel, seen[way])[wanting]
        so_far |= seen[k] | seen[k + 1]
    setups_3, unreached_3 = _fewest(ground, panel, by_three, axes)
    setups_5, unreached_5 = _tilted_setups(ground, sight, panel, directions, seen, tilt_deg)
    return Access(
        directions=np.array(directions),
        reach=reach,
        setups_3axis=setups_3,
        setups_5axis=setups_5,
        unreached_3axis=unreached_3,
        unreached_5axis=unreached_5,
        undercut_regions=connected(part, unreached_3),
    )


def _not_away(ground: Ground, panel: Panel, ways: tuple[Triple, ...]) -> NDArray[np.bool_]:
    """Points (ways, k) a cutter's side allows: sight may be asked with a wider tolerance for draft."""
    return _along(ground.mesh.normals[panel.rows], np.array(ways)) >= TURNED_AWAY


def _along(normals: NDArray[np.float64], ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines (ways, k) of normals (k, 3) to unit directions (ways, 3)."""
    # one by one: a product of two matrices of this shape is handed to threads that mostly wait for each other
    return np.array([normals @ way for way in ways])


def _reached(ground: Ground, panel: Panel, seen: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Share (faces,) of each face's area that the points seen (k,) of the panel stand for, 0 for a face without any."""
    whole = ground.face_area_mm2
    area = sum_by(panel.faces[seen], panel.area_mm2[seen], len(whole))
    return np.divide(area, whole, out=np.zeros(len(whole)), where=whole > 0.0)


def _look_closer(
    ground: Ground, sight: Sight, axes: tuple[Triple, ...], seen: NDArray[np.bool_]
) -> tuple[Panel, NDArray[np.bool_]]:
    """The panel and what of it the six axes see (6, k), with all points of faces whose share is too near the limit for
    the few that spoke for them; where an axis saw none of those few it sees none of the others."""
    panel, faces = ground.panel, ground.mesh.point_face
    shares = np.array([_reached(ground, panel, row) for row in (*seen, np.logical_or.reduce(seen))])
    close: NDArray[np.bool_] = np.logical_or.reduce((shares > IN_DOUBT[0]) & (shares < IN_DOUBT[1]))
    kept = np.flatnonzero(~close[panel.faces])
    added = np.flatnonzero(close[faces])
    more = gather(added, faces[added], ground.area_mm2[added])
    closer = np.zeros((len(axes), len(added)), np.bool_)
    for k, way in enumerate(axes):
        asked = np.flatnonzero((shares[k] > 0.0)[more.faces])
        closer[k, asked] = sight.free_at(added[asked], way)
    closer &= _not_away(ground, more, axes)
    wider = gather(
        np.concatenate([panel.rows[kept], more.rows]),
        np.concatenate([panel.faces[kept], more.faces]),
        np.concatenate([panel.area_mm2[kept], more.area_mm2]),
    )
    return wider, np.hstack([seen[:, kept], closer])


def _tilted_setups(
    ground: Ground,
    sight: Sight,
    panel: Panel,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """Set-ups of a 5-axis machine and the faces it does not reach.

    The first axis and its opposite are the first pair in order, and a spindle that tilts by 90 degrees sees from those
    two what it sees at all, but for faces on the table. So points are first asked only for the sake of that pair.
    """
    axes = directions[:6]
    by_pair = _seen_tilted(ground, sight, panel, directions, seen, tilt_deg, for_first_pair=True)
    setups, unreached = _fewest(ground, panel, by_pair, axes)
    if setups == axes[:2]:
        return setups, unreached
    by_all = _seen_tilted(ground, sight, panel, directions, seen, tilt_deg, for_first_pair=False)
    return _fewest(ground, panel, by_all, axes)


def _seen_tilted(
    ground: Ground,
    sight: Sight,
    panel: Panel,
    directions: tuple[Triple, ...],
    seen: NDArray[np.bool_],
    tilt_deg: float,
    *,
    for_first_pair: bool,
) -> NDArray[np.bool_]:
    """Points of the panel (6, k) that a 5-axis machine reaches from each base, its spindle tilted by up to `tilt_deg`.

    The directions at hand serve first. What they leave is tried along its own normal and along the diagonals between
    the axes: rays are shot only for points that would gain by them. `for_first_pair`: only for points that neither of
    the first two bases reaches; of all others only as much as the directions at hand show.
    """
    axes = np.array(directions[:6])
    limit = math.cos(math.radians(tilt_deg)) - 1e-6
    points = panel.rows
    normals = ground.mesh.normals[points]
    along = _along(normals, axes)
    off_table = along >= ON_TABLE
    reached: NDArray[np.bool_] = (
        np.array([seen[np.array(directions) @ base >= limit].any(axis=0) for base in axes]) & off_table
    )
    if for_first_pair:
        by_pair = reached[0] | reached[1]
        short = _reached(ground, panel, by_pair) < REACHED
        wanting = off_table & (short[panel.faces] & ~by_pair)
    else:
        shares = np.array([_reached(ground, panel, row) for row in reached])
        wanting = ~reached & off_table & (shares < REACHED)[:, panel.faces]
    own = (along >= limit) & off_table
    rows = np.flatnonzero((wanting & own).any(axis=0))
    free = rows[sight.free_along_normals(points[rows])]
    reached[:, free] |= own[:, free]
    left = np.flatnonzero((wanting & ~reached).any(axis=0))
    # Scouts speak for faces that nothing has seen yet; of the others every point counts.
    glimpsed = np.zeros(len(ground.part.faces), np.bool_)
    glimpsed[panel.faces[reached.any(axis=0)]] = True
    for way in _diagonals(axes):
        if for_first_pair:
            left = left[~reached[:2, left].any(axis=0)]
        if len(left) == 0:
            break
        inside = axes @ np.asarray(way) >= limit
        rows = left[(wanting[:, left] & ~reached[:, left])[inside].any(axis=0)]
        known = glimpsed[panel.faces[rows]]
        found = np.concatenate(
            [rows[known][sight.free_at(points[rows[known]], way)], sight.free_among(panel, rows[~known], way)]
        )
        glimpsed[panel.faces[found]] = True
        reached[:, found] |= inside[:, None] & off_table[:, found]
    return reached


def _diagonals(axes: NDArray[np.float64]) -> list[Triple]:
    """The 12 directions halfway between two axes and the 8 between three."""
    u, v, w = axes[0], axes[2], axes[4]
    steps = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if abs(a) + abs(b) + abs(c) > 1]
    return [unit((a * u + b * v + c * w).tolist()) for a, b, c in steps]


def _fewest(
    ground: Ground, panel: Panel, seen: NDArray[np.bool_], axes: tuple[Triple, ...]
) -> tuple[tuple[Triple, ...], tuple[int, ...]]:
    """The smallest set of axes that reaches all that all six reach, and the faces that even six do not.

    Every point belongs to one of 64 classes, the set of axes that see it; areas of faces by class answer for every
    set of axes at once. Of equally small sets the first in the order of `axes` is taken.
    """
    kind = (seen.astype(np.int64) << np.arange(6)[:, None]).sum(axis=0)
    by_class = np.bincount(
        panel.faces * 64 + kind, weights=panel.area_mm2, minlength=len(ground.part.faces) * 64
    ).reshape(-1, 64)
    need = REACHED * ground.face_area_mm2
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
