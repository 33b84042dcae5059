"""A turned part as plain data: its axis, and its profile as lines and arcs in (z, r)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Surface, Vector

Point = tuple[float, float]
"""(z, r): along the axis and from it, mm."""


# not frozen, and so several times faster to make: one of every round face is
@dataclass(slots=True, eq=False)
class Segment:
    """A surface of revolution as the line or arc that it has in a plane through the axis.

    `regions`: of the face graph, pieces that other cuts have left of one surface; `faces`: theirs. `start` and `end` in
    the order of the profile. `center` and `radius_mm`: of an arc, None for a line. `convex`: as the face's; None for a
    flat ring. `faces_up`: a flat ring looks towards growing z. `extent_deg`: angle about the axis that is left of it.
    """

    surface: Surface
    regions: tuple[int, ...]
    faces: tuple[int, ...]
    start: Point
    end: Point
    center: Point | None
    radius_mm: float | None
    convex: bool | None
    faces_up: bool | None
    extent_deg: float
    area_mm2: float

    @property
    def low_mm(self) -> float:
        """Least z."""
        return min(self.start[0], self.end[0])

    @property
    def high_mm(self) -> float:
        """Largest z."""
        return max(self.start[0], self.end[0])

    @property
    def inner_mm(self) -> float:
        """Least distance of its ends from the axis."""
        return min(self.start[1], self.end[1])

    @property
    def outer_mm(self) -> float:
        """Largest distance of its ends from the axis."""
        return max(self.start[1], self.end[1])


@dataclass(frozen=True, slots=True)
class AxisShare:
    """An axis that round surfaces share: unit direction, a point on it in mm, and the share of the part's area that is
    of revolution or toothed about it, 0 to 1."""

    direction: tuple[float, float, float]
    position_mm: tuple[float, float, float]
    area_fraction: float


@dataclass(frozen=True, slots=True)
class LiveFeature:
    """A feature that is not turned: made by driven tools of the lathe, or in a milling set-up.

    `feature`: its place in the list of features. `what`: cross_hole, axial_hole, keyway, flat, slot, pocket, boss,
    gear or eccentric_step. `z_mm`: along the axis. `angle_deg`: about the axis, right-handed, from the feature that
    the others are counted from, 0 to below 360 (below 180 for holes that go through); None for what has no direction.
    """

    feature: int
    what: str
    z_mm: float
    angle_deg: float | None


@dataclass(frozen=True, slots=True, eq=False)
class TurnedPart:
    """`origin`: where the axis enters the end at z 0; `axis`: unit direction of growing z.

    `axes`: this axis first, with its share of the area. `length_mm`: of the part along the axis; `diameter_mm`: of the
    round bar that holds it. `outside`, `inside`: the profile, by growing z.
    """

    origin: Vector
    axis: Vector
    axes: tuple[AxisShare, ...]
    length_mm: float
    diameter_mm: float
    outside: tuple[Segment, ...]
    inside: tuple[Segment, ...]

    def heights_and_radii(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """z and r, (k,) each, of points (k, 3)."""
        away = points - self.origin
        height = away @ self.axis
        return height, np.linalg.norm(away - height[:, None] * self.axis, axis=1)
