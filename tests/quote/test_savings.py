"""Savings against parts that were really built with the two dimensions."""

from __future__ import annotations

import pytest

from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from fettle.quote.savings import find_savings
from fettle.results.making import MakingFacts
from fettle.results.verdicts import Verdict
from fettle.rules import RuleContext, judge_module, shipped_modules
from tests.counts import some
from tests.fit.parts import analyzed
from tests.quote.built_pairs import PAIRS, BuiltPair, pocket
from tests.rules.seeded.case import Recipe

QUANTITY = 100
CENT = 0.01


def facts_of(recipe: Recipe) -> MakingFacts:
    (facts,) = making_facts(analyzed(recipe), lambda _: None)
    return facts


def verdict_of(recipe: Recipe, process: str) -> Verdict:
    key, _, configuration = process.partition(":")
    module = next(one for one in shipped_modules() if one.key == key)
    (verdict,) = judge_module(RuleContext(analyzed(recipe)), module, [configuration]).configurations
    return verdict


@pytest.mark.parametrize("pair", some(PAIRS, every=2), ids=lambda pair: pair.name)
def test_a_saving_is_the_difference_of_two_quotes(pair: BuiltPair) -> None:
    before, after = facts_of(pair.before), facts_of(pair.after)
    verdict = verdict_of(pair.before, pair.process)
    (saving,) = (
        one for one in find_savings(before, pair.process, QUANTITY, verdict, pair.material) if one.rule == pair.rule
    )
    built = (
        price_once(before, pair.process, QUANTITY, pair.material).unit_price
        - price_once(after, pair.process, QUANTITY, pair.material).unit_price
    )
    assert built > 0
    assert float(saving.saves_each) == pytest.approx(float(built), rel=pair.tolerance, abs=CENT)
    assert saving.unit_price == price_once(before, pair.process, QUANTITY, pair.material).unit_price - saving.saves_each


def test_every_rule_has_a_pair_in_the_suite() -> None:
    assert {pair.rule for pair in some(PAIRS, every=2)} == {pair.rule for pair in PAIRS}


def test_the_sentence_names_both_dimensions_and_the_quantity() -> None:
    recipe = pocket(6, 1.2)
    (saving,) = find_savings(facts_of(recipe), "cnc:3-axis", 100, verdict_of(recipe, "cnc:3-axis"), "titanium")
    assert saving.message == f"Inside radius 1.2 to 1.5 mm saves {saving.saves_each} each at 100."


def test_a_part_without_causes_saves_nothing() -> None:
    recipe = pocket(6, 3)
    assert find_savings(facts_of(recipe), "cnc:3-axis", 100, verdict_of(recipe, "cnc:3-axis")) == ()
