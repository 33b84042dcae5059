"""The algebra of surfaces against formulas: encoding, nearest points, signed distances, frames, circles."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fettle.geometry.components import components
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector
from fettle.geometry.surfaces.circle import fit_circle
from fettle.geometry.surfaces.encoding import FREEFORM, from_row, pack_surfaces
from fettle.geometry.surfaces.frames import axis_frame
from fettle.geometry.surfaces.projection import distance_and_normal, nearest_point

ORIGIN, UP = np.zeros(3), np.array([0.0, 0.0, 1.0])
# a surface, a point beside it, the nearest point of the surface, and the signed distance
ANSWERS: dict[str, tuple[Surface, list[float], list[float], float]] = {
    "plane": (Plane(ORIGIN, UP), [3, 4, -2], [3, 4, 0], -2),
    "cylinder": (Cylinder(ORIGIN, UP, 10.0), [3, 4, 7], [6, 8, 7], -5),
    # radius 1 at the origin, 45 degrees: the line r = 1 + z
    "cone": (Cone(ORIGIN, UP, 1.0, 45.0), [3, 0, 0], [2, 0, 1], math.sqrt(2)),
    "sphere": (Sphere(np.array([1.0, 0, 0]), 2.0), [1, 0, 5], [1, 0, 2], 3),
    "torus": (Torus(ORIGIN, UP, 10.0, 2.0), [10, 0, 5], [10, 0, 2], 3),
}


@pytest.mark.parametrize("case", ANSWERS.values(), ids=ANSWERS)
def test_nearest_point_and_signed_distance(case: tuple[Surface, list[float], list[float], float]) -> None:
    surface, beside, nearest, distance = case
    point, normal = nearest_point(surface, np.array(beside, dtype=float))
    assert point == pytest.approx(np.array(nearest, dtype=float))
    (kind,), (row,) = pack_surfaces([surface])
    found = distance_and_normal(kind, row, *map(float, beside))
    assert found[0] == pytest.approx(distance)
    assert normal == pytest.approx(np.array(found[1:]))
    assert np.array(beside) - point == pytest.approx(distance * normal)


def test_a_row_is_read_back_as_the_surface_it_was_made_of() -> None:
    for surface, *_ in ANSWERS.values():
        (kind,), (row,) = pack_surfaces([surface])
        back = from_row(int(kind), row)
        assert type(back) is type(surface)
        for name in surface.__dataclass_fields__:
            assert getattr(back, name) == pytest.approx(getattr(surface, name))
    (kind,), _ = pack_surfaces([Freeform("bspline", 1.0, 2.0)])
    assert kind == FREEFORM


@pytest.mark.parametrize("axis", [[0, 0, 1], [1, 0, 0], [0, -1, 0], [0.6, 0, 0.8], [1, 1, 1], [-3, 2, 1e-9]])
def test_a_frame_is_right_handed_and_of_unit_length(axis: list[float]) -> None:
    direction: Vector = np.array(axis, dtype=float) / np.linalg.norm(axis)
    x, y = axis_frame(direction)
    assert np.column_stack([x, y, direction]).T @ np.column_stack([x, y, direction]) == pytest.approx(np.eye(3))
    assert np.cross(x, y) == pytest.approx(direction)


def test_a_circle_through_an_arc() -> None:
    angles = np.linspace(0.0, 1.0, 12)
    arc = np.column_stack([100 + 5 * np.cos(angles), -40 + 5 * np.sin(angles)])
    center = np.zeros(2)
    assert fit_circle(arc, center) == pytest.approx(5.0)
    assert center == pytest.approx(np.array([100.0, -40.0]))


def test_components_are_numbered_by_their_smallest_members() -> None:
    assert components(6, np.array([5, 4]), np.array([1, 5])).tolist() == [0, 1, 2, 3, 1, 1]
    assert components(3, np.empty(0, int), np.empty(0, int)).tolist() == [0, 1, 2]
