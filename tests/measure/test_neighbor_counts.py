"""Points near each point, counted by hand and in a table of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.measure.neighbor_counts import count_near


@pytest.mark.parametrize("along", [0, 1, 2])
def test_points_in_a_row_have_those_beside_them(along):
    points = np.zeros((5, 3))
    points[:, along] = [3.0, 0.0, 2.0, 1.0, 10.0]

    near, marked_near = count_near(points, np.array([False, True, False, False, True]), 1.0)

    # 0 and 3 have one neighbor, 1 and 2 have two, 10 has none; each counts itself
    assert near.tolist() == [2, 2, 3, 3, 1]
    assert marked_near.tolist() == [0, 1, 0, 1, 1]


def test_a_diagonal_is_as_long_as_pythagoras_says():
    points = np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 12.0]])
    everybody = np.ones(2, np.bool_)

    assert count_near(points, everybody, 13.0)[0].tolist() == [2, 2]
    assert count_near(points, everybody, 12.99)[0].tolist() == [1, 1]


def test_a_cloud_is_counted_as_in_a_table_of_all_pairs():
    random = np.random.default_rng(0)
    points, marked = random.normal(size=(400, 3)), random.random(400) < 0.3
    apart = points[:, None] - points
    table = (apart[..., 0] ** 2 + apart[..., 1] ** 2 + apart[..., 2] ** 2) <= 0.5**2

    near, marked_near = count_near(points, marked, 0.5)

    assert near.tolist() == table.sum(axis=1).tolist()
    assert marked_near.tolist() == table[:, marked].sum(axis=1).tolist()
