"""Measures what a sand mold starts from: its parting and its cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fettle.plan.facts.naming import FaceNames
from fettle.plan.facts.opening import Opening
from fettle.plan.facts.point_passes import box_volumes
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.rounding import WALL_DIGITS, to_digits
from fettle.results.making import CastingFacts
from fettle.results.making.casting import SandCore

if TYPE_CHECKING:
    from fettle.analysis import Analysis


def casting_facts(
    analysis: Analysis, opening: Opening | None, projection: Projection, names: FaceNames
) -> CastingFacts | None:
    """A body in numbers of a foundry; None without an opening."""
    if opening is None:
        return None
    return CastingFacts(
        footprint_mm=opening.footprint_mm,
        depth_mm=opening.depth_mm,
        wall_mm=opening.wall_mm,
        patches=opening.patches,
        cores=_cores(analysis, opening.undercuts, projection, names) if opening.undercuts else (),
    )


def _cores(
    analysis: Analysis, regions: Sequence[Sequence[int]], projection: Projection, names: FaceNames
) -> tuple[SandCore, ...]:
    """A core for each region that neither half releases."""
    axes = projection.axes(analysis.mold_draft.pull)
    region_of = np.full(len(analysis.part.faces), -1, np.int64)
    for number, region in enumerate(regions):
        region_of[list(region)] = number
    mesh = analysis.mesh
    cores_mm3 = box_volumes(mesh.points, mesh.point_face, region_of, axes, len(regions)).tolist()
    return tuple(
        SandCore(names.of(region), to_digits(core_mm3, WALL_DIGITS))
        for region, core_mm3 in zip(regions, cores_mm3, strict=True)
    )
