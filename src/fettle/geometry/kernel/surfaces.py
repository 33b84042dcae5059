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
    GeomAbs_OffsetSurface,
    GeomAbs_SurfaceOfExtrusion,
    GeomAbs_SurfaceOfRevolution,
)
from OCP.TopoDS import TopoDS_Face

from fettle.geometry.exact.canonical import fit_canonical
from fettle.geometry.kernel.frames import SurfaceFrames
from fettle.geometry.kernel.freeform import Spline, read_spline
from fettle.geometry.kernel.freeform_shape import Shape, sample_shape
from fettle.geometry.part import Cone, Cylinder, Freeform, Plane, Sphere, Surface, Torus, Vector
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, pack_surfaces
from fettle.geometry.surfaces.projection import nearest_point, project
from fettle.jit import njit

Array = NDArray[np.float64]

_KINDS_OF_FREEFORM = {
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


def read_surfaces(
    faces: Sequence[TopoDS_Face], frames: SurfaceFrames, outward: NDArray[np.bool_], near: Array
) -> list[FaceSample]:
    """`frames`: of the surfaces of the faces; `outward` (faces,): the surface's own normal points out of the material;
    `near` (faces, 3): middle of each face's largest triangle."""
    surfaces: list[Surface] = []
    convex: list[bool] = []
    freeform: dict[int, FaceSample] = {}
    # in a left-handed frame the surface's own normal (dU x dV) points towards its axis or center, or against the frame
    with_frame = (outward == _right_handed(frames.frames)).tolist()
    for number, (kind, frame) in enumerate(zip(frames.kinds.tolist(), _frozen(frames.frames.view()), strict=True)):
        if kind == FREEFORM:
            freeform[number] = _read_freeform(faces[number], bool(outward[number]), near[number])
            surface, is_convex = freeform[number].surface, False
        else:
            surface, is_convex = _read_simple(kind, frame, near[number], with_frame[number]), with_frame[number]
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


def _read_freeform(face: TopoDS_Face, outward: bool, near: Vector) -> FaceSample:
    origin_kind = _KINDS_OF_FREEFORM.get(int(BRepAdaptor_Surface(face, False).GetType()), "other")
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


def _read_simple(kind: int, frame: Array, near: Vector, with_frame: bool) -> Surface:
    """`with_frame`: the outward normal points away from the axis or center, of a plane along the frame's own."""
    origin, axis = frame[:3], frame[3:6]
    if kind == PLANE:
        return Plane(origin, axis if with_frame else _frozen(-axis))
    radius, second = frame[12:].tolist()
    if kind == CYLINDER:
        return Cylinder(origin, axis, radius)
    if kind == CONE:
        return _cone(origin, axis, radius, second, near)
    if kind == SPHERE:
        return Sphere(origin, radius)
    return Torus(origin, axis, radius, second)


def _right_handed(frames: Array) -> NDArray[np.bool_]:
    """Shape (n,): whether X x Y points along Z, of rows with Z, Y and X directions from the third number on."""
    zx, zy, zz, yx, yy, yz, xx, xy, xz = frames[:, 3:12].T
    right: NDArray[np.bool_] = (xy * yz - xz * yy) * zx + (xz * yx - xx * yz) * zy + (xx * yy - xy * yx) * zz > 0.0
    return right


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


def _frozen(array: Vector) -> Vector:
    array.setflags(write=False)
    return array
