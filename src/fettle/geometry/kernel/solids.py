"""Solids built by the kernel: primitives, Booleans, blends, shells, and their STEP bytes.

The operations of `fettle.geometry.csg`. Every function takes and returns kernel shapes, lengths in millimeters; one
that the kernel refuses raises `CannotBuild` with the reason in a sentence.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable, Iterator, Sequence

from OCP.APIHeaderSection import APIHeaderSection_MakeHeader
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepAlgoAPI import BRepAlgoAPI_Common, BRepAlgoAPI_Cut, BRepAlgoAPI_Fuse
from OCP.BRepBuilderAPI import (
    BRepBuilderAPI_MakeEdge,
    BRepBuilderAPI_MakeFace,
    BRepBuilderAPI_MakePolygon,
    BRepBuilderAPI_MakeVertex,
    BRepBuilderAPI_MakeWire,
    BRepBuilderAPI_NurbsConvert,
    BRepBuilderAPI_Transform,
)
from OCP.BRepCheck import BRepCheck_Analyzer
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.BRepFilletAPI import BRepFilletAPI_MakeChamfer, BRepFilletAPI_MakeFillet
from OCP.BRepLib import BRepLib
from OCP.BRepOffset import BRepOffset_Skin
from OCP.BRepOffsetAPI import BRepOffsetAPI_DraftAngle, BRepOffsetAPI_MakePipeShell, BRepOffsetAPI_MakeThickSolid
from OCP.BRepPrimAPI import (
    BRepPrimAPI_MakeBox,
    BRepPrimAPI_MakeCone,
    BRepPrimAPI_MakeCylinder,
    BRepPrimAPI_MakePrism,
    BRepPrimAPI_MakeRevol,
    BRepPrimAPI_MakeSphere,
    BRepPrimAPI_MakeTorus,
)
from OCP.collections import IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher, List_TopoDS_Shape
from OCP.Geom import Geom_CylindricalSurface
from OCP.Geom2d import Geom2d_Line
from OCP.GeomAbs import GeomAbs_Intersection, GeomAbs_Line
from OCP.gp import gp_Ax1, gp_Ax2, gp_Ax3, gp_Dir, gp_Dir2d, gp_Pln, gp_Pnt, gp_Pnt2d, gp_Trsf, gp_Vec
from OCP.IFSelect import IFSelect_RetDone
from OCP.Interface import Interface_Static
from OCP.Message import Message, Message_PrinterOStream
from OCP.ShapeUpgrade import ShapeUpgrade_UnifySameDomain
from OCP.Standard import Standard_Failure
from OCP.STEPControl import STEPControl_AsIs, STEPControl_Writer
from OCP.TCollection import TCollection_HAsciiString
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_ShapeEnum, TopAbs_SOLID
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape

Point = tuple[float, float, float]
Pair = tuple[float, float]

PARALLEL = 1e-6
"""How far the cosine of two directions may be from one and still be parallel."""
THICK_TOLERANCE_MM = 1e-4
STEP_UNITS = {"mm": "MM", "cm": "CM", "m": "M", "in": "INCH"}
_ORIGIN = gp_Pnt(0, 0, 0)
_UP = gp_Ax2(_ORIGIN, gp_Dir(0, 0, 1))


class CannotBuild(Exception):
    """The kernel found no such solid; the text says why as far as it is known."""


def box(x: float, y: float, z: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeBox(x, y, z).Shape()


def cylinder(diameter: float, height: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeCylinder(_UP, diameter / 2, height).Shape()


def cone(diameter: float, top_diameter: float, height: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeCone(_UP, diameter / 2, top_diameter / 2, height).Shape()


def sphere(diameter: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeSphere(_ORIGIN, diameter / 2).Shape()


def torus(ring_diameter: float, tube_diameter: float) -> TopoDS_Shape:
    return BRepPrimAPI_MakeTorus(_UP, ring_diameter / 2, tube_diameter / 2).Shape()


def prism(points: Sequence[Pair], height: float, taper_deg: float = 0.0) -> TopoDS_Shape:
    """The polygon in XY, raised along +Z; a positive taper leans every side inwards on its way up."""
    solid = BRepPrimAPI_MakePrism(_polygon([(x, y, 0.0) for x, y in points]), gp_Vec(0, 0, height)).Shape()
    if taper_deg == 0.0:
        return solid
    drafting = BRepOffsetAPI_DraftAngle(solid)
    base = gp_Pln(_ORIGIN, gp_Dir(0, 0, 1))
    for face in _subshapes(solid, TopAbs_FACE):
        plane = BRepAdaptor_Surface(TopoDS.Face(face)).Plane()
        if abs(plane.Axis().Direction().Z()) < PARALLEL:
            drafting.Add(TopoDS.Face(face), gp_Dir(0, 0, 1), math.radians(taper_deg), base)
    drafting.Build()
    if not drafting.IsDone():
        raise CannotBuild(f"a taper of {taper_deg} degrees makes the sides cross before the top")
    return drafting.Shape()


def revolve(points: Sequence[Pair], angle_deg: float) -> TopoDS_Shape:
    """The polygon of (r, z) turned about the Z axis, starting in the XZ plane."""
    profile = _polygon([(r, 0.0, z) for r, z in points])
    axis = gp_Ax1(_ORIGIN, gp_Dir(0, 0, 1))
    return BRepPrimAPI_MakeRevol(profile, axis, math.radians(angle_deg)).Shape()


def helix(points: Sequence[Pair], pitch: float, turns: float) -> TopoDS_Shape:
    """The polygon of (r, z) swept up a helix about the Z axis, starting in the XZ plane: the groove of a thread."""
    radius = sum(r for r, _ in points) / len(points)
    line = Geom2d_Line(gp_Pnt2d(0, 0), gp_Dir2d(2 * math.pi, pitch))
    around = Geom_CylindricalSurface(gp_Ax3(_UP), radius)
    edge = BRepBuilderAPI_MakeEdge(line, around, 0, turns * math.hypot(2 * math.pi, pitch)).Edge()
    BRepLib.BuildCurves3d_s(edge)
    profile = BRepBuilderAPI_MakePolygon()
    for r, z in points:
        profile.Add(gp_Pnt(r, 0, z))
    profile.Close()
    sweep = BRepOffsetAPI_MakePipeShell(BRepBuilderAPI_MakeWire(edge).Wire())
    sweep.SetMode(gp_Dir(0, 0, 1))
    sweep.Add(profile.Wire())
    sweep.Build()
    sweep.MakeSolid()
    return sweep.Shape()


def union(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    return _boolean(BRepAlgoAPI_Fuse, shapes[0], shapes[1:])


def cut(shape: TopoDS_Shape, tools: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    return _boolean(BRepAlgoAPI_Cut, shape, tools)


def common(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    result = shapes[0]
    for tool in shapes[1:]:  # the kernel's own common of many tools is the common with their union
        result = _boolean(BRepAlgoAPI_Common, result, [tool])
    return result


def bodies(shapes: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    """Side by side in one compound, not joined."""
    compound = TopoDS_Compound()
    builder = BRep_Builder()
    builder.MakeCompound(compound)
    for shape in shapes:
        for solid in _subshapes(shape, TopAbs_SOLID):
            builder.Add(compound, solid)
    return compound


def fillet(shape: TopoDS_Shape, radius: float, edges: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    tool = BRepFilletAPI_MakeFillet(shape)
    for edge in edges:
        tool.Add(radius, TopoDS.Edge(edge))
    return _blended(tool, f"a fillet of radius {radius} mm does not fit on these {len(edges)} edges")


def chamfer(shape: TopoDS_Shape, leg: float, edges: Sequence[TopoDS_Shape]) -> TopoDS_Shape:
    tool = BRepFilletAPI_MakeChamfer(shape)
    for edge in edges:
        tool.Add(leg, TopoDS.Edge(edge))
    return _blended(tool, f"a chamfer of {leg} mm does not fit on these {len(edges)} edges")


def shell(shape: TopoDS_Shape, wall: float, open_at: Sequence[Point]) -> TopoDS_Shape:
    """Hollowed to a wall inside the old surface; the faces nearest the points are taken away. None: a sealed void."""
    removed = List_TopoDS_Shape()
    for point in open_at:
        removed.Append(_nearest(_subshapes(shape, TopAbs_FACE), point))
    maker = BRepOffsetAPI_MakeThickSolid()
    maker.MakeThickSolidByJoin(
        shape, removed, -wall, THICK_TOLERANCE_MM, BRepOffset_Skin, False, False, GeomAbs_Intersection
    )
    if not maker.IsDone():
        raise CannotBuild(f"a wall of {wall} mm does not fit inside the solid")
    # with nothing removed the kernel returns the inner skin alone
    return maker.Shape() if open_at else _boolean(BRepAlgoAPI_Cut, shape, [maker.Shape()])


def move(shape: TopoDS_Shape, by: Point) -> TopoDS_Shape:
    motion = gp_Trsf()
    motion.SetTranslation(gp_Vec(*by))
    return _transformed(shape, motion)


def rotate(shape: TopoDS_Shape, axis: Point, angle_deg: float) -> TopoDS_Shape:
    motion = gp_Trsf()
    motion.SetRotation(gp_Ax1(_ORIGIN, gp_Dir(*axis)), math.radians(angle_deg))
    return _transformed(shape, motion)


def mirror(shape: TopoDS_Shape, normal: Point) -> TopoDS_Shape:
    """Mirrored at the plane through the origin with that normal."""
    motion = gp_Trsf()
    motion.SetMirror(gp_Ax2(_ORIGIN, gp_Dir(*normal)))
    return _transformed(shape, motion)


def scale(shape: TopoDS_Shape, by: float) -> TopoDS_Shape:
    motion = gp_Trsf()
    motion.SetScale(_ORIGIN, by)
    return _transformed(shape, motion)


def splines(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The same shape with every curve and surface a B-spline."""
    return BRepBuilderAPI_NurbsConvert(shape, True).Shape()


def edges_along(shape: TopoDS_Shape, axis: Point | None) -> list[TopoDS_Shape]:
    """The straight edges parallel to an axis; every edge for None."""
    found = []
    for edge in _subshapes(shape, TopAbs_EDGE):
        if axis is None:
            found.append(edge)
            continue
        curve = BRepAdaptor_Curve(TopoDS.Edge(edge))
        if curve.GetType() != GeomAbs_Line:
            continue
        direction = curve.Line().Direction()
        if abs(direction.Dot(gp_Dir(*axis))) > 1 - PARALLEL:
            found.append(edge)
    return found


def edges_near(shape: TopoDS_Shape, points: Sequence[Point]) -> list[TopoDS_Shape]:
    """The edge nearest each point, each edge once, in the order of the points."""
    edges = list(_subshapes(shape, TopAbs_EDGE))
    found: list[TopoDS_Shape] = []
    for point in points:
        edge = _nearest(edges, point)
        if not any(edge.IsSame(other) for other in found):
            found.append(edge)
    return found


def clean(shape: TopoDS_Shape) -> TopoDS_Shape:
    """Faces and edges that Booleans left in pieces, joined again."""
    joiner = ShapeUpgrade_UnifySameDomain(shape, True, True, False)
    joiner.Build()
    return joiner.Shape()


def is_valid(shape: TopoDS_Shape) -> bool:
    """At least one solid, and the kernel's own check finds no fault."""
    return any(True for _ in _subshapes(shape, TopAbs_SOLID)) and bool(BRepCheck_Analyzer(shape).IsValid())


def step_bytes(shape: TopoDS_Shape, unit: str, *, trims: bool = True) -> bytes:
    """A STEP AP214 file of the shape, lengths written in `unit`, with or without trimming curves; the same shape gives
    the same bytes."""
    _silence()
    writer = STEPControl_Writer()  # first: the settings below do not exist before the first writer does
    Interface_Static.SetCVal_s("write.step.unit", STEP_UNITS[unit])
    Interface_Static.SetCVal_s("write.step.product.name", "part")
    Interface_Static.SetIVal_s("write.surfacecurve.mode", int(trims))
    if writer.Transfer(shape, STEPControl_AsIs) != IFSelect_RetDone:
        raise CannotBuild("the kernel could not translate the shape to STEP")
    header = APIHeaderSection_MakeHeader(writer.Model())
    header.SetTimeStamp(TCollection_HAsciiString("2000-01-01T00:00:00"))
    stream = io.BytesIO()
    if writer.WriteStream(stream) != IFSelect_RetDone:
        raise CannotBuild("the kernel could not write the STEP file")
    return re.sub(rb"'part \d+'", b"'part'", stream.getvalue())  # the kernel counts the files it has written


def _silence() -> None:
    """Keep the kernel's statistics of every transfer off standard output."""
    Message.DefaultMessenger_s().RemovePrinters(Message_PrinterOStream.get_type_descriptor_s())


def _polygon(points: Sequence[Point]) -> TopoDS_Shape:
    maker = BRepBuilderAPI_MakePolygon()
    for point in points:
        maker.Add(gp_Pnt(*point))
    maker.Close()
    face = BRepBuilderAPI_MakeFace(maker.Wire(), True)
    if not face.IsDone():
        raise CannotBuild("the points do not bound a plane face; they must not cross or repeat")
    return face.Face()


def _boolean(
    operation: Callable[[], BRepAlgoAPI_Cut], shape: TopoDS_Shape, tools: Sequence[TopoDS_Shape]
) -> TopoDS_Shape:
    maker = operation()
    maker.SetArguments(_listed([shape]))
    maker.SetTools(_listed(tools))
    maker.SetRunParallel(False)
    maker.Build()
    if not maker.IsDone():
        raise CannotBuild("the kernel's Boolean operation failed")
    return maker.Shape()


def _blended(tool: BRepFilletAPI_MakeFillet, refusal: str) -> TopoDS_Shape:
    try:
        tool.Build()
    except Standard_Failure as error:
        raise CannotBuild(refusal) from error
    if not tool.IsDone():
        raise CannotBuild(refusal)
    return tool.Shape()


def _transformed(shape: TopoDS_Shape, motion: gp_Trsf) -> TopoDS_Shape:
    return BRepBuilderAPI_Transform(shape, motion, True).Shape()


def _listed(shapes: Sequence[TopoDS_Shape]) -> List_TopoDS_Shape:
    result = List_TopoDS_Shape()
    for shape in shapes:
        result.Append(shape)
    return result


def _subshapes(shape: TopoDS_Shape, kind: TopAbs_ShapeEnum) -> Iterator[TopoDS_Shape]:
    found = IndexedMap_TopoDS_Shape_TopTools_ShapeMapHasher()
    TopExp.MapShapes_s(shape, kind, found)
    return (found.FindKey(i) for i in range(1, found.Extent() + 1))


def _nearest(shapes: Sequence[TopoDS_Shape] | Iterator[TopoDS_Shape], point: Point) -> TopoDS_Shape:
    vertex = BRepBuilderAPI_MakeVertex(gp_Pnt(*point)).Vertex()
    return min(shapes, key=lambda shape: BRepExtrema_DistShapeShape(vertex, shape).Value())
