"""Faces of a shape that points, curves and surfaces beside it lie on."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepBuilderAPI import BRepBuilderAPI_MakeVertex
from OCP.BRepExtrema import BRepExtrema_DistShapeShape
from OCP.gp import gp_Pnt
from OCP.TopAbs import TopAbs_EDGE, TopAbs_VERTEX
from OCP.TopoDS import TopoDS, TopoDS_Shape

from fettle.geometry.kernel.topology import map_of
from fettle.geometry.part import Face
from fettle.geometry.surfaces.projection import nearest_point

REACH_MM = 1e-3
"""A point lies on a face that it is so near to: the accuracy that CAD systems write files with."""
_FAR_MM = 10.0 * REACH_MM
"""A point so far from the surface of a face is not on the face, also where the surface stands for a spline that differs
from it by as much as the reach. To know costs a tenth of the kernel's distance to the face."""
_MOST_POINTS = 20
"""Corners, and middles of edges, that are looked at."""


class FacesBelow:
    """Finds the faces that hold every point of a shape, within `REACH_MM`. `faces`: of the kernel; `read`: the same
    faces as they were read, with their surfaces."""

    def __init__(self, faces: Sequence[TopoDS_Shape], read: Sequence[Face]) -> None:
        self._faces = faces
        self._read = read
        self._boxes: list[Bnd_Box] | None = None

    def __call__(self, shape: TopoDS_Shape) -> tuple[int, ...]:
        """Positions of faces; several where the shape lies on their common edge, none where it lies on no face."""
        points = _points(shape)
        if not points:
            return ()
        found = set(self._near(points[0]))
        for point in points[1:]:
            if not found:
                break
            found = {face for face in found if self._holds(face, point)}
        return tuple(sorted(found))

    def _near(self, point: gp_Pnt) -> list[int]:
        if self._boxes is None:
            self._boxes = [_box(face) for face in self._faces]
        near = [number for number, box in enumerate(self._boxes) if not box.IsOut(point)]
        return [number for number in near if self._holds(number, point)]

    def _holds(self, face: int, point: gp_Pnt) -> bool:
        at = np.array([point.X(), point.Y(), point.Z()])
        nearest, _ = nearest_point(self._read[face].surface, at)
        if math.dist(at, nearest) > _FAR_MM:
            return False
        distance = BRepExtrema_DistShapeShape(BRepBuilderAPI_MakeVertex(point).Vertex(), self._faces[face])
        return bool(distance.IsDone() and distance.Value() <= REACH_MM)


def _points(shape: TopoDS_Shape) -> list[gp_Pnt]:
    """Middles of edges, and corners: a middle lies on fewer faces, so it leaves less to look at."""
    vertices, edges = map_of(shape, TopAbs_VERTEX), map_of(shape, TopAbs_EDGE)
    points = []
    for index in range(1, min(edges.Extent(), _MOST_POINTS) + 1):
        edge = TopoDS.Edge(edges.FindKey(index))
        if not BRep_Tool.Degenerated_s(edge):
            curve = BRepAdaptor_Curve(edge)
            points.append(curve.Value((curve.FirstParameter() + curve.LastParameter()) / 2))
    numbers = range(1, min(vertices.Extent(), _MOST_POINTS) + 1)
    return points + [BRep_Tool.Pnt_s(TopoDS.Vertex(vertices.FindKey(index))) for index in numbers]


def _box(face: TopoDS_Shape) -> Bnd_Box:
    box = Bnd_Box()
    BRepBndLib.Add_s(face, box)
    box.Enlarge(REACH_MM)
    return box
