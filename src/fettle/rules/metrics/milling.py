"""Metrics of machining: corners, the narrowest passage of a cutter, drills and how they enter, undercuts."""

from __future__ import annotations

import math

import numpy as np

from fettle.geometry.part import Cone, Cylinder, Plane, Sphere, Vector
from fettle.measure.wall_patches import WallPatches, measure_wall_patches, sort_readings
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.fin import Fin
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.rules.context import RuleContext, Subject
from fettle.rules.drill_sizes import nearest_drill_mm
from fettle.rules.metrics.measured import gap_width
from fettle.rules.milling_selectors import (
    form_cut_faces,
    in_passage,
    is_turned_groove,
    sharp_upright_edges,
    special_surfaces,
)
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
    whole_part,
)

NECK_PATCH_MM2 = 0.5
"""Area of wall that must be near its opposite for a passage to be a neck: smaller spots are readings in corners."""
HELD_WIDTHS = 2.5
"""A wall of a recess holds the cutter where the opposite wall is within this many widths of the recess."""
MIN_HELD_SHARE = 0.1
"""Share of the walls' area that must hold the cutter; with less, the faces stand around the part or apart, and the
width of the floor says nothing about the cutter."""
RATIO_DECIMALS = 1
"""Decimals of depth over width, which is compared as it is shown: end mills come in lengths of whole diameters, and a
recess of just four widths is not deeper by what the mesh adds."""
MAX_DRILL_MM = 13.0
"""Largest diameter that must be a drill's: larger holes are milled or bored to size. The chuck of an ordinary drill."""


@per_face("thickness.web_min", "mm", MESH_MM, parameters=("wall_patch_mm2",))
def thickness_web_min(context: RuleContext, given: Given) -> FaceReadings:
    """Thinnest wall behind the faces over a patch of the configuration's size, however large the faces are: a web
    between two bores is a small part of their walls."""
    patch_mm2 = given["wall_patch_mm2"]
    return _thinnest(measure_wall_patches(context.part, context.wall_readings, patch_mm2, least_share=0.0))


@per_feature("corner.sharp_blind", "mm", EXACT_MM, reads=[Pocket.kind, Fillet.kind])
def corner_sharp_blind(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Radius of the sharp upright corners of a pocket with a floor, which is 0; no reading without such corners."""
    return _sharp(context, subject, through=False)


@per_feature("corner.sharp_through", "mm", EXACT_MM, reads=[Pocket.kind, Fillet.kind])
def corner_sharp_through(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Radius of the sharp upright corners of a passage without a floor, which is 0: a wire or a laser cuts them. No
    reading without such corners."""
    return _sharp(context, subject, through=True)


def _sharp(context: RuleContext, subject: Subject, *, through: bool) -> Answer:
    pocket = subject.feature
    if not isinstance(pocket, Pocket) or pocket.through is not through:
        return None
    edges = sharp_upright_edges(context, pocket)
    members = tuple(dict.fromkeys(face for edge in edges for face in context.part.edges[edge].faces))
    if not edges:
        return None
    x, y, z = context.part.edges[edges[0]].points.mean(axis=0).tolist()
    return Measured(0.0, members, (x, y, z), note=f"Sharp corners: {len(edges)}")


@per_feature("corner.milled_radius", "mm", EXACT_MM, reads=[Pocket.kind, Fillet.kind])
def corner_milled_radius(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Radius of a fillet that an end mill must leave; no reading for the corners of a passage without a floor."""
    fillet = subject.feature
    if not isinstance(fillet, Fillet) or in_passage(context, fillet):
        return None
    return fillet.radius_mm


@per_feature("corner.passage_radius", "mm", EXACT_MM, reads=[Pocket.kind, Fillet.kind])
def corner_passage_radius(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Radius of a fillet between two walls of a passage without a floor, which a wire or a laser cuts as well."""
    fillet = subject.feature
    return fillet.radius_mm if isinstance(fillet, Fillet) and in_passage(context, fillet) else None


@per_feature("corner.depth_over_radius", "ratio", RATIO, reads=[Pocket.kind])
def corner_depth_over_radius(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Depth of a pocket over the smallest radius of its upright corners; a passage is cut from both sides, so half its
    depth counts. No reading where a corner is sharp or there is none."""
    pocket = subject.feature
    if not isinstance(pocket, Pocket) or not pocket.min_corner_radius_mm:
        return None
    return (0.5 if pocket.through else 1.0) * pocket.depth_mm / pocket.min_corner_radius_mm


@per_feature("gap.passage", "mm", MESH_MM, reads=[Slot.kind, Pocket.kind, Fin.kind])
def gap_passage(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Narrowest passage of an end mill: mouth of a slot, width of a pocket or a neck in it, clearance beside a fin. No
    reading for grooves that are turned, and where the walls do not hold a cutter."""
    if is_turned_groove(context, subject.feature) or not _holds_cutter(context, subject):
        return None
    width = gap_width(context, subject, given)
    neck = _neck(context, subject)
    if isinstance(width, float) and isinstance(neck, Measured) and neck.value < width:
        return neck
    return width


@per_feature("groove.width", "mm", EXACT_MM, reads=[Slot.kind, Pocket.kind, Fin.kind])
def groove_width(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Width of a ring groove around a shaft or inside a bore."""
    feature = subject.feature
    if not isinstance(feature, Slot) or not is_turned_groove(context, feature):
        return None
    return min(feature.width_mm, feature.mouth_width_mm)


@per_feature("recess.held_depth_over_width", "ratio", RATIO, reads=[Pocket.kind, Slot.kind])
def recess_held_depth_over_width(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Depth over width of a pocket or a slot whose walls hold the cutter: the clearance between them agrees with the
    width. No reading where they stand apart."""
    feature = subject.feature
    if not isinstance(feature, Pocket | Slot) or feature.width_mm <= 0 or not _holds_cutter(context, subject):
        return None
    return round(feature.depth_mm / feature.width_mm, RATIO_DECIMALS)


@per_feature("hole.drill_offset", "mm", EXACT_MM, reads=[Hole.kind])
def hole_drill_offset(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Difference of the hole's diameter from the nearest drill of the metric and inch series; no reading above 13 mm,
    where holes are bored."""
    hole = subject.feature
    if not isinstance(hole, Hole) or not 0.0 < hole.diameter_mm <= MAX_DRILL_MM:
        return None
    nearest_mm = nearest_drill_mm(hole.diameter_mm)
    return Measured(abs(hole.diameter_mm - nearest_mm), note=f"Nearest drill: {nearest_mm:.2f} mm")


@per_feature("hole.entry_angle", "deg", ANGLE_DEG, reads=[Hole.kind])
def hole_entry_angle(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Angle between the drill and the normal of the face that it enters; no reading behind a counterbore or a
    countersink, which give it a seat."""
    hole = subject.feature
    if not isinstance(hole, Hole) or (hole.stages and hole.stages[0].type != "cylinder"):
        return None
    entry, axis = np.asarray(hole.position_mm), np.asarray(hole.axis)
    angles = []
    members = frozenset(hole.faces)
    for face in hole.faces:
        for loop in context.face(face).loops:
            for number in loop.edges:
                rim = context.part.edges[number]
                outside = [one for one in rim.faces if one >= 0 and one not in members]
                if not outside or abs(float((rim.points.mean(axis=0) - entry) @ axis)) > hole.diameter_mm:
                    continue
                normal = _normal_near(context, outside[0], entry)
                if normal is not None:
                    angles.append(math.degrees(math.acos(min(1.0, abs(float(normal @ axis))))))
    return min(angles) if angles else None


@whole_part("part.hidden_region_count", "count", COUNT)
def hidden_region_count(context: RuleContext, given: Given) -> Answer:
    """Number of connected regions that no straight cutter reaches along a direction of the part; teeth, modeled
    threads and grooves inside bores are left out."""
    other = special_surfaces(context).every_face | form_cut_faces(context)
    regions = [tuple(one for one in region if one not in other) for region in context.analysis.access.undercut_regions]
    left = [region for region in regions if region]
    return Measured(float(len(left)), tuple(face for region in left for face in region))


@whole_part("part.form_cut_count", "count", COUNT)
def form_cut_count(context: RuleContext, given: Given) -> Answer:
    """Number of hidden regions that a side cutter makes through the bore they lie in."""
    grooves = form_cut_faces(context)
    regions = [tuple(one for one in region if one in grooves) for region in context.analysis.access.undercut_regions]
    left = [region for region in regions if region]
    return Measured(float(len(left)), tuple(face for region in left for face in region))


def _normal_near(context: RuleContext, face: int, point: Vector) -> Vector | None:
    """Unit normal, up to sign, of a face's surface beside a point; None on other surfaces."""
    surface = context.face(face).surface
    if isinstance(surface, Plane):
        return surface.normal
    if isinstance(surface, Cylinder | Cone):
        offset = point - surface.origin
        across = offset - float(offset @ surface.axis) * surface.axis
        length = float(np.linalg.norm(across))
        if length <= 0.0:
            return None
        if isinstance(surface, Cylinder):
            return across / length
        half = math.radians(surface.half_angle_deg)
        tilted: Vector = math.cos(half) * across / length - math.sin(half) * surface.axis
        return tilted
    if isinstance(surface, Sphere):
        offset = point - surface.center
        length = float(np.linalg.norm(offset))
        return offset / length if length > 0.0 else None
    return None


def _walls(subject: Subject) -> tuple[int, ...]:
    floor = getattr(subject.feature, "floor_face", None)
    return tuple(face for face in subject.faces if face != floor)


def _holds_cutter(context: RuleContext, subject: Subject) -> bool:
    """Whether the clearance before the walls of a pocket agrees with its width; True for slots and fins, whose width is
    the distance of their walls."""
    pocket = subject.feature
    if not isinstance(pocket, Pocket):
        return True
    mesh, clearance_mm = context.analysis.mesh, context.analysis.clearance.value_mm
    rows = context.rows_of(_walls(subject))
    area = context.keep("point areas", mesh.point_areas_mm2)[rows]
    whole = float(area.sum())
    with np.errstate(invalid="ignore"):
        held = clearance_mm[rows] <= HELD_WIDTHS * pocket.width_mm + EXACT_MM
    return whole <= 0.0 or float(area[held].sum()) >= MIN_HELD_SHARE * whole


def _neck(context: RuleContext, subject: Subject) -> Answer:
    """The narrowest clearance between the walls of a pocket over a patch of wall."""
    if not isinstance(subject.feature, Pocket):
        return None
    analysis = context.analysis

    def read() -> FaceReadings:
        readings = sort_readings(analysis.part, analysis.mesh, analysis.clearance)
        return _thinnest(measure_wall_patches(analysis.part, readings, NECK_PATCH_MM2, least_share=0.0))

    return context.keep("necks", read).of(context, _walls(subject))


def _thinnest(patches: WallPatches) -> FaceReadings:
    """The thinnest patch of every face; of several faces that with the thinnest is named."""
    return FaceReadings(patches.listed_mm, min, patches.thinnest.tolist(), names_one=True)
