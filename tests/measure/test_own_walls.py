"""Walls that never stop a ray from their own points, and those that do."""

from __future__ import annotations

import numpy as np

from fettle.geometry.part import Cylinder
from fettle.measure.own_walls import _is_meshed, find_walls
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


def test_a_mesh_off_its_surface_or_with_other_normals_is_no_wall() -> None:
    """Planes z = 0 and cylinders of radius 2 about z, three of each: on it, 0.1 off it, on it with other normals."""
    kinds, rows = np.array([0, 0, 0, 1, 1, 1], np.int8), np.zeros((6, 8))
    rows[:, 5], rows[3:, 6] = 1.0, 2.0
    on_planes = [[5.0, 6.0, 0.0], [5.0, 6.0, 0.1], [5.0, 6.0, 0.0]]
    on_cylinders = [[2.0, 0.0, 7.0], [0.0, 2.0, 9.0], [2.1, 0.0, 0.0], [2.0, 0.0, 0.0]]
    of_planes = [[0.0, 0.0, -1.0], [0.0, 0.0, 1.0], [0.6, 0.0, 0.8]]
    of_cylinders = [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.6, 0.0, 0.8]]
    points, normals = np.array(on_planes + on_cylinders), np.array(of_planes + of_cylinders)
    point_face = np.array([0, 1, 2, 3, 3, 4, 5], np.int32)
    meshed = _is_meshed(points, normals, point_face, kinds, rows, 1e-6)
    assert meshed.tolist() == [True, False, False, True, False, False]
