"""Bodies of the same shape: equal up to a turn and a move; a mirrored body is another one.

Corners, circles and faces are compared by kind and size first. Then a motion is searched that takes three points of one
body to three of the other, and it counts only where it takes every point of one to a point of the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Part
from fettle.recognize.body_points import BodyPoints, LabelledPoints, body_points

Array = NDArray[np.float64]

SEARCH_TREES = "scipy.spatial"
"""Imported where two bodies may be equal: most files have one body, and a command that analyzes one file does not wait
for it."""

SIZE_TOLERANCE = 1e-5
"""Relative difference of areas, lengths and volumes of equal bodies: their integrals are exact to 1e-6."""
MESH_SIZE_TOLERANCE = 1e-3
"""The same for surfaces that were fitted to triangles of single precision."""
POINT_TOLERANCE_MM = 2e-3
POINT_TOLERANCE_PER_DIAGONAL = 2e-5
"""Corners of equal bodies agree to micrometers: a hole that was moved by more makes another part."""
MESH_POINT_FACTOR = 20.0
"""How much coarser corners are that were found between fitted surfaces."""
SAMPLE_TOLERANCE_PER_DIAGONAL = 5e-3
"""Centers of faces and of curves come from samples, which lie differently on copies."""
MAX_TRIALS = 2000
"""Motions tried for a pair before it counts as different: bodies of high symmetry need some hundred."""


@dataclass(frozen=True, slots=True, eq=False)
class Motion:
    """A rotation (3, 3) and a translation (3,) in mm: x goes to `rotation @ x + shift_mm`."""

    rotation: Array
    shift_mm: Array

    def apply(self, points: Array) -> Array:
        moved: Array = points @ self.rotation.T + self.shift_mm
        return moved


@dataclass(frozen=True, slots=True)
class EqualBodies:
    """Numbers of equal bodies, and the motion that takes the first to each."""

    members: list[int]
    motions: list[Motion]


class _Shape:
    """What is compared of a body. Its points are found only where another body has its volume: in most files few do,
    and finding them took nine tenths of the time."""

    def __init__(self, part: Part) -> None:
        self._part = part
        self.size_tolerance = SIZE_TOLERANCE if part.source.exact else MESH_SIZE_TOLERANCE
        coarse = 1.0 if part.source.exact else MESH_POINT_FACTOR
        self.tolerance_mm = coarse * (POINT_TOLERANCE_MM + POINT_TOLERANCE_PER_DIAGONAL * part.diagonal_mm)
        self.sample_tolerance_mm = self.tolerance_mm + SAMPLE_TOLERANCE_PER_DIAGONAL * part.diagonal_mm

    @cached_property
    def places(self) -> BodyPoints:
        return body_points(self._part)

    @cached_property
    def _counts(self) -> tuple[int, int]:
        return len(self.places.exact.points), len(self.places.sampled.points)

    @cached_property
    def _columns(self) -> list[Array]:
        return [_columns(points.labels) for points in (self.places.exact, self.places.sampled)]

    def resembles(self, other: _Shape) -> bool:
        """The same volume, and the same numbers of points of each kind and size."""
        volume_mm3, other_mm3 = self._part.volume_mm3, other._part.volume_mm3
        if not abs(volume_mm3 - other_mm3) <= self.size_tolerance * volume_mm3 + self.tolerance_mm:
            return False
        if len(self._part.shells) != len(other._part.shells) or self._counts != other._counts:
            return False
        pairs = zip(self._columns, other._columns, strict=True)
        return all(bool(self.same(one, two).all()) for one, two in pairs)

    def same(self, one: Array, two: Array) -> NDArray[np.bool_]:
        """Sizes that agree within the tolerance."""
        return np.isclose(one, two, rtol=self.size_tolerance, atol=self.tolerance_mm)


def group_equal(parts: Sequence[Part]) -> list[EqualBodies]:
    """Groups of equal bodies in the order of their first members."""
    groups: list[EqualBodies] = []
    firsts: list[_Shape] = []
    for number, part in enumerate(parts):
        shape = _Shape(part)
        for first, group in zip(firsts, groups, strict=True):
            motion = _find_motion(first, shape)
            if motion is not None:
                group.members.append(number)
                group.motions.append(motion)
                break
        else:
            groups.append(EqualBodies([number], [Motion(np.eye(3), np.zeros(3))]))
            firsts.append(shape)
    return groups


def find_motion(one: Part, two: Part) -> Motion | None:
    """The motion that takes the first part to the second; None where there is none, as for a mirrored one."""
    return _find_motion(_Shape(one), _Shape(two))


def _find_motion(one: _Shape, two: _Shape) -> Motion | None:
    if not one.resembles(two):
        return None
    for trial, motion in enumerate(_candidates(one, two)):
        if trial >= MAX_TRIALS:
            return None
        if _takes(one, two, motion):
            return motion
    return None


def _candidates(one: _Shape, two: _Shape) -> Iterator[Motion]:
    """Motions that take three points far apart to points with the same labels at the same distances."""
    frame = _frame_points(one)
    if frame is None:
        yield from _turned(one, two)
        return
    points, labels, tolerances = frame
    every = [two.places.exact, two.places.sampled]
    others = np.concatenate([each.points for each in every])
    other_labels = np.concatenate([each.labels for each in every])
    alike = [np.flatnonzero(one.same(other_labels, label).all(axis=1)) for label in labels]
    slack = [tolerances[a] + tolerances[b] for a, b in ((0, 1), (0, 2), (1, 2))]
    sides = [float(np.linalg.norm(points[a] - points[b])) for a, b in ((0, 1), (0, 2), (1, 2))]
    for a in alike[0].tolist():
        seconds = alike[1][np.abs(np.linalg.norm(others[alike[1]] - others[a], axis=1) - sides[0]) < slack[0]]
        thirds = alike[2][np.abs(np.linalg.norm(others[alike[2]] - others[a], axis=1) - sides[1]) < slack[1]]
        for b in seconds.tolist():
            from_b = np.linalg.norm(others[thirds] - others[b], axis=1)
            for c in thirds[np.abs(from_b - sides[2]) < slack[2]].tolist():
                yield _motion_between(points, others[[a, b, c]])


def _frame_points(shape: _Shape) -> tuple[Array, Array, list[float]] | None:
    """Three points that span a plane, far apart, with labels and tolerances; exact ones where they do. None where all
    points lie on one line."""
    exact, sampled = shape.places.exact, shape.places.sampled
    points = np.concatenate([exact.points, sampled.points])
    labels = np.concatenate([exact.labels, sampled.labels])
    tolerances = np.repeat([shape.tolerance_mm, shape.sample_tolerance_mm], [len(exact.points), len(sampled.points)])
    n_exact = len(exact.points)
    for count in (n_exact, len(points)):
        chosen = _spread(points[:count], 10 * (shape.tolerance_mm if count == n_exact else shape.sample_tolerance_mm))
        if len(chosen) == 2:
            chosen = _with_third(points, chosen, 4 * shape.sample_tolerance_mm)
        if len(chosen) == 3:
            return points[chosen], labels[chosen], tolerances[chosen].tolist()
    return None


def _spread(points: Array, least_mm: float) -> list[int]:
    """Up to three points far apart and not on one line."""
    if not len(points):
        return []
    first = int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))
    distances = np.linalg.norm(points - points[first], axis=1)
    second = int(np.argmax(distances))
    if distances[second] < least_mm:
        return [first]
    return _with_third(points, [first, second], least_mm)


def _with_third(points: Array, pair: list[int], least_mm: float) -> list[int]:
    """The pair and the point farthest from the line through it, where one is farther than `least_mm`."""
    along = points[pair[1]] - points[pair[0]]
    across = np.linalg.norm(np.cross(points - points[pair[0]], along / np.linalg.norm(along)), axis=1)
    third = int(np.argmax(across))
    return pair if across[third] < least_mm else [*pair, third]


def _motion_between(points: Array, others: Array) -> Motion:
    """The proper motion that takes the first point to the first, the line to the second to the line, and the plane of
    the third to the plane."""
    rotation: Array = _axes(others) @ _axes(points).T
    return Motion(rotation, others[0] - rotation @ points[0])


def _axes(points: Array) -> Array:
    """Right-handed unit axes (3, 3), as columns, of three points."""
    x = points[1] - points[0]
    x = x / np.linalg.norm(x)
    z = np.cross(x, points[2] - points[0])
    z = z / np.linalg.norm(z)
    return np.column_stack([x, np.cross(z, x), z])


def _turned(one: _Shape, two: _Shape) -> Iterator[Motion]:
    """For bodies whose points all lie on one line: any turn about it is the same."""
    ends = [_line_of(shape) for shape in (one, two)]
    (origin, axis), (other_origin, other_axis) = ends
    for sign in (1.0, -1.0):
        rotation = _rotation_to(axis, sign * other_axis)
        heights = [
            _heights(shape, start, direction)
            for shape, start, direction in ((one, origin, axis), (two, other_origin, sign * other_axis))
        ]
        start = origin + axis * heights[0]
        end = other_origin + sign * other_axis * heights[1]
        yield Motion(rotation, end - rotation @ start)


def _line_of(shape: _Shape) -> tuple[Array, Array]:
    """A point of the line that all points lie on, and its direction."""
    points = shape.places.exact.points if len(shape.places.exact.points) else shape.places.sampled.points
    if shape.places.axis is not None:
        return shape.places.axis
    chosen = _spread(points, shape.tolerance_mm)
    if len(chosen) < 2:
        return points[chosen[0]], np.array([0.0, 0.0, 1.0])
    along = points[chosen[1]] - points[chosen[0]]
    return points[chosen[0]], along / np.linalg.norm(along)


def _heights(shape: _Shape, origin: Array, axis: Array) -> float:
    """Where the lowest point lies along the axis, mm."""
    points = shape.places.exact.points if len(shape.places.exact.points) else shape.places.sampled.points
    return float(((points - origin) @ axis).min())


def _rotation_to(one: Array, two: Array) -> Array:
    """A rotation (3, 3) that takes one unit direction to another."""
    cross, cosine = np.cross(one, two), float(one @ two)
    if cosine < -1.0 + 1e-12:
        normal = np.cross(one, np.eye(3)[int(np.argmin(np.abs(one)))])
        normal /= np.linalg.norm(normal)
        half: Array = 2.0 * np.outer(normal, normal) - np.eye(3)
        return half
    skew = np.array([[0.0, -cross[2], cross[1]], [cross[2], 0.0, -cross[0]], [-cross[1], cross[0], 0.0]])
    rotation: Array = np.eye(3) + skew + skew @ skew / (1.0 + cosine)
    return rotation


def _takes(one: _Shape, two: _Shape, motion: Motion) -> bool:
    """Whether every point of the first body lands on one of the second with the same label."""
    return _covers(one, one.places.exact, two.places.exact, one.tolerance_mm, motion) and _covers(
        one, one.places.sampled, two.places.sampled, one.sample_tolerance_mm, motion
    )


def _covers(shape: _Shape, one: LabelledPoints, two: LabelledPoints, tolerance_mm: float, motion: Motion) -> bool:
    if not len(one.points):
        return True
    moved, tree = motion.apply(one.points), import_module(SEARCH_TREES).cKDTree(two.points)
    distances, nearest = tree.query(moved, distance_upper_bound=tolerance_mm)
    if np.isinf(distances).any():
        return False
    # several points may lie at one place: where the nearest has another label, all of them are asked
    unlike = np.flatnonzero(~shape.same(two.labels[nearest], one.labels).all(axis=1))
    return all(
        bool(shape.same(two.labels[near], one.labels[row]).all(axis=1).any())
        for row, near in zip(unlike.tolist(), tree.query_ball_point(moved[unlike], tolerance_mm), strict=True)
    )


def _columns(labels: Array) -> Array:
    """Labels by kind, and every size of a kind in an order of its own: sizes equal but for rounding may not change
    places."""
    columns = [labels[np.lexsort((labels[:, column], labels[:, 0])), column] for column in range(labels.shape[1])]
    return np.column_stack(columns)
