"""Base meshes: welded, watertight, outward, and as fine as asked for. Answers come from the parts' formulas."""

from __future__ import annotations

from functools import cache
from math import pi, sin

import numpy as np
import pytest
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher
from OCP.gp import gp_Ax1, gp_Ax2, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.TopAbs import TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape

from fettle.errors import BadRequest, KernelFailure
from fettle.geometry.csg import build
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel import remesh
from fettle.geometry.kernel.sampled_shape import sample_shape
from fettle.geometry.kernel.tessellate import Tessellation, tessellate
from fettle.geometry.kernel.topology import number
from fettle.geometry.load import Model, load
from fettle.geometry.mesh import Mesh
from fettle.geometry.mesh_options import MeshOptions
from fettle.geometry.meshing.weld import number_edges, open_edges
from tests.geometry.kernel_shapes import compound, leave_out_cylinders

BLOCK = {"box": [40, 30, 20]}
CROSSED = {
    "cut": [
        BLOCK,
        {"move": {"of": {"cylinder": {"d": 8, "h": 20}}, "by": [15, 15, 0]}},
        {
            "move": {
                "of": {"turn": {"of": {"cylinder": {"d": 6, "h": 40}}, "axis": [0, 1, 0], "deg": 90}},
                "by": [0, 15, 10],
            }
        },
    ]
}
PARTS: dict[str, tuple[dict[str, object], int]] = {
    # recipe, Euler characteriztic V - E + F of its surface: 2 for each body, less 2 for each way through
    "box": (BLOCK, 2),
    "cylinder": ({"cylinder": {"d": 20, "h": 30}}, 2),
    "pointed cone": ({"cone": {"d": 20, "d2": 0, "h": 30}}, 2),
    "sphere": ({"sphere": {"d": 20}}, 2),
    "torus": ({"torus": {"D": 40, "d": 10}}, 0),
    "rounded": ({"fillet": {"of": BLOCK, "r": 4, "edges": "all"}}, 2),
    "chamfered": ({"chamfer": {"of": BLOCK, "c": 3, "edges": "z"}}, 2),
    # two holes that cross inside: four openings on a sphere with one way between each pair of them
    "crossed holes": (CROSSED, -4),
    "void": ({"shell": {"of": BLOCK, "t": 3}}, 4),
    "touching bodies": (
        {"bodies": [{"box": [10, 10, 10]}, {"move": {"of": {"box": [10, 10, 10]}, "by": [10, 0, 0]}}]},
        4,
    ),
}


@cache
def model(name: str) -> Model:
    return load(build(PARTS[name][0]), "part.step", MeshOptions())


def faces_of(shape: TopoDS_Shape) -> list[TopoDS_Face]:
    found = IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher()
    TopExp.MapShapes_s(shape, TopAbs_FACE, found)
    return [TopoDS.Face(found.FindKey(position + 1)) for position in range(found.Extent())]


def tessellation(shape: TopoDS_Shape) -> Tessellation:
    solid = compound([shape])
    return tessellate(solid, sample_shape(number(solid)), 50.0, MeshOptions())


def volume_mm3(mesh: Mesh) -> float:
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0)


def assert_closed(mesh: Mesh) -> None:
    assert len(open_edges(mesh.welded)) == 0
    _, _, balance, uses = number_edges(mesh.welded, int(mesh.vertex.max()) + 1)
    assert (uses == 2).all()
    assert (balance == 0).all()


@pytest.mark.parametrize("name", PARTS)
def test_every_edge_is_used_twice_in_opposite_directions(name: str) -> None:
    assert_closed(model(name).mesh)


@pytest.mark.parametrize("name", PARTS)
def test_surface_has_the_parts_topology(name: str) -> None:
    mesh = model(name).mesh
    edge_count = len(number_edges(mesh.welded, int(mesh.vertex.max()) + 1)[1])
    assert int(mesh.vertex.max()) + 1 - edge_count + len(mesh.triangles) == PARTS[name][1]


@pytest.mark.parametrize("name", PARTS)
def test_normals_are_unit_and_face_the_way_of_their_triangles(name: str) -> None:
    mesh = model(name).mesh
    a, b, c = (mesh.points[mesh.triangles[:, k]] for k in range(3))
    across = np.cross(b - a, c - a)
    areas = np.linalg.norm(across, axis=1)
    assert (areas > 0.0).all()
    cosines = np.einsum("ij,ikj->ik", across / areas[:, None], mesh.normals[mesh.triangles])
    tip = np.isclose(mesh.points, [0.0, 0.0, 30.0]).all(axis=1)  # a cone's apex has no normal of its own
    assert cosines[~tip[mesh.triangles]].min() > np.cos(2.0 * pi / mesh.curvature)
    assert cosines.min() > 0.0
    np.testing.assert_allclose(np.linalg.norm(mesh.normals, axis=1), 1.0, atol=1e-6)


def test_rows_belong_to_one_face_and_coincide_where_they_are_one_vertex() -> None:
    mesh = model("crossed holes").mesh
    np.testing.assert_array_equal(mesh.point_face[mesh.triangles], np.repeat(mesh.triangle_face[:, None], 3, axis=1))
    first = np.unique(mesh.vertex, return_index=True)[1]
    np.testing.assert_array_equal(mesh.points, mesh.points[first][mesh.vertex])
    assert np.unique(mesh.triangles).tolist() == list(range(len(mesh.points)))


def test_box_has_its_own_volume_and_the_six_axis_normals() -> None:
    mesh = model("box").mesh
    assert volume_mm3(mesh) == pytest.approx(40 * 30 * 20, rel=1e-12)
    assert len(mesh.points) == 24
    np.testing.assert_array_equal(np.abs(mesh.normals).max(axis=1), 1.0)


@pytest.mark.parametrize("curvature", [12.0, 24.0, 60.0])
def test_cylinder_has_at_least_the_elements_asked_for(curvature: float) -> None:
    mesh = load(build(PARTS["cylinder"][0]), "part.step", MeshOptions(curvature=curvature)).mesh
    rim = mesh.points[np.isclose(mesh.points[:, 2], 30.0)]
    angles = np.unique(np.round(np.arctan2(rim[:, 1], rim[:, 0]) % (2.0 * pi), 6))
    assert len(angles) >= curvature
    # a regular prism of n sides has sin(2 pi / n) / (2 pi / n) of the cylinder's volume
    share = volume_mm3(mesh) / (pi * 100.0 * 30.0)
    assert sin(2.0 * pi / curvature) / (2.0 * pi / curvature) - 1e-9 <= share < 1.0


def test_void_walls_look_into_the_void() -> None:
    mesh = model("void").mesh
    assert volume_mm3(mesh) == pytest.approx(40 * 30 * 20 - 34 * 24 * 14, rel=1e-12)


def test_bodies_that_touch_stay_apart() -> None:
    assert int(model("touching bodies").mesh.vertex.max()) + 1 == 16


def test_solid_turned_inside_out_is_turned_back() -> None:
    box = BRepPrimAPI_MakeBox(40.0, 30.0, 20.0).Shape()
    inside_out = TopoDS.Solid(box.Reversed())
    right, wrong = tessellation(box), tessellation(inside_out)
    assert volume_mm3(wrong.mesh) == pytest.approx(24000.0, rel=1e-12)
    middle = np.array([20.0, 15.0, 10.0])
    assert (np.einsum("ij,ij->i", wrong.mesh.points - middle, wrong.mesh.normals) > 0.0).all()
    np.testing.assert_array_equal(right.reversed_faces, wrong.reversed_faces)


def test_placed_and_turned_instance_is_welded_at_its_place() -> None:
    turn, shift = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(1, 2, 3), gp_Dir(1, 1, 1)), 0.7)
    shift.SetTranslation(gp_Vec(1000.0, -500.0, 77.0))
    placed = BRepPrimAPI_MakeCylinder(10.0, 30.0).Shape().Moved(TopLoc_Location(shift * turn))
    mesh = tessellation(placed).mesh
    assert_closed(mesh)
    center = gp_Pnt(0, 0, 15).Transformed(shift * turn)
    np.testing.assert_allclose(
        (mesh.points.min(axis=0) + mesh.points.max(axis=0)) / 2, [center.X(), center.Y(), center.Z()], atol=0.1
    )


def test_mirrored_part_still_faces_outward() -> None:
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
    box = BRepPrimAPI_MakeBox(40.0, 30.0, 20.0).Shape()
    assert volume_mm3(tessellation(BRepBuilderAPI_Transform(box, mirror, False).Shape()).mesh) == pytest.approx(24000.0)


def test_a_mirrored_instance_turns_no_face_of_the_bodies_beside_it() -> None:
    """The kernel triangulates mirrored bodies and ours are the others: each says which way its own faces are turned."""
    mirror = gp_Trsf()
    mirror.SetMirror(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(1, 0, 0)))
    box = BRepPrimAPI_MakeBox(40.0, 30.0, 20.0).Shape()
    alone = tessellation(box).reversed_faces
    beside = tessellation(compound([box.Moved(TopLoc_Location(mirror), False), box])).reversed_faces
    np.testing.assert_array_equal(beside[6:], alone)


def test_borders_run_along_the_edges() -> None:
    result = tessellation(BRepPrimAPI_MakeBox(40.0, 30.0, 20.0).Shape())
    assert np.bincount(result.borders.edge).tolist() == [2] * 12
    lengths = []
    for use in range(len(result.borders)):
        rows = result.borders.rows[result.borders.start[use] : result.borders.start[use + 1]]
        assert (result.mesh.point_face[rows] == result.borders.face[use]).all()
        lengths.append(np.linalg.norm(result.mesh.points[rows[-1]] - result.mesh.points[rows[0]]))
    assert sorted(lengths) == pytest.approx([20.0] * 8 + [30.0] * 8 + [40.0] * 8)


def test_seam_is_used_twice_by_its_face_and_shares_its_rows() -> None:
    borders = tessellation(BRepPrimAPI_MakeCylinder(10.0, 30.0).Shape()).borders
    uses = [
        (use, other)
        for use in range(len(borders))
        for other in range(use)
        if borders.edge[use] == borders.edge[other] and borders.face[use] == borders.face[other]
    ]
    assert len(uses) == 1
    (use, other) = uses[0]
    assert borders.reversed[use] != borders.reversed[other]
    sides = [borders.rows[borders.start[k] : borders.start[k + 1]] for k in (use, other)]
    np.testing.assert_array_equal(*sides)


def test_face_that_was_not_triangulated_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    rod = BRepPrimAPI_MakeCylinder(10.0, 30.0).Shape()
    assert tessellation(rod).warnings == ()
    monkeypatch.setattr(remesh, "ATTEMPTS", ())
    leave_out_cylinders(monkeypatch, alone=True)
    result = tessellation(BRepPrimAPI_MakeCylinder(10.0, 30.0).Shape())
    assert result.missing_faces == (0,)
    assert "1 of 3 faces" in result.warnings[0]
    assert "(face 1)" in result.warnings[0]


def test_same_bytes_give_the_same_mesh() -> None:
    data = build(CROSSED)
    first, second = (load(data, "part.step", MeshOptions()).mesh for _ in range(2))
    for field in ("points", "normals", "point_face", "vertex", "triangles", "triangle_face"):
        np.testing.assert_array_equal(getattr(first, field), getattr(second, field))


def test_unknown_kernel_layout_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel_arrays, "NODE_BYTES", 32)
    with pytest.raises(KernelFailure, match=r"cadquery-ocp-novtk 8\.0\.1\.1\.0"):
        kernel_arrays.check_layout.__wrapped__()


@pytest.mark.parametrize("wrong", [{"max_edge_mm": 0.0}, {"max_edge_mm": float("inf")}, {"curvature": 2.0}])
def test_senseless_options_are_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BadRequest, match="leave it out for auto"):
        MeshOptions(**wrong)
