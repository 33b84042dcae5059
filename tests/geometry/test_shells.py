"""Closed shells from loose triangles."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from fettle.errors import NoSolid, TooDetailed
from fettle.geometry.segmentation.shells import MAX_SHELLS, close_shells
from tests.geometry.meshes import CUBE_CORNERS, CUBE_TRIANGLES


def cube(side: float = 10.0, at: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> NDArray[np.float64]:
    """Corners (12, 3, 3)."""
    return CUBE_CORNERS[CUBE_TRIANGLES] * side + np.array(at)


def test_inside_out_is_turned() -> None:
    closed = close_shells(cube()[:, ::-1])
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert "inside out" in closed.warnings[0]


def test_some_triangles_turned_over_are_put_right() -> None:
    corners = cube()
    corners[[2, 7]] = corners[[2, 7], ::-1]
    closed = close_shells(corners)
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert "2 triangles" in closed.warnings[0]


def test_double_sided_skin_is_one_solid() -> None:
    closed = close_shells(np.concatenate([cube(), cube()[:, ::-1]]))
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert "twice" in closed.warnings[0]


def test_repeated_triangles_are_left_out() -> None:
    closed = close_shells(np.concatenate([cube(), cube()[:4]]))
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert len(closed.triangles) == 12
    assert "4 repeated" in closed.warnings[0]


def test_a_void_belongs_to_its_body() -> None:
    hollow = np.concatenate([cube(10.0), cube(4.0, (3.0, 3.0, 3.0))[:, ::-1], cube(2.0, (20.0, 0.0, 0.0))])
    closed = close_shells(hollow)
    assert closed.volumes_mm3 == pytest.approx([1000.0, -64.0, 8.0])
    assert closed.bodies.tolist() == [0, 0, 1]


def test_everything_inside_out_with_its_void() -> None:
    hollow = np.concatenate([cube(10.0), cube(4.0, (3.0, 3.0, 3.0))[:, ::-1]])[:, ::-1]
    assert close_shells(hollow).volumes_mm3 == pytest.approx([1000.0, -64.0])


@pytest.mark.parametrize("at", [(10.0, 0.0, 0.0), (10.0, 10.0, 0.0), (10.0, 10.0, 10.0)])
def test_bodies_that_touch_stay_two(at: tuple[float, float, float]) -> None:
    """By a face, by an edge, by a corner."""
    closed = close_shells(np.concatenate([cube(), cube(10.0, at)]))
    assert closed.volumes_mm3 == pytest.approx([1000.0, 1000.0])
    assert len(closed.points) == 16


def test_a_crack_narrower_than_a_hundred_thousandth_is_closed() -> None:
    corners = cube()
    corners[0] += 5e-5
    assert close_shells(corners).volumes_mm3 == pytest.approx([1000.0], rel=1e-4)
    corners[0] += 1e-2
    with pytest.raises(NoSolid, match="open edges"):
        close_shells(corners)


def test_flat_things_are_no_solids() -> None:
    sheet = cube() * [1.0, 1.0, 0.0]
    with pytest.raises(NoSolid):
        close_shells(sheet)
    with pytest.raises(NoSolid):
        close_shells(np.zeros((4, 3, 3)))


def test_triangles_without_an_area_change_nothing() -> None:
    """A point, and a needle with two corners equal."""
    point = np.tile([1.0, 2.0, 3.0], (1, 3, 1))
    needle = np.array([[[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [10.0, 0.0, 0.0]]])
    closed = close_shells(np.concatenate([cube(), point, needle]))
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert len(closed.triangles) == 12


def test_an_open_box_is_refused_with_a_place() -> None:
    with pytest.raises(NoSolid, match=r"4 open edges, one near \(.*\) mm"):
        close_shells(cube()[2:])


def test_a_fin_on_a_closed_box_is_refused() -> None:
    """A single triangle on an edge of the box makes that edge non-manifold: three triangles meet there."""
    fin = np.array([[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, -10.0, 0.0]]])
    with pytest.raises(NoSolid, match="not closed"):
        close_shells(np.concatenate([cube(), fin]))


def test_a_flap_with_two_sides_does_not_keep_a_triangle_turned_over() -> None:
    """Flap and back meet along two edges, and bound nothing."""
    corners = cube()
    corners[2] = corners[2, ::-1]
    flap = np.array([[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, -10.0, 0.0]]])
    closed = close_shells(np.concatenate([corners, flap, flap[:, ::-1]]))
    assert closed.volumes_mm3 == pytest.approx([1000.0])
    assert len(closed.triangles) == 12
    assert "1 triangles were turned over" in closed.warnings[0]
    sound = close_shells(np.concatenate([cube(), flap, flap[:, ::-1]]))
    assert not any("turned over" in warning for warning in sound.warnings)


def test_a_body_in_the_void_of_another_is_a_body() -> None:
    """A box of 20 with a void of 10 in it and a solid of 4 in that: 8000 - 1000 and 64."""
    hollow = np.concatenate([cube(20.0), cube(10.0, (5.0, 5.0, 5.0))[:, ::-1], cube(4.0, (8.0, 8.0, 8.0))])
    closed = close_shells(hollow)
    assert closed.volumes_mm3 == pytest.approx([8000.0, -1000.0, 64.0])
    assert closed.bodies.tolist() == [0, 0, 1]


def test_too_many_shells_are_refused() -> None:
    count = MAX_SHELLS + 1
    at = np.stack([np.arange(count) * 2.0, np.zeros(count), np.zeros(count)], axis=1)
    with pytest.raises(TooDetailed, match=str(count)):
        close_shells((cube(1.0)[None] + at[:, None, None]).reshape(-1, 3, 3))
