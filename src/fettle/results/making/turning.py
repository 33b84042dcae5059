"""A turned body as a lathe sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fettle.results.record import Record

CutKind = Literal["outside", "groove", "bore", "thread", "knurl", "gear", "flat"]


@dataclass(frozen=True, slots=True)
class TurnedCut(Record):
    """A cut of the lathe with the numbers that its time follows from; 0 where the kind lacks one."""

    fid: Annotated[str, "Face that names the feature."]
    kind: Annotated[CutKind, "outside, groove, bore, thread, knurl, gear or flat."]
    diameter_mm: Annotated[float, "Larger diameter; of a bore its own."]
    end_diameter_mm: Annotated[float, "Smaller diameter; of a groove that of its floor."]
    length_mm: Annotated[float, "Length along the axis, depth of a bore, width of a groove."]
    path_mm: Annotated[float, "Length of the profile that is followed."]
    volume_mm3: Annotated[float, "Of an outside cut the volume inside it; of the others the volume cut away."]
    pitch_mm: Annotated[float, "Pitch of a thread."]
    count: Annotated[int, "Teeth of a gear, planes of a flat; 1 for the others."]
    internal: Annotated[bool, "Whether it lies in a bore."]
    end: Annotated[int, "End of the part that it is reached from: 1, 2, or 0 for either."]
    thread: Annotated[str | None, "Thread that it is cut for."]


@dataclass(frozen=True, slots=True)
class TurningFacts(Record):
    """A turned body: its bar, and what is cut along its profile."""

    diameter_mm: Annotated[float, "Diameter of the round bar that holds it."]
    length_mm: Annotated[float, "Length along the axis."]
    cuts: Annotated[tuple[TurnedCut, ...], "What the lathe cuts, the outside first, from end to end."]
    live: Annotated[tuple[str, ...], "Features that driven tools make, by their faces."]
    slenderness: Annotated[float, "Length over the mean diameter of the outside."]
