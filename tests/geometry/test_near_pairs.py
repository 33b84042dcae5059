"""Pairs of near points, against the search tree of scipy."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from fettle.geometry.near_pairs import near_pairs
from tests.counts import some


def by_tree(points: NDArray[np.float64], distance: float) -> list[tuple[int, int]]:
    return sorted(cKDTree(points).query_pairs(distance))


def by_sweep(points: NDArray[np.float64], distance: float) -> list[tuple[int, int]]:
    return sorted((one, two) for one, two in near_pairs(points, distance).tolist())


@pytest.mark.parametrize("axes", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("seed", some(range(8), every=3))
def test_random_points(axes: int, seed: int) -> None:
    """Up to a million millimeters from the origin."""
    random = np.random.default_rng(seed)
    points = random.uniform(-1.0, 1.0, (300, axes)) + random.uniform(-1.0, 1.0, axes) * 10.0**seed / 10.0
    for distance in (0.01, 0.1, 0.5, 5.0):
        assert by_sweep(points, distance) == by_tree(points, distance)


@pytest.mark.parametrize("axes", [2, 3, 4, 5, 6])
@pytest.mark.parametrize("distance", [0.0, 1.0, 2.0, 5.0])
def test_points_at_exactly_the_distance_are_near(axes: int, distance: float) -> None:
    """Whole numbers: distances are exact, many are the one asked for (3, 4, 5 among them), and places repeat."""
    points = np.random.default_rng(axes).integers(-4, 5, (250, axes)).astype(np.float64)
    assert by_sweep(points, distance) == by_tree(points, distance)


def test_two_points_as_far_apart_as_asked_in_any_direction() -> None:
    """Along the line that is swept too, where rounding must not part them."""
    for there in [*np.random.default_rng(1).normal(size=(500, 3)).tolist(), [2**0.5, 3**0.5, 2.0]]:
        points = np.array([[0.0, 0.0, 0.0], there])
        distance = float(np.linalg.norm(there)) * (1.0 + 1e-15)
        assert by_sweep(points, distance) == [(0, 1)]


def test_few_points() -> None:
    assert near_pairs(np.empty((0, 3)), 1.0).tolist() == []
    assert near_pairs(np.zeros((1, 3)), 1.0).tolist() == []
    assert near_pairs(np.zeros((3, 3)), 0.0).shape == (3, 2)


def test_columns_in_any_order_of_memory() -> None:
    points = np.asfortranarray(np.random.default_rng(2).uniform(size=(50, 6))[:, ::2])
    assert by_sweep(points, 0.3) == by_tree(points, 0.3)


def test_many_points_on_the_faces_of_a_box_are_found_fast() -> None:
    """Comparing each with each would be twenty thousand million comparisons: half a minute."""
    random = np.random.default_rng(3)
    points = np.round(random.uniform(0.0, 100.0, (200_000, 3)), 2)
    points[np.arange(len(points)), random.integers(0, 3, len(points))] = 100.0
    assert by_sweep(points, 0.011) == by_tree(points, 0.011)
