"""Metrics of what a file asks of accuracy: grade, width of the zone, finish, and what makes them hard to hold."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Plane
from fettle.pmi.requirements import Requirement
from fettle.recognize.kinds.hole import Hole
from fettle.rules.context import RuleContext, Subject
from fettle.rules.registry import COUNT, EXACT_MM, RATIO, REQUIREMENT, Answer, Given, Measured, per_feature
from fettle.rules.tolerance_selectors import stated_requirements

REACHED = 0.5
"""Share of a face's area that a direction must reach to machine it from there."""
THIN_SPAN = 20.0
"""Span of a face over the thickness behind it from which it is a thin wall that springs when it is released: Fettle's
judgment."""
OPERATIONS = ((8, "boring", "finish turning or fine milling"), (7, "reaming", "grinding"), (6, "grinding", "grinding"))
"""Least grade and what holds it, of a bore and of an outside; natural capabilities of the operations, finest last."""
FINEST = "honing or lapping"
LOCATING = (
    (8, "finishing in one clamping with its datums"),
    (6, "jig boring, or probing of its datums before it is finished"),
)
"""The same of position, profile and symmetry."""
FINEST_LOCATING = "jig grinding"
FINISHES_UM = ((1.6, "finish machining"), (0.4, "grinding"), (0.1, "honing or lapping"))
"""Least roughness Ra and what holds it (Machinery's Handbook, surface roughness by process)."""
POLISH = "polishing"


@per_feature("tolerance.stated", "count", COUNT, reads=[REQUIREMENT])
def stated(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """1 for every tolerance and surface finish that the file states."""
    return None if subject.requirement is None else 1.0


@per_feature("tolerance.it_grade", "grade", COUNT, reads=[REQUIREMENT])
def it_grade(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Coarsest grade of ISO 286 that keeps within a tolerance; form, orientation and run-out count two grades more."""
    asked = subject.requirement
    if asked is None or asked.grade is None or asked.hollow:
        return None
    return Measured(float(asked.grade), advice=_asked(asked, _operation(asked)))


@per_feature("hole.it_grade", "grade", COUNT, reads=[REQUIREMENT])
def hole_it_grade(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """The same of the diameter of a bore."""
    asked = subject.requirement
    if asked is None or asked.grade is None or not asked.hollow:
        return None
    return Measured(float(asked.grade), advice=_asked(asked, _operation(asked)))


@per_feature("tolerance.zone_mm", "mm", EXACT_MM, reads=[REQUIREMENT])
def zone_mm(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Width of the zone of a size or a geometric tolerance."""
    return subject.requirement.width_mm if subject.requirement else None


@per_feature("hole.tolerance_mm", "mm", EXACT_MM, reads=[REQUIREMENT, Hole.kind])
def hole_tolerance_mm(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Width between the limits of a bore's diameter, where the file states them."""
    if subject.requirement is not None:
        return subject.requirement.width_mm if subject.requirement.hollow else None
    faces = set(subject.faces)
    widths = [
        one.width_mm
        for one in stated_requirements(context)
        if one.hollow and one.width_mm is not None and faces & set(one.faces)
    ]
    return min(widths, default=None)


@per_feature("surface.ra_um", "um", RATIO, reads=[REQUIREMENT])
def surface_ra_um(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Arithmetic mean roughness Ra that the file asks for."""
    asked = subject.requirement
    if asked is None or asked.ra_um is None:
        return None
    held = next((words for least, words in FINISHES_UM if asked.ra_um >= least), POLISH)
    return Measured(asked.ra_um, advice=_asked(asked, held))


@per_feature("tolerance.zone_across_setups", "mm", EXACT_MM, reads=[REQUIREMENT])
def zone_across_setups(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Width of the zone of a feature that no direction reaches together with its first datum: the part is clamped anew
    between the two."""
    asked = subject.requirement
    if asked is None or not asked.datum_faces or not asked.faces or not len(context.analysis.access.reach):
        return None
    one, other = (_reached_from(context, faces) for faces in (asked.faces, asked.datum_faces[0]))
    if not one or not other or one & other:
        return None
    return Measured(
        asked.width_mm or 0.0, advice=_asked(asked, "machining of both in one clamping, or probing of the datum")
    )


@per_feature("tolerance.flatness_on_thin_wall", "mm", EXACT_MM, reads=[REQUIREMENT])
def flatness_on_thin_wall(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Flatness of a plane that spans more than twenty times the thickness behind it."""
    asked = subject.requirement
    if asked is None or asked.kind != "flatness" or asked.width_mm is None:
        return None
    faces = [face for face in asked.faces if isinstance(context.face(face).surface, Plane)]
    walls = [(context.face(face), context.thickness((face,)).median_mm) for face in faces]
    if not any(wall and np.linalg.norm(face.box[1] - face.box[0]) > THIN_SPAN * wall for face, wall in walls):
        return None
    return Measured(asked.width_mm, advice=_asked(asked, "stress relief and light last cuts, or a thicker wall"))


def _reached_from(context: RuleContext, faces: tuple[int, ...]) -> set[int]:
    """Numbers of the access directions that reach every one of the faces."""
    reach = np.nan_to_num(context.analysis.access.reach[:, list(faces)])
    return set(np.flatnonzero((reach >= REACHED).all(axis=1)).tolist())


def _operation(asked: Requirement) -> str:
    if asked.locates:
        return next((words for least, words in LOCATING if (asked.grade or 0) >= least), FINEST_LOCATING)
    for least, of_bore, of_outside in OPERATIONS:
        if asked.grade is not None and asked.grade >= least:
            return of_bore if asked.hollow else of_outside
    return FINEST


def _asked(asked: Requirement, operation: str) -> str:
    """What to do, in words that are right after any process: a molded bore is bored as well."""
    return f"To hold {asked.text} takes {operation}; otherwise loosen it"
