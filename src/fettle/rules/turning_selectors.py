"""Selector sets of turning: what a lathe's tools meet on a turned part."""

from __future__ import annotations

import numpy as np

from fettle.recognize.graph import coaxial
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.gear import Gear
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.knurl import Knurl
from fettle.recognize.tolerances import LOOSE_LENGTH_MM
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import EDGE, selector


@selector("turned_corners", "inside corners of the profile", [Fillet.kind, EDGE])
def turned_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Inside corners between diameters, tapers and shoulders of a turned part: fillets about its axis, and sharp edges;
    those of grooves, teeth and knurls are left out. Empty where the part is not turned."""
    turned = context.analysis.recognition.turned
    if turned is None:
        return ()
    features = context.analysis.recognition.features
    other_tools = {face for one in features if isinstance(one, Groove | Gear | Knurl) for face in one.faces}
    outside = {face for segment in turned.outside for face in segment.faces}.difference(other_tools)
    found = [Subject(one.faces, one) for one in features if isinstance(one, Fillet) and outside.issuperset(one.faces)]
    for number in context.analysis.recognition.sharp_concave_edges:
        members = context.part.edges[number].faces
        if outside.issuperset(members):
            found.append(Subject(members, edge=number))
    return tuple(found)


@selector("turned_bores", "bores on the axis", [Hole.kind])
def turned_bores(context: RuleContext) -> tuple[Subject, ...]:
    """Holes on the axis of a turned part. Empty where the part is not turned."""
    turned = context.analysis.recognition.turned
    if turned is None:
        return ()
    return tuple(
        Subject(one.faces, one)
        for one in context.analysis.recognition.features
        if isinstance(one, Hole)
        and coaxial(turned.origin, turned.axis, np.array(one.position_mm), np.array(one.axis), LOOSE_LENGTH_MM)
    )
