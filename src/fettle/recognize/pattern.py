"""A pattern: equal features on a circle, a line or a grid."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Pattern:
    """`features`: members by their places in the list of features, along the pattern. On a circle `diameter_mm` (of the
    circle) and `pitch_deg`; on a line `pitch_mm`; on a grid `pitch_mm` along its `columns` and `row_pitch_mm` between
    its `rows`. `center_mm`: middle of the members."""

    kind: str
    form: str
    features: tuple[int, ...]
    center_mm: tuple[float, float, float]
    pitch_mm: float | None = None
    row_pitch_mm: float | None = None
    rows: int | None = None
    columns: int | None = None
    diameter_mm: float | None = None
    pitch_deg: float | None = None

    @property
    def count(self) -> int:
        return len(self.features)
