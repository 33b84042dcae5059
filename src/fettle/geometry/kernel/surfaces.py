"""Surfaces of faces: read from the kernel, and simplified where a freeform one is really a simple one."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

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
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.exact.canonical import recognise
from fettle.geometry.kernel.freeform_shape import Shape, sample_shape
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector

_FREEFORM = {
    GeomAbs_BSplineSurface: "bspline",
    GeomAbs_BezierSurface: "bezier",
    GeomAbs_SurfaceOfExtrusion: "extrusion",
    GeomAbs_SurfaceOfRevolution: "revolution",
    GeomAbs_OffsetSurface: "offset",
}


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A point of the face well inside its trim, its outward normal, and the face's surface and convexity there.

    `parametric`: the file's own surface is freeform, whatever it was recognised as; exact integrals need its trim.
    """

    surface: Surface
    convex: bool | None
    point: Vector
    normal: Vector
    parametric: bool


def read_surface(face: TopoDS_Face, outward: bool, near: Vector) -> Place:
    """`outward`: the surface's own normal points out of the material; `near`: middle of the face's largest triangle."""
    # restricting the adaptor to the trim costs ten times as much and is not needed here
    adaptor = BRepAdaptor_Surface(face, False)
    kind = adaptor.GetType()
    surface = _analytic(adaptor, kind, outward, near)
    if surface is not None:
        point, bulge = foot(surface, near)
        if isinstance(surface, Plane):
            return Place(surface, None, point, surface.normal, parametric=False)
        convex = outward == _bulges_naturally(adaptor, kind)
        return Place(surface, convex, point, _frozen(bulge if convex else -bulge), parametric=False)
    origin_kind = _FREEFORM.get(kind, "other")
    shape = sample_shape(face, outward)
    if shape is None:
        return Place(Freeform(origin_kind, 0.0, math.inf), None, _frozen(near), _frozen(np.zeros(3)), parametric=True)
    point, normal = _frozen(shape.points[0].copy()), _frozen(shape.normals[0].copy())
    simple = recognise(shape.points, shape.normals, shape.curvatures)
    if isinstance(simple, Plane):
        return Place(simple, None, point, normal, parametric=True)
    if simple is not None:
        return Place(simple, bool(foot(simple, point)[1] @ normal > 0.0), point, normal, parametric=True)
    return Place(*_freeform(origin_kind, shape), point, normal, parametric=True)


def _analytic(adaptor: BRepAdaptor_Surface, kind: object, outward: bool, near: Vector) -> Surface | None:
    if kind == GeomAbs_Plane:
        frame = adaptor.Plane().Position()
        # a left-handed frame turns the surface's own normal round
        sign = 1.0 if outward == frame.Direct() else -1.0
        return Plane(_vector(frame.Location()), _frozen(sign * _vector(frame.Direction())))
    if kind == GeomAbs_Cylinder:
        cylinder = adaptor.Cylinder()
        frame = cylinder.Position()
        return Cylinder(_vector(frame.Location()), _vector(frame.Direction()), cylinder.Radius())
    if kind == GeomAbs_Cone:
        cone = adaptor.Cone()
        frame = cone.Position()
        return _cone(_vector(frame.Location()), _vector(frame.Direction()), cone.RefRadius(), cone.SemiAngle(), near)
    if kind == GeomAbs_Sphere:
        sphere = adaptor.Sphere()
        return Sphere(_vector(sphere.Location()), sphere.Radius())
    if kind == GeomAbs_Torus:
        torus = adaptor.Torus()
        frame = torus.Position()
        sizes = torus.MajorRadius(), torus.MinorRadius()
        return Torus(_vector(frame.Location()), _vector(frame.Direction()), *sizes)
    return None


def _cone(origin: Vector, axis: Vector, radius: float, half: float, near: Vector) -> Cone:
    """The kernel's cones may shrink along their axis, and the face may lie beyond the apex; ours does neither."""
    if half < 0.0:
        axis, half = _frozen(-axis), -half
    apex = origin - axis * (radius / math.tan(half))
    if (near - apex) @ axis < 0.0:
        axis = _frozen(-axis)
        origin = _frozen(2.0 * apex - origin)
    return Cone(origin, axis, radius, math.degrees(half))


def _bulges_naturally(adaptor: BRepAdaptor_Surface, kind: object) -> bool:
    """Whether the surface's own normal (dU x dV) points away from its axis or centre: not in a left-handed frame."""
    if kind == GeomAbs_Cylinder:
        surface = adaptor.Cylinder()
    elif kind == GeomAbs_Cone:
        surface = adaptor.Cone()
    elif kind == GeomAbs_Sphere:
        surface = adaptor.Sphere()
    else:
        surface = adaptor.Torus()
    direct: bool = surface.Position().Direct()
    return direct


def foot(surface: Surface, near: Vector) -> tuple[Vector, Vector]:
    """The point of the surface nearest to one beside it, and the normal there that points away from axis or centre."""
    match surface:
        case Plane():
            return _frozen(near - ((near - surface.origin) @ surface.normal) * surface.normal), surface.normal
        case Cylinder():
            arm, height = _arm(near, surface.origin, surface.axis)
            return _frozen(surface.origin + height * surface.axis + surface.radius_mm * arm), arm
        case Cone():
            half = math.radians(surface.half_angle_deg)
            arm, height = _arm(near, surface.origin, surface.axis)
            out = float((near - surface.origin) @ arm)
            normal = math.cos(half) * arm - math.sin(half) * surface.axis
            lift = math.cos(half) * (out - surface.radius_mm) - math.sin(half) * height
            return _frozen(near - lift * normal), normal
        case Sphere():
            arm = _unit(near - surface.center)
            return _frozen(surface.center + surface.radius_mm * arm), arm
        case Torus():
            arm, _ = _arm(near, surface.center, surface.axis)
            spine = surface.center + surface.major_radius_mm * arm
            normal = _unit(near - spine)
            return _frozen(spine + surface.minor_radius_mm * normal), normal
        case Freeform():
            return near, np.zeros(3)


def _arm(near: Vector, origin: Vector, axis: Vector) -> tuple[Vector, float]:
    height = float((near - origin) @ axis)
    return _unit(near - origin - height * axis), height


def _unit(vector: Vector) -> Vector:
    length = math.sqrt(vector @ vector)
    unit: Vector = vector / length if length > 0.0 else vector
    return unit


def _freeform(origin_kind: str, shape: Shape) -> tuple[Freeform, bool | None]:
    strongest = np.take_along_axis(
        shape.curvatures, np.argmax(np.abs(shape.curvatures), axis=1)[:, None], axis=1
    ).ravel()
    with np.errstate(divide="ignore"):
        radii = 1.0 / np.abs(strongest)
    convex = None
    if (strongest > 0.0).all():
        convex = True
    elif (strongest < 0.0).all():
        convex = False
    return Freeform(origin_kind, float(radii.min()), float(radii.max())), convex


def _vector(value: Any) -> Vector:
    return _frozen(np.array(value.Coord()))


def _frozen(array: Vector) -> Vector:
    array.setflags(write=False)
    return array
