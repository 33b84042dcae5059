"""Length units that a caller may name for a file that carries none, in millimeters."""

from __future__ import annotations

from fettle.errors import BadRequest

UNITS_MM = {"m": 1000.0, "mm": 1.0, "cm": 10.0, "in": 25.4}


def millimeters_per(unit: str) -> float:
    """Millimeters in one `unit`; refuses a unit that is none of `UNITS_MM`."""
    if unit not in UNITS_MM:
        raise BadRequest(f"units must be one of {', '.join(UNITS_MM)}; it is {unit[:40]!r}.")
    return UNITS_MM[unit]
