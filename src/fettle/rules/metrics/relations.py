"""Metrics of a subject and its surroundings: the wall under a rib, the edge beside a hole, a sharp corner."""

from __future__ import annotations

from fettle.geometry.part import Edge, Plane
from fettle.measure.readings import Triple
from fettle.recognize.kinds.fin import Fin
from fettle.recognize.kinds.hole import Hole
from fettle.rules.context import RuleContext, Subject
from fettle.rules.face_outline import EdgeGroup, outline_of
from fettle.rules.registry import ANGLE_DEG, EDGE, EXACT_MM, RATIO, Answer, Given, Measured, per_feature


@per_feature("fin.thickness_over_wall", "ratio", RATIO, reads=[Fin.kind])
def fin_thickness_over_wall(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Thickness of the fin at its base over the median thickness of the wall it stands on."""
    if not isinstance(subject.feature, Fin):
        return None
    wall_mm = context.thickness((subject.feature.base_face,)).median_mm
    return subject.feature.thickness_base_mm / wall_mm if wall_mm else None


@per_feature("hole.edge_distance", "mm", EXACT_MM, reads=[Hole.kind])
def hole_edge_distance(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Material left between the rim of the hole and the nearest other edge of the plane face it opens on."""
    if not isinstance(subject.feature, Hole):
        return None
    return nearest_edge(context, subject.faces)


@per_feature("corner.angle", "deg", ANGLE_DEG, reads=[EDGE])
def corner_angle(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Angle through the material at a sharp inside corner: 180 is flat, 270 a square corner."""
    if subject.edge is None:
        return None
    edge = context.part.edges[subject.edge]
    return Measured(edge.angle_deg, position=_middle(edge))


@per_feature("corner.length", "mm", EXACT_MM, reads=[EDGE])
def corner_length(context: RuleContext, subject: Subject, given: Given) -> Answer:
    """Length of a sharp inside corner."""
    return None if subject.edge is None else context.part.edges[subject.edge].length_mm


def nearest_edge(context: RuleContext, faces: tuple[int, ...], group: EdgeGroup = EdgeGroup.ALL) -> Measured | None:
    """The smallest gap in mm beside any rim of the hole with these faces, to the edges of a group."""
    return context.keep(("edge distance", faces, group), lambda: _least_gap(context, faces, group))


def _least_gap(context: RuleContext, faces: tuple[int, ...], group: EdgeGroup) -> Measured | None:
    nearest: Measured | None = None
    for rim_number in dict.fromkeys(edge for face in faces for loop in context.face(face).loops for edge in loop.edges):
        rim = context.part.edges[rim_number]
        outside = [face for face in rim.faces if face not in faces and face >= 0]
        if not outside or not isinstance(context.face(outside[0]).surface, Plane):
            continue
        gap_mm = outline_of(context, outside[0], group).gap_mm(rim_number, rim)
        if gap_mm is not None and (nearest is None or gap_mm < nearest.value):
            x, y, z = rim.points[0].tolist()
            nearest = Measured(max(gap_mm, 0.0), position=(x, y, z))
    return nearest


def _middle(edge: Edge) -> Triple:
    half = len(edge.points) // 2
    (ax, ay, az), (bx, by, bz) = edge.points[half].tolist(), edge.points[len(edge.points) - 1 - half].tolist()
    return (ax + bx) / 2, (ay + by) / 2, (az + bz) / 2
