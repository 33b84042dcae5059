"""Walls that never stop a ray from their own points, and those that do."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Cylinder
from fettle.measure.own_walls import find_walls
from tests.measure.parts import box, context, rod, visibility

COLLARED = {"union": [rod(20, 60, "z", (0, 0, 0)), rod(30, 10, "z", (0, 0, 20)), rod(14, 20, "z", (0, 0, 60))]}
"""A shaft with a collar, from z = 20 to 30, and a thinner end."""
DRILLED = {"cut": [box(40, 40, 20), rod(20, 20, "z", (20, 20, 0))]}


def test_the_faces_of_one_cylinder_are_one_wall() -> None:
    on = context(COLLARED)
    number = find_walls(on.part, on.mesh, on.scene.tree, on.scene.fixed, on.scene.diagonal_mm).number.tolist()
    radii = sorted(
        (round(face.surface.radius_mm, 6), number[face_number])
        for face_number, face in enumerate(on.part.faces)
        if isinstance(face.surface, Cylinder)
    )
    assert [radius for radius, _ in radii] == [7.0, 10.0, 10.0, 15.0]
    assert radii[1][1] == radii[2][1]
    assert len({wall for _, wall in radii}) == 3
    assert len(set(number)) == len(on.part.faces) - 1


def test_along_a_shaft_only_its_collar_stops_rays() -> None:
    on = context(COLLARED)
    x, y, z = on.mesh.points.T
    seen = visibility(on).free_at(np.arange(len(z)), (0.0, 0.0, 1.0))
    side = np.isclose(np.hypot(x, y), 10.0, atol=0.05) & (np.abs(on.mesh.normals[:, 2]) < 1e-6)
    assert seen[side & (z > 31)].all()
    assert not seen[side & (z < 19)].any()
    assert (side & (z > 31)).sum() > 50 < (side & (z < 19)).sum()


def test_the_wall_of_a_hole_stops_rays_across_it_and_none_along_it() -> None:
    on = context(DRILLED)
    x, y, _ = on.mesh.points.T
    wall = np.flatnonzero(
        np.isclose(np.hypot(x - 20, y - 20), 10.0, atol=0.05) & (np.abs(on.mesh.normals[:, 2]) < 1e-6)
    )
    assert len(wall) > 50
    assert visibility(on).free_at(wall, (0.0, 0.0, 1.0)).all()
    assert not visibility(on).free_at(wall, (1.0, 0.0, 0.0)).any()


def test_a_ring_is_in_its_own_way() -> None:
    """Its inside bends away from the axis, so that it does not lie behind the planes that touch it."""
    on = context({"torus": {"D": 40, "d": 10}})
    x, y, z = on.mesh.points.T
    inside = np.flatnonzero((np.hypot(x, y) < 15.5) & (np.abs(z) < 1.0) & (x < -10))
    assert len(inside) > 5
    assert not visibility(on).free_at(inside, (1.0, 0.0, 0.0)).any()
