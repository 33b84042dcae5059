"""Stands in for the tessellation until it is merged."""

from __future__ import annotations

import math

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepLib import BRepLib_ToolTriangulatedShape
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.TopAbs import TopAbs_FACE, TopAbs_REVERSED
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.mesh import Mesh, MeshOptions
from fettle.geometry.topology import map_of


def tessellate(shape: TopoDS_Shape, options: MeshOptions) -> Mesh:
    box = Bnd_Box()
    BRepBndLib.Add_s(shape, box)
    curvature = options.curvature or 24.0
    BRepMesh_IncrementalMesh(shape, math.sqrt(box.SquareExtent()) * 1e-3, False, 2 * math.pi / curvature, False)
    face_map = map_of(shape, TopAbs_FACE)
    points, normals, triangles, point_face, triangle_face = [], [], [], [], []
    for number in range(face_map.Extent()):
        face = TopoDS.Face(face_map.FindKey(number + 1))
        location = TopLoc_Location()
        tri = BRep_Tool.Triangulation_s(face, location)
        if tri is None:
            continue
        BRepLib_ToolTriangulatedShape.ComputeNormals_s(face, tri)
        trsf = location.Transformation()
        turned = face.Orientation() == TopAbs_REVERSED
        first = len(points)
        for k in range(1, tri.NbNodes() + 1):
            points.append(tri.Node(k).Transformed(trsf).Coord())
            normal = tri.Normal(k).Transformed(trsf).Coord()
            normals.append([-x for x in normal] if turned else list(normal))
            point_face.append(number)
        for k in range(1, tri.NbTriangles() + 1):
            a, b, c = tri.Triangle(k).Get()
            triangles.append([first + a - 1, first + (c if turned else b) - 1, first + (b if turned else c) - 1])
            triangle_face.append(number)
    p = np.array(points)
    _, vertex = np.unique(np.round(p, 6), axis=0, return_inverse=True)
    return Mesh(
        p,
        np.array(normals),
        np.array(point_face, np.int32),
        vertex.ravel().astype(np.int32),
        np.array(triangles, np.int32),
        np.array(triangle_face, np.int32),
        math.inf,
        curvature,
    )
