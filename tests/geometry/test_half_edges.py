"""Rings of the sides along one edge, on triangles whose edges are counted by hand."""

from __future__ import annotations

import numpy as np

from fettle.geometry.meshing.half_edges import link

TETRAHEDRON = np.array([[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]], np.int32)


def rings(triangles: np.ndarray[tuple[int, int], np.dtype[np.int32]]) -> tuple[set[frozenset[int]], int]:
    ring, largest = link(triangles, int(triangles.max()) + 1)
    found = set()
    for side in range(triangles.size):
        members = [side]
        while ring[members[-1]] != side:
            members.append(int(ring[members[-1]]))
        found.add(frozenset(members))
    return found, largest


def test_sides_of_a_tetrahedron_are_in_six_pairs() -> None:
    """Side 3 t + k runs from corner k of triangle t: (0, 2) is side 0 and, backward, side 9."""
    assert rings(TETRAHEDRON) == ({frozenset(pair) for pair in ((0, 9), (1, 6), (2, 3), (4, 8), (5, 10), (7, 11))}, 2)


def test_an_open_side_is_alone() -> None:
    assert rings(TETRAHEDRON[:1]) == ({frozenset({0}), frozenset({1}), frozenset({2})}, 1)


def test_two_bodies_that_touch_along_an_edge_have_four_sides_there() -> None:
    """The second tetrahedron has vertices 0 and 1 of the first: their edge is sides 2 and 3, and 14 and 15."""
    other = np.array([0, 1, 4, 5], np.int32)[TETRAHEDRON]
    found, largest = rings(np.concatenate([TETRAHEDRON, other]))
    assert largest == 4
    assert frozenset({2, 3, 14, 15}) in found
    assert len(found) == 11
