"""Surfaces of faces: read from the kernel, and simplified where a freeform one is really a simple one."""

from __future__ import annotations

import math
from dataclasses import dataclass

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
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.freeform import Spline, read_spline
from fettle.geometry.kernel.freeform_shape import Shape, sample_shape
from fettle.geometry.meshing.analytic import foot
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector

# as numbers: comparing the bindings' enumerations takes longer than reading a surface
_PLANE, _CYLINDER, _CONE, _SPHERE, _TORUS = map(
    int, (GeomAbs_Plane, GeomAbs_Cylinder, GeomAbs_Cone, GeomAbs_Sphere, GeomAbs_Torus)
)
_SIMPLE = {
    _PLANE: ("Plane", 12),
    _CYLINDER: ("Cylinder", 13),
    _CONE: ("Cone", 14),
    _SPHERE: ("Sphere", 13),
    _TORUS: ("Torus", 14),
}
"""What the adaptor calls it, and of how many numbers it is made: a frame, then its sizes."""
_FREEFORM = {
    int(GeomAbs_BSplineSurface): "bspline",
    int(GeomAbs_BezierSurface): "bezier",
    int(GeomAbs_SurfaceOfExtrusion): "extrusion",
    int(GeomAbs_SurfaceOfRevolution): "revolution",
    int(GeomAbs_OffsetSurface): "offset",
}


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A point of the face well inside its trim, its outward normal, and the face's surface and convexity there.

    `parametric`: the file's own surface is freeform, whatever it was recognised as; exact integrals need its trim.
    `spline`: the face as arrays where that surface is a B-spline.
    """

    surface: Surface
    convex: bool | None
    point: Vector
    normal: Vector
    parametric: bool
    spline: Spline | None = None


def read_surface(face: TopoDS_Face, outward: bool, near: Vector) -> Place:
    """`outward`: the surface's own normal points out of the material; `near`: middle of the face's largest triangle."""
    # restricting the adaptor to the trim costs ten times as much and is not needed here
    adaptor = BRepAdaptor_Surface(face, False)
    kind = int(adaptor.GetType())
    if kind in _SIMPLE:
        return _read_simple(adaptor, kind, outward, near)
    origin_kind = _FREEFORM.get(kind, "other")
    spline = read_spline(face)
    shape = sample_shape(face, spline, outward)
    if shape is None:
        return Place(Freeform(origin_kind, 0.0, math.inf), None, _frozen(near), _frozen(np.zeros(3)), True, spline)
    point, normal = _frozen(shape.points[0].copy()), _frozen(shape.normals[0].copy())
    simple = recognise(shape.points, shape.normals, shape.curvatures)
    if isinstance(simple, Plane):
        return Place(simple, None, point, normal, True, spline)
    if simple is not None:
        return Place(simple, bool(foot(simple, point)[1] @ normal > 0.0), point, normal, True, spline)
    return Place(*_freeform(origin_kind, shape), point, normal, True, spline)


def _read_simple(adaptor: BRepAdaptor_Surface, kind: int, outward: bool, near: Vector) -> Place:
    name, count = _SIMPLE[kind]
    numbers = kernel_arrays.components(getattr(adaptor, name)(), count)
    origin, axis, sizes = _vector(numbers[:3]), _vector(numbers[3:6]), numbers[12:]
    # in a left-handed frame the surface's own normal (dU x dV) points towards its axis or centre, or against the frame
    out = outward == _right_handed(*numbers[3:12])
    surface: Surface
    if kind == _PLANE:
        surface = Plane(origin, axis if out else _frozen(-axis))
        return Place(surface, None, _frozen(foot(surface, near)[0]), surface.normal, parametric=False)
    if kind == _CYLINDER:
        surface = Cylinder(origin, axis, *sizes)
    elif kind == _CONE:
        radius, half = sizes
        surface = _cone(origin, axis, radius, half, near)
    elif kind == _SPHERE:
        surface = Sphere(origin, *sizes)
    else:
        surface = Torus(origin, axis, *sizes)
    point, bulge = foot(surface, near)
    return Place(surface, out, _frozen(point), _frozen(bulge if out else -bulge), parametric=False)


def _right_handed(*frame: float) -> bool:
    """Whether X x Y points along Z, of a frame's Z, Y and X directions as the kernel keeps them."""
    zx, zy, zz, yx, yy, yz, xx, xy, xz = frame
    return (xy * yz - xz * yy) * zx + (xz * yx - xx * yz) * zy + (xx * yy - xy * yx) * zz > 0.0


def _cone(origin: Vector, axis: Vector, radius: float, half: float, near: Vector) -> Cone:
    """The kernel's cones may shrink along their axis, and the face may lie beyond the apex; ours does neither."""
    if half < 0.0:
        axis, half = _frozen(-axis), -half
    apex = origin - axis * (radius / math.tan(half))
    if (near - apex) @ axis < 0.0:
        axis = _frozen(-axis)
        origin = _frozen(2.0 * apex - origin)
    return Cone(origin, axis, radius, math.degrees(half))


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


def _vector(numbers: list[float]) -> Vector:
    return _frozen(np.array(numbers))


def _frozen(array: Vector) -> Vector:
    array.setflags(write=False)
    return array
