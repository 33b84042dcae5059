"""Turned and mill-turn parts with their full lists of features: as built, turned, mirrored, in inches, re-ordered."""

from __future__ import annotations

import random

import pytest

from benchmarks.part_generators.turned_blocks import true_cuts, turned_block
from benchmarks.turned import labels_of
from fettle.geometry.csg import build
from fettle.geometry.kernel import solids
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.recognize import recognize
from fettle.recognize.feature import UNCLASSIFIED, Recognition
from tests.counts import some
from tests.recognize.centered import centered_parts
from tests.recognize.part_lists import compare, shuffled
from tests.recognize.toothed import toothed_parts
from tests.recognize.turned import across, families, polygon, ring, stack
from tests.recognize.words import Recipe, at, box, cut, cyl, union

FAMILIES = {**families(), **toothed_parts(), **centered_parts()}


def _recognized(recipe: Recipe, unit: str = "mm") -> Recognition:
    return recognize(load(build(recipe, unit), "part.step").part)


def test_there_are_enough_parts() -> None:
    assert len(FAMILIES) >= 80


@pytest.mark.parametrize("name", FAMILIES)
def test_part_has_exactly_its_features(name: str) -> None:
    recipe, expected = FAMILIES[name]
    found = _recognized(recipe)
    compare(found, expected)
    assert found.coverage_area == 1.0
    assert UNCLASSIFIED.code not in found.roles


@pytest.mark.parametrize("name", some(FAMILIES, every=6))
def test_part_is_the_same_in_every_position(name: str) -> None:
    """Mirrored, turned, moved, in inches and with its faces in another order, all at once."""
    recipe, expected = FAMILIES[name]
    dice = random.Random(name)
    found, other = _recognized(recipe), recognize(shuffled(_elsewhere(recipe, dice), dice))
    compare(other, expected)
    one, two = found.turned, other.turned
    assert one is not None
    assert two is not None
    assert two.length_mm == pytest.approx(one.length_mm)
    assert two.diameter_mm == pytest.approx(one.diameter_mm)
    assert [segment.start for segment in two.outside] == [
        pytest.approx(segment.start, abs=1e-3) for segment in one.outside
    ]
    assert [live.what for live in other.live] == [live.what for live in found.live]


def _elsewhere(recipe: Recipe, dice: random.Random) -> Part:
    normal, axis = ([dice.gauss(0, 1) for _ in range(3)] for _ in range(2))
    deg, by = dice.uniform(10, 350), [dice.uniform(-500, 500) for _ in range(3)]
    turned = {"turn": {"of": {"mirror": {"of": recipe, "normal": normal}}, "axis": axis, "deg": deg}}
    return load(build({"move": {"of": turned, "by": by}}, "in"), "part.step").part


@pytest.mark.parametrize(
    ("name", "recipe"),
    [
        ("bracket with a boss", union(box(60, 40, 10), at(cyl(20, 30), 30, 20, 10))),
        ("block with a bore", cut(box(60, 60, 40), at(cyl(50, 60), 30, 30, -5))),
        ("plate with a large hole", cut(box(80, 80, 8), at(cyl(70, 20), 40, 40, -5))),
        ("round sheet", cyl(100, 3)),
        ("round sheet with holes", cut(cyl(100, 3), *(at(cyl(8, 9), x, 0, -3) for x in (-35, -20, 0, 20, 35)))),
        ("hexagon prism", polygon(6, 30, 40)),
        ("two shafts in one file", {"bodies": [cyl(20, 50), at(cyl(20, 50), 60, 0, 0)]}),
        ("angle with a hole", cut(union(box(60, 40, 8), box(8, 40, 50)), at(cyl(12, 30), 35, 20, -5))),
    ],
)
def test_part_is_not_turned(name: str, recipe: Recipe) -> None:
    found = _recognized(recipe)
    assert found.turned is None
    kinds = {feature.kind for feature in found.features}
    assert kinds.isdisjoint({"SHAFT_STEP", "SHOULDER", "TAPER", "GROOVE", "FLAT", "KEYWAY", "THREAD", "GEAR", "KNURL"})


def test_profile_of_a_stepped_shaft_with_a_bore_runs_from_the_heavier_end() -> None:
    found = _recognized(cut(stack((30, 40), (16, 20)), cyl(8, 60)))
    turned = found.turned
    assert turned is not None
    assert turned.axes[0].area_fraction == pytest.approx(1.0)
    assert [(*one.start, *one.end) for one in turned.outside] == [
        pytest.approx(line, abs=1e-6)
        for line in ((0, 4, 0, 15), (0, 15, 40, 15), (40, 15, 40, 8), (40, 8, 60, 8), (60, 8, 60, 4))
    ]
    assert [(*one.start, *one.end) for one in turned.inside] == [pytest.approx((0, 4, 60, 4), abs=1e-6)]


def test_arc_of_a_ball_end_has_its_center_on_the_axis() -> None:
    found = _recognized(union(cyl(20, 50), at({"sphere": {"d": 20}}, 0, 0, 50)))
    turned = found.turned
    assert turned is not None
    (arc,) = [one for one in turned.outside if one.center is not None]
    assert arc.center == pytest.approx((50, 0), abs=1e-6)
    assert arc.radius_mm == pytest.approx(10)


@pytest.mark.parametrize(("degs", "expected"), [((0, 90), [0, 90]), ((0, 45), [0, 45]), ((30, 100), [0, 70])])
def test_angles_of_cross_holes(degs: tuple[float, float], expected: list[float]) -> None:
    """At unequal heights, so that the lower one counts first; holes that go through repeat after 180 degrees."""
    tools = [across(4, z, deg) for z, deg in zip((10, 25), degs, strict=True)]
    found = _recognized(cut(stack((30, 20), (20, 60)), *(at(tool, 0, 0, 20) for tool in tools)))
    assert [live.what for live in found.live] == ["cross_hole"] * 2
    angles = [live.angle_deg for live in found.live]
    assert angles == pytest.approx(expected, abs=1e-3)
    assert [live.z_mm for live in found.live] == pytest.approx([30, 45], abs=1e-3)


def test_hexagon_of_the_bar_is_no_live_tooling_and_one_on_a_shaft_is() -> None:
    bolt = union(polygon(6, 24, 10), at(cyl(12, 30), 0, 0, 10))
    assert _recognized(bolt).live == ()
    spanner = union(stack((30, 20)), at(polygon(6, 14, 15), 0, 0, 20))
    assert [live.what for live in _recognized(spanner).live] == ["flat"]


def test_modeled_thread_on_a_stud() -> None:
    """M10 with a pitch of 1.5 over four turns, its groove 0.92 deep, on a shaft of 20."""
    groove = [(5.2, -0.6), (4.08, -0.09), (4.08, 0.09), (5.2, 0.6)]
    stud = solids.union([solids.cylinder(20, 15), solids.move(solids.cylinder(10, 25), (0, 0, 15))])
    shape = solids.cut(stud, [solids.move(solids.helix(groove, 1.5, 4), (0, 0, 24))])
    found = recognize(load(solids.step_bytes(shape, "mm"), "part.step").part)
    (thread,) = [one for one in found.features if one.kind == "THREAD"]
    assert (thread.form, thread.internal) == ("modeled", False)
    assert thread.pitch_mm == pytest.approx(1.5, rel=1e-3)
    assert thread.major_diameter_mm == pytest.approx(10, abs=1e-3)
    assert thread.minor_diameter_mm == pytest.approx(8.16, abs=1e-2)
    assert thread.thread_candidates == ("M10",)
    steps = sorted((one.diameter_mm, one.length_mm) for one in found.features if one.kind == "SHAFT_STEP")
    assert steps == [pytest.approx((10, 25)), pytest.approx((20, 15))]


def test_groove_parts_no_diameter_and_a_second_axis_is_told() -> None:
    found = _recognized(cut(stack((20, 60)), ring(9, 12, 30, 2)))
    (step,) = [one for one in found.features if one.kind == "SHAFT_STEP"]
    assert step.interrupted
    assert step.length_mm == pytest.approx(60)
    eccentric = _recognized(union(cyl(30, 20), at(cyl(26, 25), 1.5, 0, 20)))
    assert eccentric.turned is not None
    assert len(eccentric.turned.axes) == 2


def test_trapezoidal_thread_on_a_stud() -> None:
    """Tr 20 x 4 over four turns: flanks of 30 degrees, 2.25 deep, on a shaft of 30."""
    groove = [(10.2, -1.38), (7.75, -0.72), (7.75, 0.72), (10.2, 1.38)]
    stud = solids.union([solids.cylinder(30, 15), solids.move(solids.cylinder(20, 40), (0, 0, 15))])
    shape = solids.cut(stud, [solids.move(solids.helix(groove, 4.0, 4), (0, 0, 26))])
    found = recognize(load(solids.step_bytes(shape, "mm"), "part.step").part)
    (thread,) = [one for one in found.features if one.kind == "THREAD"]
    assert (thread.form, thread.internal) == ("modeled", False)
    assert thread.thread_candidates == ("Tr20x4",)


@pytest.mark.parametrize("seed", [0, 28, 34, 119, 194])
def test_turned_blocks_with_milled_features_have_their_labels(seed: int) -> None:
    """Blocks whose prisms were once read as pockets or single flats, and whose necks as grooves."""
    tree, cuts = turned_block(seed)
    part = load(build(tree), "part.step").part
    true = [cuts[number].label if number >= 0 else "stock" for number in true_cuts(part, cuts)]
    assert labels_of(part, recognize(part)) == true
