"""Turning: parts that are no candidates, and the bars that a dealer stocks."""

from __future__ import annotations

import pytest

from fettle.rules import judge, shipped_modules
from fettle.rules.bar_sizes import next_bar_mm
from tests.rules.conftest import Analyzer

TURNING = next(module for module in shipped_modules() if module.key == "turning")


def test_a_part_that_is_not_turned_is_no_candidate(analyzed: Analyzer) -> None:
    found = judge(analyzed({"box": [60, 40, 20]}), TURNING, "bar")
    assert found.causes[0].message.startswith("No candidate for turning")
    assert len(found.causes) == 1


@pytest.mark.parametrize(
    ("diameter_mm", "bar_mm"), [(20.0, 20.0), (20.2, 21.0), (9.6, 10.0), (43.0, 45.0), (101.0, 110.0), (500.0, None)]
)
def test_next_stocked_bar(diameter_mm: float, bar_mm: float | None) -> None:
    assert next_bar_mm(diameter_mm) == bar_mm
