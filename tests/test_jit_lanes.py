"""Lanes compute what the same expressions of single numbers do, to the last bit.

Compiled by numba itself, which stores nothing: what is stored of a test would not notice that the lanes changed.
"""

from __future__ import annotations

import numpy as np
import numpy.testing as npt
from numba import njit

from fettle.jit.lanes import HALF, LANES, bits, larger, load, load_half, lowest_bit, smaller, store

FIRST = np.array([0.1, -2.0, 3.0, np.inf, -np.inf, 0.0, 1e300, np.nan])
SECOND = np.array([0.3, -2.0, -7.0, 1.0, np.inf, -0.0, 1e300, 1.0])


@njit
def _compute(rows, factor, found):  # type: ignore[no-untyped-def]
    first, second = load(rows, 0, 0), load(rows, 1, 0)
    store(found, 0, (first - second) * factor + second)
    store(found, LANES, factor - first)
    store(found, 2 * LANES, larger(first, second))
    store(found, 3 * LANES, smaller(first, factor))
    less = first < second
    return bits(less), bits(~less), bits(first <= second), bits((first > -1.0) & (first >= second))


@njit
def _halves(rows):  # type: ignore[no-untyped-def]
    return bits(load_half(rows, 1, 0) < 0.0), bits(load_half(rows, 1, HALF) < 2.0)


@njit
def _lowest(chosen):  # type: ignore[no-untyped-def]
    return lowest_bit(chosen)


def _mask(truths: object) -> int:
    return int((np.asarray(truths) << np.arange(LANES)).sum())


def test_lanes_are_computed_as_single_numbers() -> None:
    found = np.empty(4 * LANES)
    with np.errstate(invalid="ignore"):
        masks = _compute(np.stack([FIRST, SECOND]), 0.7, found)
        npt.assert_array_equal(found[:LANES], (FIRST - SECOND) * 0.7 + SECOND)
        npt.assert_array_equal(found[LANES : 2 * LANES], 0.7 - FIRST)
        npt.assert_array_equal(found[2 * LANES : 3 * LANES], np.where(FIRST > SECOND, FIRST, SECOND))
        npt.assert_array_equal(found[3 * LANES :], np.where(FIRST < 0.7, FIRST, 0.7))
        less, not_more = FIRST < SECOND, FIRST <= SECOND
        assert masks == (_mask(less), _mask(~less), _mask(not_more), _mask((FIRST > -1.0) & (FIRST >= SECOND)))


def test_a_product_and_a_sum_are_rounded_one_after_the_other() -> None:
    # (1 + 2^-30)^2 is 1 + 2^-29 + 2^-60: as one fused operation the last term would be left over
    near_one = 1.0 + 2.0**-30
    rows, found = np.full((2, LANES), 0.0), np.empty(4 * LANES)
    rows[0], rows[1] = near_one, -(1.0 + 2.0**-29)
    _compute(np.stack([rows[0] + rows[1], rows[1]]), near_one, found)
    npt.assert_array_equal(found[:LANES], (rows[0] + rows[1] - rows[1]) * near_one + rows[1])


def test_halves_are_the_lanes_from_a_column_on() -> None:
    assert _halves(np.stack([FIRST, SECOND])) == (0b0110, 0b1010)


def test_lowest_bit_of_a_mask() -> None:
    assert [_lowest(1 << number | 0b10000000) for number in range(LANES)] == list(range(LANES))
