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


@pytest.mark.parametrize(
    ("outside_mm", "bore_mm", "ratio", "said"),
    [
        (5.2, 4.5, 0.35 / 5.2, "Thinnest for its diameter: 0.35 mm at 5.2 mm."),
        (20.0, 19.2, 0.4 / 10.0, "Thinnest for its diameter: 0.40 mm at 20 mm, counted as 10 mm."),
        (2.0, 1.64, 0.18 / 4.0, "Thinnest for its diameter: 0.18 mm at 2 mm, counted as 4 mm."),
    ],
)
def test_a_tube_is_judged_by_its_share_of_the_diameter(
    analyzed: Analyzer, outside_mm: float, bore_mm: float, ratio: float, said: str
) -> None:
    tube = {"cut": [{"cylinder": {"d": outside_mm, "h": 20}}, {"cylinder": {"d": bore_mm, "h": 20}}]}
    (rule,) = [one for one in judge(analyzed(tube), TURNING, "bar").rules if one.key == "tube_wall"]
    assert rule.value == pytest.approx(ratio, abs=1e-4)
    assert rule.message.endswith(said)
