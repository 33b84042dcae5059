"""What faces of one subject have together, from a value of each: by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import pytest

from fettle.rules.registry import FaceReadings, Measured
from tests.rules.conftest import Analyzer
from tests.rules.seeded.case import box


@pytest.mark.parametrize(("together", "value"), [(min, 1.0), (max, 4.0), (sum, 7.0)])
def test_faces_without_a_reading_do_not_count(
    analyzed: Analyzer, together: Callable[[Iterable[float]], float], value: float
) -> None:
    context = analyzed(box(10, 10, 10))
    readings = FaceReadings([4.0, math.nan, 1.0, 2.0], together)
    assert readings.of(context, (0, 1, 2, 3)) == value
    assert readings.of(context, (1,)) is None


@pytest.mark.parametrize("names_one", [False, True])
def test_the_place_is_that_of_the_deciding_face(analyzed: Analyzer, names_one: bool) -> None:
    context = analyzed(box(10, 10, 10))
    found = FaceReadings([4.0, 1.0], min, [5, 7], names_one).of(context, (0, 1))
    place = tuple(round(float(along), 4) for along in context.analysis.mesh.points[7])
    assert found == Measured(1.0, (1,) if names_one else (), place)
