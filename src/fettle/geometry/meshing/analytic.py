# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="no-any-return"
"""Planes, cylinders, cones, spheres and tori as rows of numbers that compiled loops can project points onto."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin, sqrt

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Face, Freeform, Plane, Sphere, Surface, Torus, Vector
from fettle.jit import njit

FREEFORM, PLANE, CYLINDER, CONE, SPHERE, TORUS = range(6)


def pack(faces: Sequence[Face]) -> tuple[NDArray[np.int8], NDArray[np.float64]]:
    """Kind (f,) and parameters (f, 9) of the faces' surfaces, as `as_row` has them."""
    rows = [as_row(face.surface) for face in faces]
    kind = np.array([kind for kind, _ in rows], np.int8)
    return kind, np.array([parameters for _, parameters in rows]).reshape(-1, 9)


def as_row(surface: Surface) -> tuple[int, list[float]]:
    """Kind and nine parameters of a surface: origin or center, normal or axis, then its own three.

    Cylinder and sphere: radius; cone: radius, sine and cosine of the half angle; torus: major and minor radius.
    """
    match surface:
        case Plane(origin, normal):
            return PLANE, [*origin.tolist(), *normal.tolist(), 0.0, 0.0, 0.0]
        case Cylinder(origin, axis, radius):
            return CYLINDER, [*origin.tolist(), *axis.tolist(), radius, 0.0, 0.0]
        case Cone(origin, axis, radius, half_deg):
            half = radians(half_deg)
            return CONE, [*origin.tolist(), *axis.tolist(), radius, sin(half), cos(half)]
        case Sphere(center, radius):
            return SPHERE, [*center.tolist(), 0.0, 0.0, 0.0, radius, 0.0, 0.0]
        case Torus(center, axis, major, minor):
            return TORUS, [*center.tolist(), *axis.tolist(), major, minor, 0.0]
        case Freeform():
            return FREEFORM, [0.0] * 9


def foot(surface: Surface, near: Vector) -> tuple[Vector, Vector]:
    """The point of a surface (3,) nearest to one beside it, and the normal there (3,) away from axis or center; the
    point itself and 0 where nearest is not unique, or the surface freeform."""
    kind, parameters = as_row(surface)
    x, y, z, nx, ny, nz = project(np.int8(kind), np.array(parameters), *near.tolist())
    return np.array([x, y, z]), np.array([nx, ny, nz])


@njit(cache=True, error_model="numpy")
def project(kind, row, x, y, z):
    """Nearest point of a surface and its normal there, away from the axis or center: (x, y, z, nx, ny, nz).

    The normal is 0, 0, 0 and the point unmoved where nearest is not unique (on an axis) or the surface is freeform.
    """
    dx, dy, dz = x - row[0], y - row[1], z - row[2]
    if kind == PLANE:
        nx, ny, nz = row[3], row[4], row[5]
        off = dx * nx + dy * ny + dz * nz
        return x - off * nx, y - off * ny, z - off * nz, nx, ny, nz
    if kind == SPHERE:
        distance = sqrt(dx * dx + dy * dy + dz * dz)
        if distance == 0.0:
            return x, y, z, 0.0, 0.0, 0.0
        nx, ny, nz = dx / distance, dy / distance, dz / distance
        off = distance - row[6]
        return x - off * nx, y - off * ny, z - off * nz, nx, ny, nz
    if kind == FREEFORM:
        return x, y, z, 0.0, 0.0, 0.0
    # the others turn about an axis: rx, ry, rz is the unit radial direction, radius the distance from the axis
    along = dx * row[3] + dy * row[4] + dz * row[5]
    rx, ry, rz = dx - along * row[3], dy - along * row[4], dz - along * row[5]
    radius = sqrt(rx * rx + ry * ry + rz * rz)
    if radius < 1e-12:
        return x, y, z, 0.0, 0.0, 0.0
    rx, ry, rz = rx / radius, ry / radius, rz / radius
    if kind == CYLINDER:
        off, out, up = radius - row[6], 1.0, 0.0
    elif kind == CONE:
        out, up = row[8], -row[7]
        off = (radius - row[6]) * out + along * up
    else:
        distance = sqrt((radius - row[6]) ** 2 + along * along)
        if distance < 1e-12:
            return x, y, z, 0.0, 0.0, 0.0
        out, up = (radius - row[6]) / distance, along / distance
        off = distance - row[7]
    nx, ny, nz = out * rx + up * row[3], out * ry + up * row[4], out * rz + up * row[5]
    return x - off * nx, y - off * ny, z - off * nz, nx, ny, nz


@njit(cache=True, error_model="numpy")
def set_exact_normals(points, normals, point_face, kind, parameters):
    """Normals (n, 3) are replaced by the surface's own where it is analytic, on the side that they point to.

    A normal more than 60 degrees off stays: the point lies where the surface has none (an apex, a pole).
    """
    for row in range(len(points)):
        face = point_face[row]
        _, _, _, nx, ny, nz = project(kind[face], parameters[face], points[row, 0], points[row, 1], points[row, 2])
        cosine = nx * normals[row, 0] + ny * normals[row, 1] + nz * normals[row, 2]
        if abs(cosine) > 0.5:
            side = 1.0 if cosine > 0.0 else -1.0
            normals[row, 0], normals[row, 1], normals[row, 2] = side * nx, side * ny, side * nz
