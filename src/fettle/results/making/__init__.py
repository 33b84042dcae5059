"""What the plans of a part are made from, measured once with the analysis: plain numbers, so that a price needs no
geometry. One module for each family of processes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.making.casting import CastingFacts
from fettle.results.making.machining import AskedTolerance, BoreStage, MachinedFeature, MachiningFacts, MachiningSetup
from fettle.results.making.molding import MoldingFacts
from fettle.results.making.printing import PrintingFacts
from fettle.results.making.sheet import SheetFacts
from fettle.results.record import Record, Triple


@dataclass(frozen=True, slots=True)
class MakingFacts(Record):
    """A body as the plans of the processes see it; a family that the body is no candidate for is null."""

    body: Annotated[int, "Number of the body in the file, from 1."]
    count: Annotated[int, "How many equal bodies the file has."]
    volume_mm3: Annotated[float | None, "Volume; null where it could not be told."]
    area_mm2: Annotated[float | None, "Surface area; null where it could not be told."]
    box_mm: Annotated[Triple, "Sides of the box fixed to the part's own directions, the longest first."]
    machining: Annotated[MachiningFacts | None, "What milling and turning start from."]
    sheet: Annotated[SheetFacts | None, "What cutting and bending start from."]
    molding: Annotated[MoldingFacts | None, "What a mold starts from."]
    printing: Annotated[PrintingFacts | None, "What a printer starts from."]
    casting: Annotated[CastingFacts | None, "What a sand mold starts from."]


__all__ = [
    "AskedTolerance",
    "BoreStage",
    "CastingFacts",
    "MachinedFeature",
    "MachiningFacts",
    "MachiningSetup",
    "MakingFacts",
    "MoldingFacts",
    "PrintingFacts",
    "SheetFacts",
]
