"""Rows sorted by small whole numbers, against Python's own stable sort."""

from __future__ import annotations

import numpy as np

from fettle.geometry.meshing.counting_sort import sort_by


def test_rows_with_equal_keys_stay_in_their_order() -> None:
    keys = np.array([2, 0, 2, 1, 0], np.uint32)
    assert sort_by(np.arange(5), keys, 3).tolist() == [1, 4, 3, 0, 2]
    assert sort_by(np.array([4, 3, 2, 1, 0]), keys, 3).tolist() == [4, 1, 3, 2, 0]


def test_the_last_key_first_sorts_by_several() -> None:
    one, two = np.random.default_rng(3).integers(0, 40, (2, 1000), dtype=np.uint32)
    rows = sort_by(sort_by(np.arange(1000), two, 40), one, 40)
    assert rows.tolist() == sorted(range(1000), key=lambda row: (one[row], two[row]))


def test_some_of_the_rows() -> None:
    assert sort_by(np.array([3, 0], np.uint32), np.array([5, 9, 9, 1]), 10).tolist() == [3, 0]
