"""Measures what a sand mold starts from: its parting and its cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.plan.facts.naming import feature_faces, name_of
from fettle.plan.facts.opening import Opening
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.rounding import WALL_DIGITS, to_digits
from fettle.results.making import CastingFacts
from fettle.results.making.casting import SandCore

if TYPE_CHECKING:
    from fettle.analysis import Analysis


def casting_facts(
    analysis: Analysis, opening: Opening | None, projection: Projection, fids: Sequence[str]
) -> CastingFacts | None:
    """A body in numbers of a foundry; None without an opening. `fids`: ids of its faces."""
    if opening is None:
        return None
    named, axes = feature_faces(analysis), projection.axes(analysis.mold_draft.pull)
    return CastingFacts(
        footprint_mm=opening.footprint_mm,
        depth_mm=opening.depth_mm,
        wall_mm=opening.wall_mm,
        patches=opening.patches,
        cores=tuple(
            SandCore(name_of(region, named, fids), to_digits(_core_mm3(analysis, region, axes), WALL_DIGITS))
            for region in opening.undercuts
        ),
    )


def _core_mm3(analysis: Analysis, region: Sequence[int], axes: NDArray[np.float64]) -> float:
    """Volume of the box around the faces of a core, along the directions of the mold (3, 3), rows."""
    points = analysis.mesh.points[np.isin(analysis.mesh.point_face, region)]
    return float(np.prod(np.ptp(points @ axes.T, axis=0)))
