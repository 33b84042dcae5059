"""Rays through the bounding volume hierarchy, on triangles for which the hits are known."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.measure.rays import Scene


def soup(corners: NDArray[np.float64]) -> Mesh:
    """A mesh of separate triangles (m, 3, 3), each a face of its own."""
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
    """Horizontal triangles (m, 3, 3) around centers (m, 3), with sizes (m,)."""
    outline = np.array([[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]])
    return middles[:, None, :] + size_mm[:, None, None] * outline


@pytest.mark.parametrize("count", [1, 3, 4, 5, 17, 2000])
def test_a_ray_down_on_each_of_many_horizontal_triangles_hits_that_one(count: int) -> None:
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


def test_of_triangles_above_each_other_the_nearest_is_hit() -> None:
    """From either end of a stack, and from between its triangles."""
    heights = np.arange(50.0)
    scene = Scene(soup(flat(np.stack([0 * heights, 0 * heights, heights], axis=1), np.full(50, 1.0))))
    origins = np.array([[0.0, 0.0, 60.0], [0.0, 0.0, -5.0], [0.0, 0.0, 20.25], [0.0, 0.0, 20.25]])
    ways = np.array([[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.0, 0.0, 1.0], [0.0, 0.0, -1.0]])
    hit, distance = scene.first_hit(origins, ways)
    assert hit.tolist() == [49, 0, 21, 20]
    assert distance.tolist() == pytest.approx([11.0, 5.0, 0.75, 0.25])


def test_triangles_that_shrink_towards_a_point_are_all_hit() -> None:
    """Each is a ninth smaller and nearer to the point than the one before: no plane halves them, 400 times."""
    size = (8.0 / 9.0) ** np.arange(400.0)
    middles = np.stack([size, 0 * size, 0 * size], axis=1)
    scene = Scene(soup(flat(middles, size / 40.0)))
    hit, _ = scene.first_hit(middles + np.array([0.0, 0.0, 1.0]), np.tile([0.0, 0.0, -1.0], (400, 1)))
    assert (hit == np.arange(400)).all()


def test_coincident_triangles_are_hit_as_one() -> None:
    scene = Scene(soup(flat(np.zeros((300, 3)), np.ones(300))))
    hit, distance = scene.first_hit(np.array([[0.0, 0.0, 2.0]]), np.array([[0.0, 0.0, -1.0]]))
    assert hit[0] >= 0
    assert distance[0] == pytest.approx(2.0)
