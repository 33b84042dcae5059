"""Making of an injection mold: hours of the tool room and size of the mold base.

Boothroyd, Dewhurst, Knight, Product Design for Manufacture and Assembly, chapter 8 (mold cost estimation). Areas in
cm2 and lengths in cm, as the book's formulas have them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

EJECTION_HOURS = 2.5
"""Hours of the ejection system for a part of 1 cm2 projected area; they grow with its square root."""
POINTS_BASE_HOURS, POINTS_HOURS, POINTS_EXPONENT = 5.0, 0.085, 1.2
"""Hours to cut and finish cavity and core of a part without detail, by its projected area."""
PATCH_COMPLEXITY = 0.1
"""Complexity that one patch of surface adds."""
COMPLEXITY_HOURS, COMPLEXITY_EXPONENT = 5.83, 1.27
"""Hours for the form of cavity and core, by their complexity together."""
SIDE_PULL_HOURS, LIFTER_HOURS, UNSCREWING_HOURS = 65.0, 150.0, 250.0
"""Hours of one side pull, one internal lifter, one unscrewing device."""
CAVITY_EXPONENT = 0.7
"""Hours of n cavities are those of one times n to this power: the others repeat the first."""
CLEARANCE_CM = 7.5
"""Least plate around a cavity: to its neighbors, to the edges and behind it."""
PLATE_EXPONENT = 0.4
"""The price of a mold base grows with the area of its plates and their thickness to this power."""


@dataclass(frozen=True, slots=True)
class MoldHours:
    """Hours of the tool room for one cavity, by what they are spent on; `side_pulls`, `lifters`, `unscrewing`: of all
    of each together."""

    ejection: float
    points: float
    form: float
    side_pulls: float
    lifters: float
    unscrewing: float

    @property
    def total(self) -> float:
        return self.ejection + self.points + self.form + self.side_pulls + self.lifters + self.unscrewing


def mold_hours(area_cm2: float, patches: int, side_pulls: int, lifters: int, unscrewing: int) -> MoldHours:
    """Hours for a mold of one cavity. `area_cm2`: projected along the opening; `patches`: surfaces inside and outside,
    without the blends between them."""
    return MoldHours(
        ejection=EJECTION_HOURS * math.sqrt(area_cm2),
        points=POINTS_BASE_HOURS + POINTS_HOURS * area_cm2**POINTS_EXPONENT,
        form=COMPLEXITY_HOURS * (PATCH_COMPLEXITY * patches) ** COMPLEXITY_EXPONENT,
        side_pulls=SIDE_PULL_HOURS * side_pulls,
        lifters=LIFTER_HOURS * lifters,
        unscrewing=UNSCREWING_HOURS * unscrewing,
    )


def cavities_factor(cavities: int) -> float:
    """Hours of a mold of so many cavities over those of one."""
    return math.pow(cavities, CAVITY_EXPONENT)


def plate_cm2(part_cm: tuple[float, float], cavities: int) -> float:
    """Area of the plates: cavities in a grid as square as their number allows, clearance between and around them."""
    rows = grid_rows(cavities)
    columns = cavities // rows
    long, short = max(part_cm), min(part_cm)
    length = rows * long + (rows + 1) * CLEARANCE_CM
    width = columns * short + (columns + 1) * CLEARANCE_CM
    return length * width


def plates_cm(depth_cm: float) -> float:
    """Thickness of cavity and core plate together: the depth of the part and clearance behind either side."""
    return depth_cm + 2.0 * CLEARANCE_CM


def base_size(plate_area_cm2: float, plates_thickness_cm: float) -> float:
    """What the price of the mold base grows with, cm2 times cm to the power 0.4."""
    return plate_area_cm2 * math.pow(plates_thickness_cm, PLATE_EXPONENT)


def grid_rows(cavities: int) -> int:
    """Rows of the most square grid of so many cavities; the long sides of the parts run across the rows."""
    return max(rows for rows in range(1, math.isqrt(cavities) + 1) if cavities % rows == 0)
