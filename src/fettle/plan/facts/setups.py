"""Set-ups of a body on a mill, chosen from what each direction reaches, whatever the position in the file."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.measure.access import REACHED_FRACTION
from fettle.plan.facts.projection import Projection
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


def choose_setups(analysis: Analysis, extents: Triple) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 3-axis mill, the one that reaches most first.

    The access analysis says how many are needed. Of all sets of as many axes that reach as much, the one is taken whose
    faced sides are the largest: the part is laid flat. `extents`: sizes along the axes of its frame, mm.
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
    best, largest = tuple(in_frame), -1.0
    every = list(combinations(range(6), len(in_frame)))
    reached = reach[:, needed][np.array(every, np.intp)].sum(axis=1) >= REACHED_FRACTION
    faced_mm2 = [_faced_mm2(extents, axis) for axis in range(6)]
    for chosen, enough in zip(every, reached.all(axis=1).tolist(), strict=True):
        if enough:
            faced = sum(faced_mm2[axis] for axis in chosen)
            if faced > largest * (1.0 + 1e-6):
                best, largest = chosen, faced
    areas = np.array([face.area_mm2 for face in analysis.part.faces])
    order = sorted(best, key=lambda axis: -round(float(reach[axis] @ areas), 3))
    straight = [ClampedSetup(frame[axis], _record(extents, axis)) for axis in order]
    return (*straight, *(ClampedSetup(way, MachiningSetup((0.0, 0.0), 0.0, True)) for way in askew))


def tilted_setups(analysis: Analysis, extents: Triple) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 5-axis mill: as many as the access analysis says. The first looks at the largest side, of
    equal ones at that of which it reaches most; the second at the opposite side. `extents` as in `choose_setups`."""
    access = analysis.access
    if len(access.directions) < 6:
        return ()
    areas = np.array([face.area_mm2 for face in analysis.part.faces])
    reached = np.nan_to_num(access.reach[:6]) @ areas

    def weight(axis: int) -> tuple[float, float]:
        return -round(_faced_mm2(extents, axis), 3), -round(float(reached[axis]), 3)

    first = min(range(6), key=weight)
    others = sorted((axis for axis in range(6) if axis // 2 != first // 2), key=weight)
    axes = [first, first ^ 1, *others][: len(access.setups_5axis)]
    return tuple(ClampedSetup(access.directions[axis], _record(extents, axis)) for axis in axes)


def missed_faces(setups: tuple[ClampedSetup, ...], analysis: Analysis) -> tuple[frozenset[int], ...]:
    """Of each set-up the faces that it does not reach; faces that were not measured count as reached."""
    access = analysis.access
    rows = [int((access.directions @ setup.direction).argmax()) for setup in setups]
    return tuple(frozenset(np.flatnonzero(access.reach[row] < REACHED_FRACTION).tolist()) for row in rows)


def setup_along(missed: tuple[frozenset[int], ...], feature: Feature) -> int | None:
    """Number from 1 of the first set-up that reaches every face of a feature; None where none does."""
    return next((number for number, faces in enumerate(missed, 1) if faces.isdisjoint(feature.faces)), None)


def tilted_setup(
    missed: tuple[frozenset[int], ...], unreached: frozenset[int], feature: Feature, straight: int | None
) -> int | None:
    """Number from 1 of the set-up of a 5-axis mill that reaches a feature: the first that does with an upright spindle,
    else the first, tilted; None where some of its faces is reached by no tilt (`unreached`)."""
    if not unreached.isdisjoint(feature.faces):
        return None
    return setup_along(missed, feature) or (1 if missed else straight)


def extents_mm(analysis: Analysis, projection: Projection, box_mm: Triple) -> Triple:
    """Sizes of the body along the three axes of its frame, mm: sides of its own box where the mesh comes near one."""
    ways = analysis.access.directions[0:6:2]
    x, y, z = (_side(projection.reach_mm(way), box_mm) for way in ways) if len(ways) == 3 else box_mm
    return x, y, z


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
