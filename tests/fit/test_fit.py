"""Fit of parts whose process is plain to see, and what must not change it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from fettle.analysis import Analysis, analyze
from fettle.fit import Fit, measure_fit
from fettle.fit.processes import PROCESSES
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.refine import refine
from tests.counts import FULL
from tests.fit.parts import CUBE, FURTHER_PARTS, OWN_PROCESS, Recipe, analyzed

MARGIN = 0.2
"""By how much the process that makes such parts leads."""


def fits(analysis: Analysis) -> dict[str, Fit]:
    return {fit.process: fit for fit in measure_fit(analysis)}


def values(analysis: Analysis) -> list[float]:
    found = fits(analysis)
    return [found[process].value for process in PROCESSES]


@pytest.mark.parametrize("name", OWN_PROCESS | FURTHER_PARTS)
def test_the_process_that_makes_such_parts_is_first(name: str) -> None:
    recipe, own = (OWN_PROCESS | FURTHER_PARTS)[name]
    first, second, *_ = measure_fit(analyzed(recipe))
    assert first.process == own, first
    assert first.value >= second.value + MARGIN, (first, second)


@pytest.mark.parametrize("name", OWN_PROCESS)
def test_every_process_answers_from_0_to_1_with_a_sentence(name: str) -> None:
    found = measure_fit(analyzed(OWN_PROCESS[name][0]))
    assert {fit.process for fit in found} == set(PROCESSES)
    assert [fit.value for fit in found] == sorted((fit.value for fit in found), reverse=True)
    for fit in found:
        assert 0.0 <= fit.value <= 1.0
        assert fit.reason[0] == fit.reason[0].upper()
        assert fit.reason.endswith(".")
        assert "nan" not in fit.reason


def _moved(recipe: Recipe) -> Recipe:
    turned = {"turn": {"of": recipe, "axis": [0.3, -0.7, 0.45], "deg": 113.7}}
    return {"move": {"of": turned, "by": [31.0, -470.0, 12.5]}}


def _mirrored(recipe: Recipe) -> Recipe:
    return {"mirror": {"of": recipe, "normal": [1, 2, -0.5]}}


SAME_PARTS: dict[str, Callable[[Recipe], Analysis]] = {
    "turned and moved": lambda recipe: analyzed(_moved(recipe)),
    "mirrored": lambda recipe: analyzed(_mirrored(recipe)),
    "in inches": lambda recipe: analyzed(recipe, "in"),
    "all of it at once": lambda recipe: analyzed(_moved(_mirrored(recipe)), "in"),
}
"""Copies of a part that every process makes as well as the part itself."""


@pytest.mark.parametrize("copy", SAME_PARTS if FULL else ["all of it at once"])
@pytest.mark.parametrize("name", OWN_PROCESS)
def test_turned_moved_mirrored_or_in_inches_the_fits_are_the_same(name: str, copy: str) -> None:
    recipe, _ = OWN_PROCESS[name]
    assert values(SAME_PARTS[copy](recipe)) == pytest.approx(values(analyzed(recipe)), abs=1e-6)


def test_the_pull_does_not_count() -> None:
    recipe, _ = OWN_PROCESS["molded box"]
    analysis = analyzed(recipe)
    pulled = replace(analysis, draft=replace(analysis.draft, pull=(1.0, 0.0, 0.0)), visibility=None)
    assert values(pulled) == values(analysis)


@pytest.mark.parametrize(
    ("name", "process", "words"),
    [
        ("sheet bracket", "sheet-metal", "100 % of the surface has one thickness of 1.5 mm and it has 2 bends."),
        ("flat sheet", "sheet-metal", "100 % of the surface has one thickness of 1.5 mm and it is flat."),
        ("milled plate", "sheet-metal", "6 mm is thick for sheet."),
        ("gear", "turning", "40 equal teeth"),
        ("printed bracket", "cnc", "sharp inside corners that a cutter cannot leave."),
        ("cube", "additive", "Nothing in its shape needs printing."),
        ("casting", "injection", "The wall is 14"),
    ],
)
def test_the_reason_says_what_was_measured(name: str, process: str, words: str) -> None:
    assert words in fits(analyzed(OWN_PROCESS[name][0]))[process].reason


def test_a_closed_void_leaves_printing_alone() -> None:
    hollow: Recipe = {"shell": {"of": {"box": [40, 30, 20]}, "t": 3}}
    found = fits(analyzed(hollow))
    assert found["additive"].value > 0.9
    assert all(found[process].value == 0.0 for process in ("cnc", "turning", "sheet-metal", "injection", "casting"))


def test_without_a_reading_of_thickness_no_process_fits() -> None:
    analysis = analyzed(CUBE)
    blank = np.full(len(analysis.thickness.value_mm), np.nan)
    found = measure_fit(replace(analysis, thickness=replace(analysis.thickness, value_mm=blank)))
    assert {fit.value for fit in found} == {0.0}
    assert {fit.reason for fit in found} == {"No wall thickness could be measured."}


def test_an_open_surface_fits_no_process() -> None:
    analysis = analyzed(CUBE)
    opened = replace(analysis.part, bodies=(), volume_mm3=0.0, watertight=False)
    found = measure_fit(replace(analysis, part=opened))
    assert {fit.value for fit in found} == {0.0}
    assert {fit.reason for fit in found} == {"The part is no closed solid."}


@pytest.mark.parametrize("recipe", [{"torus": {"D": 40, "d": 10}}, {"splines": {"of": {"sphere": {"d": 20}}}}])
def test_parts_of_one_face_are_answered(recipe: Recipe) -> None:
    assert fits(analyzed(recipe))["turning"].value == 1.0


def test_a_coarse_mesh_says_nearly_the_same() -> None:
    recipe, _ = OWN_PROCESS["milled block"]
    options = MeshOptions(max_edge_mm=8.0)
    model = load(build(recipe), "part.step", options)
    coarse = analyze(model.part, refine(model.mesh, model.part, options))
    assert values(coarse) == pytest.approx(values(analyzed(recipe)), abs=0.05)
