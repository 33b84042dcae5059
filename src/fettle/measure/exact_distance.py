# mypy: allow-untyped-defs, allow-untyped-calls
"""Exact distances between faces that are offsets of one another: the number then does not depend on the mesh at all.

Parallel planes, coaxial cylinders, concentric spheres, coaxial cones of one angle, tori on one circle; a closed face
against itself (a shaft, a hole, a ball) reads its diameter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.analytic import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS, pack
from fettle.geometry.part import Part
from fettle.jit import njit

PARALLEL = 1.0 - 1e-10
"""Cosine above which two directions are one: 0.0008 degrees."""
COAXIAL_MM = 1e-4
"""How far two axes or centers may lie apart and still be one; files carry about this."""
SAME_ANGLE = math.sin(math.radians(1e-4))
RESOLUTION_DIGITS = 6
"""Exact values are rounded to 1e-6 mm, below what any file or shop can mean, so that a wall of 0.8 reads 0.8."""
AGREES = 0.03
"""Share by which a measured distance may differ from the closed form, on top of what facets explain."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Which two faces each of n readings runs between: of_reading (n,), -1 for none, are rows of faces (k, 2)."""

    of_reading: NDArray[np.int32]
    faces: NDArray[np.int32]


def pair_up(own: NDArray[np.int32], other: NDArray[np.int32], face_count: int) -> Pairs:
    """The pairs of faces `own` and `other` (n,); `other` is -1 for no reading."""
    return Pairs(*_pair_up(own, other, face_count))


def exact_distances(
    part: Part, pairs: Pairs, measured_mm: NDArray[np.float64], curvature: float
) -> NDArray[np.float64]:
    """Exact distances in mm (n,) of n readings; nan where there is no closed form.

    A reading takes the closed form only where it agrees with what was measured, within what facets of `curvature`
    elements a turn explain: the same pair of faces can also be met across something else.
    """
    kind, parameters = pack(part.faces)
    choices, radii = _offsets(kind, parameters, pairs.faces)
    slack = 1.5 * (1.0 - math.cos(math.pi / curvature)) * radii
    answer: NDArray[np.float64] = _agreeing(
        pairs.of_reading, choices, np.round(choices, RESOLUTION_DIGITS), slack, measured_mm
    )
    return answer


@njit(cache=True)
def _pair_up(own, other, face_count):
    ends = np.zeros(face_count + 1, np.int64)
    for a in own:
        ends[a + 1] += 1
    for face in range(face_count):
        ends[face + 1] += ends[face]
    rows = np.empty(len(own), np.int64)
    for row in range(len(own)):
        rows[ends[own[row]]] = row
        ends[own[row]] += 1
    pair, faces = np.full(len(own), -1, np.int32), np.empty((len(own), 2), np.int32)
    # Rows come face by face: `met_by` tells whether a face was already met by the one at hand, and then by which pair.
    met_by, number = np.full(face_count, -1, np.int32), np.empty(face_count, np.int32)
    count = 0
    for i in rows:
        a, b = own[i], other[i]
        if b < 0:
            continue
        if met_by[b] != a:
            met_by[b], number[b] = a, count
            faces[count, 0], faces[count, 1] = a, b
            count += 1
        pair[i] = number[b]
    return pair, faces[:count].copy()


@njit(cache=True)
def _offsets(kind, parameters, pairs):
    """The distances (k, 2) along the normal of the first face of each pair at which the second can lie, nan unless one
    is an offset of the other, and the sum (k,) of the radii by which their facets cut into them."""
    choices, radii = np.full((len(pairs), 2), np.nan), np.zeros(len(pairs))
    for row in range(len(pairs)):
        a, b = pairs[row, 0], pairs[row, 1]
        if kind[a] != kind[b] or kind[a] == FREEFORM:
            continue
        p, q = parameters[a], parameters[b]
        x, y, z = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        along = x * p[3] + y * p[4] + z * p[5]
        apart = math.sqrt(x * x + y * y + z * z)
        aside = math.sqrt((x - along * p[3]) ** 2 + (y - along * p[4]) ** 2 + (z - along * p[5]) ** 2)
        cosine = p[3] * q[3] + p[4] * q[4] + p[5] * q[5]
        if kind[a] == PLANE:
            if cosine <= -PARALLEL:
                choices[row, 0] = abs(along)
            continue
        size = 7 if kind[a] == TORUS else 6
        radii[row] = p[size] + q[size]
        if kind[a] == CONE:
            one_angle = abs(p[7] * q[8] - p[8] * q[7]) < SAME_ANGLE
            if cosine >= PARALLEL and one_angle and aside <= COAXIAL_MM:
                choices[row, 0] = abs(p[6] * p[8] + along * p[7] - q[6] * p[8])
            continue
        if kind[a] == CYLINDER:
            nested = abs(cosine) >= PARALLEL and aside <= COAXIAL_MM
        elif kind[a] == SPHERE:
            nested = apart <= COAXIAL_MM
        else:
            nested = abs(cosine) >= PARALLEL and apart <= COAXIAL_MM and abs(p[6] - q[6]) <= COAXIAL_MM
        if nested:
            choices[row, 0], choices[row, 1] = abs(p[size] - q[size]), p[size] + q[size]
    return choices, radii


@njit(cache=True)
def _agreeing(pair, choices, rounded, slack, measured):
    """The rounded choice (n,) of each reading's pair that lies nearest to what was measured, nan where none agrees."""
    exact = np.full(len(pair), np.nan)
    for i in range(len(pair)):
        p = pair[i]
        if p < 0:
            continue
        least = slack[p] + AGREES * measured[i]
        for k in range(2):
            off = abs(choices[p, k] - measured[i])
            # Two faces that touch are not a wall of nothing.
            if off <= least and rounded[p, k] > 0.0:
                least, exact[i] = off, rounded[p, k]
    return exact
