"""Cycle of an injection molding machine: fill, cool, open and close.

Fill and reset: Boothroyd, Dewhurst, Knight, chapter 8. Cooling: the wall as a plate between two faces of the mold
(Ballman and Shusterman), the first term of the series for its middle.
"""

from __future__ import annotations

import math

LEAST_COOLING_S = 3.0
"""Thin walls cool faster than the gate freezes (the book's least value)."""
FILL_FACTOR = 2.0
"""The flow falls from its full rate to nothing while the mold fills: half of it on average."""
RESET_S, RESET_DRY_CYCLES, EXTRA_STROKE_CM = 1.0, 1.75, 5.0
"""Resetting: a second of dwell, and the dry cycle shortened to a stroke of twice the depth and 5 cm."""


def cooling_s(
    wall_mm: float, diffusivity_mm2_s: float, melt_deg_c: float, mold_deg_c: float, ejection_deg_c: float
) -> float:
    """Time until the middle of a wall has cooled to the temperature of ejection."""
    excess = 4.0 / math.pi * (melt_deg_c - mold_deg_c) / (ejection_deg_c - mold_deg_c)
    return wall_mm**2 / (math.pi**2 * diffusivity_mm2_s) * math.log(excess)


def fill_s(shot_cm3: float, pressure_bar: float, power_kw: float) -> float:
    """Time to inject a shot at the machine's power; 1 bar cm3 is 0.1 J."""
    return FILL_FACTOR * shot_cm3 * pressure_bar * 0.1 / (power_kw * 1000.0)


def reset_s(dry_cycle_s: float, depth_cm: float, stroke_cm: float) -> float:
    """Time to open the mold, eject the parts and close it."""
    return RESET_S + RESET_DRY_CYCLES * dry_cycle_s * math.sqrt(
        min(1.0, (2.0 * depth_cm + EXTRA_STROKE_CM) / stroke_cm)
    )
