"""Measures what milling starts from: set-ups, the features that each reaches, and what is left of the surface."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from fettle.geometry.part import Cylinder, Face, Plane, Vector
from fettle.measure.wall_patches import WallReadings, measure_wall_patches
from fettle.plan.facts.machined_features import Reached, is_machined, machined_feature
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.setups import (
    ClampedSetup,
    choose_setups,
    frame_reach,
    missed_faces,
    setup_along,
    tilted_setup,
    tilted_setups,
)
from fettle.plan.facts.turning import turning_facts
from fettle.pmi.requirements import requirements_of
from fettle.recognize.signs import CONVEX
from fettle.results.making import AskedTolerance, MachinedFeature, MachiningFacts
from fettle.results.record import Triple, reading, rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

WALL_PATCH_MM2 = 2.0
"""Area that a wall must have to count as one, as in the rule for thin walls of milled parts."""
UPRIGHT_COS = 0.02
"""Largest cosine between a wall's normal and the spindle for the side of an end mill to finish it (1 degree)."""
LEVEL_COS = 0.9998
"""Smallest cosine between a floor's normal and the spindle for the end of a mill to finish it (1 degree)."""
NOWHERE = np.zeros(3)


def machining_facts(
    analysis: Analysis, projection: Projection, fids: list[str], box_mm: Triple, readings: WallReadings
) -> MachiningFacts:
    """Facts of a body; `fids`: the file's names of its faces, in the order of `part.faces`; `box_mm`: its own box;
    `readings`: of its wall thickness."""
    part, access = analysis.part, analysis.access
    frame = frame_reach(analysis, projection, box_mm)
    setups_3, setups_5 = choose_setups(analysis, frame), tilted_setups(analysis, frame)
    missed_3, missed_5 = missed_faces(setups_3, analysis), missed_faces(setups_5, analysis)
    unreached_5 = frozenset(access.unreached_5axis)
    walls_mm = measure_wall_patches(part, readings, WALL_PATCH_MM2).thickness_mm.tolist()
    cut: list[MachinedFeature] = []
    claimed: set[int] = set()
    for feature in analysis.recognition.features:
        if is_machined(feature):
            setup = setup_along(missed_3, feature)
            tilted = tilted_setup(missed_5, unreached_5, feature, setup)
            wall_mm = _thinnest([walls_mm[face] for face in feature.faces])
            cut.append(machined_feature(analysis, feature, fids, Reached(setup, tilted, wall_mm)))
            claimed.update(feature.faces)
    outline, freeform = _other_areas(analysis, claimed, setups_3)
    return MachiningFacts(
        features=tuple(cut),
        setups_3axis=tuple(setup.record for setup in setups_3),
        setups_5axis=tuple(setup.record for setup in setups_5),
        unreached_3axis_mm2=rounded(sum(part.faces[face].area_mm2 for face in access.unreached_3axis)),
        unreached_5axis_mm2=rounded(sum(part.faces[face].area_mm2 for face in access.unreached_5axis)),
        freeform_mm2=rounded(freeform),
        outline_mm2=rounded(outline),
        edge_mm=rounded(_edge_mm(analysis)),
        tolerances=_tolerances(analysis, fids),
        turning=turning_facts(analysis, fids),
    )


def _other_areas(analysis: Analysis, claimed: set[int], setups: tuple[ClampedSetup, ...]) -> tuple[float, float]:
    """Areas in mm2 of the faces that no feature claims: upright walls, and faces that stand askew to every set-up.
    Level faces are left out: facing and roughing leave them finished."""
    others = [face for number, face in enumerate(analysis.part.faces) if number not in claimed]
    ways = np.array([setup.direction for setup in setups]).reshape(-1, 3)
    along = np.abs(np.array([_way(face) for face in others]).reshape(-1, 3) @ ways.T)
    level, upright = (along >= LEVEL_COS).any(axis=1).tolist(), (along <= UPRIGHT_COS).any(axis=1).tolist()
    outline = freeform = 0.0
    for face, is_along, is_across in zip(others, level, upright, strict=True):
        if isinstance(face.surface, Plane):
            if is_along:
                continue
            is_upright = is_across
        else:
            is_upright = isinstance(face.surface, Cylinder) and is_along
        if is_upright:
            outline += face.area_mm2
        else:
            freeform += face.area_mm2
    return outline, freeform


def _way(face: Face) -> Vector:
    """Normal of a plane, axis of a cylinder, (3,); of other faces nothing."""
    match face.surface:
        case Plane(normal=way) | Cylinder(axis=way):
            return way
    return NOWHERE


def _thinnest(walls_mm: Sequence[float]) -> float | None:
    """The least of some walls' thicknesses, None where none was measured."""
    return reading(min((wall for wall in walls_mm if not math.isnan(wall)), default=None))


def _edge_mm(analysis: Analysis) -> float:
    """Length of the convex edges, mm."""
    return sum(edge.length_mm for edge in analysis.part.edges if edge.convexity is CONVEX)


def _tolerances(analysis: Analysis, fids: list[str]) -> tuple[AskedTolerance, ...]:
    """What the file asks of the accuracy of single faces, in its order; what it asks of all is left out."""
    return tuple(
        AskedTolerance(one.text, one.grade, one.hollow, tuple(fids[face] for face in one.faces))
        for one in requirements_of(analysis.part)
        if one.grade is not None and one.faces
    )
