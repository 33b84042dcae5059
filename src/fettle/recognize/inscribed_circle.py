"""The largest circle inside a planar outline."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit
from fettle.recognize.outlines import Outline

BLOCK = 16
"""Segments that share a box in the search for the nearest one."""


@njit(cache=True)
def _block_boxes(segments: Outline) -> NDArray[np.float64]:
    """Boxes of every `BLOCK` segments that follow one another, shape (blocks, 4): least x, least y, largest x and y."""
    boxes = np.empty(((len(segments) + BLOCK - 1) // BLOCK, 4))
    for block in range(len(boxes)):
        members = segments[block * BLOCK : (block + 1) * BLOCK]
        boxes[block, 0] = min(members[:, 0].min(), members[:, 2].min())
        boxes[block, 1] = min(members[:, 1].min(), members[:, 3].min())
        boxes[block, 2] = max(members[:, 0].max(), members[:, 2].max())
        boxes[block, 3] = max(members[:, 1].max(), members[:, 3].max())
    return boxes


@njit(cache=True)
def _clearance(
    segments: Outline, boxes: NDArray[np.float64], x: float, y: float, least: float, first: int, known: bool
) -> tuple[float, int]:
    """Distance to the outline, positive inside, and the block of the nearest segment; the search begins at the block
    `first` and skips those that are farther away than what is known and not crossed by the level line to the right.

    It ends with the first segment closer than a positive `least`: a circle as large as that does not fit here. `known`:
    the point is inside for certain, and the level line is not looked at.
    """
    best = np.inf
    nearest = first
    inside = known
    enough = least * least * (1.0 - 1e-12) if least > 0.0 else -1.0
    block = first
    for _ in range(len(boxes)):
        beside = max(boxes[block, 0] - x, 0.0, x - boxes[block, 2])
        above = max(boxes[block, 1] - y, 0.0, y - boxes[block, 3])
        far = beside * beside + above * above >= best
        crossed = not known and above == 0.0 and x <= boxes[block, 2]
        if not far or crossed:
            for i in range(block * BLOCK, min((block + 1) * BLOCK, len(segments))):
                ax, ay, bx, by = segments[i, 0], segments[i, 1], segments[i, 2], segments[i, 3]
                if not known and (ay > y) != (by > y) and x < (bx - ax) * (y - ay) / (by - ay) + ax:
                    inside = not inside
                if far:
                    continue
                dx, dy = bx - ax, by - ay
                size = dx * dx + dy * dy
                t = 0.0
                if size > 0.0:
                    t = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / size))
                ex, ey = ax + t * dx - x, ay + t * dy - y
                away = ex * ex + ey * ey
                if away < best:
                    best, nearest = away, block
                    if away < enough:
                        return float(np.sqrt(away)), nearest
        block += 1
        if block == len(boxes):
            block = 0
    size = float(np.sqrt(best))
    return (size if inside else -size), nearest


@njit(cache=True)
def inscribed_circle(segments: Outline) -> tuple[float, float, float]:
    """Center and radius of the largest circle inside an outline: a coarse grid, then a narrowing pattern search."""
    low_x, high_x = segments[:, 0].min(), segments[:, 0].max()
    low_y, high_y = segments[:, 1].min(), segments[:, 1].max()
    boxes = _block_boxes(segments)
    steps = 24
    best, at_x, at_y = -np.inf, low_x, low_y
    near = 0
    rise = (high_y - low_y) / steps
    for i in range(steps):
        reach = np.inf
        for j in range(steps):
            # No farther from the outline than the point before and the way from there: most points need no search.
            reach += rise
            if reach < best * (1.0 - 1e-9):
                continue
            x = low_x + (i + 0.5) * (high_x - low_x) / steps
            y = low_y + (j + 0.5) * (high_y - low_y) / steps
            d, near = _clearance(segments, boxes, x, y, best, near, False)
            reach = abs(d)
            if d > best:
                best, at_x, at_y = d, x, y
    step = max(high_x - low_x, high_y - low_y) / steps
    floor = 1e-7 * max(high_x - low_x, high_y - low_y)
    while step > floor:
        moved = False
        within = step < best * (1.0 - 1e-9)  # no step leads out of the circle known
        for k in range(16):
            angle = k * np.pi / 8
            x = min(high_x, max(low_x, at_x + step * np.cos(angle)))
            y = min(high_y, max(low_y, at_y + step * np.sin(angle)))
            d, near = _clearance(segments, boxes, x, y, best, near, within)
            if d > best + floor * 1e-3:
                best, at_x, at_y, moved = d, x, y, True
        if not moved:
            step *= 0.5
    return at_x, at_y, best
