"""How large a part may be: to be cast, and to be analyzed. Refusals say what it measures and what may be wrong."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.app.options import Bounds
from fettle.errors import OutOfBounds
from fettle.geometry.file_formats import READERS

TOLERANCE_MM = 0.01

IN_METERS = frozenset(row.name for row in READERS if row.default_unit == "m")
"""Formats without a unit whose files are read in meters: exporters often write millimeters into them."""


def check_envelope(size_mm: Sequence[float], envelope_mm: Sequence[float], part_format: str) -> None:
    """Refuse a part that fits the casting envelope in no axis-aligned orientation."""
    if not _fits(size_mm, envelope_mm):
        room = " x ".join(f"{side:g}" for side in envelope_mm)
        text = f"The part measures {_text(size_mm)} mm and does not fit the casting envelope of {room} mm"
        raise OutOfBounds(f"{text} in any axis-aligned orientation.{_hint(size_mm, envelope_mm, part_format)}")


def check_bounds(size_mm: Sequence[float], bounds: Bounds, part_format: str) -> None:
    """Refuse a part that is larger or smaller than what is analyzed."""
    most, least = bounds.max_side_mm, bounds.min_side_mm
    if max(size_mm) > most:
        text = f"The part measures {_text(size_mm)} mm; no side may be longer than {most:g} mm."
        raise OutOfBounds(text + _hint(size_mm, (most, most, most), part_format))
    if min(size_mm) < least:
        raise OutOfBounds(
            f"The part measures {_text(size_mm)} mm; no side may be shorter than {least:g} mm. "
            "Check the length unit of the file."
        )


def _fits(size_mm: Sequence[float], room_mm: Sequence[float]) -> bool:
    pairs = zip(sorted(size_mm), sorted(room_mm), strict=True)
    return all(side <= room + TOLERANCE_MM for side, room in pairs)


def _hint(size_mm: Sequence[float], room_mm: Sequence[float], part_format: str) -> str:
    if part_format not in IN_METERS or not _fits([side / 1000 for side in size_mm], room_mm):
        return ""
    return " Read in millimeters it would fit: if the file was not exported in meters, send the form field units=mm."


def _text(size_mm: Sequence[float]) -> str:
    return " x ".join(f"{side:.6g}" for side in size_mm)
