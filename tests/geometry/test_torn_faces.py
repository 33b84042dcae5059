"""Meshes of closed solids are closed, also where the kernel's mesher tears a face or gives one up."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.TopoDS import TopoDS

from fettle.geometry.kernel import remesh
from fettle.geometry.kernel.tessellate import is_ruled
from fettle.geometry.load import load
from fettle.geometry.meshing.torn_faces import Outlines, find_torn, mend_torn
from fettle.geometry.meshing.weld import open_edges
from tests.geometry import kernel_shapes as kernel
from tests.real_parts import read

Points = NDArray[np.float64]

TORN_BY_THE_KERNEL = (
    "made/prusa-mini/MINI-extruder-idler.stp",
    "made/voron/MiniSB_adxl_mount_ldo_15mm_c_c.step",
    "made/voron/SKR_E3_V3_Din_Mount.step",
    "printed/odri/lower_leg_structure_base.STEP",
)
"""Files of the corpus whose meshes had holes: cones, a plane with a cusp, slivers."""

L_SHAPE = np.array([[0.0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 3, 0], [0, 3, 0]])
L_AREA_MM2 = 4.0


def around(count: int) -> Outlines:
    """The outline of one face, in two uses."""
    half = count // 2
    rows = [*range(half + 1), *range(half, count), 0]
    return Outlines(np.zeros(2, np.int32), np.array([0, half + 1, len(rows)], np.int32), np.array(rows, np.int32))


def area_mm2(points: Points, triangles: NDArray[np.int32]) -> float:
    a, b, c = (points[triangles[:, corner]] for corner in range(3))
    return float(np.cross(b - a, c - a)[:, 2].sum() / 2)


@pytest.mark.parametrize("name", TORN_BY_THE_KERNEL)
def test_the_mesh_of_a_solid_is_closed(corpus: Path, name: str) -> None:
    model = read(corpus / name)
    assert model.part.watertight
    assert len(open_edges(model.mesh.welded)) == 0
    assert not [warning for warning in model.part.source.warnings if "mesh" in warning]


def test_a_sliver_that_was_left_out_is_put_back() -> None:
    left = np.array([[0, 1, 3], [0, 3, 5]], np.int32)
    faces = np.zeros(2, np.int32)
    assert find_torn(left, faces, around(6)) == [0]
    triangles, mended_faces = mend_torn(L_SHAPE, left, faces, around(6), [0], 0.01)
    assert area_mm2(L_SHAPE, triangles) == pytest.approx(L_AREA_MM2)
    assert mended_faces.tolist() == [0] * 4
    assert find_torn(triangles, mended_faces, around(6)) == []


def test_a_face_with_all_its_triangles_is_left_alone() -> None:
    whole = np.array([[0, 1, 3], [1, 2, 3], [0, 3, 5], [3, 4, 5]], np.int32)
    assert find_torn(whole, np.zeros(4, np.int32), around(6)) == []


def cusp(overlap_mm: float) -> Points:
    """A sickle whose two arcs end in one point: the inner one, of more points, crosses the chords of the outer one."""
    chord = np.array([[0.0, 0, 0], [1, 0, 0]])
    shares = np.linspace(0.9, 0.1, 5)
    inner = np.stack([shares, np.where(shares > 0.7, -overlap_mm, 0.2), np.zeros(5)], axis=1)
    return np.concatenate([chord, inner])


def test_arcs_that_cross_by_less_than_the_deflection_close() -> None:
    points = cusp(0.004)
    faces = np.zeros(1, np.int32)
    triangles, _ = mend_torn(points, np.array([[0, 1, 4]], np.int32), faces, around(len(points)), [0], 0.01)
    assert len(triangles) == len(points) - 2
    assert find_torn(triangles, np.zeros(len(triangles), np.int32), around(len(points))) == []


def test_an_outline_that_crosses_itself_by_more_stays_as_it_is() -> None:
    bow_tie = np.array([[0.0, 0, 0], [1, 1, 0], [1, 0, 0], [0, 2, 0]])
    left = np.array([[0, 1, 3]], np.int32)
    triangles, _ = mend_torn(bow_tie, left, np.zeros(1, np.int32), around(4), [0], 0.01)
    assert triangles.tolist() == left.tolist()


def test_only_faces_of_straight_lines_are_triangulated_from_their_outlines() -> None:
    """A cylinder has a round face between planes, a cone too; a ball and a ring would become lids."""
    shapes = (BRepPrimAPI_MakeCylinder(5.0, 9.0), BRepPrimAPI_MakeCone(5.0, 2.0, 9.0))
    assert all(is_ruled(TopoDS.Face(face)) for shape in shapes for face in kernel.faces(shape.Shape()))
    domes = (BRepPrimAPI_MakeSphere(5.0), BRepPrimAPI_MakeTorus(9.0, 2.0))
    assert not any(is_ruled(TopoDS.Face(face)) for shape in domes for face in kernel.faces(shape.Shape()))


@pytest.mark.parametrize("angle", [math.pi, 2 * math.pi])
def test_a_copy_that_is_larger_is_meshed_in_the_place_of_a_face(monkeypatch: pytest.MonkeyPatch, angle: float) -> None:
    kernel.leave_out_cylinders(monkeypatch, alone=False)
    monkeypatch.setattr(remesh, "ATTEMPTS", tuple(one for one in remesh.ATTEMPTS if one.enlarged > 1.0))
    shape = kernel.placed(BRepPrimAPI_MakeCylinder(10.0, 30.0, angle).Shape(), (3.0, -7.0, 11.0), 30.0)
    model = load(kernel.native_bytes(shape), "part.brep")
    assert model.part.source.warnings == ()
    assert len(open_edges(model.mesh.welded)) == 0
    assert set(model.mesh.triangle_face.tolist()) == set(range(len(model.part.faces)))
