"""Metrics of the flat pattern: whether there is one, size of the blank and force of bends."""

from __future__ import annotations

from fettle.errors import CannotUnfold
from fettle.recognize.kinds.bend import Bend
from fettle.rules.context import RuleContext, Subject
from fettle.rules.flat_shape import flat_of, unfolding_of
from fettle.rules.registry import COUNT, EXACT_MM, RATIO, Answer, Given, Measured, per_feature, whole_part
from fettle.sheet.overlap import find_crossing
from fettle.sheet.press_brake import bending_force_n, die_opening_mm

STRENGTH = "tensile_strength_mpa"


@whole_part("part.unfold_obstacles", "count", COUNT)
def unfold_obstacles(context: RuleContext, given: Given) -> Answer:
    """1 where the part cannot be laid flat, with the reason, else 0."""
    found = unfolding_of(context)
    if isinstance(found, CannotUnfold):
        return Measured(1.0, found.faces, note=found.reason[0].upper() + found.reason[1:])
    return Measured(0.0, found.flat.panels[0].faces)


@whole_part("part.flat_overlaps", "count", COUNT)
def flat_overlaps(context: RuleContext, given: Given) -> Answer:
    """1 where the flat lies over itself, else 0; no reading for parts that do not lie flat."""
    flat = flat_of(context)
    return None if flat is None else Measured(float(find_crossing(flat.loops) is not None), flat.panels[0].faces)


@whole_part("part.flat_length", "mm", EXACT_MM)
def flat_length(context: RuleContext, given: Given) -> Answer:
    """Long side of the smallest rectangle around the flat; no reading for parts that do not lie flat."""
    flat = flat_of(context)
    return None if flat is None else Measured(flat.size_mm[0], flat.panels[0].faces)


@whole_part("part.flat_width", "mm", EXACT_MM)
def flat_width(context: RuleContext, given: Given) -> Answer:
    """Short side of the smallest rectangle around the flat; no reading for parts that do not lie flat."""
    flat = flat_of(context)
    return None if flat is None else Measured(flat.size_mm[1], flat.panels[0].faces)


@per_feature("bend.press_force", "kN", RATIO, reads=[Bend.kind], parameters=(STRENGTH,))
def press_force(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Force to air-bend the whole bend line over a die eight thicknesses wide, F = 1.42 Rm t^2 L / V."""
    flat = flat_of(context)
    line = None if flat is None else next((one for one in flat.bends if set(one.faces) & set(subject.faces)), None)
    if flat is None or line is None or line.kind != "bend":
        return None
    thickness = flat.thickness_mm
    return bending_force_n(given[STRENGTH], thickness, line.length_mm, die_opening_mm(thickness)) / 1000.0
