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
from tests.recognize.sheets import strip
from tests.rules.seeded.case import box, union
from tests.rules.seeded.injection import threaded

Recipe = dict[str, Any]
QUANTITY = 100
STEEL = "sheet-metal:mild-steel-1.5mm"
SHEET_BAND = 0.3
"""The smaller side of the band of the rate card: a larger radius also takes a longer blank, which savings leave out."""
LOW_ARMS_MM = 1.35
"""Height at which supports of 960 mm2 have a tenth of the volume of 12960 mm3, the limit for filament."""
TRAY: Recipe = {"shell": {"of": {"box": [50, 40, 20]}, "t": 2, "open": [[25, 20, 20]]}}


def window(x: float, y: float) -> Recipe:
    """A block through the wall of the tray at a place of its outline."""
    return {"move": {"of": {"box": [8, 8, 6]}, "by": [x - 4, y - 4, 8]}}


def tray(wall_mm: float) -> Recipe:
    """A tray whose floor and walls are as thick; its outside stays."""
    return {"shell": {"of": {"box": [120, 80, 40]}, "t": wall_mm, "open": [[60, 40, 40]]}}


def armed(height_mm: float) -> Recipe:
    """A post of 12 x 12 x 50 with four arms of 20 x 12 x 6 at a height; below it stand their supports, 960 mm2 wide."""
    arms = box(52, 12, 6, (-20, 0, height_mm)), box(12, 52, 6, (0, -20, height_mm))
    return union(box(12, 12, 50), *arms)


def bent(left_mm: float, right_mm: float, width_mm: float = 30) -> Recipe:
    """A channel of 1.5 mm sheet with two inside radii."""
    left, right = (strip([15, 16], [90], radius, t=1.5, width=width_mm) for radius in (left_mm, right_mm))
    return union(left, {"mirror": {"of": right, "normal": [1, 0, 0]}})


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
    FormedPair(
        "a modeled thread", "injection:standard", "unscrewing", threaded(thread=True), threaded(thread=False), 0.05
    ),
    FormedPair("two bend radii", STEEL, "one_bend_radius", bent(2, 3), bent(2, 2), SHEET_BAND),
    FormedPair(
        "two bend radii of a wide channel", STEEL, "one_bend_radius", bent(2, 4, 80), bent(2, 2, 80), SHEET_BAND
    ),
    FormedPair("tall supports", "additive:fdm", "overhang_angle", armed(22), armed(LOW_ARMS_MM), 0.05),
    FormedPair("supports", "additive:fdm", "overhang_angle", armed(10), armed(LOW_ARMS_MM), 0.05),
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
