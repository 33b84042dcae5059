"""How many blanks a sheet gives: rectangles in rows, both ways, with a gap between them and a rim around."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from fettle.sheet.stock import shipped_stock

MIN_GAP_MM = 2.0
GAP_THICKNESSES = 0.5
"""Gap between blanks: half the thickness and at least 2 mm, the usual kerf spacing of a laser."""
BORDER_MM = 10.0
"""Rim of the sheet that is not cut: clamps of a flat-bed machine (Fettle's judgment: between 5 and 15 mm in shops)."""


@dataclass(frozen=True, slots=True)
class SheetYield:
    """Blanks on one sheet in rows, the better of both ways; `turned`: the blank's long side runs along the sheet's
    short one, so the grain runs across it."""

    sheet_mm: tuple[float, float]
    count: int
    turned: bool
    used_fraction: float

    @property
    def charged_mm2(self) -> float:
        """Sheet that one blank is charged with: the whole sheet over its blanks."""
        return self.sheet_mm[0] * self.sheet_mm[1] / self.count


def gap_mm(thickness_mm: float) -> float:
    """Gap between two blanks."""
    return max(MIN_GAP_MM, GAP_THICKNESSES * thickness_mm)


def blanks_per_sheet(size_mm: tuple[float, float], area_mm2: float, thickness_mm: float) -> tuple[SheetYield, ...]:
    """How many blanks of a size each sheet in stock gives."""
    found = []
    for sheet in shipped_stock().sheets_mm:
        straight, across = (count_rows(size, sheet, gap_mm(thickness_mm)) for size in (size_mm, size_mm[::-1]))
        count = max(straight, across)
        found.append(SheetYield(sheet, count, across > straight, count * area_mm2 / (sheet[0] * sheet[1])))
    return tuple(found)


def count_rows(size_mm: Sequence[float], sheet_mm: Sequence[float], gap: float, border: float = BORDER_MM) -> int:
    """Rectangles of a size (along, across) on a sheet, in rows, all the same way round."""
    along, across = (
        math.floor((room - 2 * border + gap) / (side + gap) + 1e-9)
        for room, side in zip(sheet_mm, size_mm, strict=True)
    )
    return max(along, 0) * max(across, 0)
