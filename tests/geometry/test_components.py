"""Connected components: answers known by hand, and those of scipy on random graphs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from fettle.geometry.components import components


def test_components_are_numbered_in_the_order_of_their_smallest_members() -> None:
    found = components(8, np.array([6, 1, 4, 7, 5]), np.array([5, 4, 7, 1, 2]))
    assert found.tolist() == [0, 1, 2, 3, 1, 2, 2, 1]
    assert found.dtype == np.int32


def test_nothing_joined_and_nothing_at_all() -> None:
    nothing = np.empty(0, dtype=np.int64)
    assert components(3, nothing, nothing).tolist() == [0, 1, 2]
    assert components(0, nothing, nothing).tolist() == []


def test_columns_and_short_integers_are_taken_as_they_are() -> None:
    pairs = np.array([[3, 0], [1, 1]], dtype=np.int32)
    assert components(4, pairs[:, 0], pairs[:, 1]).tolist() == [0, 1, 2, 0]


@pytest.mark.parametrize("seed", range(60))
def test_components_are_those_of_scipy(seed: int) -> None:
    """Graphs of single things, of many small components and of one large one; with loops and repeated pairs."""
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 400))
    pairs = random.integers(0, count, (int(count * random.uniform(0.0, 1.5)), 2))
    graph = coo_array((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(count, count))
    assert (
        components(count, pairs[:, 0], pairs[:, 1]).tolist() == connected_components(graph, directed=False)[1].tolist()
    )


def test_a_long_chain_joined_from_its_end() -> None:
    count = 200_000
    assert not components(count, np.arange(count - 1, 0, -1), np.arange(count - 2, -1, -1)).any()
