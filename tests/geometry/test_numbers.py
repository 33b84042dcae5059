"""Volume, area and edges of sound solids whose faces the mesher refuses, or meshes badly."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy
from OCP.BRepGProp import BRepGProp
from OCP.BRepPrimAPI import BRepPrimAPI_MakeCylinder
from OCP.Geom2d import Geom2d_Line
from OCP.GeomAbs import GeomAbs_Cylinder
from OCP.gp import gp_Dir2d, gp_Pnt, gp_Pnt2d
from OCP.GProp import GProp_GProps
from OCP.Poly import Poly_Triangle, Poly_Triangulation
from OCP.TopoDS import TopoDS, TopoDS_Face, TopoDS_Shape

from fettle.geometry.exact.face_meshes import FaceMeshes
from fettle.geometry.kernel import remesh
from fettle.geometry.kernel.solids import step_bytes
from fettle.geometry.kernel.step_units import length_units
from fettle.geometry.load import load
from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Convexity, Cylinder, Part
from fettle.quote import exact_geometry
from tests.geometry import kernel_shapes as kernel

RADIUS_MM, HEIGHT_MM = 10.0, 30.0
HALF_CYLINDER_MM3 = math.pi * RADIUS_MM**2 * HEIGHT_MM / 2
HALF_CYLINDER_MM2 = math.pi * RADIUS_MM**2 + math.pi * RADIUS_MM * HEIGHT_MM + 2 * RADIUS_MM * HEIGHT_MM


def half_cylinder() -> TopoDS_Shape:
    return BRepBuilderAPI_Copy(BRepPrimAPI_MakeCylinder(RADIUS_MM, HEIGHT_MM, math.pi).Shape()).Shape()


def round_face(shape: TopoDS_Shape) -> TopoDS_Face:
    faces = [TopoDS.Face(face) for face in kernel.faces(shape)]
    return next(face for face in faces if BRepAdaptor_Surface(face).GetType() == GeomAbs_Cylinder)


def refused_by_the_mesher() -> TopoDS_Shape:
    """A half cylinder whose edges are right in space, but cross each other in the parameters of the round face."""
    shape = half_cylinder()
    face = round_face(shape)
    edges = [TopoDS.Edge(edge) for edge in kernel.edges(face)]
    for edge, turn in ((edges[0], 1.0), (edges[2], -1.0)):
        BRep_Builder().UpdateEdge(edge, Geom2d_Line(gp_Pnt2d(0.5, 5.0), gp_Dir2d(turn, 1.0)), face, 1e-7)
    return shape


def read(shape: TopoDS_Shape) -> Part:
    return load(kernel.native_bytes(shape), "part.brep").part


def kernel_volume(shape: TopoDS_Shape) -> float:
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties)
    return float(properties.Mass())


def test_a_face_that_the_mesher_refuses_is_meshed_alone() -> None:
    model = load(kernel.native_bytes(refused_by_the_mesher()), "part.brep")
    part = model.part
    assert part.volume_mm3 == pytest.approx(HALF_CYLINDER_MM3, rel=1e-9)
    assert part.area_mm2 == pytest.approx(HALF_CYLINDER_MM2, rel=1e-9)
    assert part.watertight
    assert set(model.mesh.triangle_face.tolist()) == set(range(len(part.faces)))
    assert part.source.warnings == ()


def test_a_face_without_any_triangles_changes_neither_volume_nor_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel.leave_all_to_the_kernel(monkeypatch)
    monkeypatch.setattr(remesh, "ATTEMPTS", ())
    monkeypatch.setattr(remesh, "_project_edges", lambda face: False)
    part = read(refused_by_the_mesher())
    # edges whose neighbor is missing in the mesh still lie between two faces
    assert {edge.convexity for edge in part.edges} == {Convexity.CONVEX, Convexity.SMOOTH}
    assert part.watertight
    (not_meshed, contradiction) = part.source.warnings
    assert "1 of 5 faces could not be triangulated in any way" in not_meshed
    # the trimming curves are wrong, so the kernel's integral is: nothing says which of the two is right
    assert math.isnan(part.volume_mm3)
    assert "area and volume cannot be told" in contradiction


def test_a_face_without_any_triangles_is_integrated_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    shape = half_cylinder()
    monkeypatch.setattr(remesh, "ATTEMPTS", ())
    kernel.leave_out_cylinders(monkeypatch, alone=True)
    part = read(shape)
    (not_meshed,) = part.source.warnings
    assert "1 of 5 faces could not be triangulated in any way" in not_meshed
    assert part.volume_mm3 == pytest.approx(HALF_CYLINDER_MM3, rel=1e-9)
    assert part.area_mm2 == pytest.approx(HALF_CYLINDER_MM2, rel=1e-9)
    assert part.watertight
    # how far it reaches round its axis and along it is that of its boundary
    (wall,) = [face for face in part.faces if isinstance(face.surface, Cylinder)]
    assert wall.u_range_rad[1] - wall.u_range_rad[0] == pytest.approx(math.pi, rel=1e-9)
    assert wall.v_range_mm[1] - wall.v_range_mm[0] == pytest.approx(HEIGHT_MM, rel=1e-9)


def test_volume_of_a_coil_spring_is_the_kernels_and_that_of_its_wire() -> None:
    radius, wire, pitch, turns = 3.0, 0.3, 1.2, 3
    spring = kernel.coil_spring(radius, wire, pitch, turns)
    length = turns * math.hypot(2 * math.pi * radius, pitch)
    part = load(step_bytes(spring, "mm"), "spring.step").part
    assert part.volume_mm3 == pytest.approx(math.pi * wire**2 * length, rel=1e-4)
    assert part.volume_mm3 == pytest.approx(kernel_volume(spring), rel=1e-4)
    assert part.watertight
    assert part.source.warnings == ()


def test_a_mesh_that_lacks_a_third_of_a_spring_does_not_decide_its_volume(monkeypatch: pytest.MonkeyPatch) -> None:
    spring = kernel.coil_spring(3.0, 0.3, 1.2, 3)

    def with_holes(mesh: Mesh, count: int, reference: NDArray[np.float64]) -> FaceMeshes:
        meshes = FaceMeshes(mesh, count, reference)
        face = int(np.argmax(meshes.area))
        meshes.area[face] *= 0.64
        meshes.flux[face] *= 0.64
        return meshes

    monkeypatch.setattr("fettle.geometry.kernel.shape_to_part.FaceMeshes", with_holes)
    part = load(step_bytes(spring, "mm"), "spring.step").part
    assert part.volume_mm3 == pytest.approx(kernel_volume(spring), rel=1e-4)
    (warning,) = part.source.warnings
    assert "the mesh does not follow face" in warning


def test_triangles_that_the_file_brings_with_its_faces_are_replaced() -> None:
    spring = kernel.coil_spring(3.0, 0.3, 1.2, 1)
    for shape in kernel.faces(spring):
        own = Poly_Triangulation(3, 1, False)
        for row, place in enumerate(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)), start=1):
            own.SetNode(row, gp_Pnt(*place))
        own.SetTriangle(1, Poly_Triangle(1, 2, 3))
        own.Deflection(1e-9)  # finer than anything asked for: the mesher would keep it
        BRep_Builder().UpdateFace(TopoDS.Face(shape), own)
        assert not BRep_Tool.Triangulation_s(TopoDS.Face(shape), shape.Location()).HasUVNodes()
    model = load(kernel.native_bytes(spring), "spring.brep")
    assert len(model.mesh.triangles) > 100
    assert model.part.volume_mm3 == pytest.approx(kernel_volume(spring), rel=1e-4)


@pytest.mark.parametrize("name", [b"", b"INCHES", b"in", b'"', b"Inch"])
def test_an_inch_is_an_inch_by_any_name(name: bytes) -> None:
    data = step_bytes(kernel.box(25.4, 50.8, 76.2), "in")
    renamed = data.replace(b"CONVERSION_BASED_UNIT('INCH'", b"CONVERSION_BASED_UNIT('" + name + b"'")
    part = load(renamed, "part.step").part
    assert part.source.length_unit == "inch"
    assert part.size_mm == pytest.approx([25.4, 50.8, 76.2])


def test_units_are_found_in_the_text() -> None:
    units = [length_units(step_bytes(kernel.box(1, 1, 1), unit)) for unit in ("mm", "in", "m")]
    assert units == [["millimetre"], ["inch"], ["metre"]]


@pytest.mark.parametrize("unknown", [None, math.nan])
def test_an_unknown_area_makes_no_number(unknown: float | None) -> None:
    assert exact_geometry(1.0, unknown, (1.0, 1.0, 1.0)).surface_area_cm2.is_nan()
