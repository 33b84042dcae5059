"""Bodies of a file: what each is, whether it is made or bought, and the verdict of those that are made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.part import PartGeometry
from fettle.results.processes import RankedProcess
from fettle.results.record import Record
from fettle.results.verdicts import Severity


@dataclass(frozen=True, slots=True)
class BoughtPart(Record):
    """A fastener, a bearing or the like: not judged, not priced."""

    what: Annotated[str, "What it is bought as."]
    reason: Annotated[str, "The evidence: its name, or the sizes of a standard."]


@dataclass(frozen=True, slots=True)
class ListedBody(Record):
    """One of the different bodies of a file, before anything is measured."""

    body: Annotated[int, "Number of the body in the file's order, from 1."]
    name: Annotated[str, "Name from the file; `body` and its number where it has none."]
    count: Annotated[int, "Bodies equal to it, itself included; a mirrored one is not equal."]
    made: Annotated[bool, "It is to be made: judged and priced."]
    bought: Annotated[BoughtPart | None, "What it is bought as; null for a body that is made."]
    geometry: Annotated[PartGeometry, "Size of one of them; its box is along its own axes, however it is turned."]


@dataclass(frozen=True, slots=True)
class BodyContact(Record):
    """Faces of a body that lie on another body."""

    body: Annotated[int, "Number of the other body."]
    fids: Annotated[tuple[str, ...], "Faces of this body that lie on it."]


@dataclass(frozen=True, slots=True)
class BodyEntry(Record):
    """One of the different bodies of a file, judged for itself; equal ones (same shape, turned and moved) are one
    entry with a count."""

    body: Annotated[int, "Number of the body in the file's order, from 1."]
    name: Annotated[str, "Name from the file; `body` and its number where it has none."]
    count: Annotated[int, "Bodies equal to it, itself included; a mirrored one is not equal."]
    members: Annotated[tuple[int, ...], "Numbers of all equal bodies."]
    made: Annotated[bool, "It is to be made: judged and priced."]
    bought: Annotated[BoughtPart | None, "What it is bought as; null for a body that is made."]
    geometry: Annotated[PartGeometry, "Size of one of them; its box is along its own axes, however it is turned."]
    fids: Annotated[tuple[str, ...], "Faces of the first of them."]
    contacts: Annotated[tuple[BodyContact, ...], "Other bodies that the first of them touches."]
    headline: Annotated[str, "One sentence: what it is made for and what decides there, or why it was not judged."]
    severity: Annotated[Severity | None, "Verdict of the process that it is made for; null where it was not judged."]
    processes: Annotated[tuple[RankedProcess, ...], "Processes by fit, then severity, then number of causes."]
