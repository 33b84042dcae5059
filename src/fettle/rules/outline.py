# mypy: allow-untyped-defs, allow-untyped-calls
"""The outline of a plane face, and how near its loops come to one another."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numba import njit
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Edge
from fettle.rules.view import View

FULL_CIRCLE_DEG = 359.0


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """All edges of a plane face: whole circles as such, the rest as straight pieces; each knows its loop.

    start, step (k, 3) and piece_loop (k,) of the pieces; centers (c, 3), radii and circle_loop (c,) of the circles.
    """

    loop_of: dict[int, int]
    start: NDArray[np.float64]
    step: NDArray[np.float64]
    piece_loop: NDArray[np.int64]
    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    circle_loop: NDArray[np.int64]

    def gap_mm(self, rim_number: int, rim: Edge) -> float | None:
        """Least distance of an edge from the edges of other loops; None when the face has no other loop."""
        points, radius = rim.points, 0.0
        if isinstance(rim.curve, Circle):
            points, radius = rim.curve.center[None], rim.curve.radius_mm
        gap_mm = _least_gap(
            points,
            radius,
            self.loop_of[rim_number],
            self.start,
            self.step,
            self.piece_loop,
            self.centers,
            self.radii,
            self.circle_loop,
        )
        return gap_mm if math.isfinite(gap_mm) else None


def outline_of(view: View, face_number: int) -> Outline:
    """The outline of a face, traced once."""
    return view.keep(("outline", face_number), lambda: _trace(view, face_number))


def _trace(view: View, face_number: int) -> Outline:
    loop_of, chains, piece_loop = {}, [np.empty((0, 3))], []
    centers, radii, circle_loop = [np.empty((0, 3))], [], []
    for number, loop in enumerate(view.face(face_number).loops):
        for edge_number in loop.edges:
            edge = view.part.edges[edge_number]
            loop_of[edge_number] = number
            if isinstance(edge.curve, Circle) and edge.curve.extent_deg > FULL_CIRCLE_DEG:
                centers.append(edge.curve.center[None])
                radii.append(edge.curve.radius_mm)
                circle_loop.append(number)
            else:
                chains.append(edge.points)
                piece_loop += [number] * (len(edge.points) - 1)
    points = np.concatenate(chains)
    begins_piece = np.ones(len(points), dtype=bool)
    begins_piece[np.cumsum([len(chain) for chain in chains[1:]], dtype=np.int64) - 1] = False
    first = np.flatnonzero(begins_piece)
    return Outline(
        loop_of,
        points[first],
        points[first + 1] - points[first],
        np.array(piece_loop, dtype=np.int64),
        np.concatenate(centers),
        np.array(radii, dtype=np.float64),
        np.array(circle_loop, dtype=np.int64),
    )


@njit(cache=True)
def _least_gap(points, radius, own, start, step, piece_loop, centers, radii, circle_loop):
    """From circles of that radius around some points (n, 3) to the pieces and circles of other loops than `own`."""
    least = np.inf
    for point in points:
        for k in range(len(start)):
            if piece_loop[k] == own:
                continue
            along, length2 = 0.0, 1e-18
            for c in range(3):
                along += (point[c] - start[k, c]) * step[k, c]
                length2 += step[k, c] ** 2
            along = min(max(along / length2, 0.0), 1.0)
            square = 0.0
            for c in range(3):
                square += (point[c] - start[k, c] - along * step[k, c]) ** 2
            least = min(least, np.sqrt(square) - radius)
        for k in range(len(centers)):
            if circle_loop[k] == own:
                continue
            square = 0.0
            for c in range(3):
                square += (centers[k, c] - point[c]) ** 2
            between = np.sqrt(square)
            # a circle around the point is the face's own outline, any other is a neighbour
            around = radii[k] > between
            least = min(least, (radii[k] - between if around else between - radii[k]) - radius)
    return least
