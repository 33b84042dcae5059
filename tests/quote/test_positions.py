"""A part costs the same however it lies in its file, mirrored, and in inches."""

from __future__ import annotations

import pytest

from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from tests.counts import some
from tests.fit.parts import analyzed
from tests.quote.built_pairs import blind, pocket, slot
from tests.rules.seeded.case import Recipe, box, cut, lying, rod
from tests.rules.seeded.turning import bored, crossed, grooved, stud

MILLS, LATHES = ("cnc:3-axis", "cnc:5-axis"), ("turning:bar", "turning:mill-turn")
PARTS: dict[str, tuple[Recipe, tuple[str, ...]]] = {
    "plain": (box(60, 40, 30), MILLS),
    "cube": (box(30, 30, 30), MILLS),
    "pocket": (pocket(12, 3), MILLS),
    "slot": (slot(8, 10), MILLS),
    "blind": (blind(5, 12), MILLS),
    "two sides": (cut(box(40, 40, 40), rod(6, 10, (12, 20, 30)), lying(rod(6, 10), (30, 20, 20))), MILLS),
    "bored": (bored(5, 20), MILLS + LATHES),
    "grooved": (grooved(3, 3), LATHES),
    "crossed": (crossed(5), LATHES),
    "stud": (stud(3), LATHES),
}


def prices(recipe: Recipe, processes: tuple[str, ...], unit: str = "mm") -> dict[str, str]:
    (facts,) = making_facts(analyzed(recipe, unit), lambda _: None)
    return {process: str(price_once(facts, process, 100).unit_price) for process in processes}


def mirrored(recipe: Recipe) -> Recipe:
    return {"mirror": {"of": recipe, "normal": [1, 0, 0]}}


@pytest.mark.parametrize("name", some(PARTS, every=2))
def test_the_same_price_in_any_position(name: str) -> None:
    recipe, processes = PARTS[name]
    here = prices(recipe, processes)
    assert prices({"turn": {"of": mirrored(recipe), "axis": [1, 2, 3], "deg": 37}}, processes, "in") == here
    assert prices({"turn": {"of": recipe, "axis": [0, 1, 0], "deg": 90}}, processes) == here


@pytest.mark.parametrize("name", some(PARTS, every=len(PARTS)))
def test_the_same_price_by_each_change_alone(name: str) -> None:
    recipe, processes = PARTS[name]
    here = prices(recipe, processes)
    assert prices({"turn": {"of": recipe, "axis": [1, 2, 3], "deg": 37}}, processes) == here
    assert prices(mirrored(recipe), processes) == here
    assert prices(recipe, processes, "in") == here
