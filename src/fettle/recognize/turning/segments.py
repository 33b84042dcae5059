"""Surfaces of revolution about an axis, each as the line or arc that a plane through the axis cuts out of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Circle, Cone, CylinderOrCone, Freeform, Line, Plane, Sphere, Torus, Vector
from fettle.jit import njit
from fettle.recognize.extents import boundary_points
from fettle.recognize.graph import Graph, Region, coaxial, frame, same_surface
from fettle.recognize.signs import CONCAVE
from fettle.recognize.tolerances import ACROSS_COS, LOOSE_LENGTH_MM, ROUNDING, SAME_ANGLE_COS, ZERO
from fettle.recognize.turned_part import Point, Segment

BOUND_SHARE = 0.5
"""Share of a plane's outline in concave edges to walls along the axis from which it is the floor of a milled cut."""

LEAST_RING_DEG = 180.0
"""Least angle of the circles in the outline of a flat ring; the ends of flats have less."""
WHOLE_DEG = 360.0 - ROUNDING
"""Angle of a circle that is not cut into arcs."""


def find_segments(
    graph: Graph, origin: Vector, axis: Vector, slack_mm: float, ends_mm: tuple[float, float]
) -> list[Segment]:
    """All segments about an axis; z counts from the origin. Pieces of one surface at one height are one segment.
    `ends_mm`: z of the ends of the part, whose faces a lathe faces whatever their outline."""
    found = [
        segment
        for region in graph.regions
        if (segment := _segment(graph, region, origin, axis, slack_mm, ends_mm)) is not None
    ]
    return [one for one in _joined(found) if one.faces_up is None or one.extent_deg >= LEAST_RING_DEG]


def _segment(
    graph: Graph, region: Region, origin: Vector, axis: Vector, slack_mm: float, ends_mm: tuple[float, float]
) -> Segment | None:
    surface = region.surface
    if isinstance(surface, Plane):
        return _ring(graph, region, origin, axis, slack_mm, ends_mm)
    if isinstance(surface, CylinderOrCone):
        if not coaxial(origin, axis, surface.origin, surface.axis, slack_mm):
            return None
        shift = float((surface.origin - origin) @ axis)
        sense = 1.0 if float(surface.axis @ axis) > 0 else -1.0
        slope = math.tan(math.radians(surface.half_angle_deg)) if isinstance(surface, Cone) else 0.0
        ends = sorted(
            (shift + sense * along, max(surface.radius_mm + slope * along, 0.0))
            for along in (region.low_mm, region.high_mm)
        )
        return _of(region, (ends[0], ends[1]), extent_deg=region.extent_deg)
    if isinstance(surface, Torus) and coaxial(origin, axis, surface.center, surface.axis, slack_mm):
        center = (float((surface.center - origin) @ axis), surface.major_radius_mm)
        if region.borders:
            arc = _arc_ends(graph, region, origin, axis)
        else:
            low, high = center[0] - surface.minor_radius_mm, center[0] + surface.minor_radius_mm
            arc = (low, center[1]), (high, center[1])
        return _of(region, arc, center, surface.minor_radius_mm, region.extent_deg)
    if isinstance(surface, Sphere):
        away = surface.center - origin
        height = float(away @ axis)
        if float(np.linalg.norm(away - height * axis)) > slack_mm:
            return None
        rims = _cap_ends(graph, region, origin, axis, height, surface.radius_mm)
        return _of(region, rims, (height, 0.0), surface.radius_mm, 360.0)
    if isinstance(surface, Freeform):
        return _curve(graph, region, origin, axis, slack_mm)
    return None


def _curve(graph: Graph, region: Region, origin: Vector, axis: Vector, slack_mm: float) -> Segment | None:
    """A freeform surface between two circles about the axis: a curve that was revolved."""
    rims: set[tuple[float, float]] = set()
    for border in region.borders:
        height, radii = _heights_and_radii(graph.part.edges[border.edge].points, origin, axis)
        if float(np.ptp(height)) > slack_mm or float(np.ptp(radii)) > slack_mm:
            return None
        rims.add((round(float(height.mean()), 6), round(float(radii.mean()), 6)))
    if len(rims) != 2:
        return None
    ends = sorted(rims)
    return _of(region, (ends[0], ends[1]), extent_deg=360.0)


def _of(
    region: Region,
    ends: tuple[Point, Point],
    center: Point | None = None,
    radius_mm: float | None = None,
    extent_deg: float = 0.0,
    faces_up: bool | None = None,
) -> Segment:
    return Segment(
        surface=region.surface,
        regions=(region.number,),
        faces=region.faces,
        start=ends[0],
        end=ends[1],
        center=center,
        radius_mm=radius_mm,
        convex=region.convex,
        faces_up=faces_up,
        extent_deg=extent_deg,
        area_mm2=region.area_mm2,
    )


def _ring(
    graph: Graph, region: Region, origin: Vector, axis: Vector, slack_mm: float, ends_mm: tuple[float, float]
) -> Segment | None:
    """A plane square to the axis that a lathe faces: part of its outline is a circle about the axis, or it is an end of
    the part."""
    along = float(region.normal @ axis)
    if abs(along) < SAME_ANGLE_COS or not region.borders:
        return None
    level = float((region.point - origin) @ axis)
    circles = _circles_mm(graph, region, origin, axis, slack_mm)
    if circles is not None:
        inner = circles[0] if len(circles) == 2 else 0.0
        return _of(region, ((level, inner), (level, circles[-1])), extent_deg=360.0, faces_up=along > 0)
    ends = min(abs(level - end) for end in ends_mm) < slack_mm
    extent = 360.0 if ends else circle_deg(graph, region, origin, axis, slack_mm)
    if extent == 0.0 or _is_milled_floor(graph, region, axis):
        return None
    radii = _heights_and_radii(boundary_points(graph, [region.number]), origin, axis)[1]
    inner = 0.0 if _holds_axis(graph, region, origin, axis) else _nearest(graph, region, origin, axis)
    return _of(region, ((level, inner), (level, float(radii.max()))), extent_deg=extent, faces_up=along > 0)


def _circles_mm(
    graph: Graph, region: Region, origin: Vector, axis: Vector, slack_mm: float
) -> tuple[float, ...] | None:
    """Radii of a disc or ring between whole circles about the axis, the smaller first; None for other outlines."""
    radii = []
    for border in region.borders:
        curve = graph.part.edges[border.edge].curve
        if not isinstance(curve, Circle) or curve.extent_deg < WHOLE_DEG:
            return None
        if not coaxial(origin, axis, curve.center, curve.axis, slack_mm):
            return None
        radii.append(curve.radius_mm)
    return tuple(sorted(radii)) if 1 <= len(radii) <= 2 else None


def _nearest(graph: Graph, region: Region, origin: Vector, axis: Vector) -> float:
    """Least distance of a plane's outline from the axis; straight edges may come nearest between their ends."""
    across, up = frame(axis)
    least = math.inf
    for border in region.borders:
        edge = graph.part.edges[border.edge]
        away = edge.points - origin
        least = min(least, _nearest_mm(away @ across, away @ up, isinstance(edge.curve, Line)))
    return least


@njit(cache=True)
def _nearest_mm(x: NDArray[np.float64], y: NDArray[np.float64], straight: bool) -> float:
    """Least distance of flat points (k,), or of the lines between them, from the origin."""
    least = np.hypot(x, y).min()
    if straight:
        for k in range(len(x) - 1):
            dx, dy = x[k + 1] - x[k], y[k + 1] - y[k]
            share = -(x[k] * dx + y[k] * dy) / max(dx * dx + dy * dy, ZERO)
            share = min(max(share, 0.0), 1.0)
            least = min(least, np.hypot(x[k] + share * dx, y[k] + share * dy))
    return float(least)


def circle_deg(graph: Graph, region: Region, origin: Vector, axis: Vector, slack_mm: float = LOOSE_LENGTH_MM) -> float:
    """Angle that the arcs about the axis in a plane's outline cover, of the radius that covers most."""
    covered: dict[int, float] = {}
    for border in region.borders:
        curve = graph.part.edges[border.edge].curve
        if isinstance(curve, Circle):
            away = curve.center - origin
            if float(np.linalg.norm(away - float(away @ axis) * axis)) < slack_mm:
                radius = round(curve.radius_mm / LOOSE_LENGTH_MM)
                covered[radius] = covered.get(radius, 0.0) + curve.extent_deg
    return min(max(covered.values(), default=0.0), 360.0)


def _is_milled_floor(graph: Graph, region: Region, axis: Vector) -> bool:
    """Whether walls along the axis stand around most of a plane: the floor of a slot or pocket."""
    walled = every = 0.0
    for border in region.borders:
        length = graph.part.edges[border.edge].length_mm
        every += length
        if border.sign is CONCAVE and border.other >= 0:
            beyond = graph.regions[border.other]
            if isinstance(beyond.surface, Plane) and abs(float(beyond.normal @ axis)) < ACROSS_COS:
                walled += length
    return walled > BOUND_SHARE * every


def _holds_axis(graph: Graph, region: Region, origin: Vector, axis: Vector) -> bool:
    """Whether the axis passes through a plane region: its outline winds around the axis an odd number of times."""
    across, up = frame(axis)
    turns = 0.0
    for face in region.faces:
        for loop in graph.part.faces[face].loops:
            for edge, back in zip(loop.edges, loop.reversed, strict=True):
                away = graph.part.edges[edge].points - origin
                turn = _turn_rad(away @ across, away @ up)
                turns += -turn if back else turn
    return abs(turns) > math.pi


@njit(cache=True)
def _turn_rad(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    """Angle by which flat points (k,) go around the origin, each step at most half a turn.

    Compiled: `numpy.unwrap` takes 23 us for an edge, this 1 us, and every edge of every face across the axis is asked.
    """
    angles = np.arctan2(y, x)
    total = 0.0
    for k in range(len(angles) - 1):
        step = angles[k + 1] - angles[k]
        if step > math.pi:
            step -= 2 * math.pi
        elif step < -math.pi:
            step += 2 * math.pi
        total += step
    return float(total)


def _heights_and_radii(
    points: NDArray[np.float64], origin: Vector, axis: Vector
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    away = points - origin
    height = away @ axis
    return height, np.linalg.norm(away - height[:, None] * axis, axis=1)


def _arc_ends(graph: Graph, region: Region, origin: Vector, axis: Vector) -> tuple[Point, Point]:
    """The ends of a piece of a torus: the borders that are farthest apart."""
    height, radii = _heights_and_radii(boundary_points(graph, [region.number]), origin, axis)
    spread = 0 if float(np.ptp(height)) >= float(np.ptp(radii)) else 1
    by = (height, radii)[spread]
    low, high = int(by.argmin()), int(by.argmax())
    ends = sorted([(float(height[low]), float(radii[low])), (float(height[high]), float(radii[high]))])
    return ends[0], ends[1]


def _cap_ends(
    graph: Graph, region: Region, origin: Vector, axis: Vector, height_mm: float, radius_mm: float
) -> tuple[Point, Point]:
    """The ends of a piece of a sphere: its rims, or a rim and the pole beyond it."""
    poles = ((height_mm - radius_mm, 0.0), (height_mm + radius_mm, 0.0))
    if not region.borders:
        return poles
    height, radii = _heights_and_radii(boundary_points(graph, [region.number]), origin, axis)
    low, high = int(height.argmin()), int(height.argmax())
    ends = [(float(height[low]), float(radii[low])), (float(height[high]), float(radii[high]))]
    if float(np.ptp(height)) < LOOSE_LENGTH_MM:
        inside = float((region.point - origin) @ axis)
        return (ends[0], poles[1]) if inside > ends[0][0] else (poles[0], ends[0])
    return ends[0], ends[1]


def _joined(segments: Iterable[Segment]) -> list[Segment]:
    """Pieces of one surface that overlap along the profile become one segment."""
    joined: list[Segment] = []
    near: list[int] = []  # of the joined ones those that reach the height of the next
    for one in sorted(segments, key=_order):
        near = [place for place in near if joined[place].high_mm > one.low_mm - LOOSE_LENGTH_MM]
        for place in near:
            other = joined[place]
            if (
                one.convex == other.convex
                and one.faces_up == other.faces_up
                and same_surface(one.surface, other.surface)
                and _overlap(one, other)
            ):
                joined[place] = _union(other, one)
                break
        else:
            near.append(len(joined))
            joined.append(one)
    return joined


def _order(segment: Segment) -> tuple[float, ...]:
    return (*(round(value, 6) for value in (*segment.start, *segment.end)), min(segment.regions))


def _overlap(one: Segment, two: Segment) -> bool:
    if one.faces_up is not None:
        return one.inner_mm < two.outer_mm - ROUNDING and two.inner_mm < one.outer_mm - ROUNDING
    return one.low_mm < two.high_mm - ROUNDING and two.low_mm < one.high_mm - ROUNDING


def _union(one: Segment, two: Segment) -> Segment:
    ends: Sequence[Point] = (one.start, one.end, two.start, two.end)
    return replace(
        one,
        regions=(*one.regions, *two.regions),
        faces=(*one.faces, *two.faces),
        start=min(ends),
        end=max(ends),
        extent_deg=min(one.extent_deg + two.extent_deg, 360.0),
        area_mm2=one.area_mm2 + two.area_mm2,
    )
