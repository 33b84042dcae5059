"""Kernel surfaces to `Surface`."""

from __future__ import annotations

import math

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Surface
from OCP.GeomAbs import (
    GeomAbs_BezierSurface,
    GeomAbs_BSplineSurface,
    GeomAbs_Cone,
    GeomAbs_Cylinder,
    GeomAbs_OffsetSurface,
    GeomAbs_Plane,
    GeomAbs_Sphere,
    GeomAbs_SurfaceOfExtrusion,
    GeomAbs_SurfaceOfRevolution,
    GeomAbs_Torus,
)
from OCP.gp import gp_Dir, gp_Pnt
from OCP.TopAbs import TopAbs_REVERSED
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector

_FREEFORM = {
    GeomAbs_BSplineSurface: "bspline",
    GeomAbs_BezierSurface: "bezier",
    GeomAbs_SurfaceOfExtrusion: "extrusion",
    GeomAbs_SurfaceOfRevolution: "revolution",
    GeomAbs_OffsetSurface: "offset",
}


def read_surface(face: TopoDS_Face) -> Surface:
    """The surface under a face; the trim is not looked at."""
    # restricting the adaptor to the trim costs ten times as much and is not needed here
    adaptor = BRepAdaptor_Surface(face, False)
    kind = adaptor.GetType()
    if kind == GeomAbs_Plane:
        plane = adaptor.Plane()
        ax = plane.Position()
        # a left-handed frame turns the natural normal round
        sign = 1.0 if ax.Direct() else -1.0
        if face.Orientation() == TopAbs_REVERSED:
            sign = -sign
        return Plane(_point(ax.Location()), sign * _vector(ax.Direction()))
    if kind == GeomAbs_Cylinder:
        cylinder = adaptor.Cylinder()
        ax = cylinder.Position()
        return Cylinder(_point(ax.Location()), _vector(ax.Direction()), cylinder.Radius())
    if kind == GeomAbs_Cone:
        cone = adaptor.Cone()
        ax = cone.Position()
        half = cone.SemiAngle()
        # the kernel allows negative half angles; ours always grow along the axis
        axis = _vector(ax.Direction()) * (1.0 if half >= 0 else -1.0)
        return Cone(_point(ax.Location()), axis, cone.RefRadius(), math.degrees(abs(half)))
    if kind == GeomAbs_Sphere:
        sphere = adaptor.Sphere()
        return Sphere(_point(sphere.Location()), sphere.Radius())
    if kind == GeomAbs_Torus:
        torus = adaptor.Torus()
        ax = torus.Position()
        return Torus(_point(ax.Location()), _vector(ax.Direction()), torus.MajorRadius(), torus.MinorRadius())
    return Freeform(_FREEFORM.get(kind, "other"), 0.0, math.inf)


def _point(point: gp_Pnt) -> Vector:
    return _frozen([point.X(), point.Y(), point.Z()])


def _vector(direction: gp_Dir) -> Vector:
    return _frozen([direction.X(), direction.Y(), direction.Z()])


def _frozen(values: list[float]) -> Vector:
    array = np.array(values)
    array.setflags(write=False)
    return array
