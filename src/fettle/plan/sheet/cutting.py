"""Laser cutting: speed and piercing by thickness, and the time of contours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber


@checked(frozen=True, slots=True, kw_only=True)
class CuttingRow:
    """Speed of a laser and time of piercing at one thickness."""

    thickness_mm: PositiveNumber
    speed_m_min: PositiveNumber
    pierce_s: NotNegativeNumber


def cutting_at(rows: Sequence[CuttingRow], thickness_mm: float) -> CuttingRow:
    """The row of a thickness, logarithms interpolated between two rows; sheet thinner than the first is cut like it.
    Raises BadRequest above the last."""
    if thickness_mm > rows[-1].thickness_mm:
        raise BadRequest(
            f"The sheet is {thickness_mm:g} mm thick; the laser of the rate card cuts up to "
            f"{rows[-1].thickness_mm:g} mm of it. Choose another process or a thinner sheet."
        )
    if thickness_mm <= rows[0].thickness_mm:
        return CuttingRow(thickness_mm=thickness_mm, speed_m_min=rows[0].speed_m_min, pierce_s=rows[0].pierce_s)
    below, above = next(pair for pair in pairwise(rows) if thickness_mm <= pair[1].thickness_mm)
    share = math.log(thickness_mm / below.thickness_mm) / math.log(above.thickness_mm / below.thickness_mm)
    return CuttingRow(
        thickness_mm=thickness_mm,
        speed_m_min=below.speed_m_min * (above.speed_m_min / below.speed_m_min) ** share,
        pierce_s=below.pierce_s + share * (above.pierce_s - below.pierce_s),
    )


def cutting_min(length_mm: float, pierces: int, row: CuttingRow, move_s: float) -> float:
    """Time to cut contours of a total length, each pierced once and moved to in `move_s`."""
    return length_mm / 1000.0 / row.speed_m_min + pierces * (row.pierce_s + move_s) / 60.0
