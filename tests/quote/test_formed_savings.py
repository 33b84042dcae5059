"""Savings on formed parts against parts that were really built without the cause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from fettle.errors import CannotUnfold
from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from fettle.quote.savings import find_savings
from fettle.results.making import MakingFacts
from fettle.results.verdicts import Verdict
from fettle.rules import RuleContext, judge_module, shipped_modules
from fettle.sheet.unfold import unfold
from tests.fit.parts import analyzed

Recipe = dict[str, Any]
QUANTITY = 100
TRAY: Recipe = {"shell": {"of": {"box": [50, 40, 20]}, "t": 2, "open": [[25, 20, 20]]}}


def window(x: float, y: float) -> Recipe:
    """A block through the wall of the tray at a place of its outline."""
    return {"move": {"of": {"box": [8, 8, 6]}, "by": [x - 4, y - 4, 8]}}


def tray(wall_mm: float) -> Recipe:
    """A tray whose floor and walls are as thick; its outside stays."""
    return {"shell": {"of": {"box": [120, 80, 40]}, "t": wall_mm, "open": [[60, 40, 40]]}}


@dataclass(frozen=True, slots=True)
class FormedPair:
    """`rule` stands against `before`; `after` is built without its cause. `tolerance`: relative, the band of the rate
    card where the change is more than one number."""

    name: str
    process: str
    rule: str
    before: Recipe
    after: Recipe
    tolerance: float


PAIRS = (
    FormedPair("one window", "injection:side-action", "no_undercuts", {"cut": [TRAY, window(25, 0)]}, TRAY, 0.05),
    FormedPair(
        "windows of one side",
        "injection:side-action",
        "no_undercuts",
        {"cut": [TRAY, window(12, 0), window(38, 0)]},
        TRAY,
        0.05,
    ),
    FormedPair(
        "windows of two sides",
        "injection:side-action",
        "no_undercuts",
        {"cut": [TRAY, window(12, 0), window(38, 40)]},
        TRAY,
        0.05,
    ),
    FormedPair("thick wall", "injection:standard", "applicability", tray(4.6), tray(4.0), 0.1),
)


def facts_of(recipe: Recipe) -> MakingFacts:
    def flat(one: Any) -> Any:
        try:
            return unfold(one.part)
        except CannotUnfold:
            return None

    (facts,) = making_facts(analyzed(recipe), flat)
    return facts


def verdict_of(recipe: Recipe, process: str) -> Verdict:
    key, _, configuration = process.partition(":")
    module = next(one for one in shipped_modules() if one.key == key)
    (verdict,) = judge_module(RuleContext(analyzed(recipe)), module, [configuration]).configurations
    return verdict


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_saving_is_the_difference_of_two_quotes(pair: FormedPair) -> None:
    before, after = facts_of(pair.before), facts_of(pair.after)
    found = find_savings(before, pair.process, QUANTITY, verdict_of(pair.before, pair.process))
    (saving,) = (one for one in found if one.rule == pair.rule)
    built = price_once(before, pair.process, QUANTITY).unit_price - price_once(after, pair.process, QUANTITY).unit_price
    assert built > 0
    assert float(saving.saves_each) == pytest.approx(float(built), rel=pair.tolerance)
    assert f"saves {saving.saves_each} each at {QUANTITY}" in saving.message
