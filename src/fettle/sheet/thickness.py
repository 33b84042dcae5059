"""Thickness of a sheet from its two sides: faces back to back that share the same cut edges."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Plane
from fettle.recognize.graph import Graph, Region, coaxial, plane_of, rows_of
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM, SAME_ANGLE_DEG

SAME_THICKNESS_MM = 0.02
"""Two sides whose distance differs by less from the sheet's thickness are that sheet: what exporters round."""

NOT_OPPOSITE_COS = -0.5
"""Cosine of two normals above which planes are seen at once not to be back to back."""
FEW_PLANES = 100
"""Planes up to which plain numbers are quicker than arrays; on most parts they are a dozen."""
ROUNDING_MM = 1e-6
"""Far more than two ways to compute one distance differ by."""

Kind = tuple[type, bool | None]
"""Kind of a region's surface and, of round ones, whether it is convex."""


@dataclass(frozen=True, slots=True)
class SheetSides:
    """`partner`: of a region the one on the other side of the sheet, both ways."""

    thickness_mm: float
    partner: dict[int, int]


def find_sides(graph: Graph, body: int) -> SheetSides | None:
    """Thickness of a body's sheet: of all regions, weighted by area, the most frequent distance to the nearest region
    behind that shares a cut edge; None where no two lie back to back."""
    nearest: dict[int, tuple[float, int]] = {}
    beside = [
        {border.other for border in region.borders if border.sign is CONVEX and border.other >= 0}
        for region in graph.regions
    ]
    every = [_kind(region) for region in graph.regions]
    by_kind = [_by_kind(every, numbers) for numbers in beside]
    planes: dict[tuple[int, ...], _PlaneRegions] = {}  # the cut edges of a perforated sheet all have the same two sides
    for region in graph.regions:
        if region.body != body or not isinstance(region.surface, Plane | Cylinder | Cone):
            continue
        sides = tuple(sorted(beside[region.number]))
        if isinstance(region.surface, Plane):
            if sides not in planes:
                others = {one for side in sides for one in by_kind[side].get((Plane, None), ())}
                planes[sides] = _PlaneRegions(graph, others)
            found = planes[sides].nearest_behind(region)
        else:
            kind = type(region.surface), not region.convex
            found = _nearest_behind(graph, region, {one for side in sides for one in by_kind[side].get(kind, ())})
        if found is not None:
            nearest[region.number] = found
    if not nearest:
        return None
    thickness = _most_frequent(
        [(distance, graph.regions[number].area_mm2) for number, (distance, _) in nearest.items()]
    )
    partner = {
        number: other for number, (distance, other) in nearest.items() if abs(distance - thickness) < SAME_THICKNESS_MM
    }
    return SheetSides(thickness, partner)


def _kind(region: Region) -> Kind:
    return type(region.surface), None if isinstance(region.surface, Plane) else bool(region.convex)


def _by_kind(every: Sequence[Kind], numbers: Iterable[int]) -> dict[Kind, list[int]]:
    found: dict[Kind, list[int]] = defaultdict(list)
    for number in numbers:
        found[every[number]].append(number)
    return found


def _nearest_behind(graph: Graph, region: Region, others: Iterable[int]) -> tuple[float, int] | None:
    """Distance and number of the nearest of other regions behind one, the first of equals; None where none is."""
    distances = ((distance_behind(region, graph.regions[number]), number) for number in others)
    return min(((distance, number) for distance, number in distances if distance is not None), default=None)


class _PlaneRegions:
    """Plane regions among which the nearest behind others is looked for: thousands of times among thousands."""

    def __init__(self, graph: Graph, numbers: Iterable[int]) -> None:
        self._graph = graph
        self._numbers = sorted(numbers)

    @cached_property
    def _arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Normals and points, (k, 3) each."""
        regions = [self._graph.regions[number] for number in self._numbers]
        return rows_of([plane_of(region).normal for region in regions]), rows_of([region.point for region in regions])

    def nearest_behind(self, region: Region) -> tuple[float, int] | None:
        """As `_nearest_behind`, which is asked about those only that may be it where they are many."""
        normal = plane_of(region).normal
        if len(self._numbers) <= FEW_PLANES:
            x, y, z = normal.tolist()
            known = ((number, self._graph.planes[number]) for number in self._numbers)
            facing = [
                number
                for number, plane in known
                if plane is not None and plane[0] * x + plane[1] * y + plane[2] * z < NOT_OPPOSITE_COS
            ]
            return _nearest_behind(self._graph, region, facing)
        normals, points = self._arrays
        opposite = np.flatnonzero(normals @ normal < NOT_OPPOSITE_COS)
        distances_mm: NDArray[np.float64] = (region.point - points[opposite]) @ normal
        order = np.argsort(distances_mm, kind="stable")
        first = int(np.searchsorted(distances_mm[order], LOOSE_LENGTH_MM - ROUNDING_MM))
        best: tuple[float, int] | None = None
        for row in order[first:].tolist():
            if best is not None and distances_mm[row] > best[0] + ROUNDING_MM:
                break
            number = self._numbers[opposite[row]]
            distance = distance_behind(region, self._graph.regions[number])
            if distance is not None and (best is None or (distance, number) < best):
                best = distance, number
        return best


def distance_behind(region: Region, other: Region) -> float | None:
    """Distance in mm through the material to a parallel region on the other side; None where it is not one."""
    one, two = region.surface, other.surface
    distance = None
    if isinstance(one, Plane) and isinstance(two, Plane):
        if float(one.normal @ two.normal) < -COAXIAL_COS:
            distance = -float((other.point - region.point) @ one.normal)
    elif isinstance(one, Cylinder) and isinstance(two, Cylinder):
        if region.convex != other.convex and coaxial(one.origin, one.axis, two.origin, two.axis, LOOSE_LENGTH_MM):
            distance = one.radius_mm - two.radius_mm if region.convex else two.radius_mm - one.radius_mm
    elif isinstance(one, Cone) and isinstance(two, Cone) and region.convex != other.convex:
        distance = _cone_gap(one, two) if region.convex else _cone_gap(two, one)
    return distance if distance is not None and distance > LOOSE_LENGTH_MM else None


def _cone_gap(outer: Cone, inner: Cone) -> float | None:
    """Distance of two coaxial cones of one angle; None where they are not."""
    if (
        abs(outer.half_angle_deg - inner.half_angle_deg) > SAME_ANGLE_DEG
        or not coaxial(outer.origin, outer.axis, inner.origin, inner.axis, LOOSE_LENGTH_MM)
        or float(outer.axis @ inner.axis) < 0
    ):
        return None
    half = math.radians(outer.half_angle_deg)
    apart = float((inner.origin - outer.origin) @ outer.axis)
    return (outer.radius_mm + apart * math.tan(half) - inner.radius_mm) * math.cos(half)


def _most_frequent(weighted: list[tuple[float, float]]) -> float:
    """The value with the most weight within `SAME_THICKNESS_MM`, the smaller of equals."""
    values, weights = np.array(sorted(weighted)).T
    until = np.concatenate(([0.0], np.cumsum(weights)))
    above = np.searchsorted(values, values + SAME_THICKNESS_MM, side="left")
    below = np.searchsorted(values, values - SAME_THICKNESS_MM, side="right")
    best, best_weight = 0.0, -1.0
    for value, weight in zip(values.tolist(), (until[above] - until[below]).tolist(), strict=True):
        if weight > best_weight * (1 + 1e-9):
            best, best_weight = value, weight
    near = [(value, weight) for value, weight in weighted if abs(value - best) < SAME_THICKNESS_MM]
    return sum(value * weight for value, weight in near) / sum(weight for _, weight in near)
