"""Ray origins on the border of faces: moved into the face, halfway between the two sides of a corner."""

from __future__ import annotations

import numpy as np
import pytest

from fettle.measure.ray_origins import step_inside, ways_inside
from tests.geometry.meshes import cube_mesh


@pytest.mark.parametrize(("length_mm", "moved_mm"), [(1.0, 1.0), (100.0, 3.0)])
def test_corners_of_a_cube_move_along_the_diagonals_of_its_sides(length_mm: float, moved_mm: float) -> None:
    """Each side of 10 mm is two triangles. Corners 1 and 3 of it have the right angle of one, which is 10 mm high, and
    move by three tenths of that at most."""
    mesh = cube_mesh(10.0)
    moved = step_inside(mesh, ways_inside(mesh), np.full(24, length_mm)).reshape(6, 4, 3)
    corners = mesh.points.reshape(6, 4, 3)
    for corner, opposite in ((1, 3), (3, 1)):
        away = (corners[:, opposite] - corners[:, corner]) / np.sqrt(200.0)
        np.testing.assert_allclose(moved[:, corner], corners[:, corner] + moved_mm * away, atol=1e-12)


def test_points_inside_a_face_stay() -> None:
    """Each corner a vertex of its own: no other face meets it there."""
    mesh = cube_mesh(10.0)
    apart = type(mesh)(**{**mesh.__getstate__(), "vertex": np.arange(24, dtype=np.int32)})
    assert step_inside(apart, ways_inside(apart), np.full(24, 1.0)).tolist() == mesh.points.tolist()
