"""Positions in which a seeded fault must be found and a sound part left alone."""

from __future__ import annotations

from typing import Any

import numpy as np

TURNS = {"straight": None, "turned": (3, 127.0), "turned again": (8, 61.0)}
"""Seed of a random axis and angle in degrees, by name; None leaves the part as it is."""


def in_position(tree: dict[str, Any], turn: tuple[int, float] | None) -> dict[str, Any]:
    """CSG tree of the part as it is, or rotated about a random axis."""
    if turn is None:
        return tree
    axis = np.random.default_rng(turn[0]).normal(size=3)
    return {"turn": {"of": tree, "axis": axis.tolist(), "deg": turn[1]}}
