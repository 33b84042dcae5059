"""Entries of the bodies in a result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fettle.geometry.part import Part, fid
from fettle.results import BodyContact, BodyEntry, BoughtPart, ListedBody, RankedProcess
from fettle.results.part import geometry_of
from fettle.rules.assembly import JudgedBody

if TYPE_CHECKING:
    from fettle.analysis import Analysis, BodyAnalysis


def list_bodies(analysis: Analysis, judged: Sequence[JudgedBody]) -> tuple[BodyEntry, ...]:
    """The different bodies of an assembly in the order of their first members."""
    verdicts = {one.body.members[0]: one for one in judged}
    return tuple(_entry(body, verdicts.get(body.members[0])) for body in analysis.bodies)


def listed_body(body: BodyAnalysis) -> ListedBody:
    """A body before it is judged."""
    bought = body.bought
    return ListedBody(
        body=body.members[0] + 1,
        name=body.name,
        count=body.count,
        made=bought is None,
        bought=BoughtPart(bought.what, bought.reason) if bought else None,
        geometry=geometry_of(body.part, body.size_mm),
    )


def only_body(part: Part, headline: str, processes: tuple[RankedProcess, ...]) -> BodyEntry:
    """The one body of a file: it is made, whatever it looks like."""
    return BodyEntry(
        body=1,
        name=part.bodies[0].name or "body 1",
        count=1,
        members=(1,),
        made=True,
        bought=None,
        geometry=geometry_of(part),
        fids=tuple(fid(face) for face in range(len(part.faces))),
        contacts=(),
        headline=headline,
        severity=processes[0].severity if processes else None,
        processes=processes,
    )


def _entry(body: BodyAnalysis, judged: JudgedBody | None) -> BodyEntry:
    bought = body.bought
    said = f"Bought: {bought.what}; {bought.reason}." if bought else f"Not judged. {body.not_analyzed}"
    return BodyEntry(
        body=body.members[0] + 1,
        name=body.name,
        count=body.count,
        members=tuple(member + 1 for member in body.members),
        made=bought is None,
        bought=BoughtPart(bought.what, bought.reason) if bought else None,
        geometry=geometry_of(body.part, body.size_mm),
        fids=tuple(fid(face) for face in body.faces),
        contacts=tuple(
            BodyContact(other + 1, tuple(fid(face) for face in faces)) for other, faces in body.contacts.items()
        ),
        headline=judged.headline if judged else said,
        severity=judged.severity if judged and judged.processes else None,
        processes=judged.processes if judged else (),
    )
