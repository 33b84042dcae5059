"""Real parts: the NIST test cases against their own PMI and the plain kernel, and a role for nearly all area.

What the oracles of `drawn.py` cover. PMI: the sizes and axes of the holes that the files' callouts are tied to (7 of
the 10 holes of case 01, five sizes of 02, all sizes but one of 03, 41 holes of 04, one of 05);
case 04 also gives counts, the countersinks and the depth of the counterbores as text. Kernel: every closed internal
cylinder of all five, so no hole is missed, none is invented, none is counted twice, and straight stages have their
length. Not covered by either: tips of drills, taper and partial bores, which the parts built by recipe have.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
import pytest

from fettle.recognize import recognize
from fettle.recognize.feature import Recognition
from fettle.recognize.kinds.hole import Hole
from tests.real_parts import read
from tests.recognize.drawn import PlainBore, callouts, on_line, plain_bores

IN = 25.4
# Case: millimeters of the PMI's unit and of the geometry's.
CASES = {"01": (1.0, 1.0), "02": (1.0, 1.0), "03": (IN, 1.0), "04": (1.0, 1.0), "05": (IN, IN)}
REAL = ("machined/featuretype.STEP", "machined/nist-ctc", "printed", "units/twins")


@cache
def _recognized(path: Path) -> Recognition:
    return recognize(read(path).part)


def _case(corpus: Path, number: str) -> Path:
    return next((corpus / "machined" / "nist-ctc").glob(f"nist_ctc_{number}_*.stp"))


def _holes(path: Path) -> list[Hole]:
    return [feature for feature in _recognized(path).features if isinstance(feature, Hole)]


def _is_on(hole: Hole, bore: PlainBore) -> bool:
    """Whether a bore lies on the hole's axis, between its entry and its end."""
    axis = np.array(hole.axis)
    if not on_line(np.array(hole.position_mm), axis, bore.origin, bore.axis):
        return False
    middle = bore.origin + bore.axis * (bore.low_mm + bore.high_mm) / 2
    return 0.0 < float((middle - np.array(hole.position_mm)) @ axis) < hole.total_depth_mm


@pytest.mark.parametrize("number", CASES)
def test_every_diameter_of_the_pmi_is_a_stage_of_a_hole_on_its_axis(corpus: Path, number: str) -> None:
    path = _case(corpus, number)
    size_mm, place_mm = CASES[number]
    holes = _holes(path)
    wanted = callouts(path)
    assert wanted
    for callout in wanted:
        for origin, direction in callout.axes:
            there = [
                stage.diameter_mm
                for hole in holes
                if on_line(
                    np.array(hole.position_mm), np.array(hole.axis), np.array(origin) * place_mm, np.array(direction)
                )
                for stage in hole.stages
            ]
            assert there, (callout.diameter, origin)
            assert np.abs(np.array(there) - callout.diameter * size_mm).min() < 1e-3, (callout.diameter, origin)


def test_counts_and_stages_that_case_04_spells_out(corpus: Path) -> None:
    path = _case(corpus, "04")
    # "30X 14", "6X 6.65" and "4X 20" in the callouts' text.
    counts = {callout.diameter: len(callout.axes) for callout in callouts(path)}
    assert (counts[14.0], counts[6.65], counts[20.0]) == (30, 6, 4)
    holes = _holes(path)
    # "30X countersink 90 degrees, 30X 20": at the mouth of every hole of 14.
    sunk = [hole.stages[0] for hole in holes if abs(hole.diameter_mm - 14.0) < 1e-3]
    assert len(sunk) == 30
    for stage in sunk:
        assert (stage.type, stage.angle_deg, stage.diameter_mm) == ("countersink", pytest.approx(90), pytest.approx(20))
    # "4X 20, 4X depth 20": counterbores.
    wide = [stage for hole in holes for stage in hole.stages if stage.type == "counterbore"]
    assert [(stage.diameter_mm, stage.depth_mm) for stage in wide] == [pytest.approx((20, 20))] * 4


@pytest.mark.parametrize("number", CASES)
def test_holes_are_the_closed_cylinders_of_the_kernel_and_no_others(corpus: Path, number: str) -> None:
    path = _case(corpus, number)
    holes, bores = _holes(path), plain_bores(path)
    owned: list[list[PlainBore]] = [[] for _ in holes]
    for bore in bores:
        owners = [index for index, hole in enumerate(holes) if _is_on(hole, bore)]
        assert len(owners) == 1, f"{len(owners)} holes around a cylinder of {2 * bore.radius_mm} at {bore.origin}"
        owned[owners[0]].append(bore)
    for hole, inside in zip(holes, owned, strict=True):
        assert not hole.partial
        narrowest = [bore for bore in inside if abs(2 * bore.radius_mm - hole.diameter_mm) < 1e-3]
        assert narrowest, f"no closed cylinder of {hole.diameter_mm} at {hole.position_mm}"
        for bore in inside:
            like = [stage for stage in hole.stages if abs(stage.diameter_mm - 2 * bore.radius_mm) < 1e-3]
            assert like, f"no stage of {2 * bore.radius_mm} in the hole at {hole.position_mm}"
            if not hole.interrupted:
                assert like[0].depth_mm == pytest.approx(bore.high_mm - bore.low_mm, abs=1e-2)
        ends = [
            float((bore.origin + bore.axis * along - np.array(hole.position_mm)) @ np.array(hole.axis))
            for bore in inside
            for along in (bore.low_mm, bore.high_mm)
        ]
        if hole.through:
            assert hole.total_depth_mm == pytest.approx(max(ends), abs=1e-2)
        else:
            assert hole.depth_mm == pytest.approx(max(ends), abs=1e-2)


def test_real_parts_are_covered(corpus: Path) -> None:
    paths = [
        path
        for name in REAL
        for path in ([corpus / name] if (corpus / name).is_file() else sorted((corpus / name).rglob("*")))
        if path.suffix.lower() in (".stp", ".step")
    ]
    assert len(paths) > 10
    for path in paths:
        found = _recognized(path)
        assert found.coverage_area >= 0.97, path.name
        # one role per face, and a feature for every face that has one
        members = {face for feature in found.features for face in feature.faces}
        assert members == set(np.flatnonzero(found.roles).tolist()), path.name
