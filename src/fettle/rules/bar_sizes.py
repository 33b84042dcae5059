"""Diameters of round bar that dealers stock."""

from __future__ import annotations

from bisect import bisect_left

SLACK_MM = 0.011
"""Difference between a bar and a drawn diameter that counts as none: h9 of thin drawn bar is coarser."""

BARS_MM = (
    *(0.5 * step for step in range(2, 21)),
    *(float(step) for step in range(11, 41)),
    *(float(step) for step in (42, 45, 48, 50, 52, 55, 56, 58, 60, 63, 65, 70, 75, 80, 85, 90, 95, 100)),
    *(float(step) for step in range(110, 310, 10)),
)
"""Bright drawn and peeled round bar (EN 10278 names the tolerances; dealers' lists of 1.4305, C45 and EN AW-6082 name
these diameters)."""


def next_bar_mm(diameter_mm: float) -> float | None:
    """The smallest bar that a diameter is turned from, that of its own size included; None beyond the table."""
    place = bisect_left(BARS_MM, diameter_mm - SLACK_MM)
    return BARS_MM[place] if place < len(BARS_MM) else None
