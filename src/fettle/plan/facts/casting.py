"""Measures what a sand mold starts from: its parting and its cores."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.plan.facts.naming import FaceNames
from fettle.plan.facts.opening import Opening
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.rounding import WALL_DIGITS, to_digits
from fettle.results.making import CastingFacts
from fettle.results.making.casting import SandCore

if TYPE_CHECKING:
    from fettle.analysis import Analysis

Array = NDArray[np.float64]


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
    boxes = _face_boxes(analysis, regions, projection.axes(analysis.mold_draft.pull))
    return tuple(
        SandCore(names.of(region), to_digits(_core_mm3(boxes[:, list(region)]), WALL_DIGITS)) for region in regions
    )


def _core_mm3(boxes: Array) -> float:
    """Volume of the box around boxes, lower and upper corners (2, k, 3)."""
    return float(np.prod(boxes[1].max(axis=0) - boxes[0].min(axis=0)))


def _face_boxes(analysis: Analysis, regions: Sequence[Sequence[int]], axes: Array) -> Array:
    """Lower and upper corners (2, faces, 3) of the faces of some regions along the directions of the mold (3, 3), rows;
    of all other faces from infinity to minus infinity."""
    mesh, count = analysis.mesh, len(analysis.part.faces)
    boxes = np.full((2, count, 3), [[[np.inf]], [[-np.inf]]])
    wanted = np.zeros(count, np.bool_)
    wanted[[face for region in regions for face in region]] = True
    rows = np.flatnonzero(wanted[mesh.point_face])
    if len(rows):
        rows = rows[np.argsort(mesh.point_face[rows])]
        along, owner = mesh.points[rows] @ axes.T, mesh.point_face[rows]
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        boxes[0, owner[starts]] = np.minimum.reduceat(along, starts)
        boxes[1, owner[starts]] = np.maximum.reduceat(along, starts)
    return boxes
