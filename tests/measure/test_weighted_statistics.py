from __future__ import annotations

import numpy as np
import pytest

from fettle.measure.field_statistics import sample_field, statistics
from fettle.measure.weighted_statistics import nearest_reading_weights, smallest_covering
from tests.measure.parts import context, field_of


def test_statistics_are_weighted_by_area() -> None:
    """A box of 10 x 10 x 40 with 1 on its two ends and 3 on its four sides: areas 200 and 1600."""
    on = context({"box": [10, 10, 40]})
    ends = np.abs(on.mesh.normals[:, 2]) > 0.5
    found = statistics(sample_field(on.mesh, 6, field_of(np.where(ends, 1.0, 3.0))))
    assert found.raw_min_mm == 1.0
    assert found.mean_mm == pytest.approx((200 * 1 + 1600 * 3) / 1800)
    assert found.median_mm == 3.0
    assert found.min_mm == 1.0
    assert found.cv == pytest.approx(np.sqrt(200 * 1600) / 1800 * 2 / found.mean_mm)
    assert found.measured_fraction == pytest.approx(1.0)
    assert found.position_mm is not None
    assert found.position_mm[2] in {0.0, 40.0}


def test_without_a_reading_statistics_are_none_and_the_measured_fraction_is_given() -> None:
    on = context({"box": [10, 10, 40]})
    ends = np.abs(on.mesh.normals[:, 2]) > 0.5
    half = statistics(sample_field(on.mesh, 6, field_of(np.where(ends, np.nan, 3.0))))
    assert half.measured_fraction == pytest.approx(1600 / 1800)
    assert half.raw_min_mm == 3.0
    nothing = statistics(sample_field(on.mesh, 6, field_of(np.full(len(ends), np.nan))))
    assert (nothing.min_mm, nothing.face, nothing.measured_fraction) == (None, None, 0.0)
    assert statistics(sample_field(on.mesh, 6, field_of(np.ones(len(ends)))), faces=()).min_mm is None


@pytest.mark.parametrize(
    ("share", "covering"),
    [(0.1, 2.0), (0.2, 2.0), (0.21, 3.0), (0.5, 3.0), (0.51, 5.0), (0.9, 5.0), (0.91, 9.0), (1.0, 9.0)],
)
def test_the_smallest_value_that_covers_a_share_of_the_area(share: float, covering: float) -> None:
    """In order: 2 up to 2 of 10 mm2, 3 (twice) up to 5, 5 up to 9, 9 up to 10; the others are no readings."""
    values = np.array([5.0, np.nan, 3.0, 9.0, 0.0, 2.0, np.inf, 3.0, 1.0])
    area = np.array([4.0, 50.0, 1.0, 1.0, 50.0, 2.0, 50.0, 2.0, 0.0])
    assert smallest_covering(values, area, share) == covering


def test_no_value_covers_anything_where_there_is_none() -> None:
    assert np.isnan(smallest_covering(np.array([np.nan, 0.0]), np.ones(2), 0.9))


def test_one_reading_at_the_end_of_a_strip_stands_for_all_of_it() -> None:
    """Twenty points on each side; the triangles run against the way of the reading, so
    that every pass over them brings it one farther. Within 10.5 mm lie eleven points of each side."""
    along = np.arange(20.0)
    points = np.concatenate([np.column_stack([along, y + 0.0 * along, 0.0 * along]) for y in (0.0, 1e-6)])
    steps = np.arange(19, dtype=np.uint32)[::-1]
    triangles = np.concatenate(
        [np.column_stack([steps, steps + 1, steps + 20]), np.column_stack([steps + 1, steps + 21, steps + 20])]
    ).astype(np.uint32)
    values, area = np.full(40, np.nan), np.ones(40)
    values[0] = 2.0
    for reach_mm, reached in ((100.0, 40.0), (10.5, 22.0)):
        weights = nearest_reading_weights(points, triangles, area, values, np.full(40, reach_mm))
        assert weights.tolist() == [reached] + [0.0] * 39
