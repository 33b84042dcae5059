"""Quantities at which two ways of making a part cost the same.

The order price of a plan is max((fixed + each q) (1 + base + small / (1 + q / Q)), minimum): rational in the quantity
q, so that the crossings of two such curves with one Q are roots of quadratics. Others are found by bisection.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product

SAMPLES = 400
"""Quantities, in equal ratios, between which bisection looks for a change of sign: 2.3 % apart from 1 to 10,000."""

_SAME_QUANTITY = 1e-9  # relative: one crossing found twice


@dataclass(frozen=True, slots=True)
class OrderCurve:
    """Price of an order against its quantity: cost `fixed` once and `each` for a piece, and the markup of the card."""

    fixed: float
    each: float
    base: float
    small_order: float
    small_order_quantity: float
    minimum_order: float

    def unit_price(self, quantity: float) -> float:
        """Price of one piece of an order, not rounded; `quantity` may be any number above 0."""
        markup = self.base + self.small_order / (1 + quantity / self.small_order_quantity)
        return max((self.fixed + self.each * quantity) * (1 + markup), self.minimum_order) / quantity


def crossings(one: OrderCurve, other: OrderCurve, least: float, most: float) -> tuple[float, ...]:
    """Quantities from `least` to `most` at which the unit prices are equal and change places, ascending."""
    found = _closed_form(one, other) if _has_closed_form(one, other) else _bisected(one, other, least, most)
    kept: list[float] = []
    for quantity in sorted(q for q in found if least <= q <= most and _changes_places(one, other, q)):
        if not kept or quantity > kept[-1] * (1 + _SAME_QUANTITY):
            kept.append(quantity)
    return tuple(kept)


def _has_closed_form(one: OrderCurve, other: OrderCurve) -> bool:
    plain = not one.small_order or not other.small_order
    return plain or one.small_order_quantity == other.small_order_quantity


def _closed_form(one: OrderCurve, other: OrderCurve) -> Iterator[float]:
    """Roots of (order price of one) - (order price of the other), times (Q + q), for either side of each maximum."""
    scale = one.small_order_quantity if one.small_order else other.small_order_quantity
    for mine, theirs in product(_branches(one, scale), _branches(other, scale)):
        square, linear, constant = (left - right for left, right in zip(mine, theirs, strict=True))
        for quantity in _roots(square, linear, constant):
            if quantity > 0 and math.isclose(one.unit_price(quantity), other.unit_price(quantity), rel_tol=1e-9):
                yield quantity


def _branches(curve: OrderCurve, scale: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """Polynomials in q of order price times (scale + q): with markup, and at the minimum."""
    whole, small = 1 + curve.base, curve.small_order * scale
    constant = whole * scale + small
    with_markup = (curve.each * whole, curve.fixed * whole + curve.each * constant, curve.fixed * constant)
    return with_markup, (0.0, curve.minimum_order, curve.minimum_order * scale)


def _roots(square: float, linear: float, constant: float) -> tuple[float, ...]:
    """Real roots of square q^2 + linear q + constant, without the cancellation of the school formula."""
    if square == 0:
        return (-constant / linear,) if linear else ()
    discriminant = linear * linear - 4 * square * constant
    if discriminant < 0:
        return ()
    half = -(linear + math.copysign(math.sqrt(discriminant), linear)) / 2
    return (half / square, constant / half) if half else (0.0,)


def _bisected(one: OrderCurve, other: OrderCurve, least: float, most: float) -> Iterator[float]:
    quantities = [least * (most / least) ** (step / SAMPLES) for step in range(SAMPLES + 1)]
    for low, high in pairwise(quantities):
        if (_difference(one, other, low) < 0) != (_difference(one, other, high) < 0):
            yield _bisect(one, other, low, high)


def _bisect(one: OrderCurve, other: OrderCurve, low: float, high: float) -> float:
    """The change of sign between two quantities, to the last digit."""
    below = _difference(one, other, low) < 0
    while low < (middle := (low + high) / 2) < high:
        if (_difference(one, other, middle) < 0) == below:
            low = middle
        else:
            high = middle
    return middle


def _changes_places(one: OrderCurve, other: OrderCurve, quantity: float) -> bool:
    """Whether the cheaper one is another just after than just before, not merely touched."""
    step = 1e-6
    before = _difference(one, other, quantity * (1 - step))
    after = _difference(one, other, quantity * (1 + step))
    return before * after < 0


def _difference(one: OrderCurve, other: OrderCurve, quantity: float) -> float:
    return one.unit_price(quantity) - other.unit_price(quantity)
