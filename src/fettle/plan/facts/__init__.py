"""Measures what plans start from: one module for each family of processes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fettle.geometry.part import fid
from fettle.measure.own_box import own_size_mm
from fettle.measure.wall_patches import WallReadings, sort_readings
from fettle.plan.facts.casting import casting_facts
from fettle.plan.facts.machining import machining_facts
from fettle.plan.facts.molding import molding_facts
from fettle.plan.facts.naming import name_faces
from fettle.plan.facts.opening import measure_opening
from fettle.plan.facts.printing import printing_facts
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.sheet import sheet_facts
from fettle.results.making import MakingFacts
from fettle.results.record import reading, rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis, BodyAnalysis
    from fettle.sheet.unfold import Unfolded

PRESSED_IN = ("nut", "stud")
"""Words in what a bought part is called that a sheet has pressed in."""
Unfolding = Callable[["Analysis"], "Unfolded | None"]
"""Lays a body flat; None for one that is no sheet."""
SortedWalls = Callable[["Analysis"], WallReadings]


def sorted_walls(body: Analysis) -> WallReadings:
    """Readings of a body's wall thickness."""
    return sort_readings(body.part, body.mesh, body.thickness)


def making_facts(
    analysis: Analysis, unfolding: Unfolding, walls: SortedWalls = sorted_walls
) -> tuple[MakingFacts, ...]:
    """The facts of every different body that is made, in the order of the file; faces by the file's numbers. `walls`:
    for callers that have the readings sorted already."""
    return tuple(
        _of_body(body, number, count, [fid(face) for face in faces], unfolding(body), walls(body), hardware)
        for body, number, count, faces, hardware in _made_bodies(analysis)
    )


def _made_bodies(analysis: Analysis) -> Iterator[tuple[Analysis, int, int, tuple[int, ...], int]]:
    """Analysis, number from 1, count, the file's face numbers and the nuts and studs on it, of every body that is made
    and was analyzed."""
    if not analysis.bodies:
        if analysis.part.bodies:
            yield analysis, 1, 1, tuple(range(len(analysis.part.faces))), 0
        return
    pressed_in = {member for body in analysis.bodies if _is_pressed_in(body) for member in body.members}
    for body in analysis.bodies:
        if body.bought is None and body.analysis is not None:
            hardware = len(pressed_in & body.contacts.keys())
            yield body.analysis, body.members[0] + 1, body.count, body.faces, hardware


def _is_pressed_in(body: BodyAnalysis) -> bool:
    return body.bought is not None and any(word in body.bought.what for word in PRESSED_IN)


def _of_body(
    analysis: Analysis,
    number: int,
    count: int,
    fids: list[str],
    unfolded: Unfolded | None,
    readings: WallReadings,
    hardware: int,
) -> MakingFacts:
    part = analysis.part
    projection = Projection(part, analysis.mesh)
    opening, names = measure_opening(analysis, projection), name_faces(analysis, fids)
    length, width, height = sorted((rounded(side) for side in own_size_mm(part, analysis.mesh)), reverse=True)
    box = (length, width, height)
    return MakingFacts(
        body=number,
        count=count,
        volume_mm3=reading(part.volume_mm3),
        area_mm2=reading(part.area_mm2),
        box_mm=box,
        machining=machining_facts(analysis, projection, fids, box, readings),
        sheet=sheet_facts(analysis, unfolded, names, hardware),
        molding=molding_facts(analysis, opening, names),
        printing=printing_facts(analysis, projection, names),
        casting=casting_facts(analysis, opening, projection, names),
    )
