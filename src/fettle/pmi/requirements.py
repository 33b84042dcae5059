"""What a file asks of the accuracy of faces, one requirement at a time, comparable by grades of ISO 286."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from fettle.geometry.part import Cylinder, Part
from fettle.geometry.pmi.records import GeometricTolerance, Pmi, StatedDimension
from fettle.pmi.call_outs import INCH_MM, call_outs
from fettle.pmi.iso286 import GRADES, MAX_SIZE_MM, grade_of, tolerance_mm

FORM_GRADES = 2
"""Grades by which form, orientation and run-out are held better than a size in the same clamping: Fettle's judgment, as
general tolerances of form are about half of those of size (ISO 2768-2 against ISO 2768-1)."""
_HELD_LIKE_FORM = frozenset(
    ("flatness", "straightness", "roundness", "cylindricity", "perpendicularity", "parallelism", "angularity",
     "circular_runout", "total_runout")
)  # fmt: skip
_GRADE_OF_FIT = re.compile(r"[A-Za-z]{1,2}(\d{1,2})$")


@dataclass(frozen=True, slots=True)
class Requirement:
    """A size with limits, a geometric tolerance or a surface finish.

    `kind`: size, finish, or the kind of the geometric tolerance; `text`: as a drawing would say it; `width_mm`: of the
    tolerance zone; `grade`: coarsest grade of ISO 286 that keeps within it, 0 finer than IT1, None where none applies;
    `hollow`: the size of a bore; `datum_faces`: faces of the datums it refers to, the first datum first.
    """

    kind: str
    text: str
    faces: tuple[int, ...]
    width_mm: float | None = None
    grade: int | None = None
    ra_um: float | None = None
    hollow: bool = False
    datum_faces: tuple[tuple[int, ...], ...] = ()

    @property
    def locates(self) -> bool:
        """Whether it is a geometric tolerance that says where something is, not what form it has."""
        return self.kind not in ("size", "finish") and self.kind not in _HELD_LIKE_FORM


def requirements_of(part: Part) -> tuple[Requirement, ...]:
    """Everything that the file asks of faces, in its order: sizes, geometric tolerances, surface finishes."""
    pmi = part.pmi or Pmi()
    unit_mm = INCH_MM if part.source.length_unit == "inch" else 1.0
    datums = {datum.label: datum.place.faces for datum in pmi.datums}
    sizes = [_size(part, one) for one in pmi.dimensions]
    finishes = [
        Requirement("finish", f"Ra {one.ra_um:g} um", note.place.faces, ra_um=one.ra_um)
        for note in pmi.notes
        for one in call_outs(note.text, unit_mm)
        if one.ra_um is not None
    ]
    return (
        *(one for one in sizes if one is not None),
        *(_zone(part, one, datums) for one in pmi.tolerances),
        *finishes,
    )


def _size(part: Part, one: StatedDimension) -> Requirement | None:
    width = _width_mm(one)
    if width is None or one.nominal is None:
        return None
    surfaces = [part.faces[face] for face in one.place.faces]
    hollow = bool(surfaces) and all(isinstance(face.surface, Cylinder) and not face.convex for face in surfaces)
    said = one.fit or f"within {width:.3g} mm"
    return Requirement(
        "size",
        f"{one.kind.replace('_', ' ')} {one.nominal:.6g} mm {said}",
        one.place.faces,
        width,
        grade_of(one.nominal, width),
        hollow=hollow,
    )


def _width_mm(one: StatedDimension) -> float | None:
    """Width between the limits of a length; of a tolerance class by its grade."""
    if one.angular or one.nominal is None or "theoretical" in one.modifiers:
        return None
    if one.lower is not None and one.upper is not None and one.upper > one.lower:
        return one.upper - one.lower
    fit = _GRADE_OF_FIT.search(one.fit)
    return tolerance_mm(one.nominal, int(fit[1])) if fit and int(fit[1]) in GRADES else None


def _zone(part: Part, one: GeometricTolerance, datums: dict[str, tuple[int, ...]]) -> Requirement:
    labels = [label for reference in one.datums for label in reference.label.split("-")]
    datum_faces = tuple(datums[label] for label in labels if datums.get(label))
    faces = one.place.faces or tuple(range(len(part.faces)))
    reach = faces if one.kind in _HELD_LIKE_FORM else (*faces, *(face for datum in datum_faces for face in datum))
    grade = grade_of(min(_span_mm(part, reach), MAX_SIZE_MM), one.value_mm)
    if grade is not None and one.kind in _HELD_LIKE_FORM:
        grade = min(grade + FORM_GRADES, GRADES[-1])
    referred = f" to {', '.join(labels)}" if labels else ""
    text = f"{one.kind.replace('_', ' ')} {one.value_mm:.6g} mm{referred}"
    return Requirement(one.kind, text, one.place.faces, one.value_mm, grade, datum_faces=datum_faces)


def _span_mm(part: Part, faces: tuple[int, ...]) -> float:
    """Diagonal of the box around faces."""
    boxes = np.array([part.faces[face].box for face in faces])
    return float(np.linalg.norm(boxes[:, 1].max(axis=0) - boxes[:, 0].min(axis=0)))
