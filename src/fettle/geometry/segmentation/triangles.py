"""What every file of triangles is reduced to before it becomes a part: loose triangles in millimeters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.errors import Damaged, OutOfBounds, TooDetailed

MAX_TRIANGLES = 2_000_000
MAX_COORDINATE_MM = 1e7
"""Ten kilometers: beyond it the coordinates are damaged, or the unit is."""


@dataclass(frozen=True, slots=True, eq=False)
class Triangles:
    """`corners` (m, 3, 3) mm, counter-clockwise from outside as far as the file is right; `grid_mm`: step of the grid
    that positions were rounded to, 0 where they were not; `unit`: length unit of the file; `schema`: its version."""

    corners: NDArray[np.float64]
    grid_mm: float
    unit: str
    schema: str
    warnings: tuple[str, ...]


def to_millimeters(
    corners: NDArray[np.float64],
    grid: float,
    mm_per_unit: float,
    unit: str,
    schema: str,
    warnings: tuple[str, ...],
    filename: str,
) -> Triangles:
    """`corners` (m, 3, 3) and `grid` in the file's unit, scaled; refuses too many triangles or impossible positions."""
    if len(corners) > MAX_TRIANGLES:
        raise TooDetailed(f"{filename} has {len(corners)} triangles, above {MAX_TRIANGLES}. Export a coarser mesh.")
    if not np.isfinite(corners).all():
        raise Damaged(f"{filename} has a coordinate that is not a finite number; export it again")
    corners = corners * mm_per_unit
    reach_mm = float(np.abs(corners).max())
    if reach_mm > MAX_COORDINATE_MM:
        raise OutOfBounds(
            f"{filename} has coordinates up to {reach_mm:.3g} mm (read in {unit}); no part is there. "
            "Check the export's unit and its transforms."
        )
    return Triangles(corners, grid * mm_per_unit, unit, schema, warnings)
