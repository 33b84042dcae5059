"""Metrics that recognition already knows: the dimensions that kinds of features declare, and those of several kinds."""

from __future__ import annotations

from fettle.recognize.feature import Feature
from fettle.recognize.kinds import feature_kinds
from fettle.recognize.kinds.boss import Boss
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.fin import Fin
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.shaft_step import ShaftStep
from fettle.recognize.kinds.slot import Slot
from fettle.rules.registry import Answer, Measured, add_dimension, dimension

for _kind in feature_kinds():
    for _declared in _kind.dimensions:
        add_dimension(_declared.name, _declared.unit, _declared.meaning, (_kind.feature_class,), _declared.read)


@dimension("thread.candidate_count", "count", Hole, Boss, ShaftStep)
def thread_candidate_count(feature: Feature) -> Answer:
    """How many standard threads the diameter fits: tap drills for holes, major diameters for bosses and
    shaft steps."""
    if not isinstance(feature, Hole | Boss | ShaftStep):
        return None
    return Measured(float(len(feature.thread_candidates)), note=", ".join(feature.thread_candidates))


@dimension("recess.depth_over_width", "ratio", Pocket, Slot)
def recess_depth_over_width(feature: Feature) -> Answer:
    """Depth over width of a pocket or a slot."""
    if isinstance(feature, Pocket | Slot) and feature.width_mm > 0:
        return feature.depth_mm / feature.width_mm
    return None


@dimension("corner.radius", "mm", Fillet, Pocket)
def corner_radius(feature: Feature) -> Answer:
    """Radius of an inside corner: of a fillet, or of the sharpest upright corner of a pocket (0 where it is sharp)."""
    match feature:
        case Fillet():
            return feature.radius_mm
        case Pocket():
            return feature.min_corner_radius_mm
    return None


@dimension("feature.size", "mm", Hole, Boss, Slot, Fin)
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
