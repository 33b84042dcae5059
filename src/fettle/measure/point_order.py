# mypy: allow-untyped-defs
"""An order of the mesh points in which successive ones are neighbors, and equal steps spread evenly over a face."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.jit import njit, njit_inner

DIGIT_BITS = 10
"""Bits of a Morton code that are sorted by in one pass, and bits of it an axis."""
CELLS = 1 << DIGIT_BITS
"""Cells of the curve along the longest side of the part."""
ASKEW = np.linalg.qr(np.array([[2.0, 1.0, 0.3], [-0.7, 1.9, 0.6], [0.4, -0.9, 1.7]]))[0]
"""A turn (3, 3) by no round angle: planes of the part do not run along the curve's cells, where rounding decides."""


def sort_along_curve(points: NDArray[np.float64], point_face: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows of the mesh points (n,), face by face, each face's along a Morton curve."""
    rows: NDArray[np.int64] = _sort_by_digits(_morton_codes(np.ascontiguousarray(points @ ASKEW.T)), point_face)
    return rows


@njit(cache=True)
def _morton_codes(points):
    """Morton codes (n,) of points (n, 3), 10 bits an axis (Morton, 1966): equal steps along the curve spread evenly
    over a face, whatever the order of its points in the mesh."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i in range(len(points)):
        for axis in range(3):
            low[axis], high[axis] = min(low[axis], points[i, axis]), max(high[axis], points[i, axis])
    scale = (CELLS - 1) / max((high - low).max(), 1e-300)
    codes = np.zeros(len(points), np.int32)
    for i in range(len(points)):
        for axis in range(3):
            cell = int((points[i, axis] - low[axis]) * scale)
            # push two zero bits after every bit, for the bits of the other axes
            cell = (cell | cell << 16) & 0x030000FF
            cell = (cell | cell << 8) & 0x0300F00F
            cell = (cell | cell << 4) & 0x030C30C3
            cell = (cell | cell << 2) & 0x09249249
            codes[i] |= cell << axis
    return codes


@njit(cache=True)
def _sort_by_digits(codes, faces):
    """Rows (n,) by face, then by Morton code; equal ones in their order. Sorted by one digit after the other, the
    lowest first and the face last, each in one pass: several times as fast as by comparing."""
    rows, moved = np.arange(len(codes)), np.empty(len(codes), np.int64)
    ends = np.empty(max(CELLS, faces.max() + 1) + 1, np.int64)
    for digit in range(4):
        ends[:] = 0
        for i in rows:
            ends[1 + _digit(codes, faces, i, digit)] += 1
        for k in range(1, len(ends)):
            ends[k] += ends[k - 1]
        for i in rows:
            key = _digit(codes, faces, i, digit)
            moved[ends[key]] = i
            ends[key] += 1
        rows, moved = moved, rows
    return rows


@njit_inner
def _digit(codes, faces, i, digit):
    return faces[i] if digit == 3 else codes[i] >> DIGIT_BITS * digit & CELLS - 1
