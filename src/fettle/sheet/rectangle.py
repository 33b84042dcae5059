"""The smallest rectangle around a flat pattern."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.sheet.plane_curves import Piece, PlaneMotion, bounds, sample

Array = NDArray[np.float64]

STEP_DEG = 3.0
FINALISTS = 4
"""Directions, best by points every 3 degrees of the arcs, whose rectangles are then measured exactly."""


def smallest_rectangle(pieces: Sequence[Piece]) -> PlaneMotion:
    """Rotation and shift that bring the smallest rectangle around the pieces to the origin, its long side along X.

    The rectangle of least area lies along a side of the convex hull; arcs are sampled finely enough to tell it, and
    its size is then measured exactly.
    """
    hull = _hull(sample(pieces, STEP_DEG))
    sides = np.roll(hull, -1, axis=0) - hull
    angles = np.unique((np.arctan2(sides[:, 1], sides[:, 0]) % (math.pi / 2)).round(12))
    x = np.cos(angles)[:, None] * hull[:, 0] + np.sin(angles)[:, None] * hull[:, 1]
    y = np.cos(angles)[:, None] * hull[:, 1] - np.sin(angles)[:, None] * hull[:, 0]
    areas = np.ptp(x, axis=1) * np.ptp(y, axis=1)
    near = angles[np.argsort(areas, kind="stable")][:FINALISTS]
    ranked = []
    for angle in near.tolist():
        turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
        box = bounds(PlaneMotion(turn, np.zeros(2)).pieces(pieces))
        width, height = (box[1] - box[0]).tolist()
        ranked.append((round(width * height, 6), round(min(angle, math.pi / 2 - angle), 9), angle, turn, box))
    _, _, _, turn, box = min(ranked, key=lambda one: one[:3])
    width, height = (box[1] - box[0]).tolist()
    if height > width + 1e-9:
        turn = np.array([[0.0, 1.0], [-1.0, 0.0]]) @ turn
        box = bounds(PlaneMotion(turn, np.zeros(2)).pieces(pieces))
    return PlaneMotion(turn, -box[0])


def _hull(points: Array) -> Array:
    """Corners (n, 2) of the convex hull, counterclockwise (monotone chain)."""
    ordered = sorted(set(map(tuple, points.tolist())))
    chains = []
    for run in (ordered, ordered[::-1]):
        chain: list[tuple[float, float]] = []
        for point in run:
            while len(chain) > 1 and _left(chain[-2], chain[-1], point) <= 1e-12:
                chain.pop()
            chain.append(point)
        chains.append(chain[:-1])
    return np.array(chains[0] + chains[1])


def _left(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
