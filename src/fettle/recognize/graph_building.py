"""Building the face graph: faces of one surface merged into regions, borders signed and extents measured."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from fettle.geometry.part import Cone, Convexity, Cylinder, CylinderOrCone, Edge, Part, Torus
from fettle.recognize.components import connected_groups
from fettle.recognize.graph import (
    Border,
    Graph,
    PlaneNumbers,
    Region,
    frame,
    one_plane,
    plane_numbers,
    rows_of,
    same_surface,
)
from fettle.recognize.signs import CONCAVE, CONVEX, FREE
from fettle.recognize.tolerances import SAME_ANGLE_DEG

_Turned: TypeAlias = Cylinder | Cone | Torus
WHOLE_DEG = 360.0 - SAME_ANGLE_DEG
"""Angles through the material from here on may as well be none."""


KEPT_GRAPHS = 8
"""A file and its bodies are recognized one after the other and then unfolded; few files have more that differ."""


@lru_cache(maxsize=KEPT_GRAPHS)
def build_graph(part: Part) -> Graph:
    """Merge the part's faces into regions and list each region's borders; kept for the last parts."""
    planes = [plane_numbers(face.surface) for face in part.faces]
    groups = _merged_groups(part, planes)
    lookup = [0] * len(part.faces)
    for number, group in enumerate(groups):
        for face in group:
            lookup[face] = number
    region_of = np.array(lookup, dtype=np.int64)
    region_of.setflags(write=False)
    borders: list[list[Border]] = [[] for _ in groups]
    for number, edge in enumerate(part.edges):
        first, second = edge.faces
        one = lookup[first]
        two = lookup[second] if second >= 0 else -1
        if one == two and first != second:
            continue
        sign = edge.convexity if SAME_ANGLE_DEG < edge.angle_deg < WHOLE_DEG else edge_sign(part, edge)
        borders[one].append(Border(number, two, sign, None))
        if two >= 0 and two != one:
            borders[two].append(Border(number, one, sign, None))
    regions = tuple(_region(part, number, group, tuple(borders[number])) for number, group in enumerate(groups))
    points, normals = rows_of([region.point for region in regions]), rows_of([region.normal for region in regions])
    flat = tuple(planes[group[0]] for group in groups)
    return Graph(part, regions, region_of, points, normals, flat, {}, {}, {}, {}, {})


def edge_sign(part: Part, edge: Edge) -> Convexity:
    """Convex or concave, also where two faces touch back to back and the angle between them is 0 as well as 360.

    Material lies between a hollow face and the wall that it runs out into: a knife's edge. Void lies between a shaft
    and the wall that it leans against.
    """
    if SAME_ANGLE_DEG < edge.angle_deg < WHOLE_DEG or edge.convexity is FREE:
        return edge.convexity
    curved = [part.faces[face].convex for face in edge.faces]
    if False in curved:
        return CONVEX
    return CONCAVE if True in curved else edge.convexity


def _merged_groups(part: Part, planes: Sequence[PlaneNumbers | None]) -> list[list[int]]:
    """Faces grouped by surface over common edges; groups in order of their first face, members largest first.

    Faces of one surface and one side always meet smoothly; the angle measured on the edge is not asked, because it
    has no meaning at the apex of a cone.
    """
    joined = []
    for edge in part.edges:
        first, second = edge.faces
        if first == second or second < 0:
            continue
        one, two = part.faces[first], part.faces[second]
        if one.convex != two.convex:
            continue
        flat, other = planes[first], planes[second]
        if flat is not None and other is not None:
            same = one_plane(flat, other)
        else:
            same = same_surface(one.surface, two.surface)
        if same:
            joined.append((first, second))
    groups = connected_groups(range(len(part.faces)), joined)
    for members in groups:
        if len(members) > 1:
            members.sort(key=lambda face: (-part.faces[face].area_mm2, face))
    return groups


def _region(part: Part, number: int, group: Sequence[int], borders: tuple[Border, ...]) -> Region:
    face = part.faces[group[0]]
    surface = face.surface
    extent = 0.0
    low = high = 0.0
    if isinstance(surface, _Turned):
        extent = _extent_deg(part, group, surface)
    if isinstance(surface, CylinderOrCone):
        low, high = _axial_range(part, group, surface)
    return Region(
        number=number,
        faces=tuple(group),
        surface=surface,
        convex=face.convex,
        area_mm2=face.area_mm2 if len(group) == 1 else sum(part.faces[member].area_mm2 for member in group),
        extent_deg=extent,
        low_mm=low,
        high_mm=high,
        point=face.point,
        normal=face.normal,
        body=face.body,
        borders=borders,
    )


def _axial_range(part: Part, group: Sequence[int], surface: Cylinder | Cone) -> tuple[float, float]:
    low, high = math.inf, -math.inf
    for member in group:
        face = part.faces[member]
        other = face.surface
        if not isinstance(other, CylinderOrCone):
            continue
        shift = float((other.origin - surface.origin) @ surface.axis) if other is not surface else 0.0
        sense = 1.0 if other is surface or float(other.axis @ surface.axis) > 0 else -1.0
        ends = (shift + sense * face.v_range_mm[0], shift + sense * face.v_range_mm[1])
        low, high = min(low, *ends), max(high, *ends)
    return low, high


def _extent_deg(part: Part, group: Sequence[int], surface: Cylinder | Cone | Torus) -> float:
    """Angle about the axis covered by the faces together.

    Faces of one cylinder may count their angles from different directions, so each interval (its width is known) is
    placed by its boundary points: it begins after the largest gap between them.
    """
    widths = [math.degrees(part.faces[member].u_range_rad[1] - part.faces[member].u_range_rad[0]) for member in group]
    if len(group) == 1 or max(widths) > 359.9:
        return min(widths[0] if len(group) == 1 else 360.0, 360.0)
    across, up = frame(surface.axis)
    origin = surface.center if isinstance(surface, Torus) else surface.origin
    intervals: list[tuple[float, float]] = []
    for member, width in zip(group, widths, strict=True):
        points = np.concatenate([part.edges[edge].points for loop in part.faces[member].loops for edge in loop.edges])
        offset = points - origin
        angles = np.sort(np.degrees(np.arctan2(offset @ up, offset @ across)) % 360.0)
        gaps = np.append(angles[1:], angles[0] + 360.0) - angles
        start = float(angles[(int(np.argmax(gaps)) + 1) % len(angles)])
        intervals.append((start, start + width))
    return _covered(intervals)


def _covered(intervals: Sequence[tuple[float, float]]) -> float:
    """Degrees of the circle covered by intervals that may run past 360."""
    pieces = []
    for start, end in intervals:
        pieces.append((start, min(end, 360.0)))
        if end > 360.0:
            pieces.append((0.0, end - 360.0))
    total, reached = 0.0, 0.0
    for start, end in sorted(pieces):
        if end > reached:
            total += end - max(start, reached)
            reached = end
    return min(total, 360.0)
