# mypy: allow-untyped-defs, allow-untyped-calls
"""Exact distances between two faces that are offset surfaces of each other, independent of the mesh.

Parallel planes, coaxial cylinders, concentric spheres, coaxial cones of equal angle, tori of equal major circle; a
closed face against itself (a shaft, a hole, a ball) gives its diameter.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import unsigned
from fettle.geometry.part import Part
from fettle.geometry.surfaces.encoding import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS, pack
from fettle.jit import njit

PARALLEL_COS = 1.0 - 1e-10
"""Cosine from which two directions are parallel (0.0008 degrees)."""
COAXIAL_MM = 1e-4
"""Largest distance between coincident axes or centers; the usual accuracy of STEP files."""
SAME_ANGLE_SIN = math.sin(math.radians(1e-4))
"""Sine of the largest difference between equal cone angles."""
DECIMALS = 6
"""Exact distances are rounded to 1e-6 mm, below the accuracy of any file, so that a wall of 0.8 mm reads 0.8."""
AGREEMENT = 0.03
"""Largest relative difference between a measured distance and the exact one, beyond what facets explain."""
FACET_FACTOR = 1.5
"""Safety factor on the depth of facets, which are not all of equal length."""


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """Pairs of faces between which n readings run: faces (k, 2), and the row of `faces` (n,) of each, -1 for none."""

    of_reading: NDArray[np.int32]
    faces: NDArray[np.int32]


def pair_up(own: NDArray[np.int32], other: NDArray[np.int32], face_count: int) -> Pairs:
    """Number the distinct pairs of faces `own` and `other` (n,); `other` is -1 where there is no reading."""
    return Pairs(*_pair_up(unsigned(own), other, face_count))


def exact_distances(
    part: Part, pairs: Pairs, measured_mm: NDArray[np.float64], curvature: float
) -> NDArray[np.float64]:
    """Exact distances in mm (n,) of n readings; nan where there is no closed form.

    The exact distance is used only if it agrees with the measured one within the depth of facets at `curvature` facets
    a turn: between the same two faces a ray may also have measured something else.
    """
    kind, parameters = pack(part.faces)
    choices, radii = _offsets(kind, parameters, pairs.faces)
    slack = facet_depth(curvature) * radii
    answer: NDArray[np.float64] = _agreeing(pairs.of_reading, choices, np.round(choices, DECIMALS), slack, measured_mm)
    return answer


def facet_depth(curvature: float) -> float:
    """Depth of a round wall's facets below its surface, as a fraction of the radius, at `curvature` facets a turn."""
    return FACET_FACTOR * (1.0 - math.cos(math.pi / curvature))


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
    # Rows are sorted by own face: `met_by[b]` is the last own face paired with b, `number[b]` the pair.
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
    """The two possible distances (k, 2) in mm of each pair of faces, nan unless one is an offset surface of the other,
    and the sum (k,) of their radii, 0 for planes."""
    choices, radii = np.full((len(pairs), 2), np.nan), np.zeros(len(pairs))
    for row in range(len(pairs)):
        a, b = pairs[row, 0], pairs[row, 1]
        if kind[a] != kind[b] or kind[a] == FREEFORM:
            continue
        p, q = parameters[a], parameters[b]
        x, y, z = q[0] - p[0], q[1] - p[1], q[2] - p[2]
        along = x * p[3] + y * p[4] + z * p[5]
        apart = math.sqrt(x * x + y * y + z * z)
        across = math.sqrt((x - along * p[3]) ** 2 + (y - along * p[4]) ** 2 + (z - along * p[5]) ** 2)
        cosine = p[3] * q[3] + p[4] * q[4] + p[5] * q[5]
        if kind[a] == PLANE:
            if cosine <= -PARALLEL_COS:
                choices[row, 0] = abs(along)
            continue
        size = 7 if kind[a] == TORUS else 6
        radii[row] = p[size] + q[size]
        if kind[a] == CONE:
            sine, cosine_half = math.sin(p[7]), math.cos(p[7])
            equal_angle = abs(sine * math.cos(q[7]) - cosine_half * math.sin(q[7])) < SAME_ANGLE_SIN
            if cosine >= PARALLEL_COS and equal_angle and across <= COAXIAL_MM:
                choices[row, 0] = abs(p[6] * cosine_half + along * sine - q[6] * cosine_half)
            continue
        if kind[a] == CYLINDER:
            concentric = abs(cosine) >= PARALLEL_COS and across <= COAXIAL_MM
        elif kind[a] == SPHERE:
            concentric = apart <= COAXIAL_MM
        else:
            concentric = abs(cosine) >= PARALLEL_COS and apart <= COAXIAL_MM and abs(p[6] - q[6]) <= COAXIAL_MM
        if concentric:
            choices[row, 0], choices[row, 1] = abs(p[size] - q[size]), p[size] + q[size]
    return choices, radii


@njit(cache=True)
def _agreeing(pair, choices, rounded, slack, measured):
    """Rounded distance (n,) of each reading's pair that is nearest to the measured one, nan where none agrees."""
    exact = np.full(len(pair), np.nan)
    for i in range(len(pair)):
        p = pair[i]
        if p < 0:
            continue
        least = slack[p] + AGREEMENT * measured[i]
        for k in range(2):
            off = abs(choices[p, k] - measured[i])
            # A distance of 0 means touching faces, not a wall.
            if off <= least and rounded[p, k] > 0.0:
                least, exact[i] = off, rounded[p, k]
    return exact
