"""Two revisions compared, where the change is known."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import pytest

from fettle.analysis import Analysis, analyze
from fettle.app.build_result import build_result
from fettle.app.revisions.facematch import match_faces
from fettle.app.revisions.revision import compare
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.rules.cases import Case, StatedTolerance
from fettle.rules.run_cases import analyze_case
from tests.parts import BLOCK, DRILLED


def analyzed(recipe: dict[str, Any]) -> Analysis:
    model = load(build(recipe), "part.step")
    return analyze(model.part, refine(model.mesh, model.part, model.options))


@pytest.fixture(scope="module")
def change() -> dict[str, Any]:
    """The hole grew from 10 to 12 mm, and one of 1 mm was added."""
    old, new = analyzed(BLOCK), analyzed(DRILLED)
    return compare(pickle.dumps(old), pickle.dumps(new), build_result(old, ""), build_result(new, ""))


def test_faces_are_matched_by_geometry(change: dict[str, Any]) -> None:
    """Four sides are as they were; top and bottom have other holes, the hole's wall grew; one wall is new."""
    faces = change["faces"]
    assert faces["n_unchanged"] == 4
    assert len(faces["changed"]) == 3
    assert len(faces["added"]) == 1
    assert faces["removed"] == []


def test_features_changed_and_added(change: dict[str, Any]) -> None:
    features = change["features"]
    (grown,) = features["changed"]
    assert grown["kind"] == "HOLE"
    assert grown["changes"]["diameter_mm"] == {"old": 10.0, "new": 12.0}
    (added,) = features["added"]
    assert (added["kind"], added["diameter_mm"]) == ("HOLE", 1.0)
    assert features["removed"] == []


def test_the_new_hole_brings_a_new_failure(change: dict[str, Any]) -> None:
    new = [(one["rule"], one["severity"]) for one in change["findings"]["new"] if one["module"] == "cnc"]
    assert ("hole_depth_to_diameter", "fail") in new
    turned = {"module": "cnc", "configuration": "3-axis", "old": "pass", "new": "fail"}
    assert turned in change["verdicts"]
    cause = {"module": "cnc", "configuration": "3-axis", "rule": "hole_depth_to_diameter", "severity": "fail"}
    assert {**cause, "old": 0, "new": 1} in change["causes"]


def test_a_part_compared_with_itself_elsewhere_has_not_changed() -> None:
    here = load(build(BLOCK), "part.step").part
    moved = {"move": {"of": BLOCK, "by": [100, -20, 3]}}
    matching = match_faces(here, load(build(moved), "part.step").part)
    assert len(matching.same) == len(here.faces)
    assert matching.shift_mm == pytest.approx((100, -20, 3))
    assert (matching.changed, matching.added, matching.removed) == ({}, (), ())


def test_a_changed_tolerance_is_told() -> None:
    """The hole of 10 mm is drilled before and reamed after: IT11 and IT7 of 6 to 10 mm."""
    asked = [StatedTolerance((25.0, 20.0, 15.0), "diameter", 10, width) for width in (0.09, 0.015)]
    old, new = (analyze_case(Case("", BLOCK, "cardinal", (), (one,)), Path()) for one in asked)
    change = compare(pickle.dumps(old), pickle.dumps(new), build_result(old, ""), build_result(new, ""))
    (changed,) = change["tolerances"]["changed"]
    assert changed["old"].endswith("(9.955 to 10.045) IT11")
    assert changed["new"].endswith("(9.9925 to 10.0075) IT7")
    assert [one["rule"] for one in change["findings"]["new"]] == ["tolerances"] * len(change["findings"]["new"])
    assert change["faces"]["n_unchanged"] == 7
