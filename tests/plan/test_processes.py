"""Which plans depend on the quantity."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fettle.plan.processes import PLANNERS, SAME_AT_ANY_QUANTITY
from fettle.plan.rate_card import shipped_rates
from tests.quote.made_facts import block, hole, pocket, shaft

CONFIGURATIONS = {"cnc": ("3-axis", "5-axis"), "turning": ("bar", "mill-turn")}


@pytest.mark.parametrize("process", sorted(SAME_AT_ANY_QUANTITY))
def test_a_plan_that_is_made_once_is_the_same_at_any_quantity(process: str) -> None:
    rates = shipped_rates(process)
    facts = shaft(20, 80, 12) if process == "turning" else block((90, 60, 25), (hole(5, 10), pocket(30, 20, 8, 2)))
    for configuration in CONFIGURATIONS[process]:
        material = rates.default_of(configuration)
        one = PLANNERS[process](facts, configuration, material, 1, rates)
        for quantity in (7, 100, 10_000):
            assert PLANNERS[process](facts, configuration, material, quantity, rates) == replace(one, quantity=quantity)
