# mypy: allow-untyped-defs
"""Planes, cylinders, cones, spheres and tori as eight numbers each: their distance and normal anywhere.

A primitive is (center 3, axis 3, first, second): cylinder radius in `first`; cone radius at the center in `first`, half
angle in radians in `second`, the radius growing along the axis; sphere radius in `first`; torus major radius in
`first`, minor in `second`; for a plane the axis is its normal.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from fettle.jit import njit


class PrimitiveKind(IntEnum):
    """Simpler kinds first: of two that explain the same facets the lower is taken."""

    PLANE = 0
    CYLINDER = 1
    CONE = 2
    SPHERE = 3
    TORUS = 4
    FREEFORM = 5


@njit(cache=True)
def distance_and_normal(kind, q, x, y, z):
    """Signed distance of a point from the surface and the unit normal there, away from the axis (or center)."""
    wx, wy, wz = x - q[0], y - q[1], z - q[2]
    if kind == 3:
        away = np.sqrt(wx * wx + wy * wy + wz * wz)
        s = 1.0 / max(away, 1e-300)
        return away - q[6], wx * s, wy * s, wz * s
    ax, ay, az = q[3], q[4], q[5]
    h = wx * ax + wy * ay + wz * az
    if kind == 0:
        return h, ax, ay, az
    rx, ry, rz = wx - h * ax, wy - h * ay, wz - h * az
    rho = np.sqrt(rx * rx + ry * ry + rz * rz)
    s = 1.0 / max(rho, 1e-300)
    rx, ry, rz = rx * s, ry * s, rz * s
    if kind == 1:
        return rho - q[6], rx, ry, rz
    if kind == 2:
        c, t = np.cos(q[7]), np.sin(q[7])
        return (rho - q[6]) * c - h * t, c * rx - t * ax, c * ry - t * ay, c * rz - t * az
    out = rho - q[6]
    tube = np.sqrt(out * out + h * h)
    s = 1.0 / max(tube, 1e-300)
    return tube - q[7], (out * rx + h * ax) * s, (out * ry + h * ay) * s, (out * rz + h * az) * s


@njit(cache=True)
def sound(kind, q):
    """Sizes that a surface of this kind can have."""
    for k in range(8):
        if not np.isfinite(q[k]):
            return False
    if kind == 2:
        return q[6] > 0 and 0.0017 < q[7] < 1.55
    if kind == 4:
        return q[6] > 0 and q[7] > 0
    return kind == 0 or q[6] > 0
