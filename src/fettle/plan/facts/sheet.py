"""Measures what cutting and bending start from: the flat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fettle.plan.facts.naming import FaceNames, threaded_holes
from fettle.results.making import SheetFacts
from fettle.results.making.sheet import SheetBend, SheetForm, SheetLoop
from fettle.results.record import rounded
from fettle.sheet.plane_curves import length

if TYPE_CHECKING:
    from fettle.analysis import Analysis
    from fettle.sheet.unfold import Unfolded


def sheet_facts(
    analysis: Analysis, unfolded: Unfolded | None, names: FaceNames, hardware: int = 0
) -> SheetFacts | None:
    """The flat of a body in numbers; None for a body that does not lie flat. `hardware`: nuts and studs that are
    bodies of their own."""
    if unfolded is None:
        return None
    flat = unfolded.flat
    long, short = flat.size_mm
    return SheetFacts(
        thickness_mm=rounded(flat.thickness_mm),
        blank_mm=(rounded(long), rounded(short)),
        blank_area_mm2=rounded(flat.area_mm2),
        loops=(
            SheetLoop(None, rounded(length(flat.outer))),
            *(
                SheetLoop(names.of(one.faces) if one.faces else None, rounded(length(one.outline)))
                for one in flat.cutouts
            ),
        ),
        bends=tuple(
            SheetBend(
                names.of(one.faces),
                one.kind,
                rounded(one.length_mm),
                rounded(one.angle_deg),
                rounded(one.inner_radius_mm),
            )
            for one in flat.bends
        ),
        forms=tuple(SheetForm(names.of(one.faces), one.kind, rounded(length(one.outline))) for one in flat.marks),
        threads=tuple(names.fids[hole.faces[0]] for hole in threaded_holes(analysis)),
        hardware=hardware + len(flat.other_bodies),
    )
