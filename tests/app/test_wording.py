"""Numbers as people write them."""

from __future__ import annotations

from decimal import Decimal

import pytest

from fettle.app.wording import amount, cost, counted, deviation, duration


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (1, "body", "1 body"),
        (2, "body", "2 bodies"),
        (0, "face", "0 faces"),
        (3, "boss", "3 bosses"),
        (7, "day", "7 days"),
    ],
)
def test_a_count_agrees_with_its_noun(number: int, noun: str, text: str) -> None:
    assert counted(number, noun) == text


@pytest.mark.parametrize(
    ("value", "text"), [(14645.3, "14,645"), (69.6438, "69.64"), (0.125, "0.125"), (1000, "1,000")]
)
def test_an_amount_has_no_exponent(value: float, text: str) -> None:
    assert amount(value) == text


@pytest.mark.parametrize(
    ("minutes", "text"), [(2.5, "2.50 min"), (90, "90.00 min"), (0.07, "4.2 s"), (0.0007, "0.042 s"), (0.5, "30 s")]
)
def test_a_short_operation_is_told_in_seconds(minutes: float, text: str) -> None:
    assert duration(minutes) == text


@pytest.mark.parametrize(
    ("money", "rate", "text"), [("0.00", 3.2, "< 0.01"), ("0.00", None, "0.00"), ("1234.5", 3.2, "1,234.50")]
)
def test_a_cost_below_a_cent_is_not_nothing(money: str, rate: float | None, text: str) -> None:
    assert cost(Decimal(money), rate) == text


@pytest.mark.parametrize(
    ("length_mm", "text"), [(2e-14, "less than 0.001 mm"), (0.0123, "at most 0.012 mm"), (1.0, "at most 1 mm")]
)
def test_a_deviation_has_no_exponent(length_mm: float, text: str) -> None:
    assert deviation(length_mm) == text
