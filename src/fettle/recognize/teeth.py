"""Teeth around an axis: gears, splines and knurls, as rings of equal faces that touch each other all round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, CylinderOrCone, Part, Torus
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import frame, rows_of
from fettle.recognize.signs import CONCAVE

MIN_TEETH = 6
"""Fewest equal teeth about one axis: a spline shaft of ISO 14 has 6, 8 or 10."""
MANY_TEETH = 10
"""Teeth from which a ring of them is toothed whatever their form; fewer may be lugs, flats or castellations that are
milled one by one, so they must be those of a spline."""
SPLINE_FACES = 3
"""Least number of faces that each of few teeth has: two flanks and a tip or root. A hexagon socket has one, a
hexalobular one two."""
ALONG = 0.1
"""Largest component along the axis of the normal of a spline's faces; castellations have tops that look along it."""
MAX_TOOTH_HEIGHT = 1.0
"""Largest height of a tooth over its circular pitch: 2.25 / pi = 0.72 on an involute gear."""
MAX_KNURL_PITCH_MM = 1.6
"""Coarsest pitch of knurls (DIN 82). Knurls may run in a throat, so not their radii but their flanks are measured."""
MAX_KNURL_FLANK = 2.0
"""Largest breadth of a knurl's flank over its pitch: 0.7 at 90 degrees, more on teeth that lean to feed a filament."""
SAME_AREA = 0.03
"""Relative difference of area up to which two faces are equal: areas of small freeform faces come from their mesh."""
SAME_PLACE_MM = 0.02
"""Distance within which two radii, heights or positions are the same; that of tessellated centers of area."""
SAME_ANGLE = 0.1
"""Difference of two gaps between teeth, as a share of the mean gap, up to which they are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class ToothedRing:
    """Teeth about an axis. `count`: number of teeth; `low_radius_mm`, `high_radius_mm`: of their faces; `flanks_only`:
    the flanks meet in edges, without faces at tips or roots; `hollow`: concave edges or hollow faces lie between the
    teeth, else it is a polygon; `internal`: the teeth stand inwards, around a bore."""

    faces: frozenset[int]
    origin: NDArray[np.float64]
    axis: NDArray[np.float64]
    count: int
    low_radius_mm: float
    high_radius_mm: float
    flanks_only: bool
    hollow: bool
    internal: bool

    @property
    def tip_radius_mm(self) -> float:
        """Radius of the tips: the smaller one of teeth that stand inwards."""
        return self.low_radius_mm if self.internal else self.high_radius_mm

    @property
    def pitch_mm(self) -> float:
        """Circular pitch at the tips."""
        return 2.0 * float(np.pi) * self.tip_radius_mm / self.count


def find_toothed_rings(
    part: Part, drilled: frozenset[int], axis: tuple[NDArray[np.float64], NDArray[np.float64]] | None = None
) -> list[ToothedRing]:
    """Rings of teeth: equal faces about one axis that make a closed ring and are no higher than their pitch. `axis`:
    origin and direction of the only axis to look at, None for those of the part's round faces."""
    by_area: dict[tuple[str, int], list[int]] = defaultdict(list)
    order = sorted(set(range(len(part.faces))) - drilled, key=lambda one: part.faces[one].area_mm2)
    step, last = 0, 0.0
    for number in order:
        face = part.faces[number]
        if face.area_mm2 > last * (1.0 + SAME_AREA):
            step, last = step + 1, face.area_mm2
        by_area[type(face.surface).__name__, step].append(number)
    equal = [numbers for numbers in by_area.values() if len(numbers) >= MIN_TEETH]
    if not equal:
        return []
    alike = np.repeat(np.arange(len(equal)), [len(numbers) for numbers in equal])
    numbers = np.concatenate(equal)
    centers = rows_of([part.faces[number].centroid for number in numbers.tolist()])
    found: list[ToothedRing] = []
    for origin, way in [axis] if axis is not None else _axes(part):
        rings: dict[int, int] = {}
        for rows in _rings(alike, centers - origin, way):
            ring = numbers[rows].tolist()
            rings.update(dict.fromkeys(ring, len(ring)))
        if rings:
            found += _closed_rings(part, rings, origin, way)
    return found


MAX_AXES = 16
"""Axes about which rings of teeth are looked for."""


def _axes(part: Part) -> list[tuple[NDArray[np.float64], NDArray[np.float64]]]:
    """Distinct axes of round faces that close about them, the largest face first."""
    lines: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    faces = [face for face in part.faces if isinstance(face.surface, Cylinder | Cone | Torus)]
    for face in sorted(faces, key=lambda one: -one.area_mm2):
        surface = face.surface
        if isinstance(surface, CylinderOrCone):
            lines.append((surface.origin, surface.axis))
        elif isinstance(surface, Torus):
            lines.append((surface.center, surface.axis))
    found: list[tuple[NDArray[np.float64], NDArray[np.float64]]] = []
    origins, ways = (rows_of([line[k] for line in lines]) for k in (0, 1))
    left = np.arange(len(lines))
    while len(left) and len(found) < MAX_AXES:
        found.append(lines[left[0]])
        left = left[~_same_axes(*found[-1], origins[left], ways[left])]
    return found


def _same_axes(
    origin: NDArray[np.float64],
    axis: NDArray[np.float64],
    origins: NDArray[np.float64],
    ways: NDArray[np.float64],
) -> NDArray[np.bool_]:
    """Which of k axes, of some origins (k, 3) and directions (k, 3), are the given one, shape (k,)."""
    offset = origin - origins
    along = np.einsum("ij,ij->i", offset, ways)
    across = np.linalg.norm(offset - along[:, None] * ways, axis=1)
    same: NDArray[np.bool_] = (np.abs(ways @ axis) > 1.0 - 1e-6) & (across < SAME_PLACE_MM)
    return same


def _rings(
    alike: NDArray[np.int64], offset: NDArray[np.float64], axis: NDArray[np.float64]
) -> Iterator[NDArray[np.int64]]:
    """Rows of at least `MIN_TEETH` equal faces whose centers of area lie at one radius and height and map to each other
    when turned by one pitch. alike (n,): number of the group of equal faces; offset (n, 3): centers from the axis."""
    along = offset @ axis
    across, up = frame(axis)
    x, y = offset @ across, offset @ up
    radius = np.hypot(x, y)
    for at_radius in _near_values(radius, alike, np.arange(len(alike))):
        for members in _near_values(along, alike, at_radius):
            mean_mm = float(radius[members].mean())
            if mean_mm > SAME_PLACE_MM and _even(np.arctan2(y[members], x[members]), mean_mm):
                yield members


def _near_values(
    values: NDArray[np.float64], alike: NDArray[np.int64], rows: NDArray[np.int64]
) -> list[NDArray[np.int64]]:
    """Rows (k,) in groups of at least `MIN_TEETH` that are alike and whose values follow each other within
    `SAME_PLACE_MM`."""
    ordered = rows[np.lexsort((values[rows], alike[rows]))]
    near, group = values[ordered], alike[ordered]
    apart = (near[1:] - near[:-1] > SAME_PLACE_MM) | (group[1:] != group[:-1])
    starts = [0, *(apart.nonzero()[0] + 1).tolist()]
    spans = zip(starts, [*starts[1:], len(ordered)], strict=True)
    return [np.sort(ordered[start:end]) for start, end in spans if end - start >= MIN_TEETH]


def _even(angle: NDArray[np.float64], radius_mm: float) -> bool:
    """Whether positions about an axis repeat after one pitch: one, or a left and a right face, in each."""
    ordered = np.sort(angle)
    gaps = np.diff(np.concatenate([ordered, ordered[:1] + 2.0 * np.pi]))
    slack = max(SAME_ANGLE * 2.0 * np.pi / len(gaps), SAME_PLACE_MM / radius_mm)
    single = bool(np.ptp(gaps) <= slack)
    paired = len(gaps) % 2 == 0 and bool(np.ptp(gaps[::2]) <= slack and np.ptp(gaps[1::2]) <= slack)
    return single or (paired and len(gaps) >= 2 * MIN_TEETH)


def _closed_rings(
    part: Part, rings: dict[int, int], origin: NDArray[np.float64], axis: NDArray[np.float64]
) -> list[ToothedRing]:
    """The rings that touch each other all round and are no higher than their pitch; `rings`: number of equal
    faces by face. Pockets on a circle do not touch each other."""
    pairs = [edge.faces for edge in part.edges if edge.faces[0] in rings and edge.faces[1] in rings]
    found: list[ToothedRing] = []
    for group in connected_groups(rings, pairs):
        count = max(rings[face] for face in group)
        teeth = count // 2 if count >= 2 * MIN_TEETH and _paired(group, rings, count) else count
        if len(group) < MIN_TEETH or sum(rings[face] == count for face in group) < count:
            continue
        if teeth < MANY_TEETH and not _is_spline(part, group, teeth, axis):
            continue
        points = np.concatenate([outline_points(part, face) for face in group]) - origin
        radial = np.linalg.norm(points - np.outer(points @ axis, axis), axis=1)
        pitch_mm = 2.0 * np.pi * float(radial.max()) / teeth
        is_knurl = pitch_mm <= MAX_KNURL_PITCH_MM and all(
            _breadth_mm(part, face) <= MAX_KNURL_FLANK * pitch_mm for face in group
        )
        if is_knurl or float(np.ptp(radial)) <= MAX_TOOTH_HEIGHT * pitch_mm:
            sizes = {rings[face] for face in group}
            inside = frozenset(group)
            hollows = sum(edge.convexity is CONCAVE and inside.issuperset(edge.faces) for edge in part.edges)
            # one group of equal flanks has a left and a right one for each tooth
            halved = len(group) == count and 2 * hollows == count
            found.append(
                ToothedRing(
                    faces=inside,
                    origin=origin,
                    axis=axis,
                    count=count // 2 if halved else teeth,
                    low_radius_mm=float(radial.min()),
                    high_radius_mm=float(radial.max()),
                    flanks_only=halved or (len(group) == 2 * teeth and sizes == {count}),
                    hollow=hollows > 0 or any(part.faces[face].convex is False for face in group),
                    internal=_looks_inward(part, group, origin, axis),
                )
            )
    return found


def _is_spline(part: Part, group: Sequence[int], teeth: int, axis: NDArray[np.float64]) -> bool:
    """Whether few teeth have flanks as well as tips or roots, all of them along the axis."""
    return len(group) >= SPLINE_FACES * teeth and all(
        abs(float(part.faces[face].normal @ axis)) < ALONG for face in group
    )


def _looks_inward(part: Part, group: Sequence[int], origin: NDArray[np.float64], axis: NDArray[np.float64]) -> bool:
    """Whether the faces of teeth look towards the axis, by area."""
    total = 0.0
    for face in (part.faces[number] for number in group):
        away = face.point - origin
        away = away - float(away @ axis) * axis
        total += face.area_mm2 * float(face.normal @ away) / max(float(np.linalg.norm(away)), SAME_PLACE_MM)
    return total < 0


def _paired(group: Iterable[int], rings: dict[int, int], count: int) -> bool:
    """Whether half as many faces as flanks (tips or roots) are in the ring as well."""
    return any(2 * rings[face] == count for face in group)


def _breadth_mm(part: Part, face: int) -> float:
    """About how wide a face is: the width of the strip of its area and half its outline."""
    outline = sum(part.edges[edge].length_mm for loop in part.faces[face].loops for edge in loop.edges)
    return 2.0 * part.faces[face].area_mm2 / outline if outline > 0 else 0.0


def outline_points(part: Part, face: int) -> NDArray[np.float64]:
    """Points (k, 3) of a face's edges and one inside it."""
    edges = [part.edges[edge].points for loop in part.faces[face].loops for edge in loop.edges]
    return np.concatenate([*edges, part.faces[face].point[None]])
