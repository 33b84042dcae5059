"""The direction in which a mold for the part would open, searched among the part's own directions.

Directions come from the part alone, never from the axes of the file, so that a part that is turned is molded the same
way. The pull of an analysis is another thing: it is chosen among the axes of the file unless a caller gives it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fettle.measure.build_direction import face_directions
from fettle.measure.context import MeasureContext
from fettle.measure.draft import measure_draft, opposite
from fettle.measure.pull import CARDINAL, SAME_COS, score_directions, signed_direction, snapped, unit
from fettle.measure.readings import Candidate, Draft, Pull, Triple
from fettle.measure.visibility import Visibility

AREA_STEP = 0.02
"""Areas that differ by less than this fraction of the part's area are equal: another mesh of the same part, as after a
turn, gives no more accurate ones."""
DEPTH_DECIMALS = 3
"""Decimals in mm to which depths are compared."""
TRIED = 6
"""Directions that are compared: a mold opens across the largest faces or along the axis of round ones."""


def measure_mold_draft(
    context: MeasureContext,
    visibility: Visibility,
    pull: Pull,
    along_pull: Draft,
    alphas_deg: tuple[float, float],
) -> Draft:
    """Draft along the part's own direction with the least undercut area, then the least area of low draft, then the
    least depth; `along_pull` if that is its pull, or the part has no plane and no round face. `pull`: the choice of
    that pull, whose candidates are not scored again. `alphas_deg`: of undercuts and of low draft."""
    own = [snapped(unit(way.tolist())) for way in face_directions(context.part)[:TRIED]]
    if not own:
        return along_pull
    known = _scored_axes(pull)
    directions = [known[way].direction if way in known else signed_direction(context, way) for way in own]
    new = [way for way in directions if way not in known]
    known |= {one.direction: one for one in score_directions(context, visibility, new, context.samples, alphas_deg)}
    best = _best([known[way] for way in directions], context)
    if abs(float(np.dot(best, along_pull.pull))) >= SAME_COS:
        return along_pull
    return measure_draft(context, visibility, best, *alphas_deg)


def _best(scored: Sequence[Candidate], context: MeasureContext) -> Triple:
    """Direction of the best: areas within `AREA_STEP` of the least are as good. Steps on a fixed scale would put two
    meshes of one part on different sides of a step."""
    slack = AREA_STEP * float(context.area_mm2.sum())
    least_undercut = min(one.undercut_area_mm2 for one in scored)
    left = [one for one in scored if one.undercut_area_mm2 <= least_undercut + slack]
    least_low = min(one.low_draft_area_mm2 for one in left)
    left = [one for one in left if one.low_draft_area_mm2 <= least_low + slack]
    return min(left, key=lambda one: round(one.depth_mm, DEPTH_DECIMALS)).direction


def _scored_axes(pull: Pull) -> dict[Triple, Candidate]:
    """The axes of the file as candidates, by their direction and by its opposite, where the pull was chosen among
    them: others were scored by fewer samples."""
    if pull.mode != CARDINAL:
        return {}
    return {way: one for one in pull.candidates for way in (one.direction, opposite(one.direction))}
