# mypy: allow-untyped-defs
"""An order of the mesh points in which successive ones are neighbors, and equal steps spread evenly over a face."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import unsigned
from fettle.geometry.meshing.counting_sort import sort_by
from fettle.jit import njit

DIGIT_BITS = 10
"""Bits of a Morton code that are sorted by in one pass, and bits of it an axis."""
CELLS = 1 << DIGIT_BITS
"""Cells of the curve along the longest side of the part."""
ASKEW = np.linalg.qr(np.array([[2.0, 1.0, 0.3], [-0.7, 1.9, 0.6], [0.4, -0.9, 1.7]]))[0]
"""A turn (3, 3) by no round angle: planes of the part do not run along the curve's cells, where rounding decides."""


def sort_along_curve(points: NDArray[np.float64], point_face: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows of the mesh points (n,), face by face, each face's along a Morton curve."""
    codes = _morton_codes(np.ascontiguousarray(points @ ASKEW.T))
    rows = np.arange(len(codes))
    for low_bit in range(0, 3 * DIGIT_BITS, DIGIT_BITS):
        rows = sort_by(rows, codes >> low_bit & CELLS - 1, CELLS)
    by_face: NDArray[np.int64] = sort_by(rows, unsigned(point_face), int(point_face.max()) + 1)
    return by_face


@njit(cache=True)
def _morton_codes(points):
    """Morton codes (n,) of points (n, 3), 10 bits an axis (Morton, 1966): equal steps along the curve spread evenly
    over a face, whatever the order of its points in the mesh."""
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i in range(len(points)):
        for axis in range(3):
            low[axis], high[axis] = min(low[axis], points[i, axis]), max(high[axis], points[i, axis])
    scale = (CELLS - 1) / max((high - low).max(), 1e-300)
    codes = np.zeros(len(points), np.uint32)
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
