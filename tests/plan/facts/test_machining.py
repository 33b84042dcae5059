"""Facts of milled parts against the sizes that they were built with."""

from __future__ import annotations

import math

import pytest

from fettle.plan.facts import making_facts
from fettle.results.making import MachiningFacts
from tests.fit.parts import analyzed
from tests.quote.built_pairs import blind, pocket, through
from tests.rules.seeded.case import Recipe, cut, rod
from tests.rules.seeded.cnc import drilled_from
from tests.rules.seeded.turning import SHAFT


def facts_of(recipe: Recipe) -> MachiningFacts:
    (facts,) = making_facts(analyzed(recipe), lambda _: None)
    assert facts.machining is not None
    return facts.machining


def test_a_pocket() -> None:
    """30 x 24 x 12 mm with corners of 3 mm."""
    (found,) = facts_of(pocket(12, 3)).features
    floor = 30 * 24 - (4 - math.pi) * 9
    assert found.kind == "POCKET"
    assert found.floor_mm2 == pytest.approx(floor)
    assert found.volume_mm3 == pytest.approx(floor * 12)
    assert found.wall_mm2 == pytest.approx((2 * (30 + 24) - (8 - 2 * math.pi) * 3) * 12)
    assert (found.corner_radius_mm, found.corner_turns) == (pytest.approx(3.0), pytest.approx(4.0))
    assert not found.through
    assert not found.open


def test_holes_blind_through_and_for_a_thread() -> None:
    (found,) = facts_of(blind(5, 12)).features
    assert (found.width_mm, found.depth_mm, found.through, found.thread) == (5.0, 12.0, False, None)
    (found,) = facts_of(through(4.2, 20)).features
    assert (found.through, found.thread, found.thread_pitch_mm) == (True, "M5", 0.8)
    assert found.volume_mm3 == pytest.approx(math.pi / 4 * 4.2**2 * 20)


@pytest.mark.parametrize("sides", [1, 2, 3, 4])
def test_set_ups_are_the_sides_with_holes_and_at_least_two(sides: int) -> None:
    found = facts_of(drilled_from(sides))
    assert len(found.setups_3axis) == max(sides, 2)
    assert sorted({feature.setup_3axis for feature in found.features}) == list(range(1, sides + 1))


def test_a_stepped_hole_is_two_cylinders() -> None:
    """A counterbore of 10 x 6 above a hole of 5 mm through 60."""
    recipe = cut({"box": [40, 40, 60]}, rod(5, 60, (20, 20, 0)), rod(10, 6, (20, 20, 54)))
    (found,) = facts_of(recipe).features
    assert [(stage.diameter_mm, stage.depth_mm) for stage in found.stages] == [(10.0, 6.0), (5.0, 54.0)]


def test_a_plain_shaft() -> None:
    """20 x 60 mm: its length over its diameter is 3."""
    turning = facts_of(SHAFT).turning
    assert turning is not None
    assert (turning.diameter_mm, turning.length_mm) == (20.0, 60.0)
    assert turning.slenderness == pytest.approx(3.0)
    assert sum(one.volume_mm3 for one in turning.cuts) == pytest.approx(math.pi * 100 * 60)
