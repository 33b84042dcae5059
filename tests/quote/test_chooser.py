"""Break-even quantities between processes, also of plans that change with the quantity."""

from __future__ import annotations

import pytest

from fettle.quote.break_even import OrderCurve
from fettle.quote.chooser import Contender, break_evens


def steady(process: str, fixed: float, each: float) -> Contender:
    curve = OrderCurve(fixed, each, 0.25, 0.15, 25.0, 0.0)
    return Contender(process, lambda _: curve)


def test_each_pair_of_the_first_three_is_compared() -> None:
    """(1000 - 0) / (12 - 2) = 100; (3000 - 0) / (12 - 1) = 272.7; (3000 - 1000) / (2 - 1) = 2000."""
    made = [steady("print", 0, 12), steady("mill", 1000, 2), steady("mold", 3000, 1), steady("other", 0, 1)]
    found = break_evens(made)
    assert [(one.process, one.than, one.cheaper_from) for one in found] == [
        ("mill", "print", 101),
        ("mold", "print", 273),
        ("mold", "mill", 2001),
    ]
    assert [one.quantity for one in found] == pytest.approx([100, 3000 / 11, 2000], rel=1e-9)


def test_the_order_of_the_two_does_not_matter() -> None:
    one, other = steady("print", 0, 12), steady("mill", 1000, 2)
    assert break_evens([one, other]) == break_evens([other, one])


def test_a_plan_that_changes_with_the_quantity_is_followed() -> None:
    """From 300 on a mold of four cavities: 12 each against 4000 + 4 q below and 6000 + 1 q above. The first would
    cross at 500; the second is cheaper from 6000 / 11 = 545.45."""
    one, four = OrderCurve(4000, 4, 0, 0, 1, 0), OrderCurve(6000, 1, 0, 0, 1, 0)
    mold = Contender("mold", lambda quantity: one if quantity < 300 else four)
    (found,) = break_evens([steady_bare("print", 12), mold])
    assert (found.process, found.than, found.cheaper_from) == ("mold", "print", 546)
    assert found.quantity == pytest.approx(6000 / 11, rel=1e-9)


def test_a_jump_of_a_plan_over_the_other_counts_from_the_quantity_it_holds() -> None:
    """Dearer below 300 and cheaper from 300: the curves themselves do not cross there."""
    dear, cheap = OrderCurve(0, 20, 0, 0, 1, 0), OrderCurve(0, 5, 0, 0, 1, 0)
    jumping = Contender("batch", lambda quantity: dear if quantity < 300 else cheap)
    (found,) = break_evens([steady_bare("print", 12), jumping])
    assert (found.process, found.quantity, found.cheaper_from) == ("batch", 300.0, 300)


def steady_bare(process: str, each: float) -> Contender:
    curve = OrderCurve(0, each, 0, 0, 1, 0)
    return Contender(process, lambda _: curve)
