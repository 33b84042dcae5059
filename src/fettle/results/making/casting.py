"""A body as a foundry sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class SandCore(Record):
    """Connected faces that a pattern cannot form: sand is set into the mold for them."""

    fid: Annotated[str, "Face that names its feature."]
    volume_mm3: Annotated[float, "Volume of the box around its faces, without prints."]


@dataclass(frozen=True, slots=True)
class CastingFacts(Record):
    """A body as a foundry sees it, the mold parting across the part's own direction that suits it best."""

    footprint_mm: Annotated[tuple[float, float], "Long and short side of the rectangle around it, seen along the pull."]
    depth_mm: Annotated[float, "Size along the pull."]
    wall_mm: Annotated[float, "Thickest wall: 90 % of the surface has one no thicker."]
    patches: Annotated[int, "Surfaces of the part without the blends between them."]
    cores: Annotated[tuple[SandCore, ...], "Undercuts."]
