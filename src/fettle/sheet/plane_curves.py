"""Lines and arcs in the plane of the flat pattern, and the fit of a sampled curve by them. Lengths in mm."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Pair = tuple[float, float]

CURVE_MM = 1e-3
"""Largest distance of a fitted arc from the samples of its curve: a tenth of what a laser positions to."""
STRAIGHT_MM = 1e-5
"""Samples closer than this to their chord are a line, and to one circle an arc: a hundredth of the curve tolerance."""
JOIN_MM = 1e-4
"""Pieces in a row whose common line or circle misses no end by more are one piece."""
SAME_POINT_MM = 1e-12
"""Ends of a chord that are nearer than this give it no direction."""
FULL_TURN = 2.0 * math.pi
CLOSING_RAD = 1e-4
"""Two arcs that together exceed the full turn by less are one circle."""


# not frozen, and so several times faster to make: outlines have hundreds, moved and turned several times
@dataclass(slots=True)
class LinePiece:
    start: Pair
    end: Pair


@dataclass(slots=True)
class ArcPiece:
    """`sweep_rad`: from start to end about the center, counterclockwise above 0; a whole circle has two pi."""

    start: Pair
    end: Pair
    center: Pair
    radius: float
    sweep_rad: float

    @property
    def is_circle(self) -> bool:
        return abs(self.sweep_rad) > FULL_TURN - 1e-6


Piece = LinePiece | ArcPiece
Outline = tuple[Piece, ...]
"""Pieces in a row, each beginning where the one before ends; closed where the last ends at the first's start."""


def line(start: Array, end: Array) -> LinePiece:
    return LinePiece(_pair(start), _pair(end))


def arc(start: Array, end: Array, center: Array, sweep_rad: float) -> ArcPiece:
    return ArcPiece(_pair(start), _pair(end), _pair(center), float(math.dist(start, center)), sweep_rad)


def length(pieces: Sequence[Piece]) -> float:
    """Length of the pieces together."""
    return sum(_length(one) for one in pieces)


def _length(one: Piece) -> float:
    return math.dist(one.start, one.end) if isinstance(one, LinePiece) else one.radius * abs(one.sweep_rad)


def signed_area(outline: Sequence[Piece]) -> float:
    """Area inside a closed outline, positive where it runs counterclockwise."""
    x0, y0 = outline[0].start
    total = 0.0
    for one in outline:
        (ax, ay), (bx, by) = one.start, one.end
        total += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
        if isinstance(one, ArcPiece):
            total += one.radius**2 * (one.sweep_rad - math.sin(one.sweep_rad))
    return 0.5 * total


def sample(pieces: Sequence[Piece], step_deg: float = 5.0) -> Array:
    """Points (n, 2) along the pieces, the last end left out; arcs at least every `step_deg`."""
    rows: list[Array] = []
    for one in pieces:
        if isinstance(one, LinePiece):
            rows.append(np.array([one.start]))
            continue
        count = max(2, math.ceil(math.degrees(abs(one.sweep_rad)) / step_deg))
        first = math.atan2(one.start[1] - one.center[1], one.start[0] - one.center[0])
        angles = first + one.sweep_rad * np.arange(count) / count
        rows.append(np.array(one.center) + one.radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return np.concatenate(rows)


def bounds(pieces: Sequence[Piece]) -> Array:
    """Lower and upper corner (2, 2), exact."""
    # numbers of Python: outlines have a handful of pieces, and numpy takes ten times as long for so few
    corners = [corner for one in pieces for corner in (one.start, one.end)]
    for one in pieces:
        if not isinstance(one, ArcPiece):
            continue
        first = math.atan2(one.start[1] - one.center[1], one.start[0] - one.center[0])
        for quarter in range(4):
            angle = quarter * math.pi / 2
            turn = (angle - first) % FULL_TURN if one.sweep_rad > 0 else (first - angle) % FULL_TURN
            if turn <= abs(one.sweep_rad):
                x, y = one.center
                corners.append((x + one.radius * math.cos(angle), y + one.radius * math.sin(angle)))
    xs, ys = zip(*corners, strict=True)
    return np.array([[min(xs), min(ys)], [max(xs), max(ys)]])


def reverse(pieces: Sequence[Piece]) -> Outline:
    """The same pieces run through the other way."""
    return tuple(
        LinePiece(one.end, one.start)
        if isinstance(one, LinePiece)
        else ArcPiece(one.end, one.start, one.center, one.radius, -one.sweep_rad)
        for one in reversed(pieces)
    )


@dataclass(frozen=True, slots=True, eq=False)
class PlaneMotion:
    """x -> matrix x + shift: a rotation of the plane, with a mirror where the determinant is -1."""

    matrix: Array
    shift: Array

    def point(self, point: Pair) -> Pair:
        x, y = point
        (a, b), (c, d) = self.matrix.tolist()
        e, f = self.shift.tolist()
        return a * x + b * y + e, c * x + d * y + f

    def points(self, points: Array) -> Array:
        moved: Array = points @ self.matrix.T + self.shift
        return moved

    def pieces(self, pieces: Sequence[Piece]) -> Outline:
        """The moved pieces in their order; a mirror turns the sense of arcs."""
        (a, b), (c, d) = self.matrix.tolist()
        e, f = self.shift.tolist()
        sense = 1.0 if a * d - b * c > 0 else -1.0

        def moved(point: Pair) -> Pair:
            x, y = point
            return a * x + b * y + e, c * x + d * y + f

        return tuple(
            LinePiece(moved(one.start), moved(one.end))
            if isinstance(one, LinePiece)
            else ArcPiece(moved(one.start), moved(one.end), moved(one.center), one.radius, sense * one.sweep_rad)
            for one in pieces
        )


def fit_pieces(points: Array) -> list[Piece]:
    """Lines and arcs through a smooth curve given by samples (n, 2), first and last included.

    A straight curve is one line and a circular one one arc; others are arcs through three of their samples each, as
    long as every sample between is within `CURVE_MM`.
    """
    if len(points) == 2 or _chord_distance(points) < STRAIGHT_MM:
        return [line(points[0], points[-1])]
    whole = fit_arc(points, STRAIGHT_MM)
    if whole is not None:
        return [whole]
    pieces: list[Piece] = []
    first = 0
    while first < len(points) - 1:
        last = first + 1
        while last + 1 < len(points) and _is_line_or_arc(points[first : last + 2]):
            last += 1
        pieces.append(_line_or_arc(points[first : last + 1]))
        first = last
    return pieces


def merge(outline: Sequence[Piece]) -> Outline:
    """A closed outline with pieces of one line or one circle in a row joined, and pieces without length left out."""
    pieces: list[Piece] = []
    for one in outline:
        if _length(one) > 1e-9:
            _add(pieces, one)
    while len(pieces) > 1:
        joined = _join(pieces[-1], pieces[0])
        if joined is None:
            break
        pieces = [*pieces[1:-1], joined]
    if len(pieces) == 1 and isinstance(pieces[0], ArcPiece):
        # a circle written as a spline closes to within its own tolerance
        pieces[0] = replace(pieces[0], sweep_rad=math.copysign(FULL_TURN, pieces[0].sweep_rad))
    return tuple(pieces)


def _add(pieces: list[Piece], piece: Piece) -> None:
    joined = _join(pieces[-1], piece) if pieces else None
    if joined is None:
        pieces.append(piece)
    else:
        pieces[-1] = joined


def _join(one: Piece, two: Piece) -> Piece | None:
    if isinstance(one, LinePiece) and isinstance(two, LinePiece):
        # numbers of Python, as in `bounds`
        (ax, ay), (bx, by), (cx, cy) = one.start, one.end, two.end
        forward = (bx - ax) * (cx - bx) + (by - ay) * (cy - by) > 0
        size = math.hypot(cx - ax, cy - ay)
        if not forward or size < SAME_POINT_MM:
            return None
        off = abs((bx - ax) * (cy - ay) - (by - ay) * (cx - ax)) / size
        return LinePiece(one.start, two.end) if off < STRAIGHT_MM else None
    if isinstance(one, ArcPiece) and isinstance(two, ArcPiece) and one is not two:
        same = math.dist(one.center, two.center) < JOIN_MM and abs(one.radius - two.radius) < JOIN_MM
        sweep = one.sweep_rad + two.sweep_rad
        if same and one.sweep_rad * two.sweep_rad > 0 and abs(sweep) < FULL_TURN + CLOSING_RAD:
            return ArcPiece(one.start, two.end, one.center, one.radius, sweep)
    return None


def _chord_distance(points: Array) -> float:
    # numbers of Python, as in `bounds`
    (ax, ay), (bx, by) = points[0].tolist(), points[-1].tolist()
    x, y = bx - ax, by - ay
    size = float(np.hypot(x, y))
    if size < SAME_POINT_MM:
        return math.inf
    return float(np.abs((points[:, 0] - ax) * y - (points[:, 1] - ay) * x).max()) / size


def fit_arc(points: Array, within_mm: float) -> ArcPiece | None:
    """The arc through all samples (n, 2), fitted by least squares, or None where it misses one by more."""
    middle = points.mean(axis=0)
    relative = points - middle
    matrix = np.column_stack([2.0 * relative, np.ones(len(points))])
    solution, _, rank, _ = np.linalg.lstsq(matrix, (relative**2).sum(axis=1), rcond=None)
    if rank < 3:
        return None
    center = solution[:2]
    radius = math.sqrt(max(float(solution[2] + center @ center), 0.0))
    if float(np.abs(np.hypot(*(relative - center).T) - radius).max()) > within_mm:
        return None
    angles = np.unwrap(np.arctan2(*(relative - center).T[::-1]))
    sweep = float(angles[-1] - angles[0])
    return ArcPiece(_pair(points[0]), _pair(points[-1]), _pair(middle + center), radius, sweep)


def _is_line_or_arc(points: Array) -> bool:
    """Whether samples lie on a line, or on the circle through the first, a middle and the last of them."""
    return _chord_distance(points) < STRAIGHT_MM or _circle_through(points) is not None


def _line_or_arc(points: Array) -> Piece:
    """The piece through samples of which `_is_line_or_arc` is true."""
    circle = None if _chord_distance(points) < STRAIGHT_MM else _circle_through(points)
    if circle is None:
        return line(points[0], points[-1])
    center, radius = circle
    angles = np.unwrap(np.arctan2(points[:, 1] - center[1], points[:, 0] - center[0]))
    return ArcPiece(_pair(points[0]), _pair(points[-1]), center, radius, float(angles[-1] - angles[0]))


def _circle_through(points: Array) -> tuple[Pair, float] | None:
    """Center and radius of the circle through the first, a middle and the last sample; None where another is
    farther from it than allowed."""
    # numbers of Python, as in `bounds`: this is asked anew for every sample that is added to a piece
    (ax, ay), (bx, by), (cx, cy) = (points[row].tolist() for row in (0, len(points) // 2, -1))
    bx, by, cx, cy = bx - ax, by - ay, cx - ax, cy - ay
    cross = 2.0 * (bx * cy - by * cx)
    if abs(cross) < 1e-12:
        return None
    b2, c2 = bx * bx + by * by, cx * cx + cy * cy
    x, y = ax + (cy * b2 - by * c2) / cross, ay + (bx * c2 - cx * b2) / cross
    radius = float(np.hypot(ax - x, ay - y))
    if float(np.abs(np.hypot(points[:, 0] - x, points[:, 1] - y) - radius).max()) > CURVE_MM:
        return None
    return (x, y), radius


def _pair(point: Array) -> Pair:
    x, y = point.tolist()
    return x, y
