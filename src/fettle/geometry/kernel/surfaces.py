"""Surfaces of faces: read from the kernel, and simplified where a freeform one is really a simple one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
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

from fettle.geometry.exact.canonical import fit_canonical
from fettle.geometry.kernel import arrays as kernel_arrays
from fettle.geometry.kernel.freeform import Spline, read_spline
from fettle.geometry.kernel.freeform_shape import Shape, sample_shape
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector
from fettle.geometry.surfaces.encoding import pack_surfaces
from fettle.geometry.surfaces.projection import nearest_point, project
from fettle.jit import njit

Array = NDArray[np.float64]

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
class FaceSample:
    """A point of the face well inside its trim, its outward normal, and the face's surface and convexity there.

    `parametric`: the file's own surface is freeform, whatever it was recognized as; exact integrals need its trim.
    `spline`: the face as arrays where that surface is a B-spline.
    """

    surface: Surface
    convex: bool | None
    point: Vector
    normal: Vector
    parametric: bool
    spline: Spline | None = None


def read_surfaces(faces: Sequence[TopoDS_Face], outward: NDArray[np.bool_], near: Array) -> list[FaceSample]:
    """`outward` (faces,): the surface's own normal points out of the material; `near` (faces, 3): middle of each face's
    largest triangle."""
    surfaces: list[Surface] = []
    convex: list[bool] = []
    freeform: dict[int, FaceSample] = {}
    for number, (face, out) in enumerate(zip(faces, outward.tolist(), strict=True)):
        # restricting the adaptor to the trim costs ten times as much and is not needed here
        adaptor = BRepAdaptor_Surface(face, False)
        kind = int(adaptor.GetType())
        if kind in _SIMPLE:
            surface, is_convex = _read_simple(adaptor, kind, out, near[number])
        else:
            freeform[number] = _read_freeform(face, _FREEFORM.get(kind, "other"), out, near[number])
            surface, is_convex = freeform[number].surface, False
        surfaces.append(surface)
        convex.append(is_convex)
    # asked of all faces at once: the call takes longer than the work for one
    found = _nearest_points(*pack_surfaces(surfaces), near)
    points = _frozen(found[:, :3])
    normals = _frozen(np.where(np.array(convex)[:, None], found[:, 3:], -found[:, 3:]))
    places = []
    for number, surface in enumerate(surfaces):
        if number in freeform:
            places.append(freeform[number])
        elif isinstance(surface, Plane):
            places.append(FaceSample(surface, None, points[number], surface.normal, parametric=False))
        else:
            places.append(FaceSample(surface, convex[number], points[number], normals[number], parametric=False))
    return places


@njit(cache=True)
def _nearest_points(kinds: NDArray[np.int8], rows: Array, near: Array) -> Array:
    """Shape (n, 6): the point of each surface nearest to one beside it, and the normal there, away from its axis."""
    found = np.empty((len(kinds), 6))
    for k in range(len(kinds)):
        nearest = project(kinds[k], rows[k], near[k, 0], near[k, 1], near[k, 2])
        for i in range(6):
            found[k, i] = nearest[i]
    return found


def _read_freeform(face: TopoDS_Face, origin_kind: str, outward: bool, near: Vector) -> FaceSample:
    spline = read_spline(face)
    shape = sample_shape(face, spline, outward)
    if shape is None:
        return FaceSample(Freeform(origin_kind, 0.0, math.inf), None, _frozen(near), _frozen(np.zeros(3)), True, spline)
    point, normal = _frozen(shape.points[0].copy()), _frozen(shape.normals[0].copy())
    simple = fit_canonical(shape.points, shape.normals, shape.curvatures)
    if isinstance(simple, Plane):
        return FaceSample(simple, None, point, normal, True, spline)
    if simple is not None:
        return FaceSample(simple, bool(nearest_point(simple, point)[1] @ normal > 0.0), point, normal, True, spline)
    return FaceSample(*_freeform(origin_kind, shape), point, normal, True, spline)


def _read_simple(adaptor: BRepAdaptor_Surface, kind: int, outward: bool, near: Vector) -> tuple[Surface, bool]:
    """The surface, and whether it bends away from the outward normal."""
    name, count = _SIMPLE[kind]
    numbers = kernel_arrays.components(getattr(adaptor, name)(), count)
    origin, axis, sizes = _vector(numbers[:3]), _vector(numbers[3:6]), numbers[12:]
    # in a left-handed frame the surface's own normal (dU x dV) points towards its axis or center, or against the frame
    out = outward == _right_handed(*numbers[3:12])
    if kind == _PLANE:
        return Plane(origin, axis if out else _frozen(-axis)), out
    if kind == _CYLINDER:
        return Cylinder(origin, axis, *sizes), out
    if kind == _CONE:
        radius, half = sizes
        return _cone(origin, axis, radius, half, near), out
    if kind == _SPHERE:
        return Sphere(origin, *sizes), out
    return Torus(origin, axis, *sizes), out


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
