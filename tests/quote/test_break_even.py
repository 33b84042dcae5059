"""Break-even quantities against hand-made examples, and against the crossing of the curves themselves."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest

from fettle.quote.break_even import OrderCurve, crossings

LEAST, MOST = 1.0, 10_000.0


def curve(
    fixed: float, each: float, base: float = 0.0, small: float = 0.0, scale: float = 25.0, minimum: float = 0.0
) -> OrderCurve:
    return OrderCurve(fixed, each, base, small, scale, minimum)


def test_a_mold_pays_where_what_it_costs_is_saved() -> None:
    """A mold of 10,000 with pieces at 2 against 52 each without one: 10,000 / 50 = 200 pieces."""
    assert crossings(curve(0, 52), curve(10_000, 2), LEAST, MOST) == pytest.approx((200.0,), rel=1e-12)


def test_equal_markups_cancel() -> None:
    """(300 - 100) / (9 - 4) = 40, whatever markup is put on both."""
    both = {"base": 0.25, "small": 0.15}
    assert crossings(curve(100, 9, **both), curve(300, 4, **both), LEAST, MOST) == pytest.approx((40.0,), rel=1e-12)


def test_a_minimum_order_gives_a_crossing_of_its_own() -> None:
    """150 at least against 10 + 5 q: 28 pieces cost 150 there; beyond, 100 + q is cheaper from (100 - 10) / 4 = 22.5,
    which lies below the minimum's end (100 + q = 150 at 50): the one crossing is at 28."""
    assert crossings(curve(100, 1, minimum=150), curve(10, 5), LEAST, MOST) == pytest.approx((28.0,), rel=1e-12)


def test_curves_that_never_meet_have_no_break_even() -> None:
    assert crossings(curve(100, 5), curve(200, 6), LEAST, MOST) == ()
    assert crossings(curve(100, 5), curve(100, 5), LEAST, MOST) == ()


def test_a_crossing_beyond_what_may_be_ordered_is_left_out() -> None:
    """100,000 / 5 = 20,000 pieces."""
    assert crossings(curve(0, 7), curve(100_000, 2), LEAST, MOST) == ()


def crossings_by_search(one: OrderCurve, other: OrderCurve) -> list[float]:
    """Sign changes on a fine grid, narrowed by regula falsi: another method than the code's."""
    steps = 20_000
    grid = [LEAST * (MOST / LEAST) ** (step / steps) for step in range(steps + 1)]
    return [
        narrowed(one, other, low, high)
        for low, high in pairwise(grid)
        if difference(one, other, low) * difference(one, other, high) < 0
    ]


def narrowed(one: OrderCurve, other: OrderCurve, low: float, high: float) -> float:
    for _ in range(60):
        below, above = difference(one, other, low), difference(one, other, high)
        middle = low - below * (high - low) / (above - below)
        at = difference(one, other, middle)
        if at == 0 or not low < middle < high:
            break
        low, high = (middle, high) if at * below > 0 else (low, middle)
    return middle


def difference(one: OrderCurve, other: OrderCurve, quantity: float) -> float:
    return one.unit_price(quantity) - other.unit_price(quantity)


@pytest.mark.parametrize("seed", range(40))
def test_break_even_is_the_crossing_of_the_two_curves(seed: int) -> None:
    chance = random.Random(seed)

    def some(scale: float) -> OrderCurve:
        fixed, each = math.exp(chance.uniform(0, 9)), math.exp(chance.uniform(-1, 5))
        base, small, minimum = chance.uniform(0, 0.5), chance.choice((0.0, 0.15, 0.4)), chance.choice((0.0, 150.0))
        return curve(fixed, each, base, small, scale, minimum)

    one, other = some(25.0), some(25.0 if seed % 2 else 40.0)
    found = crossings(one, other, LEAST, MOST)
    assert found == pytest.approx(crossings_by_search(one, other), rel=1e-6)
    for quantity in found:
        assert one.unit_price(quantity) == pytest.approx(other.unit_price(quantity), rel=1e-9)
