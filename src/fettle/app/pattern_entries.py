"""Builds the records of patterns from what was recognized."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fettle.geometry.part import fid
from fettle.results.features import PatternEntry
from fettle.results.record import Triple, rounded

if TYPE_CHECKING:
    from fettle.recognize.feature import Recognition

DECIMALS = 6
"""Decimals of lengths, mm, and angles: they are differences of coordinates, whose traces of rounding are cut off."""


def patterns_of(recognition: Recognition) -> tuple[PatternEntry, ...]:
    """Every pattern with the faces that name its features."""
    return tuple(
        PatternEntry(
            kind=one.kind,
            form=one.form,
            count=one.count,
            pitch_mm=_size(one.pitch_mm),
            row_pitch_mm=_size(one.row_pitch_mm),
            rows=one.rows,
            columns=one.columns,
            diameter_mm=_size(one.diameter_mm),
            pitch_deg=_size(one.pitch_deg),
            center_mm=_place(one.center_mm),
            fids=tuple(fid(recognition.features[number].faces[0]) for number in one.features),
        )
        for one in recognition.patterns
    )


def _size(value: float | None) -> float | None:
    return None if value is None else rounded(round(value, DECIMALS) + 0.0)


def _place(point: Triple) -> Triple:
    x, y, z = (rounded(round(value, DECIMALS) + 0.0) for value in point)
    return x, y, z
