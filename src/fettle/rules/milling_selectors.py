"""Selector sets of machining: what an end mill, a drill or an engraving cutter makes, special surfaces left out."""

from __future__ import annotations

import math

import numpy as np

from fettle.geometry.part import Cylinder, Edge, Vector
from fettle.recognize.feature import Feature
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.fin import Fin
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.special_surfaces import SpecialSurfaces, find_special_surfaces
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import FACE, selector
from fettle.rules.selectors import MIN_CORNER_LENGTH_MM, faces, gaps, inside_corners, recesses, wall_faces

MIN_CORNER_TURN_DEG = 30.0
"""Smallest turn between two walls that is a sharp corner: at less, a cutter of 1 mm leaves under 0.02 mm in it."""
UPRIGHT_COS = math.cos(math.radians(20.0))
"""Least cosine between an upright corner and the axis of its pocket; drafted walls lean by less."""
MAX_NECKED_DEPTH = 0.35
"""Deepest groove inside a bore, in diameters of the bore: a grooving cutter passes the bore with its head, and its neck
is the thinner the deeper the groove. Fettle's judgment: at 0.35 the neck has 0.3 diameters."""
MEMBERSHIP = 0.5
"""Share of a feature's faces on a special surface from which the feature belongs to it."""


def special_surfaces(context: RuleContext) -> SpecialSurfaces:
    """Text, teeth and threads of the part, found once."""
    analysis = context.analysis
    return context.keep("special surfaces", lambda: find_special_surfaces(analysis.part, analysis.recognition))


def belongs(feature: Feature | None, surface: frozenset[int]) -> bool:
    """Whether at least half of a feature's faces are on a special surface."""
    if feature is None or not surface:
        return False
    return sum(face in surface for face in feature.faces) >= MEMBERSHIP * len(feature.faces)


def is_turned_groove(context: RuleContext, feature: Feature | None) -> bool:
    """Whether a slot is a ring around a shaft or inside a bore: it is turned, or cut with a side cutter."""
    if not isinstance(feature, Slot) or feature.end_type != "ring" or feature.floor_face is None:
        return False
    return isinstance(context.face(feature.floor_face).surface, Cylinder)


def sharp_upright_edges(context: RuleContext, pocket: Pocket) -> tuple[int, ...]:
    """Sharp concave edges between two walls of a pocket, along its axis."""

    def find() -> tuple[int, ...]:
        members, axis = frozenset(pocket.faces), np.asarray(pocket.axis)
        least_mm = min(MIN_CORNER_LENGTH_MM, 0.5 * pocket.depth_mm)
        between = {number for face in pocket.faces for number in _sharp_edges(context).get(face, ())}
        edges = ((number, context.part.edges[number]) for number in sorted(between))
        return tuple(
            number
            for number, edge in edges
            if edge.length_mm >= least_mm and members.issuperset(edge.faces) and _is_upright(edge, axis)
        )

    return context.keep(("sharp upright", pocket.faces, pocket.axis), find)


def _is_upright(edge: Edge, axis: Vector) -> bool:
    """Whether an edge has two ends, one above the other along a unit vector (3,)."""
    chord = edge.points[-1] - edge.points[0]
    chord_mm = math.sqrt(float(chord @ chord))
    return chord_mm > 0.0 and abs(float(chord / chord_mm @ axis)) >= UPRIGHT_COS


def _sharp_edges(context: RuleContext) -> dict[int, list[int]]:
    """Sharp concave edges where the faces turn by enough to be a corner, by each of their faces."""

    def find() -> dict[int, list[int]]:
        by_face: dict[int, list[int]] = {}
        for number in context.analysis.recognition.sharp_concave_edges:
            edge = context.part.edges[number]
            if edge.angle_deg >= 180.0 + MIN_CORNER_TURN_DEG:
                for face in set(edge.faces):
                    by_face.setdefault(face, []).append(number)
        return by_face

    return context.keep("sharp edges", find)


def in_passage(context: RuleContext, fillet: Fillet) -> bool:
    """Whether a fillet rounds a corner between two walls of a pocket or slot without a floor."""
    passages = context.keep(
        "passages",
        lambda: [
            frozenset(one.faces)
            for one in context.analysis.recognition.features
            if isinstance(one, Pocket | Slot) and one.through
        ],
    )
    beside = {
        other
        for face in fillet.faces
        for loop in context.face(face).loops
        for edge in loop.edges
        for other in context.part.edges[edge].faces
    }
    return any(len(walls & beside.difference(fillet.faces)) >= 2 for walls in passages)


def form_cut_faces(context: RuleContext) -> frozenset[int]:
    """Faces of grooves inside bores that a side cutter reaches through the bore."""

    def find() -> frozenset[int]:
        found: set[int] = set()
        for feature in context.analysis.recognition.features:
            if isinstance(feature, Hole):
                limit_mm = (1.0 + 2.0 * MAX_NECKED_DEPTH) * feature.diameter_mm
                grooves = [stage for stage in feature.stages if stage.type == "groove"]
                if grooves and all(max(one.diameter_mm, one.end_diameter_mm) <= limit_mm for one in grooves):
                    found.update(feature.faces)
            elif isinstance(feature, Slot) and is_turned_groove(context, feature) and feature.floor_face is not None:
                floor = context.face(feature.floor_face)
                if isinstance(floor.surface, Cylinder) and floor.convex is False:
                    bore_mm = 2.0 * (floor.surface.radius_mm - feature.depth_mm)
                    if feature.depth_mm <= MAX_NECKED_DEPTH * bore_mm:
                        found.update(feature.faces)
        return frozenset(found)

    return context.keep("form-cut faces", find)


def _without_special(context: RuleContext, subjects: tuple[Subject, ...]) -> tuple[Subject, ...]:
    special = special_surfaces(context).every_face
    return tuple(
        subject
        for subject in subjects
        if not (belongs(subject.feature, special) if subject.feature else special.issuperset(subject.faces))
    )


@selector("milled_faces", "faces", [FACE])
def milled_faces(context: RuleContext) -> tuple[Subject, ...]:
    """Every face that a straight cutter must reach, one by one: all but text, teeth, modeled threads and grooves
    inside bores."""
    other = special_surfaces(context).every_face | form_cut_faces(context)
    return tuple(subject for subject in faces(context) if subject.faces[0] not in other)


@selector("milled_walls", "faces of walls", [FACE])
def milled_walls(context: RuleContext) -> tuple[Subject, ...]:
    """The wall_faces without those of text, teeth and modeled threads."""
    return _without_special(context, wall_faces(context))


@selector("milled_gaps", "slots, pockets and fins", [Slot.kind, Pocket.kind, Fin.kind])
def milled_gaps(context: RuleContext) -> tuple[Subject, ...]:
    """The gaps without those of text, teeth and modeled threads."""
    return _without_special(context, gaps(context))


@selector("milled_recesses", "pockets and slots", [Pocket.kind, Slot.kind])
def milled_recesses(context: RuleContext) -> tuple[Subject, ...]:
    """Pockets and slots without those of text, teeth and modeled threads, and without grooves that are turned."""
    chosen = _without_special(context, recesses(context))
    return tuple(subject for subject in chosen if not is_turned_groove(context, subject.feature))


@selector("milled_corners", "inside corners", [Fillet.kind, Pocket.kind])
def milled_corners(context: RuleContext) -> tuple[Subject, ...]:
    """Fillets, and pockets with a sharp concave edge between two walls along their axis; text, teeth and modeled
    threads are left out."""
    return tuple(
        subject
        for subject in _without_special(context, inside_corners(context))
        if not isinstance(subject.feature, Pocket) or sharp_upright_edges(context, subject.feature)
    )


@selector("engravings", "engraved shapes", [Pocket.kind, Slot.kind])
def engravings(context: RuleContext) -> tuple[Subject, ...]:
    """Pockets and slots of engraved text: at least three small shapes of at most 1 mm depth near each other."""
    text = special_surfaces(context).engraving
    return tuple(subject for subject in recesses(context) if belongs(subject.feature, text))


@selector("drilled_holes", "drilled holes", [Hole.kind])
def drilled_holes(context: RuleContext) -> tuple[Subject, ...]:
    """Round holes with a closed wall and without a modeled thread."""
    threads = special_surfaces(context).threads
    return tuple(
        Subject(one.faces, one)
        for one in context.analysis.recognition.features
        if isinstance(one, Hole) and not one.partial and not threads.intersection(one.faces)
    )
