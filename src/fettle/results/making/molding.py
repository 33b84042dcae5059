"""A body as a mold maker sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class MoldUndercut(Record):
    """Connected faces that neither half of the mold releases."""

    fid: Annotated[str, "Face that names its feature."]
    slide: Annotated[int | None, "Number of the side pull that releases it, from 1; null where only a lifter does."]
    patches: Annotated[int, "Surfaces of it."]


@dataclass(frozen=True, slots=True)
class MoldingFacts(Record):
    """A body as a mold maker sees it, the mold opening along the part's own direction that suits it best."""

    projected_mm2: Annotated[float, "Area seen along the opening."]
    footprint_mm: Annotated[tuple[float, float], "Long and short side of the rectangle around that area."]
    depth_mm: Annotated[float, "Size along the opening."]
    wall_mm: Annotated[float, "Thickest wall: 90 % of the surface has one no thicker."]
    patches: Annotated[int, "Surfaces of the part without the blends between them."]
    undercuts: Annotated[tuple[MoldUndercut, ...], "Undercuts, threads left out."]
    threads: Annotated[tuple[str, ...], "Faces that name internal threads, which are unscrewed."]
