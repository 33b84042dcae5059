"""Kernel shapes that no recipe describes, and the STEP text around them."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.BRepAlgoAPI import BRepAlgoAPI_BuilderAlgo
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy, BRepBuilderAPI_MakeEdge, BRepBuilderAPI_MakeWire
from OCP.BRepGProp import BRepGProp
from OCP.BRepLib import BRepLib
from OCP.BRepOffsetAPI import BRepOffsetAPI_MakePipeShell
from OCP.BRepPrimAPI import BRepPrimAPI_MakeBox, BRepPrimAPI_MakeCylinder
from OCP.BRepTools import BRepTools
from OCP.collections import List_TopoDS_Shape
from OCP.Geom import Geom_CylindricalSurface
from OCP.Geom2d import Geom2d_Line
from OCP.GeomAbs import GeomAbs_Cylinder
from OCP.gp import gp_Ax1, gp_Ax2, gp_Ax3, gp_Circ, gp_Dir, gp_Dir2d, gp_Pnt, gp_Pnt2d, gp_Trsf, gp_Vec
from OCP.GProp import GProp_GProps
from OCP.Interface import Interface_Static
from OCP.TopAbs import TopAbs_COMPOUND, TopAbs_EDGE, TopAbs_FACE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_VERTEX
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Face, TopoDS_Shape, TopoDS_Shell, TopoDS_Solid, TopoDS_Wire

from fettle.geometry.kernel import remesh, solids, tessellate
from fettle.geometry.kernel.sampled_shape import SampledShape
from fettle.geometry.kernel.topology import map_of


def box(x: float, y: float, z: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeBox(x, y, z).Shape()


def compound(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Compound:
    builder, made = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(made)
    for shape in shapes:
        builder.Add(made, shape)
    return made


def placed(shape: TopoDS_Shape, by: tuple[float, float, float], turn_deg: float = 0.0) -> TopoDS_Shape:
    """An instance: the same shape at another place, turned about Z first."""
    turn, move = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(), gp_Dir(0, 0, 1)), turn_deg * 3.141592653589793 / 180)
    move.SetTranslation(gp_Vec(*by))
    return shape.Moved(TopLoc_Location(move.Multiplied(turn)))


def assembly_bytes(shape: TopoDS_Shape) -> bytes:
    """A STEP file in which every compound is an assembly and every repeated shape one product, placed."""
    solids.step_bytes(box(1, 1, 1), "mm")  # the setting does not exist before the first writer does
    before = Interface_Static.IVal_s("write.step.assembly")
    Interface_Static.SetIVal_s("write.step.assembly", 1)
    try:
        return solids.step_bytes(shape, "mm")
    finally:
        Interface_Static.SetIVal_s("write.step.assembly", before)


def faces(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    found = map_of(shape, TopAbs_FACE)
    return [found.FindKey(number) for number in range(1, found.Extent() + 1)]


def edges(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    found = map_of(shape, TopAbs_EDGE)
    return [found.FindKey(number) for number in range(1, found.Extent() + 1)]


def vertices(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    found = map_of(shape, TopAbs_VERTEX)
    return [found.FindKey(number) for number in range(1, found.Extent() + 1)]


def loose_faces(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    """Copies of the faces that share no edge with each other."""
    return [BRepBuilderAPI_Copy(face).Shape() for face in faces(shape)]


def solid_of(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Solid:
    """Faces called a solid, whether they close or not."""
    builder, shell, solid = BRep_Builder(), TopoDS_Shell(), TopoDS_Solid()
    builder.MakeShell(shell)
    for face in shapes:
        builder.Add(shell, TopoDS.Face(face))
    builder.MakeSolid(solid)
    builder.Add(solid, shell)
    return solid


def fused(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    """Solids that touch, sharing the face between them."""
    arguments = List_TopoDS_Shape()
    for shape in shapes:
        arguments.Append(shape)
    fuse = BRepAlgoAPI_BuilderAlgo()
    fuse.SetArguments(arguments)
    fuse.Build()
    return fuse.Shape()


def native_bytes(shape: TopoDS_Shape) -> bytes:
    """The kernel's own BREP text, which says of a shape what it is and heals nothing."""
    stream = io.BytesIO()
    BRepTools.Write_s(shape, stream)
    return stream.getvalue()


def appended(first: bytes, second: bytes) -> bytes:
    """One STEP file with the content of both: two roots, each in the unit of its own file."""
    offset = 1 + max(int(number) for number in re.findall(rb"^#(\d+)", first, re.MULTILINE))
    data = re.search(rb"DATA;(.*)ENDSEC;", second, re.DOTALL)
    assert data
    moved = re.sub(rb"#(\d+)", lambda found: b"#%d" % (int(found[1]) + offset), data[1])
    end = first.rindex(b"ENDSEC;")
    return first[:end] + moved + first[end:]


def coil_spring(radius_mm: float, wire_mm: float, pitch_mm: float, turns: float) -> TopoDS_Shape:
    """A round wire of radius `wire_mm` swept along a helix about Z."""
    cylinder = Geom_CylindricalSurface(gp_Ax3(gp_Pnt(), gp_Dir(0, 0, 1)), radius_mm)
    slope = Geom2d_Line(gp_Pnt2d(0, 0), gp_Dir2d(2 * math.pi, pitch_mm))
    helix = BRepBuilderAPI_MakeEdge(slope, cylinder, 0.0, turns * math.hypot(2 * math.pi, pitch_mm)).Edge()
    BRepLib.BuildCurves3d_s(helix)
    start = gp_Ax2(gp_Pnt(radius_mm, 0, 0), gp_Dir(0, 2 * math.pi * radius_mm, pitch_mm))
    section = BRepBuilderAPI_MakeWire(BRepBuilderAPI_MakeEdge(gp_Circ(start, wire_mm)).Edge()).Wire()
    sweep = BRepOffsetAPI_MakePipeShell(BRepBuilderAPI_MakeWire(helix).Wire())
    sweep.SetMode(True)
    sweep.Add(section)
    sweep.Build()
    sweep.MakeSolid()
    return sweep.Shape()


def ring_wall(radius_mm: float, height_mm: float, turn_deg: float, aside_mm: float = 0.0) -> TopoDS_Compound:
    """A face on a cylinder between two whole circles, without a seam; the upper one begins so far round, and both are
    so far beside the cylinder."""
    builder, face = BRep_Builder(), TopoDS_Face()
    builder.MakeFace(face, Geom_CylindricalSurface(gp_Ax3(), radius_mm), 1e-7)
    for height, turn, way in ((0.0, 0.0, TopAbs_FORWARD), (height_mm, math.radians(turn_deg), TopAbs_REVERSED)):
        start = gp_Dir(math.cos(turn), math.sin(turn), 0)
        circle = gp_Circ(gp_Ax2(gp_Pnt(aside_mm, 0, height), gp_Dir(0, 0, 1), start), radius_mm)
        wire = TopoDS_Wire()
        builder.MakeWire(wire)
        builder.Add(wire, BRepBuilderAPI_MakeEdge(circle).Edge().Oriented(way))
        builder.Add(face, wire)
    return compound([face])


def half_cylinder_of_a_wrong_radius() -> TopoDS_Shape:
    """Half a cylinder with edges at a radius of 10 mm whose round face lies on a cylinder of 12 mm: nothing about it
    says which is right, so it has no volume."""
    shape = BRepBuilderAPI_Copy(BRepPrimAPI_MakeCylinder(10.0, 30.0, math.pi).Shape()).Shape()
    for face in faces(shape):
        surface = BRep_Tool.Surface_s(TopoDS.Face(face))
        if isinstance(surface, Geom_CylindricalSurface):
            surface.SetRadius(12.0)
    return shape


def area(face: TopoDS_Shape) -> float:
    """mm2, by the kernel's own integral."""
    properties = GProp_GProps()
    BRepGProp.SurfaceProperties_s(face, properties)
    return float(properties.Mass())


def leave_all_to_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the kernel mesh all faces, as it does with freeform ones."""

    def find_none(sampled: SampledShape) -> NDArray[np.bool_]:
        return np.zeros(len(sampled.topology.faces), np.bool_)

    monkeypatch.setattr(tessellate, "find_simple", find_none)


def leave_out_cylinders(monkeypatch: pytest.MonkeyPatch, *, alone: bool) -> None:
    """Let the kernel mesh all faces, but for cylinders, as it does with faces that it gives up on; `alone`: also where
    it is asked for one of them alone."""
    leave_all_to_the_kernel(monkeypatch)
    mesh_in_kernel = remesh.mesh_in_kernel

    def leave_out(part: TopoDS_Shape, *given: float) -> None:
        mesh_in_kernel(part, *given)
        if alone or part.ShapeType() == TopAbs_COMPOUND:
            for face in faces(part):
                if BRepAdaptor_Surface(TopoDS.Face(face)).GetType() == GeomAbs_Cylinder:
                    BRep_Builder().UpdateFace(TopoDS.Face(face), None)

    monkeypatch.setattr(remesh, "mesh_in_kernel", leave_out)
