"""Names and values within a sentence."""

from __future__ import annotations

from collections.abc import Sequence

UNITLESS = ("", "count", "ratio")
"""Units that are not written after a value."""


def in_sentence(name: str) -> str:
    """The name without its capital, unless it is an abbreviation: `sheet metal`, `CNC machining`."""
    return name if name[1:2].isupper() else name[:1].lower() + name[1:]


def with_unit(value: float, unit: str) -> str:
    """Three significant digits, whole numbers in full, never an exponent: `0.4 mm`, `1,240 mm2`, `3`."""
    shown = f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"
    return shown if unit in UNITLESS else f"{shown} {unit}"


def joined(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
