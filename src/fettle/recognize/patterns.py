"""Patterns: equal holes or slots on a circle, a line or a grid, as people dimension them.

Patterns are found among the features and claim no faces; every member stays a feature of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part
from fettle.recognize.feature import Feature, Triple
from fettle.recognize.graph import frame, triple
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.pattern import Pattern
from fettle.recognize.tolerances import LOOSE_LENGTH_MM

LEAST_COUNT = 3
"""Two equal holes are a pair, not a pattern."""
SAME_TURN_DEG = 0.05
"""Difference between two angles of a pattern on a circle."""
SAME_SIZE_MM, OFF_GRID = 1e-3, 0.29
"""Sizes are equal in steps of this; the steps are shifted so that no size that people draw lies between two of them."""
MAX_ROWS = 400
"""Most members, left over from circles and grids, among which rows are looked for one by one."""
Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Equal features: their places in the list, positions (k, 3), and the normal of the plane that they lie in."""

    kind: str
    members: tuple[int, ...]
    points: Points
    normal: Points

    def part(self, places: Sequence[int]) -> _Group:
        return _Group(self.kind, tuple(self.members[place] for place in places), self.points[list(places)], self.normal)


def find_patterns(part: Part, features: Sequence[Feature]) -> tuple[Pattern, ...]:
    """Every pattern of holes and slots, by the first of its members."""
    found: list[Pattern] = []
    centers = np.array([one.position_mm for one in features if isinstance(one, Hole)]).reshape(-1, 3)
    for group in _groups(part, features):
        found.extend(_patterns(group, centers))
    return tuple(sorted(found, key=lambda one: (min(one.features), one.form)))


def _groups(part: Part, features: Sequence[Feature]) -> list[_Group]:
    """Features of one kind, size and direction whose positions lie in one plane across it."""
    groups: dict[tuple[object, ...], list[tuple[int, Points]]] = {}
    normals: dict[tuple[object, ...], Points] = {}
    for number, one in enumerate(features):
        if isinstance(one, Hole):
            axis = _unsigned(np.array(one.axis))
            sizes = [one.diameter_mm, one.depth_mm, one.total_depth_mm, one.extent_deg]
            stages = tuple((stage.type, *_rounded((stage.diameter_mm, stage.depth_mm))) for stage in one.stages)
            middle = np.array(one.position_mm) + np.array(one.axis) * one.total_depth_mm / 2
            key = (one.kind, one.through, *_rounded(sizes), stages, *_rounded(axis.tolist()))
        elif isinstance(one, Slot) and one.end_type != "ring":
            middle = _middle(part, one)
            normal = (
                np.array(one.axis)
                if one.curve_radius_mm is not None
                else part.faces[one.floor_face].normal
                if one.floor_face is not None
                else np.cross(np.array(one.axis), part.faces[one.faces[0]].normal)
            )
            axis = _unsigned(normal)
            sizes = [one.width_mm, one.depth_mm, one.length_mm]
            key = (one.kind, one.through, one.end_type, *_rounded(sizes), *_rounded(axis.tolist()))
        else:
            continue
        key = (*key, *_rounded([float(middle @ axis) / 10]))
        groups.setdefault(key, []).append((number, middle))
        normals[key] = axis
    return [
        _Group(str(key[0]), tuple(n for n, _ in rows), np.array([point for _, point in rows]), normals[key])
        for key, rows in groups.items()
        if len(rows) >= LEAST_COUNT
    ]


def _middle(part: Part, feature: Feature) -> Points:
    """Center of gravity of a feature's faces."""
    areas = np.array([part.faces[face].area_mm2 for face in feature.faces])
    middle: Points = areas @ np.array([part.faces[face].centroid for face in feature.faces]) / areas.sum()
    return middle


def _unsigned(axis: Points) -> Points:
    """The direction or its opposite, whichever has its first large component positive."""
    lead = int(np.argmax(np.abs(axis) > 0.5))
    return axis if axis[lead] > 0 else -axis


def _rounded(values: Iterable[float]) -> tuple[int, ...]:
    return tuple(round(value / SAME_SIZE_MM + OFF_GRID) for value in values)


def _patterns(group: _Group, centers: Points) -> list[Pattern]:
    """The group as one pattern, else circles about holes in it, then grids, then rows of what is left."""
    flat, about = _flat(group, group.points), _flat(group, centers)
    middle = (flat.min(axis=0) + flat.max(axis=0)) / 2
    centered = bool((np.hypot(*(about - flat.mean(axis=0)).T) < LOOSE_LENGTH_MM).any())
    square = len(flat) == 4 and not centered
    whole = (
        (None if square else _circle(group, flat, flat.mean(axis=0)))
        or _grid(group, flat)
        or _circle(group, flat, flat.mean(axis=0))
    )
    if whole is not None:
        return [whole]
    found: list[Pattern] = []
    left = list(range(len(flat)))
    for center in [*_distinct(about), middle, flat.mean(axis=0)]:
        for ring in _rings(flat, left, center):
            pattern = _circle(group.part(ring), flat[ring], center)
            if pattern is not None:
                found.append(pattern)
                gone = set(ring)
                left = [place for place in left if place not in gone]
    if len(left) >= LEAST_COUNT:
        grid = _grid(group.part(left), flat[left])
        if grid is not None:
            return [*found, grid]
        found.extend(_rows(group, flat, left))
    return found


def _flat(group: _Group, points: Points) -> Points:
    """Points (k, 3) in the plane of a group, (k, 2)."""
    across, up = frame(group.normal)
    return np.column_stack([points @ across, points @ up])


def _distinct(points: Points) -> list[Points]:
    known: dict[tuple[int, ...], Points] = {}
    for point in points:
        known.setdefault(_rounded(point.tolist()), point)
    return list(known.values()) if len(known) <= MAX_ROWS else []


def _rings(flat: Points, left: Sequence[int], center: Points) -> list[list[int]]:
    """Places at one distance from a center, three and more, the largest number first."""
    away = np.hypot(*(flat[list(left)] - center).T)
    steps = np.rint(away / LOOSE_LENGTH_MM).astype(np.int64)
    steps[away <= LOOSE_LENGTH_MM] = -1
    distances, count = np.unique(steps, return_counts=True)
    full = distances[(count >= LEAST_COUNT) & (distances >= 0)]
    rings = [[left[place] for place in np.flatnonzero(steps == step).tolist()] for step in full.tolist()]
    return sorted(rings, key=lambda ring: (-len(ring), ring))


def _circle(group: _Group, flat: Points, center: Points) -> Pattern | None:
    """Members at one distance from a center with equal angles between them, all round."""
    away = flat - center
    radii = np.hypot(*away.T)
    if len(flat) < LEAST_COUNT or float(np.ptp(radii)) > LOOSE_LENGTH_MM or float(radii.mean()) < LOOSE_LENGTH_MM:
        return None
    angles = np.degrees(np.arctan2(away[:, 1], away[:, 0])) % 360.0
    order = np.argsort(angles, kind="stable")
    gaps = np.diff(np.append(angles[order], angles[order[0]] + 360.0))
    if float(np.ptp(gaps)) > SAME_TURN_DEG:
        return None
    return Pattern(
        kind=group.kind,
        form="circle",
        features=tuple(group.members[place] for place in order.tolist()),
        center_mm=_center(group),
        diameter_mm=2 * float(radii.mean()),
        pitch_deg=360.0 / len(flat),
    )


def _grid(group: _Group, flat: Points) -> Pattern | None:
    """Members at every crossing of evenly spaced rows and columns; of one row only, a line."""
    if len(flat) < LEAST_COUNT:
        return None
    away = np.hypot(*(flat[1:] - flat[0]).T)
    nearest = int(away.argmin())
    if float(away[nearest]) < LOOSE_LENGTH_MM:
        return None
    way = (flat[1 + nearest] - flat[0]) / float(away[nearest])
    square = np.array([-way[1], way[0]])
    along, across = (_levels(flat @ way), _levels(flat @ square))
    if along is None or across is None:
        return None
    (columns, pitch, x), (rows, row_pitch, y) = along, across
    if columns * rows != len(flat) or len({*zip(x, y, strict=True)}) != len(flat):
        return None
    if rows > columns:
        columns, rows, pitch, row_pitch, x, y = rows, columns, row_pitch, pitch, y, x
    order = sorted(range(len(flat)), key=lambda place: (y[place], x[place]))
    line = rows == 1
    return Pattern(
        kind=group.kind,
        form="line" if line else "grid",
        features=tuple(group.members[place] for place in order),
        center_mm=_center(group),
        pitch_mm=pitch,
        row_pitch_mm=None if line else row_pitch,
        rows=None if line else rows,
        columns=None if line else columns,
    )


def _levels(values: Points) -> tuple[int, float, list[int]] | None:
    """Number of evenly spaced levels that values lie on, their pitch, and the level of each; None if uneven."""
    ordered = np.sort(values)
    steps = np.diff(ordered)
    pitches = steps[steps > LOOSE_LENGTH_MM]
    if len(pitches) == 0:
        return 1, 0.0, [0] * len(values)
    if float(np.ptp(pitches)) > LOOSE_LENGTH_MM:
        return None
    pitch = float(ordered[-1] - ordered[0]) / len(pitches)
    return len(pitches) + 1, pitch, np.rint((values - ordered[0]) / pitch).astype(int).tolist()


def _rows(group: _Group, flat: Points, left: Sequence[int]) -> list[Pattern]:
    """Lines of three and more with one pitch, the longest first."""
    found: list[Pattern] = []
    waiting = list(left) if len(left) <= MAX_ROWS else []
    while len(waiting) >= LEAST_COUNT:
        best = max((_row(flat, waiting, start) for start in waiting), key=len)
        if len(best) < LEAST_COUNT:
            break
        pattern = _grid(group.part(best), flat[best])
        if pattern is not None:
            found.append(pattern)
        gone = set(best)
        waiting = [place for place in waiting if place not in gone]
    return found


def _row(flat: Points, waiting: Sequence[int], start: int) -> list[int]:
    """The places that follow one another from a start by the way to its nearest neighbor."""
    others = np.array([place for place in waiting if place != start])
    nearest = int(others[np.hypot(*(flat[others] - flat[start]).T).argmin()])
    way = flat[nearest] - flat[start]
    row = [start]
    while True:
        there = flat[row[-1]] + way
        away = np.hypot(*(flat[others] - there).T)
        if float(away.min()) > LOOSE_LENGTH_MM or int(others[away.argmin()]) in row:
            return row
        row.append(int(others[away.argmin()]))


def _center(group: _Group) -> Triple:
    return triple(group.points.mean(axis=0))
