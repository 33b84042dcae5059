"""Metrics between a subject and what is around it: the wall under a rib, the edge beside a hole, a sharp corner."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Edge, Plane
from fettle.measure.reading import Triple
from fettle.recognize.feature import Fin, Hole, Kind
from fettle.rules.registry import ANGLE_DEG, EDGE, EXACT_MM, RATIO, Answer, Given, Measured, per_feature
from fettle.rules.view import Subject, View

SHEET = ("sheet_thickness_mm",)
FULL_CIRCLE_DEG = 359.0


@per_feature("fin.thickness_over_wall", "ratio", RATIO, reads=[Kind.FIN])
def fin_thickness_over_wall(view: View, subject: Subject, given: Given) -> Answer:
    """Thickness of the fin at its base over the median thickness of the wall it stands on."""
    if not isinstance(subject.feature, Fin):
        return None
    wall_mm = view.thickness((subject.feature.base_face,)).median_mm
    return subject.feature.thickness_base_mm / wall_mm if wall_mm else None


@per_feature("hole.edge_distance", "mm", EXACT_MM, reads=[Kind.HOLE])
def hole_edge_distance(view: View, subject: Subject, given: Given) -> Answer:
    """Material left between the rim of the hole and the nearest other edge of the plane face it opens on."""
    if not isinstance(subject.feature, Hole):
        return None
    return view.keep(("edge distance", subject.faces), lambda: _nearest_edge(view, subject.faces))


@per_feature("hole.edge_distance_over_sheet", "ratio", RATIO, reads=[Kind.HOLE], parameters=SHEET)
def hole_edge_distance_over_sheet(view: View, subject: Subject, given: Given) -> Answer:
    """Material between the rim of the hole and the nearest other edge, over the sheet's nominal thickness."""
    gap = hole_edge_distance(view, subject, given)
    if not isinstance(gap, Measured) or given["sheet_thickness_mm"] <= 0:
        return None
    return Measured(gap.value / given["sheet_thickness_mm"], position=gap.position)


@per_feature("hole.diameter_over_sheet", "ratio", RATIO, reads=[Kind.HOLE], parameters=SHEET)
def hole_diameter_over_sheet(view: View, subject: Subject, given: Given) -> Answer:
    """Diameter of the hole over the sheet's nominal thickness."""
    if not isinstance(subject.feature, Hole) or given["sheet_thickness_mm"] <= 0:
        return None
    return subject.feature.diameter_mm / given["sheet_thickness_mm"]


@per_feature("corner.angle", "deg", ANGLE_DEG, reads=[EDGE])
def corner_angle(view: View, subject: Subject, given: Given) -> Answer:
    """Angle through the material at a sharp inside corner: 180 is flat, 270 a square corner."""
    if subject.edge is None:
        return None
    edge = view.part.edges[subject.edge]
    return Measured(edge.angle_deg, position=_middle(edge))


@per_feature("corner.length", "mm", EXACT_MM, reads=[EDGE])
def corner_length(view: View, subject: Subject, given: Given) -> Answer:
    """Length of a sharp inside corner."""
    return None if subject.edge is None else view.part.edges[subject.edge].length_mm


def _nearest_edge(view: View, faces: tuple[int, ...]) -> Measured | None:
    """The smallest gap beside any rim of the hole with these faces."""
    nearest: Measured | None = None
    for rim_number in dict.fromkeys(edge for face in faces for loop in view.face(face).loops for edge in loop.edges):
        rim = view.part.edges[rim_number]
        outside = [face for face in rim.faces if face not in faces and face >= 0]
        if not outside or not isinstance(view.face(outside[0]).surface, Plane):
            continue
        gap_mm = _outline(view, outside[0]).gap_mm(rim_number, rim)
        if gap_mm is not None and (nearest is None or gap_mm < nearest.value):
            x, y, z = rim.points[0].tolist()
            nearest = Measured(max(gap_mm, 0.0), position=(x, y, z))
    return nearest


@dataclass(frozen=True, slots=True, eq=False)
class _Outline:
    """All edges of a plane face: whole circles as such, the rest as straight pieces; each knows its loop.

    start, step (k, 3), length2 (k,) of the pieces; centers (c, 3), radii (c,) of the circles.
    """

    loop_of: dict[int, int]
    start: NDArray[np.float64]
    step: NDArray[np.float64]
    length2: NDArray[np.float64]
    piece_loop: NDArray[np.int64]
    centers: NDArray[np.float64]
    radii: NDArray[np.float64]
    circle_loop: NDArray[np.int64]

    def gap_mm(self, rim_number: int, rim: Edge) -> float | None:
        """Least distance of an edge from the edges of other loops; None when the face has no other loop."""
        own = self.loop_of[rim_number]
        pieces, circles = self.piece_loop != own, self.circle_loop != own
        if not pieces.any() and not circles.any():
            return None
        if not isinstance(rim.curve, Circle):
            return min(self._distance(point, 0.0, pieces, circles) for point in rim.points)
        return self._distance(rim.curve.center, rim.curve.radius_mm, pieces, circles)

    def _distance(
        self,
        center: NDArray[np.float64],
        radius: float,
        pieces: NDArray[np.bool_],
        circles: NDArray[np.bool_],
    ) -> float:
        """From the circle of that centre and radius to the chosen pieces and circles."""
        start = center - self.start
        along = (np.einsum("ij,ij->i", start, self.step) / self.length2).clip(0.0, 1.0)
        start -= along[:, None] * self.step
        to_pieces = np.sqrt(np.einsum("ij,ij->i", start, start)) - radius
        away = self.centers - center
        between = np.sqrt(np.einsum("ij,ij->i", away, away))
        # a circle around the centre is the face's own outline, any other is a neighbour
        to_circles = np.where(self.radii > between, self.radii - between, between - self.radii) - radius
        return float(min(to_pieces.min(initial=np.inf, where=pieces), to_circles.min(initial=np.inf, where=circles)))


def _outline(view: View, face_number: int) -> _Outline:
    return view.keep(("outline", face_number), lambda: _trace(view, face_number))


def _trace(view: View, face_number: int) -> _Outline:
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
    step = points[first + 1] - points[first]
    return _Outline(
        loop_of,
        points[first],
        step,
        np.maximum((step * step).sum(axis=1), 1e-18),
        np.array(piece_loop, dtype=np.int64),
        np.concatenate(centers),
        np.array(radii, dtype=np.float64),
        np.array(circle_loop, dtype=np.int64),
    )


def _middle(edge: Edge) -> Triple:
    half = len(edge.points) // 2
    (ax, ay, az), (bx, by, bz) = edge.points[half].tolist(), edge.points[len(edge.points) - 1 - half].tolist()
    return (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2
