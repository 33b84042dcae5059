"""Support that one orientation of a part needs under the limits of a process: which samples, how much, how trapped."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from types import ModuleType

import numpy as np
from numpy.typing import NDArray

from fettle.measure.readings import BuildOrientation, SupportLimits

ANGLE_TOLERANCE_DEG = 0.2
"""A face of 45 degrees is not flatter than 45 degrees because of its triangles."""
VOLUME_TIE = 0.005
"""Supports that differ by less than this share of the part's volume weigh the same."""
CONTACT_TIE, HEIGHT_TIE = 0.02, 0.01
"""The same for the area on the plate and for the height."""
TRAPPED_SHARE = 0.5
SEVERAL = 3
NEIGHBORHOOD = 3.0
"""Distance up to which samples are beside each other, in sides of the square that one of them covers."""
KEPT = 32
"""Answers that are kept: several rules and the plan ask for the same few printers, body by body."""


@lru_cache(maxsize=KEPT)
def needs_support(orientation: BuildOrientation, limits: SupportLimits) -> NDArray[np.bool_]:
    """Samples (k,) that hang over too flatly and are neither bridged nor arched nor a short ledge; read only."""
    needed: NDArray[np.bool_] = orientation.slope_deg < limits.self_support_deg - ANGLE_TOLERANCE_DEG
    if needed.any():
        carried = (
            (orientation.bridge_mm <= limits.bridge_mm)
            | (orientation.arch_mm <= limits.arch_mm)
            | (orientation.ledge_mm <= limits.ledge_mm)
        )
        needed &= ~carried
    needed.setflags(write=False)
    return needed


@lru_cache(maxsize=KEPT)
def is_trapped(orientation: BuildOrientation, limits: SupportLimits) -> NDArray[np.bool_]:
    """Samples (k,) whose support stays in the part; read only. A support comes out with what is beside it: it is
    trapped where no straight way for the tool leads to most of the samples around, and to several of them."""
    needed = needs_support(orientation, limits)
    trapped: NDArray[np.bool_] = needed & (orientation.exit_mm < limits.tool_mm)
    if trapped.any():
        rows = np.flatnonzero(needed)
        around_mm = NEIGHBORHOOD * np.sqrt(orientation.area_mm2[rows].mean())
        near, hidden_near = _compiled().count_near(orientation.position_mm[rows], trapped[rows], around_mm)
        trapped[rows] = (hidden_near >= SEVERAL) & (hidden_near > TRAPPED_SHARE * near)
    trapped.setflags(write=False)
    return trapped


def _compiled() -> ModuleType:
    """Imported on first use: programs that only list the rules do not load numba."""
    return import_module("fettle.measure.neighbor_counts")


def volume_mm3(orientation: BuildOrientation, samples: NDArray[np.bool_]) -> float:
    """Volume of the columns below some samples (k,)."""
    return float(orientation.area_mm2[samples] @ orientation.column_mm[samples])


@lru_cache(maxsize=KEPT)
def best_orientation(
    orientations: tuple[BuildOrientation, ...], limits: SupportLimits, part_volume_mm3: float
) -> BuildOrientation:
    """The orientation with the least support that cannot be removed, then the least support, the largest contact with
    the plate, the lowest height; one that stands by itself and leaves no support inside before all others. The part's
    volume, which sets what is as little, may be nan: then nothing but equal is."""
    slack = 0.0 if math.isnan(part_volume_mm3) else VOLUME_TIE * part_volume_mm3
    every = [_Support.of(one, limits) for one in orientations]
    standing = [one for one in every if one.orientation.stable]
    clear = any(one.trapped_mm3 <= slack for one in standing)
    left = _least(standing if clear else every, lambda one: one.trapped_mm3, slack)
    left = _least(left, lambda one: one.needed_mm3, slack)
    most_mm2 = max(one.orientation.contact_mm2 for one in left)
    left = _least(left, lambda one: -one.orientation.contact_mm2, CONTACT_TIE * most_mm2)
    lowest_mm = min(one.orientation.height_mm for one in left)
    left = _least(left, lambda one: one.orientation.height_mm, HEIGHT_TIE * lowest_mm)
    return left[0].orientation


@dataclass(frozen=True, slots=True)
class _Support:
    """What one orientation needs: the volume of its supports, and of those that stay in the part."""

    orientation: BuildOrientation
    needed_mm3: float
    trapped_mm3: float

    @classmethod
    def of(cls, orientation: BuildOrientation, limits: SupportLimits) -> _Support:
        needed, trapped = needs_support(orientation, limits), is_trapped(orientation, limits)
        return cls(orientation, volume_mm3(orientation, needed), volume_mm3(orientation, trapped))


def _least(supports: Sequence[_Support], measure: Callable[[_Support], float], slack: float) -> list[_Support]:
    """Those whose measure is the smallest, or larger by no more than the slack."""
    values = [measure(one) for one in supports]
    limit = min(values) + slack
    return [one for one, value in zip(supports, values, strict=True) if value <= limit]
