"""A body as a shop that cuts and bends sheet sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class SheetLoop(Record):
    """A closed cut."""

    fid: Annotated[str | None, "Face that names its feature; null for the outer loop, and where a bend crosses it."]
    length_mm: Annotated[float, "Length of the cut."]


@dataclass(frozen=True, slots=True)
class SheetBend(Record):
    """A bend line."""

    fid: Annotated[str, "Face that names its feature."]
    kind: Annotated[Literal["bend", "hem", "curl", "rolled"], "What it is."]
    length_mm: Annotated[float, "Length of bent sheet."]
    angle_deg: Annotated[float, "Angle that the sheet is bent by."]
    inner_radius_mm: Annotated[float, "Inside radius."]


@dataclass(frozen=True, slots=True)
class SheetForm(Record):
    """Something pressed, engraved or countersunk after cutting."""

    fid: Annotated[str, "Face that names its feature."]
    kind: Annotated[Literal["bead", "dimple", "collar", "louver", "bridge", "engraving", "countersink"], "What it is."]
    length_mm: Annotated[float, "Length of its outline."]


@dataclass(frozen=True, slots=True)
class SheetFacts(Record):
    """A body as a shop that cuts and bends sheet sees it."""

    thickness_mm: Annotated[float, "Thickness of the sheet."]
    blank_mm: Annotated[tuple[float, float], "Long and short side of the smallest rectangle around the flat."]
    blank_area_mm2: Annotated[float, "Area of the flat without its cut-outs."]
    loops: Annotated[tuple[SheetLoop, ...], "What is cut, the outer loop first."]
    bends: Annotated[tuple[SheetBend, ...], "Bend lines."]
    forms: Annotated[tuple[SheetForm, ...], "Forms, engravings and countersinks."]
    threads: Annotated[tuple[str, ...], "Faces that name threaded holes."]
    hardware: Annotated[int, "Press nuts and studs that belong to the sheet."]
