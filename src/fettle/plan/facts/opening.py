"""The part between two halves of a mold, of steel or of sand, that part across the direction that suits it best."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fettle.measure.face_regions import connected
from fettle.measure.weighted_statistics import smallest_covering
from fettle.plan.facts.naming import threaded_holes
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.rounding import WALL_DIGITS, to_digits
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import same_surface
from fettle.recognize.signs import SMOOTH
from fettle.results.record import rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

BLENDS = ("FILLET", "ROUND", "CHAMFER")
"""Features between two surfaces: the book counts the surfaces alone."""
THICKEST = 0.9
"""Quantile of the wall thickness by area that stands for the thickest wall: corners, where two walls meet, take up
to a tenth of a small part and cool with the walls around them."""


@dataclass(frozen=True, slots=True)
class Opening:
    """`footprint_mm`: long and short side of the rectangle around the part, seen along the opening; `wall_mm`: thickest
    wall; `patches`: surfaces without blends; `undercuts`: connected faces that neither half releases, without
    threads."""

    footprint_mm: tuple[float, float]
    depth_mm: float
    wall_mm: float
    patches: int
    undercuts: tuple[tuple[int, ...], ...]


def measure_opening(analysis: Analysis, projection: Projection) -> Opening | None:
    """The part along the best opening of a mold; None where its walls were not measured."""
    wall_mm = _thickest_wall_mm(analysis)
    if wall_mm is None:
        return None
    part, draft = analysis.part, analysis.mold_draft
    threaded = {face for hole in threaded_holes(analysis) for face in hole.faces}
    long, short = projection.footprint_mm(draft.pull)
    return Opening(
        footprint_mm=(rounded(long), rounded(short)),
        depth_mm=rounded(projection.extent_mm(draft.pull)),
        wall_mm=to_digits(wall_mm, WALL_DIGITS),
        patches=_count_patches(analysis),
        undercuts=connected(part, [face for face in draft.undercut_faces if face not in threaded]),
    )


def _thickest_wall_mm(analysis: Analysis) -> float | None:
    thickest = float(smallest_covering(analysis.thickness.value_mm, analysis.mesh.point_areas_mm2(), THICKEST))
    return None if math.isnan(thickest) else thickest


def _count_patches(analysis: Analysis) -> int:
    """Surfaces of the part, faces of one surface counted once and blends not at all."""
    blends = {face for feature in analysis.recognition.features if feature.kind in BLENDS for face in feature.faces}
    faces = analysis.part.faces
    split = [
        edge.faces
        for edge in analysis.part.edges
        if edge.convexity is SMOOTH
        and edge.faces[0] != edge.faces[1]
        and faces[edge.faces[0]].convex == faces[edge.faces[1]].convex
        and same_surface(faces[edge.faces[0]].surface, faces[edge.faces[1]].surface)
    ]
    return sum(not all(face in blends for face in group) for group in connected_groups(range(len(faces)), split))
