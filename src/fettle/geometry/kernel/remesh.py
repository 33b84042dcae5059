"""Triangulation of single faces that the mesher left out of the whole part, and of faces whose mesh is doubted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import pi
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Builder, BRep_Tool
from OCP.BRepBuilderAPI import BRepBuilderAPI_Copy, BRepBuilderAPI_Transform
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.BRepTools import BRepTools
from OCP.GeomAbs import GeomAbs_Plane
from OCP.GeomAdaptor import GeomAdaptor_Surface
from OCP.gp import gp_Pnt, gp_Trsf
from OCP.IMeshTools import IMeshTools_MeshAlgoType, IMeshTools_Parameters
from OCP.OSD import OSD_ThreadPool
from OCP.ShapeFix import ShapeFix_Edge, ShapeFix_Wire
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FORWARD, TopAbs_REVERSED, TopAbs_WIRE
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape

from fettle.cores import allowed
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.healing import gather
from fettle.geometry.kernel.topology import Topology, children, map_of
from fettle.geometry.kernel.trim_gaps import ASTRAY, lacks_trims, trims_off

Array = NDArray[np.float64]

WATSON = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Watson
"""Delabella is faster and leaves faces out; Watson does not."""
DELABELLA = IMeshTools_MeshAlgoType.IMeshTools_MeshAlgoType_Delabella


class MeshingWay(NamedTuple):
    """A way to triangulate a face alone: factor on the whole part's deflection, algorithm, and how many times as large
    a copy is meshed in the face's place."""

    deflection: float
    algorithm: IMeshTools_MeshAlgoType
    enlarged: float = 1.0


ATTEMPTS = (
    MeshingWay(1.0, WATSON),
    MeshingWay(1.0, DELABELLA),
    MeshingWay(0.25, WATSON),
    MeshingWay(4.0, WATSON),
    MeshingWay(0.25, DELABELLA),
    MeshingWay(1.0, WATSON, enlarged=8.0),
)
"""In the order in which they are tried. The whole part's deflection comes first: with it the edges keep the points that
the neighboring faces already use. The kernel gives up on some small cones that it meshes when they are larger; a power
of two rounds no coordinate."""

PRECISION_MM = 1e-7
"""The kernel's own."""

ANGLE_SLACK = 1.0005
"""Far above rounding, and half of what refinement allows an element to turn too far."""

FINER = 0.25
"""Factor on deflection and angle of the mesh that decides whether the coarse one or an exact integral is wrong."""


def mesh_in_kernel(
    shape: TopoDS_Shape,
    deflection_mm: float,
    angle_rad: float,
    algorithm: IMeshTools_MeshAlgoType = WATSON,
) -> None:
    """Triangulate every face of `shape`; the triangles stay with the faces."""
    parameters = IMeshTools_Parameters()
    parameters.MeshAlgo = algorithm
    parameters.Deflection = parameters.DeflectionInterior = deflection_mm
    # edges of the part get an element per this angle; inside of faces the kernel allows itself twice as much, and
    # asking for less there costs up to four times the triangles on splines: `refine` sees to it where it is missing
    parameters.Angle = angle_rad
    if allowed() > 1:
        # every face and edge for itself: the triangles are the same to the bit
        OSD_ThreadPool.DefaultPool_s(allowed())
        parameters.InParallel = True
    BRepMesh_IncrementalMesh(shape, parameters)


def drop_triangles_of_file(shape: TopoDS_Shape, faces: Sequence[TopoDS_Face]) -> None:
    """Remove triangulations that the file brought with its faces (AP242 tessellation beside exact geometry).

    The mesher would keep them: they have no surface parameters and their own deflection."""
    location = TopLoc_Location()
    if any(BRep_Tool.Triangulation_s(face, location) is not None for face in faces):
        BRepTools.Clean_s(shape)


def mesh_faces(
    shape: TopoDS_Shape, topology: Topology, numbers: Sequence[int], deflection_mm: float, angle_rad: float
) -> None:
    """Triangulate these faces of `shape`. What the mesher leaves out is tried alone, in several ways; where trimming
    curves leave the edges, or nothing else works, these are computed anew from the edges and all of the faces are
    meshed once more."""
    if not numbers:
        return
    faces = [topology.faces[number] for number in numbers]
    for face in faces:
        complete_trims(face)
    together = gather(faces)
    mesh_in_kernel(together, deflection_mm, angle_rad)
    left = [number for number in numbers if not has_triangles(topology.faces[number])]
    astray = [number for number in left if trims_off(topology, number, ASTRAY * deflection_mm)]
    if not astray:
        astray = [number for number in left if not _try(topology.faces[number], deflection_mm, angle_rad)]
    if astray:
        renew_trims(shape, [topology.faces[number] for number in astray])
        # all of it, so that faces on both sides of an edge have the same points along it
        mesh_in_kernel(together, deflection_mm, angle_rad)
        for face in faces:
            if not has_triangles(face):
                _try(face, deflection_mm, angle_rad)


def has_triangles(face: TopoDS_Face) -> bool:
    triangulation = BRep_Tool.Triangulation_s(face, TopLoc_Location())
    return triangulation is not None and triangulation.NbTriangles() > 0


def fine_mesh(face: TopoDS_Face, deflection_mm: float, angle_rad: float) -> Array | None:
    """Shape (m, 3, 3): corners of triangles of a copy of the face, much finer than the part's mesh and with the normal
    of the surface itself; None where there are none."""
    copy = TopoDS.Face(BRepBuilderAPI_Copy(face.Oriented(TopAbs_FORWARD)).Shape())
    BRepTools.Clean_s(copy)
    mesh_in_kernel(copy, FINER * deflection_mm, FINER * angle_rad)
    location = TopLoc_Location()
    triangulation = BRep_Tool.Triangulation_s(copy, location)
    if triangulation is None or not triangulation.NbTriangles():
        return None
    points = kernel_arrays.nodes([triangulation], [triangulation.NbNodes()])
    moved = location.Transformation()
    matrix = np.array([[moved.Value(i, j) for j in range(1, 5)] for i in range(1, 4)])
    points = points @ matrix[:, :3].T + matrix[:, 3]
    corners: Array = points[kernel_arrays.triangles([triangulation], [triangulation.NbTriangles()])]
    return corners[:, ::-1] if moved.IsNegative() else corners


def _try(face: TopoDS_Face, deflection_mm: float, angle_rad: float) -> bool:
    for way in ATTEMPTS:
        _mesh_alone(face, deflection_mm, angle_rad, way)
        if has_triangles(face):
            return True
    return False


def _mesh_alone(face: TopoDS_Face, deflection_mm: float, angle_rad: float, way: MeshingWay) -> None:
    """Triangulate a face without triangles in one of the ways of `ATTEMPTS`, given the whole part's deflection and
    angle."""
    deflection_mm = way.deflection * deflection_mm
    if way.enlarged == 1.0:
        mesh_in_kernel(face, deflection_mm, angle_rad, way.algorithm)
        return
    enlarge, shrink = gp_Trsf(), gp_Trsf()
    enlarge.SetScale(gp_Pnt(), way.enlarged)
    shrink.SetScale(gp_Pnt(), 1.0 / way.enlarged)
    # without its location: triangles are kept in the coordinates of the face itself
    here = TopLoc_Location()
    own = TopoDS.Face(face.Located(here))
    larger = TopoDS.Face(BRepBuilderAPI_Transform(own, enlarge, True).Shape())
    mesh_in_kernel(larger, way.enlarged * deflection_mm, angle_rad, way.algorithm)
    triangulation = BRep_Tool.Triangulation_s(larger, here)
    if triangulation is None:
        return
    for node in range(1, triangulation.NbNodes() + 1):
        triangulation.SetNode(node, triangulation.Node(node).Transformed(shrink))
    builder = BRep_Builder()
    builder.UpdateFace(own, triangulation)
    for edge, copy in zip(_edges(own), _edges(larger), strict=True):
        along, back = (
            BRep_Tool.PolygonOnTriangulation_s(TopoDS.Edge(copy.Oriented(turn)), triangulation, here)
            for turn in (TopAbs_FORWARD, TopAbs_REVERSED)
        )
        if BRep_Tool.IsClosed_s(edge, own):
            builder.UpdateEdge(edge, along, back, triangulation, here)
        else:
            builder.UpdateEdge(edge, along, triangulation, here)


def renew_trims(shape: TopoDS_Shape, faces: Sequence[TopoDS_Face]) -> None:
    """Compute the trimming curves of these faces of `shape` anew from their edges; all triangles of it are dropped."""
    for face in faces:
        _project_edges(face)
    BRepTools.Clean_s(shape)


def complete_trims(face: TopoDS_Face) -> None:
    """Compute the trimming curves of a face that was read without them: the kernel knows no face by its edges alone."""
    if lacks_trims(face):
        _project_edges(face)


def _project_edges(face: TopoDS_Face) -> None:
    """Replace the trimming curves of the face by projections of its edges."""
    on_plane = GeomAdaptor_Surface(BRep_Tool.Surface_s(face)).GetType() == GeomAbs_Plane
    fix = ShapeFix_Edge()
    for edge in _edges(face):
        if BRep_Tool.Degenerated_s(edge):
            continue
        is_seam = BRep_Tool.IsClosed_s(edge, face)
        fix.FixRemovePCurve(edge, face)
        if not on_plane:
            # on planes the kernel projects by itself where a curve is missing
            fix.FixAddPCurve(edge, face, is_seam)
    for wire in children(face, TopAbs_WIRE):
        # on a closed surface each curve may have come out in another turn of it
        ShapeFix_Wire(TopoDS.Wire(wire), face, PRECISION_MM).FixShifted()


def _edges(face: TopoDS_Face) -> Iterator[TopoDS_Edge]:
    found = map_of(face, TopAbs_EDGE)
    for index in range(1, found.Extent() + 1):
        yield TopoDS.Edge(found.FindKey(index))


def angle_of(curvature: float) -> float:
    """Angle between neighboring elements of a circle that is divided into `curvature` of them, in radians.

    A little more: a quarter turn would else have an element more or less by rounding, which changes with the position
    of the part."""
    return ANGLE_SLACK * 2.0 * pi / curvature
