"""Metrics of the measured fields over the faces of a subject: thickness, clearance, draft, overhang, access."""

from __future__ import annotations

import math
from collections.abc import Iterable

from fettle.geometry.part import Cone, Cylinder, Plane, Torus
from fettle.measure.readings import Triple
from fettle.measure.wall_patches import measure_wall_patches
from fettle.recognize.kinds.boss import Boss
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import (
    ANGLE_DEG,
    COUNT,
    EXACT_MM,
    MESH_MM,
    RATIO,
    Answer,
    FaceReadings,
    Given,
    Measured,
    per_face,
    per_feature,
)

AXES = ("axes",)
"""Name of the configuration's parameter that `spindle_tilts` reads."""
TILTING_AXES = 5
"""Axes of a machine from which its spindle tilts."""


def spindle_tilts(given: Given) -> bool:
    """Whether the configuration's machine has a tilting spindle."""
    return given["axes"] >= TILTING_AXES


@per_feature("thickness.min", "mm", MESH_MM)
def thickness_min(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Smallest wall thickness at the faces: 5th percentile by area, so that a single triangle does not decide."""
    walls = context.thickness(subject.faces)
    return None if walls.min_mm is None else Measured(walls.min_mm, position=walls.position_mm)


@per_feature("thickness.raw_min", "mm", MESH_MM)
def thickness_raw_min(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Smallest single reading of the wall thickness at the faces."""
    walls = context.thickness(subject.faces)
    return None if walls.raw_min_mm is None else Measured(walls.raw_min_mm, position=walls.position_mm)


@per_face("thickness.patch_min", "mm", MESH_MM, parameters=("wall_patch_mm2",))
def thickness_patch_min(context: RuleContext, given: Given) -> FaceReadings:
    """Thinnest wall behind the faces over a patch of the configuration's size and 5 % of the face: tips of wedges,
    narrow sides and smaller spots do not count."""
    patches = measure_wall_patches(context.part, context.wall_readings, given["wall_patch_mm2"])
    return FaceReadings(patches.listed_mm, min, patches.thinnest.tolist())


@per_feature("thickness.mean", "mm", MESH_MM)
def thickness_mean(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Mean wall thickness at the faces, by area."""
    return context.thickness(subject.faces).mean_mm


@per_feature("thickness.median", "mm", MESH_MM)
def thickness_median(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Median wall thickness at the faces, by area."""
    return context.thickness(subject.faces).median_mm


@per_feature("thickness.max", "mm", MESH_MM)
def thickness_max(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Largest wall thickness at the faces: 95th percentile by area."""
    return context.thickness(subject.faces).p95_mm


@per_feature("thickness.deviation", "ratio", RATIO)
def thickness_deviation(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Difference of the faces' median wall thickness from the part's median, as a fraction of the part's."""
    here, nominal = context.thickness(subject.faces).median_mm, context.thickness().median_mm
    return None if here is None or not nominal else abs(here - nominal) / nominal


@per_feature("clearance.min", "mm", MESH_MM)
def clearance_min(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Smallest clearance in front of the faces, to the opposite wall: 5th percentile by area."""
    gap = context.clearance(subject.faces)
    return None if gap.min_mm is None else Measured(gap.min_mm, position=gap.position_mm)


@per_feature("clearance.mean", "mm", MESH_MM)
def clearance_mean(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Mean clearance in front of the faces, to the opposite wall, by area."""
    return context.clearance(subject.faces).mean_mm


@per_feature("gap.width", "mm", EXACT_MM, reads=["SLOT", "POCKET", "FIN"])
def gap_width(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Diameter of the largest cutter that fits: mouth of a slot, width of a pocket, clearance beside a fin."""
    match subject.feature:
        case Slot(width_mm=width, mouth_width_mm=mouth):
            return min(width, mouth)
        case Pocket(width_mm=width):
            return width
    return clearance_min(context, subject, given)


@per_face("draft.min", "deg", ANGLE_DEG)
def draft_min(context: RuleContext, given: Given) -> FaceReadings:
    """Smallest draft of the faces' steep part (within 45 degrees of the pull) in the mold half that releases it."""
    return FaceReadings(context.analysis.draft.face_min_deg.tolist(), min)


@per_face("draft.undercut", "count", COUNT)
def draft_undercut(context: RuleContext, given: Given) -> FaceReadings:
    """Number of the faces that neither mold half releases."""
    return among(context, context.analysis.draft.undercut_faces)


@per_face("overhang.min_deg", "deg", ANGLE_DEG)
def overhang_min(context: RuleContext, given: Given) -> FaceReadings:
    """Smallest angle of the faces' overhangs to the plate in the best build direction: 0 is a ceiling, 90 vertical."""
    return FaceReadings(context.analysis.overhang.face_min_deg.tolist(), min)


@per_face("access.unreached", "count", COUNT, parameters=AXES)
def access_unreached(context: RuleContext, given: Given) -> FaceReadings:
    """Number of the faces that no cutter reaches: along the six machine axes, or along any tilt with 5 axes."""
    access = context.analysis.access
    return among(context, access.unreached_5axis if spindle_tilts(given) else access.unreached_3axis)


@per_feature("axis_angle_to_pull", "deg", ANGLE_DEG)
def axis_angle_to_pull(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Angle between the subject's axis (a plane's normal) and the line of the pull, 0 to 90."""
    axis = _axis(context, subject)
    if axis is None:
        return None
    cosine = abs(sum(a * b for a, b in zip(axis, context.analysis.pull.direction, strict=True)))
    return math.degrees(math.acos(min(1.0, cosine)))


@per_feature("area_mm2", "mm2", EXACT_MM)
def area(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Area of all the subject's faces."""
    if not all(context.face(face).area_known for face in subject.faces):
        return None
    return float(sum(context.face(face).area_mm2 for face in subject.faces))


def among(context: RuleContext, faces: Iterable[int]) -> FaceReadings:
    """1 for each of these faces, 0 for the others; of several faces their number."""
    counted = [0.0] * len(context.part.faces)
    for face in faces:
        counted[face] = 1.0
    return FaceReadings(counted, sum)


def _axis(context: RuleContext, subject: Subject) -> Triple | None:
    if isinstance(subject.feature, Hole | Boss | Slot | Pocket):
        return subject.feature.axis
    match context.face(subject.faces[0]).surface:
        case Plane(normal=direction) | Cylinder(axis=direction) | Cone(axis=direction) | Torus(axis=direction):
            x, y, z = (float(c) for c in direction)
            return x, y, z
    return None
