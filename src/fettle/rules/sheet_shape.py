"""The shape of a sheet: its thickness, its bend lines with their flanges, and where it tears when it is bent."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
from numpy.typing import NDArray

from fettle.fit.wall_thickness import wall_thickness
from fettle.geometry.part import Cylinder, Plane
from fettle.recognize.kinds.bend import Bend
from fettle.recognize.signs import SMOOTH
from fettle.rules.context import RuleContext, Subject
from fettle.rules.flat_shape import flat_of
from fettle.sheet.bend_lines import SAME_LINE_MM

PARALLEL_COS = 0.9999
SAME_SIDE_COS = 0.9
"""Bends of one line turn the sheet towards the same side: their middles lie on the same side of the axis."""
INTO_SHEET = 0.2
"""Sine of the angle to the bend line above which an edge at the end of a bend leads away from the bend."""


def sheet_thickness_mm(context: RuleContext) -> float | None:
    """Thickness of the part's sheet: that of its flat; of a part that does not lie flat the median of its bends by
    length, or the most frequent thickness behind its plane faces; None without readings."""
    return context.keep("sheet thickness", lambda: _measure_thickness(context))


def _measure_thickness(context: RuleContext) -> float | None:
    flat = flat_of(context)
    if flat is not None:
        return flat.thickness_mm
    bends = [one for one in context.analysis.recognition.features if isinstance(one, Bend)]
    if bends:
        bends.sort(key=lambda bend: bend.thickness_mm)
        half = 0.5 * sum(bend.length_mm for bend in bends)
        upto = 0.0
        for bend in bends:
            upto += bend.length_mm
            if upto >= half:
                return bend.thickness_mm
    plane = np.array([isinstance(face.surface, Plane) for face in context.part.faces])
    mesh = context.analysis.mesh
    areas = np.where(plane[mesh.point_face], mesh.point_areas_mm2(), 0.0)
    main = wall_thickness(context.analysis.thickness, areas).main_mm
    return None if math.isnan(main) else main


def bend_lines_of(context: RuleContext) -> tuple[Subject, ...]:
    """One subject for each bend line: the faces of all its segments, and the longest segment as feature."""
    return context.keep("bend lines", lambda: _group_bends(context))


def _group_bends(context: RuleContext) -> tuple[Subject, ...]:
    groups: list[list[Bend]] = []
    for bend in context.analysis.recognition.features:
        if not isinstance(bend, Bend):
            continue
        group = next((group for group in groups if _one_line(context, group[0], bend)), None)
        if group is None:
            groups.append([bend])
        else:
            group.append(bend)
    return tuple(
        Subject(
            tuple(dict.fromkeys(face for bend in group for face in bend.faces)),
            max(group, key=lambda bend: bend.length_mm),
        )
        for group in groups
    )


def _one_line(context: RuleContext, one: Bend, other: Bend) -> bool:
    """Whether two bends are segments of one line: on the flat, or by their axes where the part does not lie flat."""
    flat = flat_of(context)
    for line in flat.bends if flat is not None else ():
        if one.faces[0] in line.faces:
            return other.faces[0] in line.faces
    return _same_line(context, one, other)


def _same_line(context: RuleContext, one: Bend, other: Bend) -> bool:
    first, second = _outer(context, one), _outer(context, other)
    if abs(one.outer_radius_mm - other.outer_radius_mm) > SAME_LINE_MM:
        return False
    if abs(one.inner_radius_mm - other.inner_radius_mm) > SAME_LINE_MM:
        return False
    (axis, origin), (axis2, origin2) = (first[0], first[1]), (second[0], second[1])
    if abs(float(axis @ axis2)) < PARALLEL_COS:
        return False
    apart = origin2 - origin
    if float(np.linalg.norm(apart - (apart @ axis) * axis)) > SAME_LINE_MM:
        return False
    return float(first[2] @ second[2]) > SAME_SIDE_COS


def _outer(context: RuleContext, bend: Bend) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Axis, a point on it, and the unit direction from it to the middle of the bend's largest cylinder."""
    faces = [context.face(number) for number in bend.faces]
    cylinders = [(face.surface, face.centroid) for face in faces if isinstance(face.surface, Cylinder)]
    surface, centroid = max(cylinders, key=lambda one: one[0].radius_mm)
    away = centroid - surface.origin
    away = away - (away @ surface.axis) * surface.axis
    length = float(np.linalg.norm(away))
    return surface.axis, surface.origin, away / length if length > 0 else away


def flange_mm(context: RuleContext, faces: tuple[int, ...], bend: Bend) -> float | None:
    """Height in mm of the lowest flange along a bend line with these faces, from the outside of the bend to its edge:
    its flat and the bend's setback. Flanges that end at another bend are left out; None if all do."""
    heights = []
    setback = bend.outer_radius_mm * math.tan(math.radians(min(bend.angle_deg, 90.0) / 2))
    for face, edge in _tangent_edges(context, faces):
        points = context.part.edges[edge].points
        along = points[-1] - points[0]
        along = along / np.linalg.norm(along)
        edges, first, outline = context.keep(("outline points", face), partial(_outline_points, context, face))
        away = outline - points[0]
        away_mm = np.linalg.norm(away - np.outer(away @ along, along), axis=1)
        ends_in_bend = any(
            number != edge and context.part.edges[number].convexity is SMOOTH and nearest > SAME_LINE_MM
            for number, nearest in zip(edges, np.minimum.reduceat(away_mm, first).tolist(), strict=True)
        )
        if not ends_in_bend:
            heights.append(float(away_mm.max()) + setback)
    return min(heights, default=None)


def _outline_points(context: RuleContext, face: int) -> tuple[list[int], NDArray[np.intp], NDArray[np.float64]]:
    """Edges of a face, the row where the points of each begin, and the points (k, 3) of all."""
    edges = [number for loop in context.face(face).loops for number in loop.edges]
    points = [context.part.edges[number].points for number in edges]
    ends = np.cumsum([len(one) for one in points])
    return edges, ends - [len(one) for one in points], np.concatenate(points)


def _tangent_edges(context: RuleContext, faces: tuple[int, ...]) -> list[tuple[int, int]]:
    """Plane face and edge where each cylinder of a bend runs into a flat."""
    found = []
    for number in dict.fromkeys(edge for face in faces for loop in context.face(face).loops for edge in loop.edges):
        edge = context.part.edges[number]
        flat = [face for face in edge.faces if face >= 0 and face not in faces]
        if edge.convexity is SMOOTH and flat and isinstance(context.face(flat[0]).surface, Plane):
            found.append((flat[0], number))
    return found


def torn_ends(context: RuleContext, faces: tuple[int, ...], bend: Bend) -> int:
    """Number of ends of the bend line with these faces at which an edge of a flat goes on along the line or past it, so
    that the sheet would have to tear; a relief, or a flat as wide as the bend, leads away from the bend."""
    axis = _outer(context, bend)[0]
    torn = set()
    for face, number in _tangent_edges(context, faces):
        edge = context.part.edges[number]
        middle = edge.points.mean(axis=0)
        for end, tip in zip(edge.vertices, (edge.points[0], edge.points[-1]), strict=True):
            outward = (tip - middle) / np.linalg.norm(tip - middle)
            inward = context.face(face).centroid - tip
            inward = inward - (inward @ outward) * outward
            inward = inward / max(float(np.linalg.norm(inward)), 1e-12)
            for next_number in (one for loop in context.face(face).loops for one in loop.edges if one != number):
                neighbor = context.part.edges[next_number]
                if end not in neighbor.vertices or neighbor.convexity is SMOOTH:
                    continue
                points = neighbor.points if neighbor.vertices[0] == end else neighbor.points[::-1]
                step = points[1] - points[0]
                step = step / max(float(np.linalg.norm(step)), 1e-12)
                if float(step @ inward) < INTO_SHEET:
                    torn.add(round(float(tip @ axis), 2))
    return len(torn)
