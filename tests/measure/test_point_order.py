"""The order of the mesh points: face by face, neighbors one after the other."""

from __future__ import annotations

import numpy as np

from fettle.measure.point_order import sort_along_curve


def test_points_come_face_by_face_and_equal_ones_in_their_order() -> None:
    faces = np.random.default_rng(0).integers(0, 2000, 5000, dtype=np.int32)
    rows = sort_along_curve(np.zeros((5000, 3)), faces)
    assert rows.tolist() == sorted(range(5000), key=lambda row: (faces[row], row))


def test_every_point_comes_once() -> None:
    points = np.random.default_rng(1).uniform(-5.0, 9.0, (3000, 3))
    rows = sort_along_curve(points, np.arange(3000, dtype=np.int32) % 7)
    assert sorted(rows.tolist()) == list(range(3000))


def test_successive_points_of_a_square_are_neighbors() -> None:
    """A Morton curve through 32 x 32 cells leaps from block to block, a half of its steps are to the next cell: the
    mean step is less than 2 cells; in random order it is 0.52 sides, more than 16 (mean distance of two points)."""
    x, y = np.meshgrid(np.arange(32.0), np.arange(32.0))
    points = np.stack([x.ravel(), y.ravel(), np.zeros(1024)], axis=1)[np.random.default_rng(2).permutation(1024)]
    along = points[sort_along_curve(points, np.zeros(1024, np.int32))]
    assert np.linalg.norm(np.diff(along, axis=0), axis=1).mean() < 2.0
