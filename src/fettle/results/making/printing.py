"""A body as a printer sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.record import Record, Triple


@dataclass(frozen=True, slots=True)
class PrintOrientation(Record):
    """How a kind of printer would lay the body on its plate, and the supports that it needs so."""

    configuration: Annotated[str, "Kind of printer, as in the rule packs."]
    direction: Annotated[Triple, "Direction away from the plate."]
    height_mm: Annotated[float, "Height above the plate."]
    footprint_mm: Annotated[tuple[float, float], "Long and short side of the rectangle around it on the plate."]
    contact_mm2: Annotated[float, "Area that lies on the plate."]
    support_mm3: Annotated[float, "Volume of the columns below what needs support."]
    support_mm2: Annotated[float, "Area that needs support, seen from above."]
    support_fids: Annotated[tuple[str, ...], "Faces that name the features that need support."]


@dataclass(frozen=True, slots=True)
class PrintingFacts(Record):
    """A body as a printer sees it."""

    orientations: Annotated[tuple[PrintOrientation, ...], "The best way to print it on each kind of printer."]
