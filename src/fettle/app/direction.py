"""How a direction is written for people: `+Z`, or its three numbers."""

from __future__ import annotations

from collections.abc import Sequence

_NAMES = {
    tuple(float(sign * (axis == k)) for k in range(3)): f"{'+' if sign > 0 else '−'}{name}"
    for axis, name in enumerate("XYZ")
    for sign in (1, -1)
}


def name_direction(direction: Sequence[float]) -> str:
    rounded = tuple(round(along, 3) + 0.0 for along in direction)
    return _NAMES.get(rounded) or ", ".join(f"{along:g}" for along in rounded)
