from __future__ import annotations

import pytest

from tests.plan.worked_cuts import WorkedCut, worked_cuts


@pytest.mark.parametrize("cut", worked_cuts(), ids=lambda cut: cut.what.partition(",")[0])
def test_times_have_the_digits_of_the_books(cut: WorkedCut) -> None:
    for step in (*cut.steps, cut.minutes):
        assert step.computed == pytest.approx(step.published, abs=step.half_digit), step.name
