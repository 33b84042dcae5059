"""Measures what a printer starts from: the orientation on the plate and its supports, for each kind of printer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

import yaml

from fettle.measure.readings import SupportLimits
from fettle.measure.support import best_orientation, needs_support, volume_mm3
from fettle.plan.facts.naming import FaceNames
from fettle.plan.facts.projection import Projection
from fettle.plan.facts.rounding import AREA_DIGITS, WALL_DIGITS, to_digits
from fettle.results.making import PrintingFacts
from fettle.results.making.printing import PrintOrientation
from fettle.results.record import rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

LEAST_SUPPORTED_MM2 = 2.0
"""Area below which nobody places a support: a sliver at the rim of a hole or a blend."""


def printing_facts(analysis: Analysis, projection: Projection, names: FaceNames) -> PrintingFacts | None:
    """The best way to print a body on each kind of printer; None where no orientation was measured."""
    if not analysis.build:
        return None
    return PrintingFacts(
        tuple(_orientation(analysis, projection, key, limits, names) for key, limits in support_limits().items())
    )


@cache
def support_limits() -> Mapping[str, SupportLimits]:
    """What each kind of printer builds without support: the parameters that the rules of the shipped pack judge by."""
    text = (files("fettle") / "data" / "packs" / "additive.yaml").read_text(encoding="utf-8")
    configurations = yaml.load(text, Loader=yaml.CSafeLoader)["configurations"]
    return {key: _limits(one["parameters"]) for key, one in configurations.items()}


def _limits(parameters: Mapping[str, float]) -> SupportLimits:
    return SupportLimits(
        self_support_deg=parameters["rec_overhang_deg"],
        bridge_mm=parameters["max_bridge_mm"],
        arch_mm=parameters["max_arch_mm"],
        ledge_mm=parameters["max_ledge_mm"],
        tool_mm=parameters["removal_tool_mm"],
    )


def _orientation(
    analysis: Analysis, projection: Projection, key: str, limits: SupportLimits, names: FaceNames
) -> PrintOrientation:
    build = analysis.build
    best = build[0] if len(build) == 1 else best_orientation(build, limits, analysis.part.volume_mm3)
    needed = needs_support(best, limits)
    area_mm2 = float(best.area_mm2[needed].sum()) if needed.any() else 0.0
    is_supported = area_mm2 >= LEAST_SUPPORTED_MM2
    faces = sorted(set(best.face[needed].tolist())) if is_supported else []
    x, y, z = best.direction
    long, short = projection.footprint_mm(best.direction)
    return PrintOrientation(
        configuration=key,
        direction=(rounded(x), rounded(y), rounded(z)),
        height_mm=rounded(projection.extent_mm(best.direction)),
        footprint_mm=(rounded(long), rounded(short)),
        contact_mm2=to_digits(best.contact_mm2, AREA_DIGITS),
        support_mm3=to_digits(volume_mm3(best, needed), WALL_DIGITS) if is_supported else 0.0,
        support_mm2=to_digits(area_mm2, WALL_DIGITS) if is_supported else 0.0,
        support_fids=tuple(dict.fromkeys(names.of([face]) for face in faces)),
    )
