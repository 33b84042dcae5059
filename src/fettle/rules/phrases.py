"""Names and values within a sentence."""

from __future__ import annotations

from collections.abc import Sequence

UNITLESS = ("", "count", "ratio")
"""Units that are not written after a value."""
MOST_DIGITS = 9


def in_sentence(name: str) -> str:
    """The name without its capital, unless it is an abbreviation: `sheet metal`, `CNC machining`."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def with_unit(value: float, unit: str, digits: int = 3) -> str:
    """Three significant digits, large numbers in full, never an exponent: `0.4 mm`, `1,240 mm2`, `3`."""
    shown = f"{value:,.0f}" if abs(value) >= 10**digits else f"{value:.{digits}g}"
    return shown if unit in UNITLESS else f"{shown} {unit}"


def against(value: float, threshold: float, unit: str) -> str:
    """A value and the limit that it misses, with as many digits as tell them apart: `0.4 mm, at least 1.5 mm`; of what
    there may be none only the number."""
    if value == threshold or (unit == "count" and threshold == 0.0):
        return with_unit(value, unit)
    digits = 3
    while digits < MOST_DIGITS and with_unit(value, unit, digits) == with_unit(threshold, unit, digits):
        digits += 1
    side = "at least" if value < threshold else "at most"
    return f"{with_unit(value, unit, digits)}, {side} {with_unit(threshold, unit, digits)}"


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
