"""Bend allowance: the length of flat sheet that a bend takes, by K factor, DIN 6935 or a shop's own table."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from fettle.errors import BadRequest
from fettle.sheet.stock import GROUP_K, GROUP_NAMES, HANDBOOK, USUAL_GROUP

MIDDLE_RATIO = 5.0
"""From this radius over thickness on the neutral layer lies in the middle (DIN 6935: k = 1 from r / s = 5)."""
DIN_OPEN_DEG = 15.0
"""DIN 6935 makes no correction for bends by less (opening angles above 165 degrees)."""
SAME_THICKNESS = 0.02
SAME_ANGLE_DEG = 0.5
"""A row of a table is for sheets within 2 % of its thickness and radius, and for bends within half a degree."""
TABLE_COLUMNS = ("thickness_mm", "inner_radius_mm", "angle_deg", "deduction_mm")

Method = Literal["k-factor", "din-6935", "table"]


@dataclass(frozen=True, slots=True)
class Developed:
    """Length in mm of flat sheet in a bend, the K factor that this is, and where it comes from."""

    length_mm: float
    k_factor: float
    method: Method
    source: str


class Allowance(Protocol):
    """A way to find the flat length of a bend."""

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        """Flat length of a bend by `angle_deg`."""


@dataclass(frozen=True, slots=True)
class KFactor:
    """BA = theta (r + K t), one K for every bend."""

    k_factor: float
    source: str = "given"

    def __post_init__(self) -> None:
        if not (math.isfinite(self.k_factor) and 0.0 < self.k_factor <= 1.0):
            raise BadRequest(
                f"the K factor is {self.k_factor:g}; it lies above 0 and is at most 1 (usual: 0.33 to 0.5)"
            )

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        length = math.radians(angle_deg) * (inner_radius_mm + self.k_factor * thickness_mm)
        return Developed(length, self.k_factor, "k-factor", self.source)


@dataclass(frozen=True, slots=True)
class MaterialK:
    """The K factor of a group of materials for bends of a press brake; the middle for wide radii."""

    k_group: str = USUAL_GROUP

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        if inner_radius_mm >= MIDDLE_RATIO * thickness_mm:
            return KFactor(0.5, "DIN 6935: neutral layer in the middle from r / s = 5").develop(
                inner_radius_mm, thickness_mm, angle_deg
            )
        source = f"{HANDBOOK}: {GROUP_NAMES[self.k_group]}"
        return KFactor(GROUP_K[self.k_group], source).develop(inner_radius_mm, thickness_mm, angle_deg)


@dataclass(frozen=True, slots=True)
class Din6935:
    """k = 0.65 + 0.5 lg(r / s), at most 1; the K factor is half of it. No correction for bends below 15 degrees."""

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        theta = math.radians(angle_deg)
        if angle_deg < DIN_OPEN_DEG:
            length = 2.0 * (inner_radius_mm + thickness_mm) * math.tan(theta / 2)
            return Developed(length, (length / theta - inner_radius_mm) / thickness_mm, "din-6935", "DIN 6935, v = 0")
        ratio = inner_radius_mm / thickness_mm
        k = min(1.0, max(0.0, 0.65 + 0.5 * math.log10(ratio))) if ratio > 0 else 0.0
        length = theta * (inner_radius_mm + thickness_mm * k / 2)
        return Developed(length, k / 2, "din-6935", f"DIN 6935, k = {k:.4g}")


@dataclass(frozen=True, slots=True)
class BendRow:
    """One test bend: outside legs minus flat length, mm."""

    thickness_mm: float
    inner_radius_mm: float
    angle_deg: float
    deduction_mm: float


@dataclass(frozen=True, slots=True)
class BendTable:
    """Deductions of a shop's own test bends; bends that it lacks are developed by `otherwise`."""

    name: str
    rows: tuple[BendRow, ...]
    otherwise: Allowance

    def develop(self, inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> Developed:
        for row in self.rows:
            if (
                abs(row.thickness_mm - thickness_mm) <= SAME_THICKNESS * thickness_mm
                and abs(row.inner_radius_mm - inner_radius_mm) <= SAME_THICKNESS * max(inner_radius_mm, thickness_mm)
                and abs(row.angle_deg - angle_deg) <= SAME_ANGLE_DEG
            ):
                length = 2.0 * setback_mm(inner_radius_mm, thickness_mm, angle_deg) - row.deduction_mm
                k = (length / math.radians(angle_deg) - inner_radius_mm) / thickness_mm
                return Developed(length, k, "table", self.name)
        return self.otherwise.develop(inner_radius_mm, thickness_mm, angle_deg)


def setback_mm(inner_radius_mm: float, thickness_mm: float, angle_deg: float) -> float:
    """Outside set-back of a leg: to the corner of the outsides up to 90 degrees, to the tangent across the bend above
    (as DIN 6935 measures)."""
    return (inner_radius_mm + thickness_mm) * math.tan(math.radians(min(angle_deg, 90.0)) / 2)


def read_table(text: str, name: str, material: str | None, otherwise: Allowance) -> BendTable:
    """A table from CSV with a header: thickness_mm, inner_radius_mm, angle_deg, deduction_mm, and maybe material; rows
    of other materials than the one asked for are left out."""
    reader = csv.DictReader(io.StringIO(text))
    missing = [column for column in TABLE_COLUMNS if column not in (reader.fieldnames or ())]
    if missing:
        raise BadRequest(
            f"{name}: the bend table has no column {', '.join(missing)}; it needs {', '.join(TABLE_COLUMNS)}"
        )
    rows = []
    for number, record in enumerate(reader, 2):
        if material and record.get("material") and record["material"].strip().lower() != material.lower():
            continue
        try:
            values = [float(record[column]) for column in TABLE_COLUMNS]
        except (TypeError, ValueError) as error:
            raise BadRequest(f"{name}, line {number}: {_cells(record)!r} is no row of numbers") from error
        if not all(map(math.isfinite, values)) or min(values[0], values[2]) <= 0 or values[1] < 0:
            raise BadRequest(f"{name}, line {number}: thickness and angle must be above 0, the radius 0 or more")
        rows.append(BendRow(*values))
    return BendTable(name, tuple(rows), otherwise)


def _cells(record: dict[str, str]) -> Sequence[str]:
    return [str(record.get(column)) for column in TABLE_COLUMNS]
