"""Flat patterns of bent parts known by formula, in five variants each: as modeled, turned, mirrored, in inches, and
with every face written as a spline.

The flat length is the sum of the straight lengths and of theta (r + K t) for every bend, with K = 0.43. `off by` is the
largest relative difference from the formulas of length, width, area and cut length over the variants; `folds back` the
largest distance in mm between the part and the flat folded again.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.table import Table
from fettle.sheet.allowance import KFactor
from fettle.sheet.unfold import unfold
from tests.sheet.parts import FOLDED, VARIANTS, SheetPart, variant

K = 0.43


def tables() -> Iterator[Table]:
    columns = ("part", "bends", "known length mm", "known area mm2", "off by", "folds back mm")
    yield Table(f"{len(FOLDED)} parts", columns, tuple(_row(name, part) for name, part in FOLDED.items()))


def _row(name: str, part: SheetPart) -> tuple[str, ...]:
    sizes = sorted((part.length(K), part.width), reverse=True)
    known = (*sizes, part.area(K), part.cut_length(K), part.t)
    off = folded_mm = 0.0
    for seed, way in enumerate(VARIANTS):
        found = unfold(variant(part.recipe, way, seed + len(name)), KFactor(K))
        flat = found.flat
        ours = (*flat.size_mm, flat.area_mm2, flat.cut_length_mm, flat.thickness_mm)
        off = max(off, *(abs(one / truth - 1.0) for one, truth in zip(ours, known, strict=True)))
        folded_mm = max(folded_mm, found.refold.max_deviation_mm)
    lengths = (f"{part.length(K):.4f}", f"{part.area(K):.3f}")
    return name, str(len(part.bends)), *lengths, f"{off:.1e}", f"{folded_mm:.1e}"
