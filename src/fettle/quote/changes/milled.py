"""Milled features with another radius, depth, diameter, width or wall, and the body around them.

The volume that a feature no longer takes goes to the body, so that all else of the plan stays as it is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fettle.results.making import BoreStage, MachinedFeature, MakingFacts

CORNER_SHARE = 1.0 - math.pi / 4.0
"""Area that a circle of radius 1 leaves in a right-angled corner."""
CORNER_PATH = 2.0 - math.pi / 2.0
"""By which a right-angled corner of radius 1 is shorter than a sharp one."""


@dataclass(frozen=True, slots=True)
class Changed:
    """A feature after the change, the dimension before and after, and the length of edges that it adds to the body."""

    feature: MachinedFeature
    before_mm: float
    after_mm: float
    edge_mm: float = 0.0


Change = Callable[[MachinedFeature, float], "Changed | None"]
"""Changes a feature so that the metric of a rule reads its limit; None where it does already, or cannot."""


def change_features(
    facts: MakingFacts, faces: Iterable[str], limit: float, change: Change
) -> tuple[MakingFacts, list[Changed]]:
    """The body with every feature that has one of some faces changed, and the features that were."""
    machining, wanted = facts.machining, frozenset(faces)
    if machining is None or facts.volume_mm3 is None:
        return facts, []
    features, changed = list(machining.features), []
    for number, feature in enumerate(features):
        if wanted.isdisjoint(feature.fids):
            continue
        found = change(feature, limit)
        if found is not None:
            features[number] = found.feature
            changed.append(found)
    gained = sum(old.volume_mm3 - new.volume_mm3 for old, new in zip(machining.features, features, strict=True))
    edges = machining.edge_mm + sum(one.edge_mm for one in changed)
    milled = replace(machining, features=tuple(features), edge_mm=edges)
    return replace(facts, machining=milled, volume_mm3=facts.volume_mm3 + gained), changed


def with_radius(feature: MachinedFeature, radius_mm: float) -> Changed | None:
    """Larger inside corners."""
    old = feature.corner_radius_mm
    if old is None or old >= radius_mm or feature.corner_turns <= 0.0:
        return None
    area = feature.corner_turns * CORNER_SHARE * (radius_mm**2 - old**2)
    path = feature.corner_turns * CORNER_PATH * (radius_mm - old)
    new = replace(
        feature,
        corner_radius_mm=radius_mm,
        volume_mm3=max(0.0, feature.volume_mm3 - area * feature.depth_mm),
        floor_mm2=max(0.0, feature.floor_mm2 - area) if feature.floor_mm2 > 0.0 else 0.0,
        wall_mm2=max(0.0, feature.wall_mm2 - path * feature.depth_mm),
    )
    return Changed(new, old, radius_mm, -path * (2.0 if feature.through else 1.0))


def with_depth_over_radius(feature: MachinedFeature, ratio: float) -> Changed | None:
    """Corners large enough for the depth; what goes through is cut from both sides, so half its depth counts."""
    return with_radius(feature, feature.depth_mm * (0.5 if feature.through else 1.0) / ratio) if ratio > 0.0 else None


def with_hole_ratio(hole: MachinedFeature, ratio: float) -> Changed | None:
    """A hole whose deepest cylinder is as shallow as its diameter allows; a through hole becomes wider instead."""
    if hole.kind != "HOLE":
        return None
    worst = max(range(len(hole.stages)), key=lambda number: _ratio(hole.stages[number]))
    old = hole.stages[worst]
    if _ratio(old) <= ratio:
        return None
    if hole.through:
        new = BoreStage(old.depth_mm / ratio, old.depth_mm)
        edge = math.pi * (new.diameter_mm - old.diameter_mm) * (2.0 if len(hole.stages) == 1 else 1.0)
        before, after = old.diameter_mm, new.diameter_mm
    else:
        new = BoreStage(old.diameter_mm, ratio * old.diameter_mm)
        edge, before, after = 0.0, old.depth_mm, new.depth_mm
    stages = tuple(new if number == worst else stage for number, stage in enumerate(hole.stages))
    narrowest = min(stages, key=lambda stage: stage.diameter_mm)
    changed = replace(
        hole,
        stages=stages,
        width_mm=narrowest.diameter_mm,
        depth_mm=narrowest.depth_mm,
        length_mm=narrowest.depth_mm,
        volume_mm3=hole.volume_mm3 + _cylinder_mm3(new) - _cylinder_mm3(old),
        wall_mm2=math.pi * narrowest.diameter_mm * narrowest.depth_mm,
        thread=None if hole.through and worst == len(stages) - 1 else hole.thread,
    )
    return Changed(changed, before, after, edge)


def _ratio(stage: BoreStage) -> float:
    return stage.depth_mm / stage.diameter_mm if stage.diameter_mm > 0.0 else 0.0


def _cylinder_mm3(stage: BoreStage) -> float:
    return math.pi / 4.0 * stage.diameter_mm**2 * stage.depth_mm


def with_depth_over_width(recess: MachinedFeature, ratio: float) -> Changed | None:
    """A recess as shallow as its width allows; one that goes through becomes as wide as its depth asks for."""
    if recess.kind == "HOLE" or recess.width_mm <= 0.0 or recess.depth_mm <= ratio * recess.width_mm:
        return None
    if recess.through:
        return with_width(recess, recess.depth_mm / ratio)
    depth = ratio * recess.width_mm
    share = depth / recess.depth_mm
    new = replace(recess, depth_mm=depth, volume_mm3=recess.volume_mm3 * share, wall_mm2=recess.wall_mm2 * share)
    return Changed(new, recess.depth_mm, depth)


def with_width(recess: MachinedFeature, width_mm: float) -> Changed | None:
    """A wider recess; its length stays."""
    old = recess.width_mm
    if recess.kind == "HOLE" or old <= 0.0 or old >= width_mm:
        return None
    added = (width_mm - old) * recess.length_mm
    new = replace(
        recess,
        width_mm=width_mm,
        volume_mm3=recess.volume_mm3 + added * recess.depth_mm,
        floor_mm2=recess.floor_mm2 + added if recess.floor_mm2 > 0.0 else 0.0,
    )
    return Changed(new, old, width_mm)


def with_wall(feature: MachinedFeature, wall_mm: float) -> Changed | None:
    """A thicker wall behind the feature; the feature itself stays."""
    old = feature.wall_mm
    if old is None or old >= wall_mm:
        return None
    return Changed(replace(feature, wall_mm=wall_mm), old, wall_mm)


def without_undercut(feature: MachinedFeature, _: float) -> Changed | None:
    """The same feature where an ordinary end mill reaches it."""
    if not feature.undercut:
        return None
    return Changed(replace(feature, undercut=False), feature.depth_mm, feature.depth_mm)


def with_setups(facts: MakingFacts, count: int) -> MakingFacts | None:
    """The body with its features on fewer sides: the last set-ups fall away, their features go to the first, and the
    sides that they faced are milled with the side of an end mill."""
    machining = facts.machining
    if machining is None or count < 1 or len(machining.setups_3axis) <= count:
        return None
    features = tuple(
        replace(feature, setup_3axis=1) if (feature.setup_3axis or 0) > count else feature
        for feature in machining.features
    )
    kept, dropped = machining.setups_3axis[:count], machining.setups_3axis[count:]
    milled = replace(
        machining,
        features=features,
        setups_3axis=kept,
        outline_mm2=machining.outline_mm2 + sum(setup.faced_mm[0] * setup.faced_mm[1] for setup in dropped),
    )
    return replace(facts, machining=milled)


def with_grade(facts: MakingFacts, faces: Iterable[str], grade: int) -> tuple[MakingFacts, int | None]:
    """The body with coarser tolerances on some faces, and the finest grade before; None where none was finer."""
    machining, wanted = facts.machining, frozenset(faces)
    if machining is None:
        return facts, None
    finer = [one for one in machining.tolerances if one.grade < grade and not wanted.isdisjoint(one.fids)]
    asked = tuple(replace(one, grade=grade) if one in finer else one for one in machining.tolerances)
    coarser = replace(facts, machining=replace(machining, tolerances=asked))
    return coarser, min((one.grade for one in finer), default=None)
