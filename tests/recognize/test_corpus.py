"""Real parts: the NIST test cases against their own PMI, and every part with a role for nearly all its area."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fettle.geometry.load import load
from fettle.geometry.part import Cylinder, Part
from fettle.recognize import recognize
from fettle.recognize.feature import Hole, Recognition

# On one worker, so that each part is read once.
pytestmark = pytest.mark.xdist_group("real parts")

IN = 25.4
# Diameter, depth, through, and how many: diameters and counts as in the test cases' drawings, depths by the models'
# own faces. Tapped holes are modelled at their drill size.
HOLES: dict[str, dict[tuple[float, float, bool], int]] = {
    "01": {(20, 45, False): 2, (25, 50, True): 4, (35, 100, True): 4},
    "02": {
        (8.38, 25, False): 42,
        (10.1, 30, False): 30,
        (12, 25, False): 2,
        (22, 81.126, True): 6,
        (40, 860, True): 1,
        (52, 530, True): 1,
    },
    "04": {
        (6.65, 25, False): 12,
        (10, 80, True): 2,
        (10.2, 30, False): 4,
        (12, 40, False): 4,
        (12.1, 15, False): 2,
        (14, 30, True): 30,
    },
    "05": {
        (0.3125 * IN, 1.2 * IN, False): 4,
        (0.4219 * IN, 1.2 * IN, False): 6,
        (0.75 * IN, 1.0 * IN, True): 10,
        (10 * IN, 4.0 * IN, False): 1,
    },
}
STAGES = {"02": {100.0, 52.0}, "04": {20.0, 12.0}, "05": {1.5 * IN, 0.75 * IN}}
REAL = ("machined/featuretype.STEP", "machined/nist-ctc", "printed", "units/twins")


@cache
def _read(path: Path) -> tuple[Part, Recognition]:
    part = load(path.read_bytes(), path.name).part
    return part, recognize(part)


def _case(corpus: Path, number: str) -> Path:
    return next((corpus / "machined" / "nist-ctc").glob(f"nist_ctc_{number}_*.stp"))


def _pmi_diameters(path: Path) -> set[float]:
    """Nominal sizes of the diameter dimensions in the file, in its own unit."""
    text = path.read_text(errors="replace").replace("\r", "").replace("\n", "")
    entities = dict(re.findall(r"#(\d+)\s*=\s*(.*?);(?=\s*(?:#|ENDSEC))", text))
    sizes = {number for number, body in entities.items() if re.match(r"DIMENSIONAL_SIZE\(.*'diameter'", body)}
    found = set()
    for body in entities.values():
        match = re.match(r"DIMENSIONAL_CHARACTERISTIC_REPRESENTATION\(#(\d+),#(\d+)\)", body.replace(" ", ""))
        if match and match[1] in sizes:
            for item in re.findall(r"#(\d+)", entities[match[2]]):
                value = re.search(r"LENGTH_MEASURE\(([^)]*)\)", entities[item])
                if value:
                    found.add(float(value[1]))
                    break
    return found


@pytest.mark.parametrize(("number", "unit_mm"), [("01", 1.0), ("02", 1.0), ("03", IN), ("04", 1.0), ("05", IN)])
def test_every_diameter_of_the_pmi_is_a_hole_or_a_stage(corpus: Path, number: str, unit_mm: float) -> None:
    path = _case(corpus, number)
    _, found = _read(path)
    holes = [feature for feature in found.features if isinstance(feature, Hole)]
    sizes = np.array([stage.diameter_mm for hole in holes for stage in hole.stages])
    wanted = _pmi_diameters(path)
    assert wanted
    for diameter in wanted:
        assert np.abs(sizes - diameter * unit_mm).min() < 1e-3, diameter


@pytest.mark.parametrize("number", HOLES)
def test_holes_are_these_and_no_others(corpus: Path, number: str) -> None:
    _, found = _read(_case(corpus, number))
    holes = [feature for feature in found.features if isinstance(feature, Hole)]
    counted = Counter((round(hole.diameter_mm, 2), round(hole.depth_mm, 2), hole.through) for hole in holes)
    wanted = {(round(d, 2), round(depth, 2), through): n for (d, depth, through), n in HOLES[number].items()}
    assert counted == wanted
    stages = {round(stage.diameter_mm, 3) for hole in holes for stage in hole.stages if len(hole.stages) > 1}
    assert {round(size, 3) for size in STAGES.get(number, set())} <= stages


def test_sheet_case_has_its_fifteen_holes_through_the_sheet(corpus: Path) -> None:
    _, found = _read(_case(corpus, "03"))
    holes = [feature for feature in found.features if isinstance(feature, Hole)]
    counted = Counter(round(hole.diameter_mm / IN, 4) for hole in holes)
    assert counted == {0.1875: 4, 0.438: 4, 0.625: 4, 1.065: 1, 1.5: 1, 2.0: 1}
    assert all(hole.through for hole in holes)


@pytest.mark.parametrize("number", ["01", "02", "03", "04", "05"])
def test_every_whole_internal_cylinder_is_in_a_hole(corpus: Path, number: str) -> None:
    part, found = _read(_case(corpus, number))
    in_holes = {face for feature in found.features if isinstance(feature, Hole) for face in feature.faces}
    for number_, face in enumerate(part.faces):
        whole = face.u_range_rad[1] - face.u_range_rad[0] > 6.28
        if isinstance(face.surface, Cylinder) and face.convex is False and whole:
            assert number_ in in_holes


def test_real_parts_are_covered(corpus: Path) -> None:
    paths = [
        path
        for name in REAL
        for path in ([corpus / name] if (corpus / name).is_file() else sorted((corpus / name).rglob("*")))
        if path.suffix.lower() in (".stp", ".step")
    ]
    assert len(paths) > 10
    for path in paths:
        part, found = _read(path)
        assert found.coverage_area >= 0.97, path.name
        # one role per face, and every face in at least one feature
        members = {face for feature in found.features for face in feature.faces}
        assert members == set(range(len(part.faces))), path.name
