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


@dataclass(frozen=True, slots=True, eq=False)
class FrameReach:
    """What the six directions of a body's frame reach: directions (6, 3), the share of each face (6, faces), the area
    in mm2 of each direction; `extents_mm`, the sizes of the body along its three axes, and `faced_mm2`, the area of its
    box across each direction."""

    directions: NDArray[np.float64]
    share: NDArray[np.float64]
    area_mm2: list[float]
    extents_mm: Triple
    faced_mm2: tuple[float, ...]


def frame_reach(analysis: Analysis, projection: Projection, box_mm: Triple) -> FrameReach | None:
    """The reach along the frame; None where no access was measured. Sizes are sides of the body's own box where the
    mesh comes near one."""
    access = analysis.access
    if len(access.directions) < 6:
        return None
    share = np.where(np.isnan(access.reach[:6]), 0.0, access.reach[:6])
    area_mm2 = share @ np.array([face.area_mm2 for face in analysis.part.faces])
    x, y, z = (_side(projection.reach_mm(way), box_mm) for way in access.directions[0:6:2])
    faced_mm2 = (y * z, y * z, x * z, x * z, x * y, x * y)
    return FrameReach(access.directions[:6], share, area_mm2.tolist(), (x, y, z), faced_mm2)


def choose_setups(analysis: Analysis, frame: FrameReach | None) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 3-axis mill, the one that reaches most first.

    The access analysis says how many are needed. Of all sets of as many axes that reach as much, the one is taken whose
    faced sides are the largest: the part is laid flat.
    """
    if frame is None:
        return ()
    extents = frame.extents_mm
    asked = np.array(analysis.access.setups_3axis).reshape(-1, 3)
    cosines = asked @ frame.directions.T
    nearest, straight = cosines.argmax(axis=1), cosines.max(axis=1) >= SAME_DIRECTION_COS
    in_frame = nearest[straight]
    needed = frame.share[in_frame].sum(axis=0) >= REACHED_FRACTION
    best, largest = tuple(in_frame.tolist()), -1.0
    every = list(combinations(range(6), len(in_frame)))
    reached = frame.share[:, needed][np.array(every, np.intp)].sum(axis=1) >= REACHED_FRACTION
    for chosen, enough in zip(every, reached.all(axis=1).tolist(), strict=True):
        if enough:
            faced = sum(frame.faced_mm2[axis] for axis in chosen)
            if faced > largest * (1.0 + 1e-6):
                best, largest = chosen, faced
    order = sorted(best, key=lambda axis: -round(frame.area_mm2[axis], 3))
    return (
        *(ClampedSetup(frame.directions[axis], _record(extents, axis)) for axis in order),
        *(ClampedSetup(way, MachiningSetup((0.0, 0.0), 0.0, True)) for way in asked[~straight]),
    )


def tilted_setups(analysis: Analysis, frame: FrameReach | None) -> tuple[ClampedSetup, ...]:
    """The set-ups of a 5-axis mill: as many as the access analysis says. The first looks at the largest side, of
    equal ones at that of which it reaches most; the second at the opposite side."""
    if frame is None:
        return ()
    extents = frame.extents_mm
    weight = [
        (-round(faced, 3), -round(reached, 3)) for faced, reached in zip(frame.faced_mm2, frame.area_mm2, strict=True)
    ]
    first = min(range(6), key=weight.__getitem__)
    others = sorted((axis for axis in range(6) if axis // 2 != first // 2), key=weight.__getitem__)
    axes = [first, first ^ 1, *others][: len(analysis.access.setups_5axis)]
    return tuple(ClampedSetup(frame.directions[axis], _record(extents, axis)) for axis in axes)


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


def _side(extent_mm: float, box_mm: Triple) -> float:
    return next((side for side in box_mm if abs(side - extent_mm) < SAME_LENGTH_MM), extent_mm)


def _record(extents: Triple, axis: int) -> MachiningSetup:
    """The set-up along one of the six directions of the frame, with the longer and the shorter side across it."""
    width, length = sorted((*extents[: axis // 2], *extents[axis // 2 + 1 :]))
    return MachiningSetup((rounded(length), rounded(width)), rounded(extents[axis // 2]), False)
