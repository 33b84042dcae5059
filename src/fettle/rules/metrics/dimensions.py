"""Metrics that recognition already knows: the dimensions of one feature and their ratios."""

from __future__ import annotations

from fettle.recognize.feature import (
    Bend,
    Blend,
    Boss,
    Chamfer,
    Feature,
    Fin,
    Hole,
    Kind,
    Pocket,
    Protrusion,
    Slab,
    Slot,
)
from fettle.rules.registry import ANGLE_DEG, COUNT, RATIO, Answer, Measured, dimension

HOLE, BOSS, SLOT, FIN, POCKET = [Kind.HOLE], [Kind.BOSS], [Kind.SLOT], [Kind.FIN], [Kind.POCKET]


@dimension("hole.diameter", "mm", Hole, HOLE)
def hole_diameter(hole: Hole) -> Answer:
    """Diameter of the smallest cylinder of the hole."""
    return hole.diameter_mm


@dimension("hole.depth", "mm", Hole, HOLE)
def hole_depth(hole: Hole) -> Answer:
    """Depth at full diameter from the entry, drill point left out."""
    return hole.depth_mm


@dimension("hole.depth_over_diameter", "ratio", Hole, HOLE, RATIO)
def hole_depth_over_diameter(hole: Hole) -> Answer:
    """Depth over diameter of the hole's most slender cylindrical stage, drill point left out."""
    drilled = [stage for stage in hole.stages if stage.type in {"cylinder", "counterbore"} and stage.diameter_mm > 0]
    if not drilled:
        return hole.depth_mm / hole.diameter_mm if hole.diameter_mm > 0 else None
    return max(stage.depth_mm / stage.diameter_mm for stage in drilled)


@dimension("boss.diameter", "mm", Boss, BOSS)
def boss_diameter(boss: Boss) -> Answer:
    """Outer diameter of the boss."""
    return boss.diameter_mm


@dimension("boss.height", "mm", Boss, BOSS)
def boss_height(boss: Boss) -> Answer:
    """Height of the boss above the face it stands on."""
    return boss.height_mm


@dimension("boss.height_over_diameter", "ratio", Boss, BOSS, RATIO)
def boss_height_over_diameter(boss: Boss) -> Answer:
    """Height of the boss over its outer diameter."""
    return boss.height_mm / boss.diameter_mm if boss.diameter_mm > 0 else None


@dimension("thread.candidate_count", "count", Feature, HOLE + BOSS, COUNT)
def thread_candidate_count(feature: Feature) -> Answer:
    """How many standard threads the diameter fits: tap drills for holes, major diameters for bosses."""
    if not isinstance(feature, Hole | Boss):
        return None
    return Measured(float(len(feature.thread_candidates)), note=", ".join(feature.thread_candidates))


@dimension("slot.width", "mm", Slot, SLOT)
def slot_width(slot: Slot) -> Answer:
    """Distance between the two walls of the slot."""
    return slot.width_mm


@dimension("slot.depth", "mm", Slot, SLOT)
def slot_depth(slot: Slot) -> Answer:
    """Depth of the slot from its mouth."""
    return slot.depth_mm


@dimension("slot.depth_over_width", "ratio", Slot, SLOT, RATIO)
def slot_depth_over_width(slot: Slot) -> Answer:
    """Depth of the slot over its width."""
    return slot.depth_mm / slot.width_mm if slot.width_mm > 0 else None


@dimension("fin.thickness", "mm", Fin, FIN)
def fin_thickness(fin: Fin) -> Answer:
    """Thickness of the fin at half its height."""
    return fin.thickness_mm


@dimension("fin.height", "mm", Fin, FIN)
def fin_height(fin: Fin) -> Answer:
    """Height of the fin above the face it stands on."""
    return fin.height_mm


@dimension("fin.height_over_thickness", "ratio", Fin, FIN, RATIO)
def fin_height_over_thickness(fin: Fin) -> Answer:
    """Height of the fin over its thickness."""
    return fin.height_mm / fin.thickness_mm if fin.thickness_mm > 0 else None


@dimension("fin.draft", "deg", Fin, FIN, ANGLE_DEG)
def fin_draft(fin: Fin) -> Answer:
    """Draft of the fin's sides as modeled, whatever the pull."""
    return fin.draft_deg


@dimension("slab.thickness", "mm", Slab, [Kind.SLAB])
def slab_thickness(slab: Slab) -> Answer:
    """Distance between the two planes of the slab."""
    return slab.thickness_mm


@dimension("pocket.depth", "mm", Pocket, POCKET)
def pocket_depth(pocket: Pocket) -> Answer:
    """Depth of the pocket from its rim."""
    return pocket.depth_mm


@dimension("pocket.width", "mm", Pocket, POCKET)
def pocket_width(pocket: Pocket) -> Answer:
    """Diameter of the largest circle that fits the floor between walls and islands."""
    return pocket.width_mm


@dimension("pocket.depth_over_width", "ratio", Pocket, POCKET, RATIO)
def pocket_depth_over_width(pocket: Pocket) -> Answer:
    """Depth of the pocket over its width."""
    return pocket.depth_mm / pocket.width_mm if pocket.width_mm > 0 else None


@dimension("pocket.corner_radius", "mm", Pocket, POCKET)
def pocket_corner_radius(pocket: Pocket) -> Answer:
    """Smallest radius of the pocket's upright corners; 0 where one is sharp."""
    return pocket.min_corner_radius_mm


@dimension("recess.depth_over_width", "ratio", Feature, POCKET + SLOT, RATIO)
def recess_depth_over_width(feature: Feature) -> Answer:
    """Depth over width of a pocket or a slot."""
    if isinstance(feature, Pocket | Slot) and feature.width_mm > 0:
        return feature.depth_mm / feature.width_mm
    return None


@dimension("protrusion.height", "mm", Protrusion, [Kind.PROTRUSION])
def protrusion_height(protrusion: Protrusion) -> Answer:
    """Height of the protrusion above the face it stands on."""
    return protrusion.height_mm


@dimension("protrusion.height_over_width", "ratio", Protrusion, [Kind.PROTRUSION], RATIO)
def protrusion_height_over_width(protrusion: Protrusion) -> Answer:
    """Height of the protrusion over its width."""
    return protrusion.height_mm / protrusion.width_mm if protrusion.width_mm > 0 else None


@dimension("fillet.radius", "mm", Blend, [Kind.FILLET])
def fillet_radius(blend: Blend) -> Answer:
    """Radius of the fillet, its smallest where it varies."""
    return blend.radius_mm if blend.kind is Kind.FILLET else None


@dimension("round.radius", "mm", Blend, [Kind.ROUND])
def round_radius(blend: Blend) -> Answer:
    """Radius of the round, its smallest where it varies."""
    return blend.radius_mm if blend.kind is Kind.ROUND else None


@dimension("corner.radius", "mm", Feature, [Kind.FILLET, Kind.POCKET])
def corner_radius(feature: Feature) -> Answer:
    """Radius of an inside corner: of a fillet, or of the sharpest upright corner of a pocket (0 where it is sharp)."""
    if isinstance(feature, Blend):
        return fillet_radius(feature)
    return pocket_corner_radius(feature) if isinstance(feature, Pocket) else None


@dimension("bend.inner_radius", "mm", Bend, [Kind.BEND])
def bend_inner_radius(bend: Bend) -> Answer:
    """Inside radius of the bend."""
    return bend.inner_radius_mm


@dimension("bend.radius_over_thickness", "ratio", Bend, [Kind.BEND], RATIO)
def bend_radius_over_thickness(bend: Bend) -> Answer:
    """Inside radius of the bend over the sheet's thickness there."""
    return bend.bend_ratio


@dimension("bend.angle", "deg", Bend, [Kind.BEND], ANGLE_DEG)
def bend_angle(bend: Bend) -> Answer:
    """Angle through which the sheet is bent."""
    return bend.angle_deg


@dimension("chamfer.width", "mm", Chamfer, [Kind.CHAMFER])
def chamfer_width(chamfer: Chamfer) -> Answer:
    """Width across the chamfer."""
    return chamfer.width_mm


@dimension("feature.size", "mm", Feature, HOLE + BOSS + SLOT + FIN)
def feature_size(feature: Feature) -> Answer:
    """The deciding size of a small feature: diameter of a hole or boss, width of a slot, thickness of a fin."""
    match feature:
        case Hole() | Boss():
            return feature.diameter_mm
        case Slot():
            return feature.width_mm
        case Fin():
            return feature.thickness_mm
    return None
