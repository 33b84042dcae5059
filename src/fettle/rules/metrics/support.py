"""Metrics of printing: the support that a part needs in the build direction that suits it best."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.measure.readings import BuildOrientation, SupportLimits, Triple
from fettle.measure.support import best_orientation, is_trapped, needs_support, volume_mm3
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import MESH_MM, RATIO, Answer, Given, Measured, per_feature, whole_part

LIMITS = ("rec_overhang_deg", "max_bridge_mm", "max_arch_mm", "max_ledge_mm", "removal_tool_mm")
"""Parameters that say what prints without support, and what takes support out."""


@whole_part("part.support_volume", "mm3", MESH_MM, LIMITS)
def support_volume(context: RuleContext, given: Given) -> Answer:
    """Volume of the columns below overhangs that do not carry themselves, in the best build direction."""
    orientation, limits = _chosen(context, given)
    return _volume(orientation, needs_support(orientation, limits), 1.0)


@whole_part("part.support_share", "ratio", RATIO, LIMITS)
def support_share(context: RuleContext, given: Given) -> Answer:
    """Volume of the supports over that of the part, in the best build direction."""
    orientation, limits = _chosen(context, given)
    part_mm3 = context.part.volume_mm3
    return _volume(orientation, needs_support(orientation, limits), part_mm3) if part_mm3 > 0.0 else None


@whole_part("part.support_area", "mm2", MESH_MM, LIMITS)
def support_area(context: RuleContext, given: Given) -> Answer:
    """Area that supports touch from below, seen along the best build direction."""
    orientation, limits = _chosen(context, given)
    supported = needs_support(orientation, limits)
    return Measured(float(orientation.area_mm2[supported].sum()), *_where(orientation, supported))


@whole_part("part.trapped_support_volume", "mm3", MESH_MM, LIMITS)
def trapped_support_volume(context: RuleContext, given: Given) -> Answer:
    """Volume of the supports to which no straight way leads from outside that is wide enough for the tool."""
    orientation, limits = _chosen(context, given)
    return _volume(orientation, is_trapped(orientation, limits), 1.0)


@per_feature("support.volume", "mm3", MESH_MM, parameters=LIMITS)
def face_support_volume(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Volume of the supports below the faces, in the best build direction of the part."""
    orientation, limits = _chosen(context, given)
    here = needs_support(orientation, limits) & np.isin(orientation.face, subject.faces)
    return Measured(volume_mm3(orientation, here), subject.faces)


def _chosen(context: RuleContext, given: Given) -> tuple[BuildOrientation, SupportLimits]:
    """The orientation that suits the given limits best, and the limits."""
    limits = SupportLimits(*(given[name] for name in LIMITS))
    return best_orientation(context.analysis.build, limits, context.part.volume_mm3), limits


def _volume(orientation: BuildOrientation, samples: NDArray[np.bool_], over: float) -> Measured:
    """Volume below some samples (k,) over another, with the faces that have the most of it first."""
    return Measured(
        volume_mm3(orientation, samples) / over, *_where(orientation, samples), _direction_note(orientation)
    )


def _direction_note(orientation: BuildOrientation) -> str:
    """The build direction as messages give it."""
    return "Build direction " + ", ".join(f"{round(along, 3) + 0.0:g}" for along in orientation.direction)


def _where(orientation: BuildOrientation, samples: NDArray[np.bool_]) -> tuple[tuple[int, ...], Triple | None]:
    """Faces of some samples (k,), those with the most volume below them first, and the place of the highest column."""
    if not samples.any():
        return (), None
    below = orientation.area_mm2[samples] * orientation.column_mm[samples]
    by_face = np.bincount(orientation.face[samples], weights=below)
    faces = np.flatnonzero(np.bincount(orientation.face[samples]))
    order = faces[np.argsort(-by_face[faces], kind="stable")]
    x, y, z = orientation.position_mm[samples][int(np.argmax(below))].tolist()
    return tuple(order.tolist()), (x, y, z)
