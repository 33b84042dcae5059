"""Turned cuts with another width, depth or reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from fettle.results.making import MakingFacts
from fettle.results.making.turning import TurnedCut


@dataclass(frozen=True, slots=True)
class ChangedCut:
    """A cut after the change, and the dimension before and after."""

    cut: TurnedCut
    before_mm: float
    after_mm: float


CutChange = Callable[[TurnedCut, float], "ChangedCut | None"]
"""Changes a cut so that the metric of a rule reads its limit; None where it does already, or cannot."""


def change_cuts(
    facts: MakingFacts, faces: Iterable[str], limit: float, change: CutChange
) -> tuple[MakingFacts, list[ChangedCut]]:
    """The body with every cut of some faces changed, and the cuts that were."""
    machining, wanted = facts.machining, frozenset(faces)
    if machining is None or machining.turning is None:
        return facts, []
    cuts, changed = list(machining.turning.cuts), []
    for number, cut in enumerate(cuts):
        found = change(cut, limit) if cut.fid in wanted else None
        if found is not None:
            cuts[number] = found.cut
            changed.append(found)
    turning = replace(machining.turning, cuts=tuple(cuts))
    return replace(facts, machining=replace(machining, turning=turning)), changed


def with_groove_width(cut: TurnedCut, width_mm: float) -> ChangedCut | None:
    if cut.kind != "groove" or cut.length_mm >= width_mm:
        return None
    volume = cut.volume_mm3 * width_mm / cut.length_mm
    return ChangedCut(replace(cut, length_mm=width_mm, volume_mm3=volume), cut.length_mm, width_mm)


def with_groove_ratio(cut: TurnedCut, ratio: float) -> ChangedCut | None:
    """A groove as shallow as its width allows."""
    depth = ratio * cut.length_mm
    if cut.kind != "groove" or cut.path_mm <= depth:
        return None
    volume = cut.volume_mm3 * depth / cut.path_mm
    return ChangedCut(replace(cut, path_mm=depth, volume_mm3=volume), cut.path_mm, depth)


def with_bore_ratio(cut: TurnedCut, ratio: float) -> ChangedCut | None:
    """A bore as shallow as its diameter allows; a through bore becomes as wide as its depth asks for."""
    if cut.kind != "bore" or cut.length_mm <= ratio * cut.diameter_mm:
        return None
    if cut.end == 0:
        diameter = cut.length_mm / ratio
        core = math.pi / 4.0 * (diameter**2 - cut.diameter_mm**2) * cut.length_mm
        wider = replace(cut, diameter_mm=diameter, end_diameter_mm=diameter, volume_mm3=cut.volume_mm3 + core)
        return ChangedCut(wider, cut.diameter_mm, diameter)
    depth = ratio * cut.diameter_mm
    core = math.pi / 4.0 * cut.diameter_mm**2 * (cut.length_mm - depth)
    shallower = replace(cut, length_mm=depth, path_mm=depth, volume_mm3=max(0.0, cut.volume_mm3 - core))
    return ChangedCut(shallower, cut.length_mm, depth)


def with_slenderness(facts: MakingFacts, ratio: float) -> MakingFacts | None:
    """The body as thick as its length asks for: only the speed of its cuts changes."""
    machining = facts.machining
    if machining is None or machining.turning is None or machining.turning.slenderness <= ratio:
        return None
    turning = replace(machining.turning, slenderness=ratio)
    return replace(facts, machining=replace(machining, turning=turning))
