"""Metrics of a mold that opens along the part's best own direction, or along the pull that was given: draft by depth,
side actions, threads, and walls that cool at another rate."""

from __future__ import annotations

import math
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part
from fettle.measure.face_regions import connected
from fettle.recognize.kinds.hole import Hole
from fettle.rules.context import RuleContext, Subject
from fettle.rules.metrics.measured import among
from fettle.rules.registry import (
    COUNT,
    MESH_MM,
    RATIO,
    Answer,
    FaceReadings,
    Given,
    Measured,
    per_face,
    per_feature,
    whole_part,
)

Scalars = NDArray[np.float64]

LOW_FRACTION = 0.25
"""A face lacks draft if more of its area than this does: less is the strip of a blend or a round along its tangent."""
SAME_WALL_DEG = 30.0
"""Faces that meet at less than this angle are one wall, whose whole depth counts."""
WALL_FRACTION = 0.005
"""A face smaller than this fraction of the part's surface is no wall: it is a letter, a rim or a sliver."""
THREAD = "thread"


@per_face("draft.undrafted_depth", "mm", MESH_MM, parameters=("min_draft_deg",))
def undrafted_depth(context: RuleContext, given: Given) -> FaceReadings:
    """Depth along the mold's opening over which the wall of the faces has less draft than the configuration's least;
    tangent strips of blends and rounds do not count."""
    return _deepest(_walls_below(context, given["min_draft_deg"]), 0.0)


@per_face("draft.undrafted_wall_depth", "mm", MESH_MM, parameters=("min_draft_deg", "wall_area_fraction"))
def undrafted_wall_depth(context: RuleContext, given: Given) -> FaceReadings:
    """The same depth of walls that have at least the configuration's fraction of the part's surface: pins, bores and
    ribs are left out."""
    least_mm2 = given["wall_area_fraction"] * context.part.area_mm2
    if math.isnan(least_mm2):
        return FaceReadings([math.nan] * len(context.part.faces), max)
    return _deepest(_walls_below(context, given["min_draft_deg"]), least_mm2)


@per_face("draft.low_draft_depth", "mm", MESH_MM, parameters=("rec_draft_deg",))
def low_draft_depth(context: RuleContext, given: Given) -> FaceReadings:
    """Depth along the mold's opening over which the wall of the faces has less draft than recommended."""
    return _deepest(_walls_below(context, given["rec_draft_deg"]), 0.0)


@per_face("draft.side_action", "count", COUNT)
def draft_side_action(context: RuleContext, given: Given) -> FaceReadings:
    """Number of the faces that neither mold half releases, modeled threads left out."""
    return among(context, _side_action_faces(context))


@whole_part("part.side_action_count", "count", COUNT)
def side_action_count(context: RuleContext, given: Given) -> Answer:
    """Number of connected regions that neither mold half releases, modeled threads left out: one side action each."""
    regions = connected(context.part, _side_action_faces(context))
    return Measured(float(len(regions)), tuple(face for region in regions for face in region), note=_opening(context))


@whole_part("part.modeled_thread_count", "count", COUNT)
def modeled_thread_count(context: RuleContext, given: Given) -> Answer:
    """Number of internal threads that are modeled as such; a mold unscrews them."""
    holes = _threaded(context)
    return Measured(float(len(holes)), tuple(face for hole in holes for face in hole.faces))


@per_feature("thickness.wall_deviation", "ratio", RATIO)
def wall_deviation(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Difference of the faces' median wall thickness from the part's median, over the latter; no reading for faces
    below half a percent of the part's surface."""
    least_mm2 = WALL_FRACTION * context.part.area_mm2
    if not sum(context.face(face).area_mm2 for face in subject.faces) >= least_mm2:  # nor where the area is nan
        return None
    here, nominal = context.thickness(subject.faces).median_mm, context.thickness().median_mm
    return None if here is None or not nominal else abs(here - nominal) / nominal


def _deepest(walls: tuple[Scalars, Scalars], least_mm2: float) -> FaceReadings:
    """Depth of every face's wall, 0 of walls of less than this area, of several faces the largest; walls: depth and
    area of every face's wall."""
    depth_mm, area_mm2 = walls
    counted = (area_mm2 >= least_mm2) & (depth_mm > 0.0)
    return FaceReadings(np.where(counted | np.isnan(depth_mm), depth_mm, 0.0).tolist(), max)


def _walls_below(context: RuleContext, limit_deg: float) -> tuple[Scalars, Scalars]:
    return context.keep(("walls below", limit_deg), lambda: _measure_walls(context, limit_deg))


def _measure_walls(context: RuleContext, limit_deg: float) -> tuple[Scalars, Scalars]:
    """Depth (faces,) in mm along the pull and area (faces,) in mm2 of the undrafted wall that a face belongs to; depth
    is nan for faces without a steep part, 0 for those with enough draft."""
    part, mesh, draft = context.part, context.analysis.mesh, context.analysis.mold_draft
    heights = context.keep("heights along the mold's opening", lambda: mesh.points @ np.asarray(draft.pull))
    # imported on first use: programs that only list the rules do not load numba
    whole, low_mm2, steep, bottom, top = import_module("fettle.measure.low_draft").low_draft_by_face(
        draft.signed_deg,
        draft.effective_deg,
        heights,
        mesh.point_face,
        mesh.point_areas_mm2(),
        len(part.faces),
        # a pattern that is melted needs no draft: an upright wall has none, or a rounding error less
        limit_deg if limit_deg > 0.0 else -math.inf,
    )
    undrafted = low_mm2 > LOW_FRACTION * whole
    depth = np.where(steep, 0.0, np.nan)
    total = np.zeros(len(part.faces))
    for wall in _smooth_groups(part, np.flatnonzero(undrafted).tolist()):
        members = np.array(wall)
        depth[members] = top[members].max() - bottom[members].min()
        total[members] = low_mm2[members].sum()
    return depth, total


def _smooth_groups(part: Part, faces: list[int]) -> list[list[int]]:
    """The faces in groups that meet at less than `SAME_WALL_DEG`."""
    neighbors: dict[int, list[int]] = {face: [] for face in faces}
    for edge in part.edges:
        one, other = edge.faces
        if one in neighbors and other in neighbors and abs(edge.angle_deg - 180.0) < SAME_WALL_DEG:
            neighbors[one].append(other)
            neighbors[other].append(one)
    groups, seen = [], set[int]()
    for face in faces:
        if face in seen:
            continue
        seen.add(face)
        group = [face]
        for member in group:  # grows while it is walked
            new = [other for other in dict.fromkeys(neighbors[member]) if other not in seen]
            seen.update(new)
            group += new
        groups.append(group)
    return groups


def _threaded(context: RuleContext) -> list[Hole]:
    return [
        feature
        for feature in context.analysis.recognition.features
        if isinstance(feature, Hole) and any(stage.type == THREAD for stage in feature.stages)
    ]


def _side_action_faces(context: RuleContext) -> list[int]:
    threads = {face for hole in _threaded(context) for face in hole.faces}
    return [face for face in context.analysis.mold_draft.undercut_faces if face not in threads]


def _opening(context: RuleContext) -> str:
    """The mold's opening as messages give it."""
    pull = context.analysis.mold_draft.pull
    return "Mold opens along " + ", ".join(f"{round(along, 3) + 0.0:g}" for along in pull)
