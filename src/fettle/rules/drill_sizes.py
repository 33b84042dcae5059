"""Standard drills up to 13 mm: metric by tenths (ISO 235, DIN 338), inch by 1/64, numbers and letters (ASME B94.11M).

Tap drills and clearance holes (ISO 2306, ISO 273) are sizes of these series.
"""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

NUMBER_DRILLS_INCH = (
    0.2280, 0.2210, 0.2130, 0.2090, 0.2055, 0.2040, 0.2010, 0.1990, 0.1960, 0.1935, 0.1910, 0.1890, 0.1850, 0.1820,
    0.1800, 0.1770, 0.1730, 0.1695, 0.1660, 0.1610, 0.1590, 0.1570, 0.1540, 0.1520, 0.1495, 0.1470, 0.1440, 0.1405,
    0.1360, 0.1285, 0.1200, 0.1160, 0.1130, 0.1110, 0.1100, 0.1065, 0.1040, 0.1015, 0.0995, 0.0980, 0.0960, 0.0935,
    0.0890, 0.0860, 0.0820, 0.0810, 0.0785, 0.0760, 0.0730, 0.0700, 0.0670, 0.0635, 0.0595, 0.0550, 0.0520, 0.0465,
    0.0430, 0.0420, 0.0410, 0.0400,
)  # fmt: skip
"""Numbers 1 to 60."""
LETTER_DRILLS_INCH = (
    0.234, 0.238, 0.242, 0.246, 0.250, 0.257, 0.261, 0.266, 0.272, 0.277, 0.281, 0.290, 0.295,
    0.302, 0.316, 0.323, 0.332, 0.339, 0.348, 0.358, 0.368, 0.377, 0.386, 0.397, 0.404, 0.413,
)  # fmt: skip
"""Letters A to Z."""
INCH_MM = 25.4
SMALL_MM = 3.0
"""Below this metric drills go by 0.05 mm."""


@cache
def _drills_mm() -> NDArray[np.float64]:
    small = np.arange(0.3, SMALL_MM, 0.05)
    large = np.arange(SMALL_MM, 14.05, 0.1)
    quarters = np.arange(3.25, 14.1, 0.25)
    fractions = np.arange(1, 34) / 64.0 * INCH_MM
    others = np.array(NUMBER_DRILLS_INCH + LETTER_DRILLS_INCH) * INCH_MM
    return np.unique(np.concatenate([small, large, quarters, fractions, others]).round(4))


def nearest_drill_mm(diameter_mm: float) -> float:
    """Diameter of the standard drill nearest to a diameter of up to 13 mm."""
    drills = _drills_mm()
    return float(drills[np.abs(drills - diameter_mm).argmin()])
