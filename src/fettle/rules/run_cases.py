"""Running of test cases: build or read the part, mesh, analyze and evaluate it. Needs the geometry kernel, so it runs
in a child process."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from fettle.analysis import Analysis, Options, analyze
from fettle.errors import BadRequest
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from fettle.geometry.part import Part
from fettle.geometry.pmi.records import (
    Datum,
    DatumReference,
    GeometricTolerance,
    Note,
    Place,
    Pmi,
    StatedDimension,
)
from fettle.geometry.surfaces.projection import nearest_point
from fettle.measure.readings import Triple
from fettle.rules.cases import Case, Miss, check
from fettle.rules.context import RuleContext
from fettle.rules.spec import Module


def run_case(module: Module, case: Case, folder: Path) -> list[Miss]:
    """Verdicts on the case's part that differ from the expected ones."""
    return check(case, RuleContext(analyze_case(case, folder)), module)


def analyze_case(case: Case, folder: Path) -> Analysis:
    """Analyze the case's part. A part file must be in `folder`, beside the cases."""
    options = MeshOptions()
    if set(case.part) == {"file"}:
        name = str(case.part["file"])
        path = folder / name
        if Path(name).name != name or not path.is_file():
            raise BadRequest(f"case '{case.name}': no file {name!r} in {folder}")
        model = load(path.read_bytes(), name, options)
    else:
        model = load(build(case.part), "case.step", options)
    part = replace(model.part, pmi=_stated(model.part, case)) if case.tolerances else model.part
    return analyze(part, refine(model.mesh, part, options), Options(pull=case.pull))


def _stated(part: Part, case: Case) -> Pmi:
    """What the file of the case's part would carry."""
    dimensions: list[StatedDimension] = []
    tolerances: list[GeometricTolerance] = []
    datums: list[Datum] = []
    notes: list[Note] = []
    for one in case.tolerances:
        place = Place((_face_at(part, one.at),))
        if one.width is not None:
            limits = (one.value - one.width / 2.0, one.value + one.width / 2.0)
            dimensions.append(StatedDimension(one.kind, False, one.value, *limits, "", (), place))
        elif one.kind == "ra":
            notes.append(Note(f"Ra {one.value:g}", place))
        else:
            label = chr(ord("A") + len(datums))
            referred = (DatumReference(label),) if one.datum else ()
            tolerances.append(GeometricTolerance(one.kind, one.value, "", (), (), referred, place))
            if one.datum:
                datums.append(Datum(label, Place((_face_at(part, one.datum),))))
    return Pmi(tuple(dimensions), tuple(tolerances), tuple(datums), tuple(notes))


def _face_at(part: Part, point: Triple) -> int:
    """The face nearest to a point: of those whose box holds it, or nearly, the one whose surface is nearest."""
    near = np.array(point)

    def distance(number: int) -> float:
        face = part.faces[number]
        outside = np.maximum(face.box[0] - near, near - face.box[1]).max()
        return float(np.linalg.norm(nearest_point(face.surface, near)[0] - near) + max(outside, 0.0))

    return min(range(len(part.faces)), key=distance)
