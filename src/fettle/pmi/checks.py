"""What a file says about its accuracy, held against its own model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fettle.geometry.part import Cylinder, Part
from fettle.geometry.pmi.datums import MISSING
from fettle.geometry.pmi.records import Note, Pmi, StatedDimension
from fettle.pmi.call_outs import CallOut, call_outs
from fettle.pmi.measured import measure_dimension

NOMINAL_SLACK_MM = 0.013
"""Half a thousandth of an inch, the last digit that drawings write: nominal sizes may be rounded by so much."""
NOMINAL_SLACK_DEG = 0.05
"""Half of the last digit of angles on drawings."""
_FORM_AND_ORIENTATION = frozenset(
    ("flatness", "straightness", "roundness", "cylindricity", "perpendicularity", "parallelism", "angularity")
)
_BOUND_TO_DATUM = frozenset(("perpendicularity", "parallelism", "angularity", "circular_runout", "total_runout"))


@dataclass(frozen=True, slots=True)
class Check:
    """Something of the file that does not agree with the model or with itself.

    `rule`: nominal_differs, datum_without_face, datum_missing, tighter_than_datum or call_out_differs. `stated`: what
    the file says, `found`: what it is, in `unit`; None where there is no number. `faces`: numbers of faces.
    """

    rule: str
    message: str
    stated: float | None
    found: float | None
    unit: str
    faces: tuple[int, ...]


def check_pmi(part: Part, pmi: Pmi, unit_mm: float = 1.0) -> tuple[Check, ...]:
    """All disagreements, in the order of the file. `unit_mm`: millimeters per unit of plain numbers in notes."""
    return (
        *(check for one in pmi.dimensions for check in _nominal(part, one)),
        *_datums(pmi),
        *_tighter_than_datum(pmi),
        *(check for note in pmi.notes for check in _call_outs(part, note, unit_mm)),
    )


def _nominal(part: Part, dimension: StatedDimension) -> Iterator[Check]:
    nominal = dimension.nominal
    if nominal is None:
        return
    slack, unit = (NOMINAL_SLACK_DEG, "deg") if dimension.angular else (NOMINAL_SLACK_MM, "mm")
    worst: float | None = None
    faces: list[int] = []
    for measured in measure_dimension(part, dimension):
        found = min(measured.values, key=lambda value: abs(value - nominal))
        if abs(found - nominal) > slack and not _is_thread(dimension, found):
            faces.extend(measured.faces)
            if worst is None or abs(found - nominal) > abs(worst - nominal):
                worst = found
    if worst is not None:
        kind = dimension.kind.replace("_", " ")
        yield Check(
            "nominal_differs",
            f"The {kind} is given as {nominal:.6g} {unit} and the model measures {worst:.6g} {unit}; "
            "correct what is wrong",
            nominal,
            worst,
            unit,
            tuple(faces),
        )


def _is_thread(dimension: StatedDimension, found_mm: float) -> bool:
    """Whether a dimension is the call-out of a thread, and the model shows its core or its major diameter."""
    return any(one.kind == "thread" and _shows_thread(one, found_mm) for one in call_outs(dimension.text))


def _shows_thread(thread: CallOut, diameter_mm: float) -> bool:
    """Threads are modeled at their major diameter, their tapping drill or between."""
    major, pitch = thread.diameter_mm or 0.0, thread.pitch_mm
    core = major - 1.25 * pitch if pitch else 0.7 * major
    return core - NOMINAL_SLACK_MM <= diameter_mm <= major + NOMINAL_SLACK_MM


def _datums(pmi: Pmi) -> Iterator[Check]:
    for datum in pmi.datums:
        if not datum.place.faces and not datum.targets:
            yield Check("datum_without_face", f"Datum {datum.label} is on no face; attach it", None, None, "", ())
    known = {datum.label for datum in pmi.datums}
    for tolerance in pmi.tolerances:
        labels = [label for one in tolerance.datums for label in one.label.split("-")]
        lost = sorted({label for label in labels if label == MISSING or label not in known})
        if lost:
            which = (
                "a datum that is not in the file" if lost == [MISSING] else f"datum {', '.join(lost)}, not in the file"
            )
            kind = tolerance.kind.replace("_", " ")
            message = f"The {kind} tolerance of {tolerance.value_mm:.6g} mm refers to {which}; define it"
            yield Check("datum_missing", message, tolerance.value_mm, None, "mm", tolerance.place.faces)


def _tighter_than_datum(pmi: Pmi) -> Iterator[Check]:
    """A feature cannot be held to a datum more tightly than the datum itself is made."""
    own: dict[str, float] = {}
    for datum in pmi.datums:
        faces = set(datum.place.faces)
        values = [
            one.value_mm
            for one in pmi.tolerances
            if one.kind in _FORM_AND_ORIENTATION and faces and faces <= set(one.place.faces)
        ]
        if values:
            own[datum.label] = min(values)
    for tolerance in pmi.tolerances:
        if tolerance.kind not in _BOUND_TO_DATUM or not tolerance.datums:
            continue
        label = tolerance.datums[0].label
        if label in own and tolerance.value_mm < own[label]:
            yield Check(
                "tighter_than_datum",
                f"The {tolerance.kind.replace('_', ' ')} tolerance of {tolerance.value_mm:.6g} mm is tighter than "
                f"datum {label} itself, {own[label]:.6g} mm; tighten the datum or loosen the tolerance",
                tolerance.value_mm,
                own[label],
                "mm",
                tolerance.place.faces,
            )


def _call_outs(part: Part, note: Note, unit_mm: float) -> Iterator[Check]:
    at = _diameters(part, note.place.faces)
    for one in call_outs(note.text, unit_mm):
        stated = one.diameter_mm
        if one.kind == "finish" or stated is None:
            continue
        found = at
        if not note.place.faces:
            # without a leader only a text that says it is a hole is looked for among all holes
            if not (one.kind == "thread" or one.through or one.depth_mm is not None):
                continue
            found = _diameters(part, range(len(part.faces)), holes=True)
        if not found or any(agrees(one, diameter) for diameter in found.values()):
            continue
        face, nearest = min(found.items(), key=lambda item: abs(item[1] - stated))
        yield Check(
            "call_out_differs",
            f"The note {one.designation} asks for {stated:.6g} mm and the model has {nearest:.6g} mm; "
            "correct what is wrong",
            stated,
            nearest,
            "mm",
            note.place.faces or (face,),
        )


def agrees(one: CallOut, diameter_mm: float) -> bool:
    """Whether a cylinder of the model can be what a thread or a diameter of a text means."""
    if one.kind == "thread":
        return _shows_thread(one, diameter_mm)
    return abs(diameter_mm - (one.diameter_mm or 0.0)) <= NOMINAL_SLACK_MM


def _diameters(part: Part, faces: Sequence[int], holes: bool = False) -> dict[int, float]:
    """Diameters of the cylinders among some faces; `holes`: only of those that are hollow."""
    found = {}
    for number in faces:
        face = part.faces[number]
        if isinstance(face.surface, Cylinder) and not (holes and face.convex):
            found[number] = 2.0 * face.surface.radius_mm
    return found
