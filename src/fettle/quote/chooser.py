"""The process to choose: every process ranked by verdict, then by unit price, and where another becomes cheaper."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, pairwise

from fettle.quote.break_even import OrderCurve, crossings
from fettle.results.process_choices import BreakEven

LEAST, MOST = 1, 10_000
"""Quantities between which a break-even is looked for: those that may be ordered."""
GRID = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000)
"""Quantities at which plans that depend on the quantity are compared first."""
PROBES = (1, 100, 10_000)
"""A plan that is the same at these does not depend on the quantity."""
COMPARED = 3
"""Processes of the top between which break-even quantities are told."""

CurveAt = Callable[[int], OrderCurve]
"""The curve that holds at a whole quantity: of the plan for that quantity."""


@dataclass(frozen=True, slots=True)
class Contender:
    """A process with a price: its curve at every quantity."""

    process: str
    curve_at: CurveAt


def break_evens(contenders: Sequence[Contender]) -> tuple[BreakEven, ...]:
    """Between the first three, each pair in its order; ascending by quantity within a pair."""
    found: list[BreakEven] = []
    for one, other in combinations(contenders[:COMPARED], 2):
        found += _between(one, other)
    return tuple(found)


def _between(one: Contender, other: Contender) -> list[BreakEven]:
    first, second = cache(one.curve_at), cache(other.curve_at)
    if all(curve(LEAST) == curve(quantity) for curve in (first, second) for quantity in PROBES):
        exact = crossings(first(LEAST), second(LEAST), LEAST, MOST)
        found = [(quantity, min(math.floor(quantity) + 1, MOST)) for quantity in exact]
    else:
        found = list(_searched(first, second))
    return [
        BreakEven(one.process, other.process, quantity, above)
        if _cheaper(first, second, above)
        else BreakEven(other.process, one.process, quantity, above)
        for quantity, above in found
    ]


def _searched(first: CurveAt, second: CurveAt) -> Iterator[tuple[float, int]]:
    """Crossings of curves whose plans change with the quantity, each with the first whole quantity beyond it: between
    two whole quantities the crossing of the curves that hold there; the upper one where a plan jumps."""
    for low, high in pairwise(GRID):
        below = _cheaper(first, second, low)
        if below == _cheaper(first, second, high):
            continue
        least, most = low, high
        while most - least > 1:
            middle = (least + most) // 2
            least, most = (middle, most) if _cheaper(first, second, middle) == below else (least, middle)
        exact = crossings(first(most), second(most), least, most)
        yield (exact[0] if exact else float(most)), most


def _cheaper(first: CurveAt, second: CurveAt, quantity: int) -> bool:
    return first(quantity).unit_price(quantity) < second(quantity).unit_price(quantity)
