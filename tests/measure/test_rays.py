"""Rays through the tree of boxes against triangles whose answers are known without one."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.rays import Scene


def soup(corners: NDArray[np.float64]) -> Mesh:
    """Loose triangles (m, 3, 3) as a mesh, each a face of its own."""
    count = len(corners)
    points = corners.reshape(-1, 3)
    rows = np.arange(len(points), dtype=np.int32)
    return Mesh(
        points=points,
        normals=np.tile([0.0, 0.0, 1.0], (len(points), 1)),
        point_face=rows // 3,
        vertex=rows,
        triangles=rows.reshape(-1, 3),
        triangle_face=np.arange(count, dtype=np.int32),
        max_edge_mm=1.0,
        curvature=24.0,
    )


def flat(middles: NDArray[np.float64], size_mm: NDArray[np.float64]) -> NDArray[np.float64]:
    """Level triangles (m, 3, 3) around some middles (m, 3), of some sizes (m,)."""
    outline = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    return middles[:, None, :] + size_mm[:, None, None] * outline


@pytest.mark.parametrize("count", [1, 3, 4, 5, 17, 2000])
def test_a_ray_down_on_each_of_many_level_triangles_meets_that_one(count: int) -> None:
    side = int(np.ceil(np.sqrt(count)))
    place = np.arange(count)
    middles = np.stack([place % side, place // side, place % 7], axis=1).astype(float)
    scene = Scene(soup(flat(middles, np.full(count, 0.3))))
    above = middles + np.array([0.0, 0.0, 100.0])
    hit, distance = scene.first_hit(above, np.tile([0.0, 0.0, -1.0], (count, 1)))
    assert (hit == place).all()
    assert distance == pytest.approx(100.0)
    beside, _ = scene.first_hit(above + np.array([0.5, 0.0, 0.0]), np.tile([0.0, 0.0, -1.0], (count, 1)))
    assert (beside == -1).all()


def test_of_triangles_above_each_other_the_nearest_is_met() -> None:
    """From either end of a pile, and from between its sheets."""
    heights = np.arange(50.0)
    scene = Scene(soup(flat(np.stack([0 * heights, 0 * heights, heights], axis=1), np.full(50, 1.0))))
    origins = np.array([[0.0, 0.0, 60.0], [0.0, 0.0, -5.0], [0.0, 0.0, 20.25], [0.0, 0.0, 20.25]])
    ways = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    hit, distance = scene.first_hit(origins, ways)
    assert hit.tolist() == [49, 0, 21, 20]
    assert distance.tolist() == pytest.approx([11.0, 5.0, 0.75, 0.25])


def test_triangles_that_shrink_towards_a_spot_are_all_met() -> None:
    """Each a ninth smaller and nearer to the spot than the one before: no cut in space halves them, 400 times."""
    size = (8.0 / 9.0) ** np.arange(400.0)
    middles = np.stack([size, 0 * size, 0 * size], axis=1)
    scene = Scene(soup(flat(middles, size / 40.0)))
    hit, _ = scene.first_hit(middles + np.array([0.0, 0.0, 1.0]), np.tile([0.0, 0.0, -1.0], (400, 1)))
    assert (hit == np.arange(400)).all()


def test_triangles_all_on_one_spot_are_one_wall() -> None:
    scene = Scene(soup(flat(np.zeros((300, 3)), np.ones(300))))
    hit, distance = scene.first_hit(np.array([[0.0, 0.0, 2.0]]), np.array([[0.0, 0.0, -1.0]]))
    assert hit[0] >= 0
    assert distance[0] == pytest.approx(2.0)
