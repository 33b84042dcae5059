"""A part has the same mesh in every position: the same points on it, joined to the same triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.meshing.refine import refine
from fettle.geometry.meshing.same_triangles import choose_triangles
from fettle.geometry.part import diameter_mm
from fettle.geometry.surfaces.encoding import PLANE, pack

PLATE: dict[str, Any] = {
    "cut": [
        {"fillet": {"of": {"box": [60, 40, 8]}, "r": 6, "edges": "z"}},
        *({"move": {"of": {"cylinder": {"d": 6, "h": 8}}, "by": [x, y, 0]}} for x in (10, 50) for y in (10, 30)),
        {"move": {"of": {"box": [20, 12, 4]}, "by": [20, 14, 4]}},
    ]
}
SHAFT: dict[str, Any] = {"revolve": {"points": [[0, 0], [6, 0], [6, 20], [8, 22], [8, 30], [0, 30]]}}


def refined(recipe: dict[str, Any], unit: str = "mm") -> Mesh:
    model = load(build(recipe, unit), "part.step")
    return refine(model.mesh, model.part, model.options)


def side_lengths(mesh: Mesh) -> np.ndarray:
    corners = mesh.points[mesh.triangles]
    return np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)


@pytest.mark.parametrize("recipe", [PLATE, SHAFT], ids=["plate", "shaft"])
@pytest.mark.parametrize("turn", [([1, 2, 3], 37.0), ([-3, 1, 0.4], 201.0), ([0, 0, 1], 90.0)])
def test_a_turned_part_has_the_same_triangles(recipe: dict[str, Any], turn: tuple[list[float], float]) -> None:
    straight = refined(recipe)
    askew = refined({"turn": {"of": recipe, "axis": turn[0], "deg": turn[1]}})
    np.testing.assert_array_equal(askew.triangles, straight.triangles)
    np.testing.assert_allclose(side_lengths(askew), side_lengths(straight), atol=1e-6)


@pytest.mark.parametrize("recipe", [PLATE, SHAFT], ids=["plate", "shaft"])
def test_a_part_in_inches_has_the_same_triangles(recipe: dict[str, Any]) -> None:
    straight, inches = refined(recipe), refined(recipe, "in")
    np.testing.assert_array_equal(inches.triangles, straight.triangles)


def test_the_diameter_of_a_block_is_its_diagonal_in_any_position() -> None:
    corners = np.array([[x, y, z] for x in (0, 3) for y in (0, 4) for z in (0, 12)], np.float64)
    turn = np.linalg.qr(np.random.default_rng(5).normal(size=(3, 3)))[0]
    assert diameter_mm(corners) == pytest.approx(13.0)
    assert diameter_mm(corners @ turn + 100.0) == pytest.approx(13.0)


def test_triangles_come_in_the_order_of_their_faces_and_points() -> None:
    """Each from its first point on; the surface is the same."""
    model = load(build(PLATE), "part.step")
    kind, _ = pack(model.part.faces)
    chosen = choose_triangles(model.mesh, kind, 0.9)
    keys = np.column_stack([chosen.triangle_face, chosen.triangles]).tolist()
    assert keys == sorted(keys)
    assert (chosen.triangles[:, 0] < chosen.triangles[:, 1:].min(axis=1)).all()
    assert chosen.triangle_areas_mm2().sum() == pytest.approx(model.mesh.triangle_areas_mm2().sum())


def test_triangles_come_face_by_face_where_points_do_not() -> None:
    """Two triangles apart; the points of the second face come first."""
    points = np.array([[5, 0, 0], [6, 0, 0], [5, 1, 0], [0, 0, 0], [1, 0, 0], [0, 1, 0]], np.float64)
    up, rows = np.tile([0.0, 0.0, 1.0], (6, 1)), np.arange(6, dtype=np.int32)
    triangles, faces = np.array([[1, 2, 0], [5, 3, 4]], np.int32), np.array([1, 0], np.int32)
    mesh = Mesh(points, up, np.array([1, 1, 1, 0, 0, 0], np.int32), rows, triangles, faces, 1.0, 24.0)
    chosen = choose_triangles(mesh, np.full(2, PLANE, np.int8), 0.9)
    assert chosen.triangles.tolist() == [[3, 4, 5], [0, 1, 2]]
    assert chosen.triangle_face.tolist() == [0, 1]


@pytest.mark.parametrize("first", [0, 7, 19])
def test_of_diagonals_of_a_round_plane_those_at_its_first_point_are_taken(first: int) -> None:
    """All points lie on one circle, so that any triangles do; one flip after the other leads to the fan."""
    corners = 20
    turns = (np.arange(corners) - first) % corners * (2.0 * np.pi / corners)
    zigzag = [(step + 1) // 2 if step % 2 else -step // 2 % corners for step in range(corners)]
    triangles = np.array([zigzag[k : k + 3][:: -1 if k % 2 else 1] for k in range(corners - 2)])
    triangles = (triangles + first).astype(np.int32) % np.int32(corners)
    rows = np.arange(corners, dtype=np.int32)
    disc = Mesh(
        points=np.stack([np.cos(turns), np.sin(turns), np.zeros(corners)], axis=1),
        normals=np.tile([0.0, 0.0, 1.0], (corners, 1)),
        point_face=np.zeros(corners, np.int32),
        vertex=rows,
        triangles=triangles,
        triangle_face=np.zeros(corners - 2, np.int32),
        max_edge_mm=np.inf,
        curvature=24.0,
    )
    chosen = choose_triangles(disc, np.array([PLANE], np.int8), 0.9)
    fan = np.stack([np.zeros(corners - 2, np.int32), rows[1:-1], rows[2:]], axis=1)
    assert np.array_equal(chosen.triangles, fan)
