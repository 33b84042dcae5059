# mypy: allow-untyped-defs, allow-untyped-calls
"""Faces whose triangles do not end where the face does: found, and triangulated anew from their outlines.

Now and then the kernel's mesher leaves a sliver out of a plane, or lets the triangles of a cone run past its rim, and
says nothing: three of 116 real files had such faces. Arrays only, no kernel.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.meshing.weld import open_edges
from fettle.jit import njit, njit_inner

Array = NDArray[np.float64]

MAX_OUTLINE = 4000
"""Points of an outline above which a face is left as it is: the time grows with their square."""


class Outlines(NamedTuple):
    """Uses of edges by faces: use i is of face[i] and owns rows[start[i] : start[i + 1]]."""

    face: NDArray[np.int32]
    start: NDArray[np.int32]
    rows: NDArray[np.int32]


def mend_torn(
    points: Array,
    triangles: NDArray[np.int32],
    triangle_face: NDArray[np.int32],
    outlines: Outlines,
    torn: Iterable[int],
    slack_mm: float,
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Triangles (m, 3) and their faces (m,) with some of them triangulated anew, between the points of their outlines
    alone. A face stays as it is where it has holes, and where its outline, as seen along its mean normal, runs over
    itself by more than the slack."""
    for face in torn:
        own = triangle_face == face
        ring = _ring(outlines, face, triangles[own])
        if not 3 <= len(ring) <= MAX_OUTLINE:
            continue
        corners = _clip_ears(_seen_along_normal(points[ring]), slack_mm)
        if len(corners) < len(ring) - 2:
            continue
        triangles = np.concatenate([triangles[~own], ring[corners]]).astype(np.int32)
        triangle_face = np.append(triangle_face[~own], np.full(len(corners), face, np.int32))
    order = np.argsort(triangle_face, kind="stable")
    return triangles[order], triangle_face[order]


def find_torn(triangles: NDArray[np.int32], triangle_face: NDArray[np.int32], outlines: Outlines) -> list[int]:
    """Numbers of the faces with a side that no other of their triangles has and that is not on the outline, or with a
    piece of outline that is no such side. Rows of points belong to one face each."""
    face_of_row = np.full(int(max(triangles.max(initial=-1), outlines.rows.max(initial=-1))) + 1, -1, np.int32)
    face_of_row[outlines.rows] = np.repeat(outlines.face, np.diff(outlines.start))
    face_of_row[triangles] = triangle_face[:, None]
    follows = np.ones(max(len(outlines.rows) - 1, 0), np.bool_)
    follows[outlines.start[1:-1] - 1] = False
    along = np.column_stack([outlines.rows[:-1], outlines.rows[1:]])[follows]
    both = np.concatenate([open_edges(triangles), along[along[:, 0] != along[:, 1]]]).astype(np.int64)
    # pairs as single numbers, which numpy sorts many times faster than rows of two
    pairs, counts = np.unique(both.min(axis=1) * len(face_of_row) + both.max(axis=1), return_counts=True)
    torn: list[int] = np.unique(face_of_row[pairs[counts == 1] // len(face_of_row)]).tolist()
    return torn


def _ring(outlines: Outlines, face: int, triangles: NDArray[np.int32]) -> NDArray[np.int64]:
    """Rows (n,) along the outline of a face, the way around that its triangles have; empty where it is not one loop."""
    beside: dict[int, list[int]] = {}
    for use in np.flatnonzero(outlines.face == face).tolist():
        rows = outlines.rows[outlines.start[use] : outlines.start[use + 1]].tolist()
        for one, two in pairwise(rows):
            if one != two:
                beside.setdefault(one, []).append(two)
                beside.setdefault(two, []).append(one)
    if not beside or any(len(two) != 2 for two in beside.values()):
        return np.empty(0, np.int64)
    ring = [next(iter(beside))]
    ring.append(beside[ring[0]][0])
    while (after := next(row for row in beside[ring[-1]] if row != ring[-2])) != ring[0]:
        ring.append(after)
    if len(ring) != len(beside):
        return np.empty(0, np.int64)
    sides = set(zip(triangles.ravel().tolist(), np.roll(triangles, -1, axis=1).ravel().tolist(), strict=True))
    along = sum((one, two) in sides for one, two in pairwise(ring))
    against = sum((two, one) in sides for one, two in pairwise(ring))
    return np.array(ring if along >= against else ring[::-1])


def _seen_along_normal(outline: Array) -> Array:
    """Places (n, 2) of the points of a loop (n, 3) in the plane across its mean normal, counterclockwise."""
    middle = outline.mean(axis=0)
    normal = np.cross(outline - middle, np.roll(outline, -1, axis=0) - middle).sum(axis=0)
    normal /= max(float(np.linalg.norm(normal)), np.finfo(float).tiny)
    x = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    x /= max(float(np.linalg.norm(x)), np.finfo(float).tiny)
    return np.stack([(outline - middle) @ x, (outline - middle) @ np.cross(normal, x)], axis=1)


@njit(cache=True, error_model="numpy")
def _clip_ears(places, slack):
    """Triangles (n - 2, 3) of a counterclockwise polygon (n, 2), the ear with the shortest third side first; fewer
    where it runs over itself by more than the slack. Two arcs that touch, one of them with few points, cross a little:
    the tip between them is cut off before anything else."""
    count = len(places)
    before, after = np.arange(-1, count - 1), np.arange(1, count + 1)
    before[0], after[count - 1] = count - 1, 0
    third = np.empty(count)
    corners = np.empty((count - 2, 3), np.int64)
    found, here, allowed, stale = 0, 0, 0.0, True
    while found < count - 2:
        best, ear, one = np.inf, -1, here
        for _ in range(count - found):
            if stale:
                third[one] = _third_side(places, before, after, one, count - found, slack, allowed)
            if third[one] < best:
                best, ear = third[one], one
            one = after[one]
        if ear < 0:
            # corners that were in the way of an ear may be gone; then those that are in the way by little are passed
            if stale and allowed > 0.0:
                return corners[:found]
            allowed, stale = slack if stale else 0.0, True
            continue
        stale = False
        low, high = before[ear], after[ear]
        corners[found, 0], corners[found, 1], corners[found, 2] = low, ear, high
        found += 1
        after[low], before[high], here = high, low, low
        for one in (low, high):
            third[one] = _third_side(places, before, after, one, count - found, slack, 0.0)
        if allowed > 0.0:
            allowed, stale = 0.0, True
    return corners


@njit_inner
def _third_side(places, before, after, ear, left, slack, allowed):
    """Length of the third side of an ear of a polygon with so many corners left, 0 for a tip that is turned over by
    less than the slack, inf where it is no ear: it turns the other way, or another corner lies in it, by more than is
    allowed."""
    a, b, c = before[ear], ear, after[ear]
    third, turn = _distance(places, c, a), _turn(places, a, b, c)
    if turn <= -allowed * third:
        back = (places[a, 0] - places[b, 0]) * (places[c, 0] - places[b, 0])
        back += (places[a, 1] - places[b, 1]) * (places[c, 1] - places[b, 1])
        return 0.0 if turn < 0.0 < back and turn > -slack * third else np.inf
    other = after[c]
    for _ in range(left - 3):
        if not (_same(places, other, a) or _same(places, other, b) or _same(places, other, c)):
            deep = min(
                _turn(places, a, b, other) / _distance(places, a, b),
                _turn(places, b, c, other) / _distance(places, b, c),
                _turn(places, c, a, other) / third,
            )
            if deep >= allowed:
                return np.inf
        other = after[other]
    return third


@njit_inner
def _turn(places, a, b, c):
    """Double area of a triangle, positive where it turns to the left."""
    return (places[b, 0] - places[a, 0]) * (places[c, 1] - places[a, 1]) - (places[b, 1] - places[a, 1]) * (
        places[c, 0] - places[a, 0]
    )


@njit_inner
def _distance(places, one, two):
    return np.sqrt((places[two, 0] - places[one, 0]) ** 2 + (places[two, 1] - places[one, 1]) ** 2)


@njit_inner
def _same(places, one, two):
    return places[one, 0] == places[two, 0] and places[one, 1] == places[two, 1]
