"""Squared distances of grid cells, against scipy's Euclidean distance transform."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import ndimage

from fettle.measure.cavities import MAX_DISTANCE_CELLS, squared_distances


@pytest.mark.parametrize("share", [0.5, 0.97, 0.9999])
def test_squared_distances_of_cells(share: float) -> None:
    free = np.random.default_rng(7).random((40, 31, 37)) < share
    free[20, 15, 18] = False
    gap2 = np.rint(ndimage.distance_transform_edt(free) ** 2)
    assert np.array_equal(squared_distances(free), np.minimum(gap2, MAX_DISTANCE_CELLS**2))
