"""Outline of a plane face, and the distance between its loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum, auto
from importlib import import_module

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Edge
from fettle.recognize.kinds.bend import BEND
from fettle.recognize.signs import CONVEX, SMOOTH
from fettle.rules.context import RuleContext

FULL_CIRCLE_DEG = 359.0
"""Arcs of more than this are full circles."""


class EdgeGroup(Enum):
    """Edges of a plane face to which a distance is measured: all, those where the sheet was cut, or those where a bend
    begins. At an edge that is neither, something stands on the sheet: a nut, a collar or another form."""

    ALL = auto()
    CUT = auto()
    BEND = auto()


@dataclass(frozen=True, slots=True, eq=False)
class Outline:
    """Edges of a plane face: full circles, and all others as straight pieces, in mm.

    `loop_of`: loop number by edge number; start, step (k, 3) and piece_loop (k,) of the pieces; centers (c, 3), radii
    and circle_loop (c,) of the circles.
    """

    loop_of: dict[int, int]
    start: NDArray[np.float64]
    step: NDArray[np.float64]
    piece_loop: NDArray[np.int64]
    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    circle_loop: NDArray[np.int64]

    def gap_mm(self, rim_number: int, rim: Edge) -> float | None:
        """Smallest distance in mm from an edge to the edges of other loops; None if the face has no other loop."""
        points, radius = rim.points, 0.0
        if isinstance(rim.curve, Circle):
            points, radius = rim.curve.center[None], rim.curve.radius_mm
        # Imported on first use: programs that only list the rules do not load numba.
        gap_mm: float = import_module("fettle.measure.loop_distance").least_gap(
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


def outline_of(context: RuleContext, face_number: int, group: EdgeGroup = EdgeGroup.ALL) -> Outline:
    """The outline of a face, or only the edges of one group, cached."""
    return context.keep(("outline", face_number, group), lambda: _trace(context, face_number, group))


def belongs(context: RuleContext, face_number: int, edge: Edge, group: EdgeGroup) -> bool:
    """Whether an edge of a face is in the group."""
    if group is EdgeGroup.ALL:
        return True
    other = next((face for face in edge.faces if face != face_number), -1)
    bent = other >= 0 and int(context.analysis.recognition.roles[other]) == BEND.code
    if group is EdgeGroup.BEND:
        return bent and edge.convexity is SMOOTH
    # a smooth edge to a convex face is a cut edge that was rounded
    rounded = edge.convexity is SMOOTH and other >= 0 and context.face(other).convex is True
    return edge.convexity is CONVEX or (rounded and not bent)


def _trace(context: RuleContext, face_number: int, group: EdgeGroup) -> Outline:
    """Collect the circles and straight pieces of a face's loops."""
    loop_of, chains, piece_loop = {}, [np.empty((0, 3))], []
    centers, radii, circle_loop = [np.empty((0, 3))], [], []
    for number, loop in enumerate(context.face(face_number).loops):
        for edge_number in loop.edges:
            edge = context.part.edges[edge_number]
            loop_of[edge_number] = number
            if not belongs(context, face_number, edge, group):
                continue
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
