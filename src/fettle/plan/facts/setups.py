"""Set-ups of a body on a mill, chosen from what each direction reaches, whatever the position in the file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.measure.access import REACHED_FRACTION
from fettle.recognize.feature import Feature
from fettle.results.making.machining import MachiningSetup
from fettle.results.record import Triple, rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

SAME_DIRECTION_COS = 0.9998
"""Directions within 1 degree are one."""
SAME_LENGTH_MM = 0.1
"""Extents on the mesh that differ from a side of the box by less are that side: the mesh cuts corners of curves."""


@dataclass(frozen=True, slots=True, eq=False)
class ClampedSetup:
    """A set-up with its direction: from the part towards the spindle, (3,)."""

    direction: NDArray[np.float64]
    record: MachiningSetup


def choose_setups(analysis: Analysis, box_mm: Triple) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 3-axis mill, the one that reaches most first.

    The access analysis says how many are needed. Of all sets of as many axes that reach as much, the one is taken whose
    faced sides are the largest: the part is laid flat.
    """
    access = analysis.access
    if len(access.directions) < 6:
        return ()
    frame = access.directions[:6]
    asked = np.array(access.setups_3axis).reshape(-1, 3)
    in_frame = [int((frame @ way).argmax()) for way in asked if (frame @ way).max() >= SAME_DIRECTION_COS]
    askew = [way for way in asked if (frame @ way).max() < SAME_DIRECTION_COS]
    reach = np.nan_to_num(access.reach[:6])
    needed = reach[in_frame].sum(axis=0) >= REACHED_FRACTION
    extents = _extents_mm(analysis, box_mm)
    best, largest = tuple(in_frame), -1.0
    for chosen in combinations(range(6), len(in_frame)):
        if (reach[list(chosen)].sum(axis=0) >= REACHED_FRACTION)[needed].all():
            faced = sum(_faced_mm2(extents, axis) for axis in chosen)
            if faced > largest * (1.0 + 1e-6):
                best, largest = chosen, faced
    areas = np.array([face.area_mm2 for face in analysis.part.faces])
    order = sorted(best, key=lambda axis: -round(float(reach[axis] @ areas), 3))
    straight = [ClampedSetup(frame[axis], _record(extents, axis)) for axis in order]
    return (*straight, *(ClampedSetup(way, MachiningSetup((0.0, 0.0), 0.0, True)) for way in askew))


def tilted_setups(analysis: Analysis, box_mm: Triple) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 5-axis mill: as many as the access analysis says. The first looks at the largest side, of
    equal ones at that of which it reaches most; the second at the opposite side."""
    access = analysis.access
    if len(access.directions) < 6:
        return ()
    extents = _extents_mm(analysis, box_mm)
    areas = np.array([face.area_mm2 for face in analysis.part.faces])
    reached = np.nan_to_num(access.reach[:6]) @ areas

    def weight(axis: int) -> tuple[float, float]:
        return -round(_faced_mm2(extents, axis), 3), -round(float(reached[axis]), 3)

    first = min(range(6), key=weight)
    others = sorted((axis for axis in range(6) if axis // 2 != first // 2), key=weight)
    axes = [first, first ^ 1, *others][: len(access.setups_5axis)]
    return tuple(ClampedSetup(access.directions[axis], _record(extents, axis)) for axis in axes)


def setup_along(setups: tuple[ClampedSetup, ...], analysis: Analysis, feature: Feature) -> int | None:
    """Number from 1 of the first set-up that reaches every face of a feature; None where none does."""
    access, faces = analysis.access, list(feature.faces)
    for number, setup in enumerate(setups, 1):
        row = int((access.directions @ setup.direction).argmax())
        reached = access.reach[row, faces]
        if ((reached >= REACHED_FRACTION) | np.isnan(reached)).all():
            return number
    return None


def tilted_setup(
    setups: tuple[ClampedSetup, ...], analysis: Analysis, feature: Feature, straight: int | None
) -> int | None:
    """Number from 1 of the set-up of a 5-axis mill that reaches a feature: the first that does with an upright spindle,
    else the first, tilted; None where some of its faces is reached by no tilt."""
    if set(analysis.access.unreached_5axis).intersection(feature.faces):
        return None
    return setup_along(setups, analysis, feature) or (1 if setups else straight)


def _extents_mm(analysis: Analysis, box_mm: Triple) -> tuple[float, float, float]:
    """Sizes of the body along the three axes of its frame, mm: sides of its own box where the mesh comes near one."""
    heights = analysis.mesh.points @ analysis.access.directions[0:6:2].T
    x, y, z = (heights.max(axis=0) - heights.min(axis=0)).tolist()
    return _side(x, box_mm), _side(y, box_mm), _side(z, box_mm)


def _side(extent_mm: float, box_mm: Triple) -> float:
    return next((side for side in box_mm if abs(side - extent_mm) < SAME_LENGTH_MM), extent_mm)


def _across(extents: Triple, axis: int) -> tuple[float, float]:
    """The longer and the shorter side of the box across one of the six directions of the frame."""
    sides = sorted((extents[other] for other in range(3) if other != axis // 2), reverse=True)
    return sides[0], sides[1]


def _faced_mm2(extents: Triple, axis: int) -> float:
    length, width = _across(extents, axis)
    return length * width


def _record(extents: Triple, axis: int) -> MachiningSetup:
    length, width = _across(extents, axis)
    return MachiningSetup((rounded(length), rounded(width)), rounded(extents[axis // 2]), False)
