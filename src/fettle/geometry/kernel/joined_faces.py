"""Faces of one cylinder that bound nothing alone, measured together.

Threads are written with crests cut in two along a line that leaves the strip: the boundary of either piece then winds
once round the axis, which bounds no area, and every method gives it some number. Pieces that wind against each other
bound a strip together, and the integrals along their edges add up to that strip's.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.components import components
from fettle.geometry.exact.integrals import integrate
from fettle.geometry.kernel.loops import Boundaries
from fettle.geometry.kernel.surfaces import FaceSample
from fettle.geometry.kernel.topology import Topology
from fettle.geometry.part import Cylinder
from fettle.geometry.surfaces.encoding import pack_surfaces

Array = NDArray[np.float64]

SAME_SURFACE_MM = 1e-3
"""Cylinders whose radii and axes differ by less are one; what a file is rounded to."""


def measure_joined(
    topology: Topology,
    places: Sequence[FaceSample],
    boundaries: Boundaries,
    references: Array,
    figures: Array,
) -> list[list[int]]:
    """Fill the rows (area, flux) of `figures` (faces, 2) for pieces of one cylinder that could only be measured
    together: each gets an equal share. `references` (faces, 3): where fluxes start from, one point for each body.
    Returns these groups of faces."""
    alone = [
        face
        for face, place in enumerate(places)
        if isinstance(place.surface, Cylinder) and not place.parametric and np.isnan(figures[face, 0])
    ]
    if len(alone) < 2:
        return []
    groups = []
    for group in _neighbors(topology, places, alone):
        area, flux = _together(places, boundaries, references[group[0]], group)
        if area > 0.0:
            figures[group] = area / len(group), flux / len(group)
            groups.append(group)
    return groups


def _neighbors(topology: Topology, places: Sequence[FaceSample], faces: list[int]) -> list[list[int]]:
    """Groups of at least two faces that share edges and a cylinder."""
    row = {face: number for number, face in enumerate(faces)}
    pairs = [
        (row[one], row[other])
        for ((one, _), (other, _)) in (uses[:2] for uses in topology.uses if len(uses) == 2)
        if one in row and other in row and one != other and _same(places[one].surface, places[other].surface)
    ]
    if not pairs:
        return []
    a, b = np.array(pairs, dtype=np.int64).T
    label = components(len(faces), a, b)
    groups = [[faces[k] for k in np.flatnonzero(label == value).tolist()] for value in np.unique(label)]
    return [group for group in groups if len(group) > 1]


def _same(one: object, other: object) -> bool:
    if not (isinstance(one, Cylinder) and isinstance(other, Cylinder)):
        return False
    between = other.origin - one.origin
    apart = between - (between @ one.axis) * one.axis
    return (
        abs(one.radius_mm - other.radius_mm) < SAME_SURFACE_MM
        and float(np.linalg.norm(apart)) < SAME_SURFACE_MM
        and one.radius_mm * float(np.linalg.norm(np.cross(one.axis, other.axis))) < SAME_SURFACE_MM
    )


def _together(
    places: Sequence[FaceSample], boundaries: Boundaries, reference: Array, group: list[int]
) -> tuple[float, float]:
    ranges = [boundaries.loop_start[boundaries.face_start[[face, face + 1]]] for face in group]
    points, steps = (
        np.concatenate([rows[first:last] for first, last in ranges]) for rows in (boundaries.points, boundaries.steps)
    )
    place = places[group[0]]
    kinds, rows = pack_surfaces([place.surface])
    sign = np.array([-1.0 if place.convex is False else 1.0])
    ends, only = np.array([0, len(points)]), np.array([0, 1])
    (figure,) = integrate(kinds, rows, sign, reference, np.zeros(1), points, steps, ends, only)
    return float(figure[0]), float(figure[1])
