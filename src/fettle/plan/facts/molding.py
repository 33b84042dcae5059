"""Measures what a mold starts from: its opening, its side pulls and lifters, and the wall that cools last."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fettle.plan.facts.naming import FaceNames, threaded_holes
from fettle.plan.facts.opening import Opening
from fettle.plan.facts.point_passes import seen_mm2
from fettle.plan.facts.rounding import AREA_DIGITS, to_digits
from fettle.results.making import MoldingFacts
from fettle.results.making.molding import MoldUndercut

if TYPE_CHECKING:
    from fettle.analysis import Analysis

ACROSS_COS = 0.5
"""Cosine to the opening up to which a slide can run: across it, or raised by up to 30 degrees."""
RELEASED = 0.9
"""Share of each face of an undercut that a side pull must see."""


def molding_facts(analysis: Analysis, opening: Opening | None, names: FaceNames) -> MoldingFacts | None:
    """A body in numbers of a mold maker; None without an opening."""
    if opening is None:
        return None
    slides = _slides(analysis, opening.undercuts)
    long, short = opening.footprint_mm
    seen_mm2 = _projected_mm2(analysis)
    return MoldingFacts(
        projected_mm2=to_digits(min(seen_mm2, long * short), AREA_DIGITS),
        footprint_mm=opening.footprint_mm,
        depth_mm=opening.depth_mm,
        wall_mm=opening.wall_mm,
        patches=opening.patches,
        undercuts=tuple(
            MoldUndercut(names.of(region), slides.get(number), len(region))
            for number, region in enumerate(opening.undercuts)
        ),
        threads=tuple(names.fids[hole.faces[0]] for hole in threaded_holes(analysis)),
    )


def _projected_mm2(analysis: Analysis) -> float:
    """Area of the part seen along the opening, undercut faces left out: half of what the others show of themselves
    either way, for a line through the part enters and leaves it once."""
    draft, mesh = analysis.mold_draft, analysis.mesh
    hidden = np.zeros(len(analysis.part.faces), np.bool_)
    hidden[list(draft.undercut_faces)] = True
    return 0.5 * float(seen_mm2(mesh.normals, mesh.point_areas_mm2(), mesh.point_face, hidden, draft.pull))


def _slides(analysis: Analysis, regions: Sequence[tuple[int, ...]]) -> dict[int, int]:
    """Number of the side pull, from 1, that releases each region which one can: the direction that releases most of
    those left is taken first."""
    if not regions:
        return {}
    access, pull = analysis.access, np.asarray(analysis.mold_draft.pull)
    across = np.flatnonzero(np.abs(access.directions @ pull) <= ACROSS_COS)
    faces = [face for region in regions for face in region]
    starts = np.cumsum([0, *(len(region) for region in regions[:-1])])
    seen = np.minimum.reduceat(np.nan_to_num(access.reach[across][:, faces]), starts, axis=1) >= RELEASED
    released = {way: set(np.flatnonzero(row).tolist()) for way, row in zip(across.tolist(), seen, strict=True)}
    slides: dict[int, int] = {}
    for count in range(1, len(released) + 1):
        way = max(released, key=lambda one: (len(released[one] - slides.keys()), -one))
        slides |= dict.fromkeys(sorted(released[way] - slides.keys()), count)
    return slides
