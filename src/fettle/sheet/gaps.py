"""Exact distances between the outlines of a flat: the material that stays between two cuts."""

from __future__ import annotations

import math
from collections.abc import Sequence

from fettle.sheet.plane_curves import FULL_TURN, ArcPiece, Outline, Pair, Piece

ROUNDING_MM = 1e-6
"""More than rounding makes of the distance of two pieces."""


def gap_mm(one: Outline, others: Sequence[Outline]) -> float | None:
    """Least distance of an outline from others; None where there are none."""
    own = [(*_disc(piece), piece) for piece in one]
    middle = own[0][0]
    reach = max(math.dist(middle, center) + radius for center, radius, _ in own)
    theirs = [(*_disc(piece), piece) for other in others for piece in other]
    best = math.inf
    for their_center, their_radius, their in sorted(theirs, key=lambda disc: math.dist(middle, disc[0]) - disc[1]):
        if math.dist(middle, their_center) - their_radius - reach > best + ROUNDING_MM:
            break
        for center, radius, piece in own:
            if math.dist(center, their_center) - radius - their_radius <= best + ROUNDING_MM:
                best = min(best, _between(piece, their))
    return best if theirs else None


def _disc(piece: Piece) -> tuple[Pair, float]:
    """Center and radius of a disc with the whole piece in it: discs are no farther apart than what they hold."""
    if isinstance(piece, ArcPiece):
        return piece.center, piece.radius
    (ax, ay), (bx, by) = piece.start, piece.end
    return ((ax + bx) / 2.0, (ay + by) / 2.0), math.dist(piece.start, piece.end) / 2.0


def _between(one: Piece, two: Piece) -> float:
    """Distance of two pieces that do not cross: at an end of one, or square to both."""
    found = [_from_point(point, two) for point in (one.start, one.end)]
    found += [_from_point(point, one) for point in (two.start, two.end)]
    if isinstance(one, ArcPiece):
        found += _from_arc(one, two)
    if isinstance(two, ArcPiece):
        found += _from_arc(two, one)
    return min(found)


def _from_arc(arc: ArcPiece, other: Piece) -> list[float]:
    """Distances along the rays from an arc's center that stand square on the other piece."""
    if isinstance(other, ArcPiece):
        apart = math.dist(arc.center, other.center)
        if apart < 1e-12:
            return [abs(arc.radius - other.radius)]
        away = ((other.center[0] - arc.center[0]) / apart, (other.center[1] - arc.center[1]) / apart)
        ends = [
            (other.center[0] + sign * other.radius * away[0], other.center[1] + sign * other.radius * away[1])
            for sign in (-1.0, 1.0)
        ]
        return [_from_point(end, arc) for end in ends if _on(other, end)]
    (ax, ay), (bx, by) = other.start, other.end
    size = math.dist(other.start, other.end)
    share = ((arc.center[0] - ax) * (bx - ax) + (arc.center[1] - ay) * (by - ay)) / max(size**2, 1e-24)
    if not 0.0 < share < 1.0:
        return []
    return [_from_point((ax + share * (bx - ax), ay + share * (by - ay)), arc)]


def _from_point(point: Pair, piece: Piece) -> float:
    if isinstance(piece, ArcPiece):
        if _on(piece, point):
            return abs(math.dist(point, piece.center) - piece.radius)
        return min(math.dist(point, piece.start), math.dist(point, piece.end))
    (ax, ay), (bx, by) = piece.start, piece.end
    size = math.dist(piece.start, piece.end)
    share = ((point[0] - ax) * (bx - ax) + (point[1] - ay) * (by - ay)) / max(size**2, 1e-24)
    share = min(1.0, max(0.0, share))
    return math.dist(point, (ax + share * (bx - ax), ay + share * (by - ay)))


def _on(arc: ArcPiece, point: Pair) -> bool:
    """Whether a point lies in the sector of an arc."""
    if arc.is_circle:
        return True
    first = math.atan2(arc.start[1] - arc.center[1], arc.start[0] - arc.center[0])
    angle = math.atan2(point[1] - arc.center[1], point[0] - arc.center[0])
    turn = (angle - first) % FULL_TURN if arc.sweep_rad > 0 else (first - angle) % FULL_TURN
    return turn <= abs(arc.sweep_rad)
