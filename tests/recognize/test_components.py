"""Connected components, with answers known by hand."""

from __future__ import annotations

from fettle.recognize.components import connected_groups


def test_chains_rings_and_loners_in_the_order_of_their_first_item() -> None:
    assert connected_groups(range(8), [(6, 5), (1, 4), (4, 7), (7, 1), (5, 2)]) == [[0], [1, 4, 7], [2, 5, 6], [3]]
    assert connected_groups([9, 3, 5], [(5, 9)]) == [[9, 5], [3]]
    assert connected_groups([], []) == []
