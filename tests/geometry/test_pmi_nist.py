"""PMI of NIST's test cases against NIST's own list of what they specify."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fettle.geometry.part import Cylinder, Face, Part, Vector
from fettle.geometry.pmi.records import GeometricTolerance, Pmi, StatedDimension
from fettle.pmi.checks import check_pmi
from tests.geometry.nist_test_cases import CASES, FILE_SAYS, Frame, Size
from tests.real_parts import read


@pytest.fixture(scope="module", params=sorted(CASES))
def case(request: pytest.FixtureRequest, corpus: Path) -> tuple[str, Part]:
    folder = corpus / "machined" / "nist-ctc"
    path = next(folder.glob(f"nist_ctc_{request.param}_*.stp"), None)
    if path is None:
        pytest.skip(f"no file of NIST's test case CTC {request.param} in {folder}")
    return request.param, read(path).part


def pmi_of(part: Part) -> Pmi:
    assert part.pmi is not None
    return part.pmi


def test_every_valued_dimension_is_there_once_and_no_other(case: tuple[str, Part]) -> None:
    number, part = case
    unit = CASES[number].unit_mm
    assert Counter(_read_size(one) for one in pmi_of(part).dimensions) == Counter(
        _stated_size(one, unit) for one in CASES[number].sizes
    )


def test_every_geometric_tolerance_is_there_once_and_no_other(case: tuple[str, Part]) -> None:
    number, part = case
    unit = CASES[number].unit_mm
    stated = [(FILE_SAYS.get((number, one), one), unit) for one in CASES[number].frames]
    assert Counter(_read_frame(one) for one in pmi_of(part).tolerances) == Counter(
        _stated_frame(frame, unit) for frame, unit in stated
    )


def test_every_datum_and_target_is_there_once_and_no_other(case: tuple[str, Part]) -> None:
    number, part = case
    datums = pmi_of(part).datums
    assert "".join(one.label for one in datums if not one.targets) == CASES[number].datums
    assert tuple(target.label for one in datums for target in one.targets) == CASES[number].targets
    assert all(one.place.faces for one in datums if not one.targets)


def test_a_diameter_is_on_cylinders_that_the_model_has_of_that_diameter_as_many_as_stated(
    case: tuple[str, Part],
) -> None:
    number, part = case
    unit = CASES[number].unit_mm
    patterns = Counter(
        (round(one.nominal * unit, 4), one.count) for one in CASES[number].sizes if one.kind == "diameter" and one.count
    )
    found: Counter[tuple[float, int]] = Counter()
    for dimension in pmi_of(part).dimensions:
        faces = [part.faces[face] for face in dimension.place.faces]
        cylinders = [one.surface for one in faces if isinstance(one.surface, Cylinder)]
        if dimension.kind == "diameter" and cylinders and len(cylinders) == len(faces):
            assert [2 * one.radius_mm for one in cylinders] == pytest.approx([dimension.nominal] * len(cylinders))
            found[round(dimension.nominal or 0.0, 4), _holes(faces)] += 1
    assert not patterns - found


def test_surfaces_counted_on_the_drawing_are_the_faces_of_the_tolerance(case: tuple[str, Part]) -> None:
    number, part = case
    for frame in CASES[number].frames:
        if frame.faces is not None:
            stated = _stated_frame(frame, CASES[number].unit_mm)
            read = [one for one in pmi_of(part).tolerances if _read_frame(one) == stated]
            assert [len(one.place.faces) for one in read] == [frame.faces] * len(read)


def test_the_models_agree_with_their_own_pmi(case: tuple[str, Part]) -> None:
    _, part = case
    assert check_pmi(part, pmi_of(part)) == ()
    assert pmi_of(part).problems == ()


def _read_size(one: StatedDimension) -> tuple[Any, ...]:
    return (one.kind, _digits(one.nominal), _digits(one.lower), _digits(one.upper), one.modifiers)


def _stated_size(one: Size, unit_mm: float) -> tuple[Any, ...]:
    unit = 1.0 if one.kind == "angle" else unit_mm
    limits = (None if end is None else (one.nominal + end) * unit for end in (one.lower, one.upper))
    return (one.kind, _digits(one.nominal * unit), *(_digits(end) for end in limits), one.modifiers)


def _read_frame(one: GeometricTolerance) -> tuple[Any, ...]:
    datums = tuple((datum.label, *datum.modifiers) for datum in one.datums)
    sizes = tuple((name, _digits(size)) for name, size in sorted(one.sizes_mm))
    return (one.kind, _digits(one.value_mm), one.zone == "cylindrical_or_circular", one.modifiers, sizes, datums)


def _stated_frame(one: Frame, unit_mm: float) -> tuple[Any, ...]:
    datums = tuple((datum,) if isinstance(datum, str) else datum for datum in one.datums)
    sizes = tuple((name, _digits(size * unit_mm)) for name, size in sorted(one.sizes.items()))
    return (one.kind, _digits(one.value * unit_mm), one.round, one.modifiers, sizes, datums)


def _digits(value: float | None) -> float | None:
    """A millionth of a millimeter: files write inches with rounding in the tenth digit."""
    return None if value is None else round(value, 6) + 0.0


def _holes(faces: list[Face]) -> int:
    """Bores: one may be two half cylinders, which share their axis and their middle along it."""
    middles: list[Vector] = []
    for face in faces:
        assert isinstance(face.surface, Cylinder)
        origin, axis = face.surface.origin, face.surface.axis
        middle = origin + float((face.box.mean(axis=0) - origin) @ axis) * axis
        if not any(np.linalg.norm(middle - other) < 1.0 for other in middles):
            middles.append(middle)
    return len(middles)
