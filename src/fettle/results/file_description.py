"""What a part file holds, before anything is measured."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.bodies import ListedBody
from fettle.results.features import PatternEntry
from fettle.results.part import FileStatistics, PartGeometry
from fettle.results.pmi import PmiReport
from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class FileDescription(Record):
    """What a part file holds, before anything is measured: the answer of `fettle info`."""

    geometry: Annotated[PartGeometry, "Size of the part."]
    stats: Annotated[FileStatistics, "Counts."]
    bodies: Annotated[int, "Solid bodies."]
    body_list: Annotated[tuple[ListedBody, ...], "The different bodies; equal ones are one entry."]
    voids: Annotated[int, "Closed cavities inside bodies."]
    watertight: Annotated[bool, "Every body is closed."]
    format: Annotated[str, "Format of the file, for example STEP."]
    schema: Annotated[str, "Schema or version that the file names."]
    length_unit: Annotated[str, "Length unit of the file."]
    exact: Annotated[bool, "Surfaces are exact, not fitted to triangles."]
    warnings: Annotated[tuple[str, ...], "What is odd about the file."]
    pmi: Annotated[PmiReport | None, "Dimensions and tolerances in the file; null where it has none."]
    patterns: Annotated[tuple[PatternEntry, ...], "Equal holes or slots on a circle, a line or a grid."]
