"""Exact area and volume flux of faces on analytic surfaces, from integrals along their edges.

Green's theorem turns the integral of g over a face into one along its boundary: with surface parameters (u, v) and
K(u, v) the integral of g over v, the face's integral is minus that of K du. On planes, cylinders, cones, spheres and
tori K is a closed form, and du follows from the point and tangent in space, so neither the file's parametrisation nor
its trimming curves are needed. Seams drop out: du is zero along those of cylinders, cones and spheres, and a torus is
unrolled along each loop.

"Flux" is the integral of r . n / 3 with r from a common reference point: summed over a closed shell it is its volume.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE
from fettle.jit import njit

Array = NDArray[np.float64]
Index = NDArray[np.int64]

_CLOSED_RAD = 0.1


@njit(cache=True)
def integrate(
    kinds: NDArray[np.int8],
    rows: Array,
    signs: Array,
    reference: Array,
    rough_area: Array,
    points: Array,
    steps: Array,
    loop_start: Index,
    face_start: Index,
) -> Array:
    """Shape (faces, 2): area and flux; nan where the surface is freeform or its boundary cannot be unrolled.

    kinds (faces,) and rows (faces, 8): of their surfaces, as in `surfaces.encoding`; signs (faces,): -1.0 where the
    material lies outside of the curve. points, steps: samples of all boundaries, material to the left seen from
    outside; loop l owns rows loop_start[l] to loop_start[l + 1], face f owns loops face_start[f] to face_start[f + 1].
    rough_area: of the mesh, tells a cap from the rest of its sphere, which has the same boundary.
    """
    out = np.full((len(kinds), 2), np.nan)
    for f in range(len(kinds)):
        kind = kinds[f]
        if kind == FREEFORM:
            continue
        first, last = loop_start[face_start[f]], loop_start[face_start[f + 1]]
        p, d = points[first:last], steps[first:last]
        row, sign = rows[f], signs[f]
        if kind == PLANE:
            area, flux = _plane(row, reference, p, d)
        elif kind == CYLINDER:
            area, flux = _cylinder(row, sign, reference, p, d)
        elif kind == CONE:
            area, flux = _cone(row, sign, reference, p, d)
        elif kind == SPHERE:
            area, flux = _sphere(row, sign, reference, p, d, rough_area[f])
        else:
            area, flux = _torus(
                row, sign, reference, p, d, rough_area[f], loop_start[face_start[f] : face_start[f + 1] + 1]
            )
        out[f, 0] = area
        out[f, 1] = flux / 3.0
    return out


@njit(cache=True)
def _plane(row: Array, reference: Array, p: Array, d: Array) -> tuple[float, float]:
    ox, oy, oz, nx, ny, nz = row[0], row[1], row[2], row[3], row[4], row[5]
    twice = 0.0
    for k in range(len(p)):
        # arms start at the face itself: a small gap in the boundary counts times their length
        x, y, z = p[k, 0] - p[0, 0], p[k, 1] - p[0, 1], p[k, 2] - p[0, 2]
        twice += nx * (y * d[k, 2] - z * d[k, 1]) + ny * (z * d[k, 0] - x * d[k, 2]) + nz * (x * d[k, 1] - y * d[k, 0])
    distance = (ox - reference[0]) * nx + (oy - reference[1]) * ny + (oz - reference[2]) * nz
    return 0.5 * twice, 0.5 * twice * distance


@njit(cache=True)
def _about(row: Array, p: Array, d: Array, k: int) -> tuple[float, float, float, float, float, float]:
    """Sample k seen from the axis: unit arm (3), height along the axis, distance from it, and the angle du it turns."""
    ax, ay, az = row[3], row[4], row[5]
    x, y, z = p[k, 0] - row[0], p[k, 1] - row[1], p[k, 2] - row[2]
    height = x * ax + y * ay + z * az
    x, y, z = x - height * ax, y - height * ay, z - height * az
    distance = math.sqrt(x * x + y * y + z * z)
    if distance == 0.0:
        return 0.0, 0.0, 0.0, height, 0.0, 0.0
    x, y, z = x / distance, y / distance, z / distance
    turn = ((ay * z - az * y) * d[k, 0] + (az * x - ax * z) * d[k, 1] + (ax * y - ay * x) * d[k, 2]) / distance
    return x, y, z, height, distance, turn


@njit(cache=True)
def _returns(row: Array, p: Array, d: Array) -> bool:
    """Whether the whole boundary comes back to the angle it started from, as it does unless it touches or goes round
    an apex, or is broken."""
    angle = 0.0
    for k in range(len(p)):
        angle += _about(row, p, d, k)[5]
    return abs(angle) < _CLOSED_RAD


@njit(cache=True)
def _cylinder(row: Array, sign: float, reference: Array, p: Array, d: Array) -> tuple[float, float]:
    if len(p) == 0 or not _returns(row, p, d):
        return math.nan, math.nan
    radius = row[6]
    cx, cy, cz = row[0] - reference[0], row[1] - reference[1], row[2] - reference[2]
    area = flux = 0.0
    # heights count from the face: its axis may start half a kilometre away, and gaps in the boundary count times them
    foot = _about(row, p, d, 0)[3]
    for k in range(len(p)):
        x, y, z, height, _, turn = _about(row, p, d, k)
        strip = radius * (height - foot)
        area -= strip * turn
        flux -= strip * (radius + cx * x + cy * y + cz * z) * turn
    return sign * area, flux


@njit(cache=True)
def _cone(row: Array, sign: float, reference: Array, p: Array, d: Array) -> tuple[float, float]:
    if len(p) == 0:
        return math.nan, math.nan
    half = row[7]
    # from here on the row starts at the apex
    row = row.copy()
    to_apex = row[6] / math.tan(half)
    for k in range(3):
        row[k] -= row[3 + k] * to_apex
    cx, cy, cz = row[0] - reference[0], row[1] - reference[1], row[2] - reference[2]
    along = cx * row[3] + cy * row[4] + cz * row[5]
    area = flux = 0.0
    # heights count from the face, as on a cylinder, or from the apex where that belongs to the face
    foot = _about(row, p, d, 0)[3] if _returns(row, p, d) else 0.0
    for k in range(len(p)):
        x, y, z, height, _, turn = _about(row, p, d, k)
        strip = (height - foot) * (height + foot) * math.tan(half) / (2.0 * math.cos(half))
        area -= strip * turn
        flux -= strip * (math.cos(half) * (cx * x + cy * y + cz * z) - math.sin(half) * along) * turn
    return sign * area, flux


@njit(cache=True)
def _sphere(row: Array, sign: float, reference: Array, p: Array, d: Array, rough_area: float) -> tuple[float, float]:
    radius = row[6]
    whole = 4.0 * math.pi * radius * radius
    cx, cy, cz = row[0] - reference[0], row[1] - reference[1], row[2] - reference[2]
    own = row.copy()
    own[3:6] = _clear_axis(row, p)
    along = cx * own[3] + cy * own[4] + cz * own[5]
    area = flux = 0.0
    for k in range(len(p)):
        x, y, z, height, distance, turn = _about(own, p, d, k)
        angle = math.atan2(height, distance)
        sine = math.sin(angle)
        area -= radius * radius * (1.0 + sine) * turn
        flux -= (
            radius
            * radius
            * turn
            * (
                radius * (1.0 + sine)
                + (cx * x + cy * y + cz * z) * (angle / 2.0 + math.sin(2.0 * angle) / 4.0 + math.pi / 4.0)
                + along * (sine * sine - 1.0) / 2.0
            )
        )
    area *= sign
    times = round((rough_area - area) / whole)
    return area + times * whole, flux + sign * times * whole * radius


@njit(cache=True)
def _clear_axis(row: Array, p: Array) -> Array:
    """Of a hundred directions the one whose poles the boundary keeps away from most: at a pole du is unbounded."""
    best = np.array([0.0, 0.0, 1.0])
    least = 2.0
    trial = np.empty(3)
    for number in range(100):
        trial[2] = (number + 0.5) / 100.0
        ring = math.sqrt(1.0 - trial[2] * trial[2])
        spin = math.pi * (1.0 + math.sqrt(5.0)) * (number + 0.5)
        trial[0], trial[1] = ring * math.cos(spin), ring * math.sin(spin)
        nearest = 0.0
        for k in range(0, len(p), 2):
            x, y, z = p[k, 0] - row[0], p[k, 1] - row[1], p[k, 2] - row[2]
            nearest = max(nearest, abs(x * trial[0] + y * trial[1] + z * trial[2]) / row[6])
            if nearest >= least:
                break
        if nearest < least:
            least = nearest
            best[:] = trial
    return best


@njit(cache=True)
def _torus(
    row: Array, sign: float, reference: Array, p: Array, d: Array, rough_area: float, loop_start: Index
) -> tuple[float, float]:
    big, small = row[6], row[7]
    if small >= big:
        # the surface passes through its own axis, where a closed form over one sheet means nothing
        return math.nan, math.nan
    whole = 4.0 * math.pi * math.pi * big * small
    origin = loop_start[0]
    round_axis = round_tube = 0
    for loop in range(len(loop_start) - 1):
        turns = _windings(row, p, d, loop_start[loop] - origin, loop_start[loop + 1] - origin)
        round_axis += abs(turns[0])
        round_tube += abs(turns[1])
    if round_axis and round_tube:
        return math.nan, math.nan
    cx, cy, cz = row[0] - reference[0], row[1] - reference[1], row[2] - reference[2]
    along = cx * row[3] + cy * row[4] + cz * row[5]
    area = flux = 0.0
    zero = _about(row, p, d, 0) if len(p) else (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for loop in range(len(loop_start) - 1):
        u = v = 0.0
        # angles go on from sample to sample without a jump; the first is taken from a direction all loops share
        before_x, before_y, before_z = zero[0], zero[1], zero[2]
        for k in range(loop_start[loop] - origin, loop_start[loop + 1] - origin):
            x, y, z, height, distance, du = _about(row, p, d, k)
            out = distance - big
            v += _wrapped(math.atan2(height, out) - v)
            u += math.atan2(
                row[3] * (before_y * z - before_z * y)
                + row[4] * (before_z * x - before_x * z)
                + row[5] * (before_x * y - before_y * x),
                before_x * x + before_y * y + before_z * z,
            )
            before_x, before_y, before_z = x, y, z
            radial = cx * x + cy * y + cz * z
            if round_tube == 0:
                area -= small * (big * v + small * math.sin(v)) * du
                flux -= (
                    du
                    * small
                    * (
                        big * small * v
                        + (big * (big + radial) + small * small) * math.sin(v)
                        - big * along * math.cos(v)
                        + small * (big + radial) * (v / 2.0 + math.sin(2.0 * v) / 4.0)
                        + small * along * math.sin(v) ** 2 / 2.0
                    )
                )
            else:
                # `radial` integrated over u: the offset against the arm turned back by a quarter
                swing = cx * (y * row[5] - z * row[4]) + cy * (z * row[3] - x * row[5]) + cz * (x * row[4] - y * row[3])
                dv = _tube_turn(row, d, k, x, y, z, height, out)
                ring = small * (big + small * math.cos(v))
                area += ring * u * dv
                flux += ring * ((small + big * math.cos(v) + along * math.sin(v)) * u + math.cos(v) * swing) * dv
    area *= sign
    times = round((rough_area - area) / whole)
    return area + times * whole, flux + sign * times * whole * 1.5 * small


@njit(cache=True)
def _windings(row: Array, p: Array, d: Array, first: int, last: int) -> tuple[int, int]:
    """How often a loop goes round the axis of a torus, and round its tube."""
    axis_turn = tube_turn = 0.0
    for k in range(first, last):
        x, y, z, height, distance, du = _about(row, p, d, k)
        axis_turn += du
        tube_turn += _tube_turn(row, d, k, x, y, z, height, distance - row[6])
    return round(axis_turn / (2.0 * math.pi)), round(tube_turn / (2.0 * math.pi))


@njit(cache=True)
def _tube_turn(row: Array, d: Array, k: int, x: float, y: float, z: float, height: float, out: float) -> float:
    rise = d[k, 0] * row[3] + d[k, 1] * row[4] + d[k, 2] * row[5]
    outward = d[k, 0] * x + d[k, 1] * y + d[k, 2] * z
    turn: float = (rise * out - height * outward) / (out * out + height * height)
    return turn


@njit(cache=True)
def _wrapped(angle: float) -> float:
    """The same angle between -pi and pi."""
    return angle - 2.0 * math.pi * round(angle / (2.0 * math.pi))
