# mypy: allow-untyped-defs, allow-untyped-calls, disable-error-code="no-any-return"
"""Nearest points, distances and normals of surfaces given as rows (`surfaces.encoding`)."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from fettle.geometry.part import Surface, Vector
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, to_row
from fettle.jit import njit, njit_inner


def nearest_point(surface: Surface, near: Vector) -> tuple[Vector, Vector]:
    """The point of a surface (3,) nearest to `near` (3,), and the normal there (3,) away from axis or center; `near`, 0
    where nearest is not unique, or the surface freeform."""
    kind, row = to_row(surface)
    x, y, z, nx, ny, nz = project(np.int8(kind), np.array(row), *near.tolist())
    return np.array([x, y, z]), np.array([nx, ny, nz])


@njit_inner
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
        out, up = cos(row[7]), -sin(row[7])
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


@njit(cache=True)
def distance_and_normal(kind, q, x, y, z):
    """Signed distance of a point from a surface with row q, and the unit normal there: (distance, nx, ny, nz).

    Defined everywhere, unlike `project`: on an axis or in a center the normal is some vector no longer than 1. Fits
    evaluate it millions of times, so it divides once where `project` divides three times.
    """
    wx, wy, wz = x - q[0], y - q[1], z - q[2]
    if kind == SPHERE:
        away = np.sqrt(wx * wx + wy * wy + wz * wz)
        s = 1.0 / max(away, 1e-300)
        return away - q[6], wx * s, wy * s, wz * s
    ax, ay, az = q[3], q[4], q[5]
    h = wx * ax + wy * ay + wz * az
    if kind == PLANE:
        return h, ax, ay, az
    rx, ry, rz = wx - h * ax, wy - h * ay, wz - h * az
    rho = np.sqrt(rx * rx + ry * ry + rz * rz)
    s = 1.0 / max(rho, 1e-300)
    rx, ry, rz = rx * s, ry * s, rz * s
    if kind == CYLINDER:
        return rho - q[6], rx, ry, rz
    if kind == CONE:
        c, t = np.cos(q[7]), np.sin(q[7])
        return (rho - q[6]) * c - h * t, c * rx - t * ax, c * ry - t * ay, c * rz - t * az
    out = rho - q[6]
    tube = np.sqrt(out * out + h * h)
    s = 1.0 / max(tube, 1e-300)
    return tube - q[7], (out * rx + h * ax) * s, (out * ry + h * ay) * s, (out * rz + h * az) * s
