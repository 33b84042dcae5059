"""Which face of one revision is which of the other, by geometry alone: numbers change whenever a file is exported."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from fettle.geometry.part import Cone, Cylinder, Face, Part, Sphere, Torus

SAME_MM = 1e-3
"""Faces whose center, box and radius agree within this are the same face."""

SAME_AREA = 1e-4
"""...and whose areas agree within this share."""

CHANGED_SHARE = 0.15
"""A face may have moved or grown by this share of the part's diagonal and still be the same one, changed."""

SAME_DIRECTION = 0.7
"""Cosine: a flat face may have been tilted by 45 degrees."""

CURVED = (Cylinder, Cone, Sphere, Torus)
FORBIDDEN = 1e9


@dataclass(frozen=True, slots=True)
class Matching:
    """Face numbers of the old part -> of the new one: `same` to the tolerances above, `changed` likely the same."""

    same: dict[int, int]
    changed: dict[int, int]
    added: tuple[int, ...]
    removed: tuple[int, ...]
    shift_mm: tuple[float, float, float]

    @property
    def new_of(self) -> dict[int, int]:
        return {**self.same, **self.changed}


def match_faces(old: Part, new: Part) -> Matching:
    """Match in place, or with a shift of the whole part where that matches more faces (it was exported elsewhere)."""
    still = np.zeros(3)
    moved = new.box[0] - old.box[0]
    candidates = [still] if np.linalg.norm(moved) <= SAME_MM else [still, moved]
    tries = [(_same(old, new, shift), shift) for shift in candidates]
    same, shift = max(tries, key=lambda one: len(one[0]))
    left_old = [face for face in range(len(old.faces)) if face not in same]
    taken = set(same.values())
    left_new = [face for face in range(len(new.faces)) if face not in taken]
    changed = _changed(old, new, left_old, left_new, shift)
    found = set(changed.values())
    return Matching(
        same=same,
        changed=changed,
        added=tuple(face for face in left_new if face not in found),
        removed=tuple(face for face in left_old if face not in changed),
        shift_mm=(float(shift[0]), float(shift[1]), float(shift[2])),
    )


def _same(old: Part, new: Part, shift: NDArray[np.float64]) -> dict[int, int]:
    """Each old face with the first equal new face that is not taken."""
    if not old.faces or not new.faces:
        return {}
    centers = np.array([face.centroid for face in new.faces])
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for number, face in enumerate(old.faces):
        near = np.flatnonzero(np.linalg.norm(centers - (face.centroid + shift), axis=1) <= SAME_MM)
        for other in near.tolist():
            if other not in taken and _equal(face, new.faces[other], shift):
                pairs[number] = other
                taken.add(other)
                break
    return pairs


def _equal(old: Face, new: Face, shift: NDArray[np.float64]) -> bool:
    return (
        type(old.surface) is type(new.surface)
        and abs(old.area_mm2 - new.area_mm2) <= SAME_AREA * max(old.area_mm2, new.area_mm2)
        and bool(np.abs(old.box + shift - new.box).max() <= 10 * SAME_MM)
        and abs(_radius_mm(old) - _radius_mm(new)) <= SAME_MM
        and old.convex == new.convex
    )


def _changed(
    old: Part, new: Part, left_old: list[int], left_new: list[int], shift: NDArray[np.float64]
) -> dict[int, int]:
    """The cheapest pairing of what is left: same kind of surface and side, near in place, size and direction."""
    if not left_old or not left_new:
        return {}
    reach = CHANGED_SHARE * max(old.diagonal_mm, new.diagonal_mm)
    cost = np.full((len(left_old), len(left_new)), FORBIDDEN)
    for row, one in enumerate(left_old):
        for column, other in enumerate(left_new):
            a, b = old.faces[one], new.faces[other]
            if not _akin(a, b):
                continue
            distance = float(np.linalg.norm(a.centroid + shift - b.centroid))
            size = abs(np.sqrt(a.area_mm2) - np.sqrt(b.area_mm2))
            if distance + size <= reach:
                cost[row, column] = distance + size
    rows, columns = linear_sum_assignment(cost)
    return {
        left_old[row]: left_new[column]
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
        if cost[row, column] < FORBIDDEN
    }


def _akin(one: Face, other: Face) -> bool:
    """Could be one face before and after a change: the same surface, side and, where it has one, direction."""
    if type(one.surface) is not type(other.surface) or one.convex != other.convex:
        return False
    return isinstance(one.surface, CURVED) or float(one.normal @ other.normal) > SAME_DIRECTION


def _radius_mm(face: Face) -> float:
    surface = face.surface
    if isinstance(surface, Cylinder | Sphere):
        return surface.radius_mm
    if isinstance(surface, Torus):
        return surface.major_radius_mm + surface.minor_radius_mm
    return 0.0
