"""Metrics between a subject and what is around it: the wall under a rib, the edge beside a hole, a sharp corner."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Edge, Plane
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
    members = set(subject.faces)
    nearest: Measured | None = None
    for number in subject.faces:
        for rim_number in (edge for loop in view.face(number).loops for edge in loop.edges):
            rim = view.part.edges[rim_number]
            outside = [face for face in rim.faces if face not in members and face >= 0]
            if not outside or not isinstance(view.face(outside[0]).surface, Plane):
                continue
            gap = _gap_to_other_edges(view, rim_number, outside[0])
            if gap is not None and (nearest is None or gap.value < nearest.value):
                nearest = gap
    return nearest


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
    x, y, z = (float(c) for c in _middle(edge))
    return Measured(edge.angle_deg, position=(x, y, z))


@per_feature("corner.length", "mm", EXACT_MM, reads=[EDGE])
def corner_length(view: View, subject: Subject, given: Given) -> Answer:
    """Length of a sharp inside corner."""
    return None if subject.edge is None else view.part.edges[subject.edge].length_mm


def _gap_to_other_edges(view: View, rim_number: int, face_number: int) -> Measured | None:
    """Smallest distance in a face from one of its edges to its others."""
    rim = view.part.edges[rim_number]
    own_loop = next(loop for loop in view.face(face_number).loops if rim_number in loop.edges)
    others = [
        view.part.edges[edge]
        for loop in view.face(face_number).loops
        for edge in loop.edges
        if edge not in own_loop.edges
    ]
    if not others:
        return None
    gap = min(_distance(rim, other) for other in others)
    x, y, z = (float(c) for c in rim.points[0])
    return Measured(max(gap, 0.0), position=(x, y, z))


def _distance(rim: Edge, other: Edge) -> float:
    """Between two edges in one plane: exact where the rim is a circle and the other a line or a circle."""
    if not isinstance(rim.curve, Circle):
        return min(_point_to_chain(point, other.points) for point in rim.points)
    center, radius = rim.curve.center, rim.curve.radius_mm
    if isinstance(other.curve, Circle) and other.curve.extent_deg > FULL_CIRCLE_DEG:
        between = float(np.linalg.norm(other.curve.center - center))
        inside = other.curve.radius_mm > between  # the other is the outline around the hole
        return other.curve.radius_mm - between - radius if inside else between - radius - other.curve.radius_mm
    return _point_to_chain(center, other.points) - radius


def _point_to_chain(point: NDArray[np.float64], chain: NDArray[np.float64]) -> float:
    """Distance of a point (3,) from a chain of straight pieces (k, 3)."""
    start, step = chain[:-1], np.diff(chain, axis=0)
    length2 = np.maximum(np.einsum("ij,ij->i", step, step), 1e-18)
    along = np.clip(np.einsum("ij,ij->i", point - start, step) / length2, 0.0, 1.0)
    return float(np.min(np.linalg.norm(start + along[:, None] * step - point, axis=1)))


def _middle(edge: Edge) -> NDArray[np.float64]:
    half = len(edge.points) // 2
    middle: NDArray[np.float64] = (edge.points[half] + edge.points[len(edge.points) - 1 - half]) / 2
    return middle
