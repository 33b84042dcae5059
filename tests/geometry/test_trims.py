"""Numbers of solids whose trimming curves leave their edges, or whose edges leave their faces."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy, BRepBuilderAPI_NurbsConvert
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from OCP.BRepTools import BRepTools
from OCP.Geom2d import Geom2d_Line, Geom2d_TrimmedCurve
from OCP.Geom2dConvert import Geom2dConvert
from OCP.gp import gp_Dir2d, gp_Pnt2d, gp_Vec2d
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape

from fettle.geometry.exact.volume_check import contradicted_bodies
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.load import load
from fettle.geometry.part import Part
from fettle.results.part import geometry_of
from tests.geometry import kernel_shapes as kernel

RADIUS_MM, HEIGHT_MM = 10.0, 30.0
HALF_CYLINDER_MM3 = math.pi * RADIUS_MM**2 * HEIGHT_MM / 2
HALF_CYLINDER_MM2 = math.pi * RADIUS_MM**2 + math.pi * RADIUS_MM * HEIGHT_MM + 2 * RADIUS_MM * HEIGHT_MM


def half_cylinder() -> TopoDS_Shape:
    return BRepBuilderAPI_Copy(BRepPrimAPI_MakeCylinder(RADIUS_MM, HEIGHT_MM, math.pi).Shape()).Shape()


def round_face(shape: TopoDS_Shape) -> TopoDS_Face:
    """The largest face."""
    return max((TopoDS.Face(face) for face in kernel.faces(shape)), key=kernel.area)


def read(shape: TopoDS_Shape) -> Part:
    return load(kernel.native_bytes(shape), "part.brep").part


def shift_trims(face: TopoDS_Face, by: float) -> None:
    """Move every second trimming curve of the face by a share of its extent along v."""
    low, high = BRepTools.UVBounds_s(face)[2:]
    for edge in [TopoDS.Edge(edge) for edge in kernel.edges(face)][::2]:
        curve = BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0).Copy()
        curve.Translate(gp_Vec2d(0.0, by * (high - low)))
        BRep_Builder().UpdateEdge(edge, curve, face, 1e-7)


def test_trims_that_leave_their_edges_are_computed_anew() -> None:
    shape = half_cylinder()
    shift_trims(round_face(shape), 0.2)
    part = read(shape)
    assert part.volume_mm3 == pytest.approx(HALF_CYLINDER_MM3, rel=1e-9)
    assert part.area_mm2 == pytest.approx(HALF_CYLINDER_MM2, rel=1e-9)


def test_mesh_and_integral_of_a_spline_follow_the_same_wrong_trims_and_are_not_believed() -> None:
    shape = BRepBuilderAPI_NurbsConvert(half_cylinder(), True).Shape()
    face = round_face(shape)
    low_u, high_u, low_v, high_v = BRepTools.UVBounds_s(face)
    middle = gp_Pnt2d((low_u + high_u) / 2, (low_v + high_v) / 2)
    for edge in [TopoDS.Edge(edge) for edge in kernel.edges(face)]:
        # they still close, on 99 % of the face
        first, last = BRep_Tool.Range_s(edge, face)
        own = Geom2d_TrimmedCurve(BRep_Tool.CurveOnSurface_s(edge, face, 0.0, 0.0), first, last)
        curve = Geom2dConvert.CurveToBSplineCurve_s(own)
        curve.Scale(middle, 0.995)
        BRep_Builder().UpdateEdge(edge, curve, face, 1e-7)
    part = read(shape)
    assert part.volume_mm3 == pytest.approx(HALF_CYLINDER_MM3, rel=1e-6)
    assert any("trimming curves of face" in warning for warning in part.source.warnings)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("as_spline", [False, True])
def test_random_trims_never_make_a_wrong_number(seed: int, as_spline: bool) -> None:
    shape = half_cylinder()
    if as_spline:
        shape = BRepBuilderAPI_NurbsConvert(shape, True).Shape()
    rolled = random.Random(seed)
    face = round_face(shape)
    low_u, high_u, low_v, high_v = BRepTools.UVBounds_s(face)
    for edge in [TopoDS.Edge(edge) for edge in kernel.edges(face)]:
        if rolled.random() < 0.5:
            continue
        start = gp_Pnt2d(rolled.uniform(low_u, high_u), rolled.uniform(low_v, high_v))
        line = Geom2d_Line(start, gp_Dir2d(rolled.uniform(-1, 1), rolled.uniform(-1, 1)))
        first, last = BRep_Tool.Range_s(edge, face)
        curve = Geom2dConvert.CurveToBSplineCurve_s(Geom2d_TrimmedCurve(line, first, last))
        BRep_Builder().UpdateEdge(edge, curve, face, 1e-7)
    part = read(shape)
    if math.isnan(part.volume_mm3):
        assert any("cannot be told" in warning for warning in part.source.warnings)
    else:
        assert part.volume_mm3 == pytest.approx(HALF_CYLINDER_MM3, rel=1e-6)


def test_the_tolerance_of_an_edge_is_told_with_the_volume() -> None:
    box = kernel.box(20.0, 20.0, 20.0)
    BRep_Builder().UpdateEdge(TopoDS.Edge(kernel.edges(box)[0]), 0.01)
    BRep_Builder().UpdateEdge(TopoDS.Edge(kernel.edges(box)[5]), 0.0005)
    part = read(box)
    assert part.volume_mm3 == pytest.approx(8000.0)
    (warning,) = part.source.warnings
    # on each of two faces, 10 mm from the middle, a strip of 0.01 x 20 mm: 0.67 mm3, and the root of their squares
    assert "up to 0.01 mm off the faces that meet there (1 by more than a tenth of that)" in warning
    assert "8000 +- 0.94 mm3" in warning
    assert part.volume_uncertainty_mm3 == pytest.approx(math.sqrt(2) * math.hypot(0.01, 0.0005) * 20 * 10 / 3)


def test_an_uncertainty_that_no_shop_would_notice_is_a_figure_and_no_warning() -> None:
    box = kernel.box(20.0, 20.0, 20.0)
    BRep_Builder().UpdateEdge(TopoDS.Edge(kernel.edges(box)[0]), 0.001)
    part = read(box)
    assert part.source.warnings == ()
    # a tenth of the strips above: 12 millionths of the volume
    assert geometry_of(part).volume_uncertainty_cm3 == pytest.approx(9.428e-5, rel=1e-3)
    assert "volume_uncertainty_cm3" not in geometry_of(read(kernel.box(20.0, 20.0, 20.0))).to_dict()


@pytest.mark.parametrize("name", ["part.brep", "part.step"])
def test_edges_far_off_their_face_leave_no_volume(name: str) -> None:
    shape = kernel.half_cylinder_of_a_wrong_radius()
    data = step_bytes(shape, "mm") if name.endswith("step") else kernel.native_bytes(shape)
    part = load(data, name).part
    assert math.isnan(part.volume_mm3)
    assert math.isnan(part.area_mm2)
    assert any("area and volume cannot be told" in warning for warning in part.source.warnings)
    assert all(face.area_mm2 > 0.0 for face in part.faces)
    assert not all(face.area_known for face in part.faces)


def test_two_volumes_of_a_body_further_apart_than_the_mesh_is_coarse() -> None:
    # two cubes of 10 mm, 600 mm2 each, meshed to 0.01 mm: 6 mm3 is what a mesh may miss
    body = np.repeat([0, 1], 6)
    exact = np.full(12, 1000.0 / 6)
    mesh = exact.copy()
    mesh[0] -= 5.9
    mesh[6] -= 6.1
    area, compared = np.full(12, 100.0), np.ones(12, np.bool_)
    assert contradicted_bodies(body, 2, exact, mesh, area, compared, 0.01).tolist() == [False, True]
    # a face whose mesh is known to be wrong proves nothing
    compared[6] = False
    assert contradicted_bodies(body, 2, exact, mesh, area, compared, 0.01).tolist() == [False, False]


def test_a_mesh_that_contradicts_the_exact_surfaces_leaves_no_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fettle.geometry.kernel.shape_to_part.SLACK", 1e-9)
    part = read(half_cylinder())
    assert math.isnan(part.volume_mm3)
    (warning,) = part.source.warnings
    assert "exact surfaces and mesh give body 1 4712.39 and" in warning
