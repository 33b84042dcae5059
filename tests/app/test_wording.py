"""Numbers as people write them."""

from __future__ import annotations

import pytest

from fettle.app.wording import amount, counted


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
