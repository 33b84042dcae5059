"""Rounding of what was measured on a mesh: the mesh of a part that was turned or mirrored gives slightly other values,
and no price may change with them."""

from __future__ import annotations

import math

WALL_DIGITS = 2
"""Significant digits of wall thicknesses, supports and cores, which sample points measure to about a hundredth."""
AREA_DIGITS = 3
"""Significant digits of areas that are sums over the whole surface."""


def to_digits(value: float, digits: int) -> float:
    """A value with so many significant digits."""
    if value == 0.0 or not math.isfinite(value):
        return value
    return round(value, digits - 1 - math.floor(math.log10(abs(value))))
