"""PMI of a STEP file, tied to the faces of the part that was read from it."""

from __future__ import annotations

from dataclasses import replace

from fettle.geometry.kernel.step import StepShape
from fettle.geometry.kernel.step_faces import StepFaces
from fettle.geometry.part import Part
from fettle.geometry.pmi.marks import has_pmi, is_left_out
from fettle.geometry.pmi.part21 import StepFile
from fettle.geometry.pmi.read import read_pmi
from fettle.geometry.pmi.records import Pmi

LEFT_OUT = (
    "the dimensions and tolerances of the file were left out: the geometry kernel did not come back from reading them; "
    "the geometry is complete"
)


def with_pmi(part: Part, step: StepShape) -> Part:
    """The part with its PMI, where the file holds any. A fault in reading it is a warning: the geometry stands."""
    if is_left_out(step.text):
        return _warned(part, LEFT_OUT)
    if not has_pmi(step.text):
        return part
    try:
        pmi = _read(part, step)
    except Exception as error:  # noqa: BLE001 - whatever is wrong with it, the geometry is right and is answered
        return _warned(part, f"the dimensions and tolerances of the file could not be read: {error!r}")
    if pmi == Pmi():
        return part
    part = replace(part, pmi=pmi)
    if pmi.problems:
        return _warned(part, f"{len(pmi.problems)} of the file's tolerances could not be read: {pmi.problems[0]}")
    return part


def _read(part: Part, step: StepShape) -> Pmi:
    file = StepFile(step.text)
    faces = StepFaces(step.reader, step.changes, step.shape, part.faces, file.order)
    if faces.usable and faces.face_count == len(part.faces):
        return read_pmi(file, faces)
    # faces that were closed or copied to heal the solids are no longer those that the file names
    pmi = read_pmi(file, lambda instance: ((), True))
    if pmi == Pmi():
        return pmi
    reason = "dimensions and tolerances are given without their faces: the solids had to be repaired"
    if not faces.usable:
        reason = (
            "dimensions and tolerances are given without their faces: the kernel left out some of the file's instances"
        )
    return replace(pmi, problems=(*pmi.problems, reason))


def _warned(part: Part, warning: str) -> Part:
    return replace(part, source=replace(part.source, warnings=(*part.source.warnings, warning)))
