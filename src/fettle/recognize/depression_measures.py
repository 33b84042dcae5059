"""Measures of a depression: extents along directions, gaps between walls, outlines of floors and passages."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Plane, Surface, Vector
from fettle.jit import njit
from fettle.recognize.blends import setback_mm
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression
from fettle.recognize.extents import boundary_points
from fettle.recognize.graph import Graph, Ring, by_surface, frame, plane_of, rings, same_surface
from fettle.recognize.inscribed_circle import inscribed_circle
from fettle.recognize.outlines import CHORD_MM, Outline, fine_runs, ring_area
from fettle.recognize.rectangle import rectangle
from fettle.recognize.signs import CONCAVE, CONVEX
from fettle.recognize.tolerances import ROUNDING, SAME_ANGLE_COS, SAME_LENGTH_MM, SAME_SIDE_SIN, ZERO

Plan: TypeAlias = tuple[Vector, Vector, Vector]
"""A plane to draw in: its origin and two directions."""

DRAWN_MM = 10 * CHORD_MM
"""Largest difference of a width fitted to an outline of chords from that between its surfaces."""
MAX_CHORDS = 256
"""Most chords of one round wall in the cross-section of a passage."""


def members_of(graph: Graph, depression: Depression) -> tuple[int, ...]:
    """Faces of a depression, the fillets between its walls included, the largest first."""
    return graph.faces_of([*depression.regions, *depression.inner_blends])


def floor_size(contracted: ContractedGraph, floor: int, pit: Sequence[int], walled: bool) -> tuple[float, float, float]:
    """Width (largest circle), length and area of a floor between walls and islands, as if its fillets were sharp.

    Openings in the floor are no obstacle: what is below does not narrow the pocket. Nor does a `pit` (floors and
    risers) that reaches the walls: it is measured together with the pieces of floor around it. Nor do openings at the
    edge of a floor that is `walled` all round.
    """
    graph = contracted.graph
    surface = graph.regions[floor].surface
    pieces = [floor]
    risers = [number for number in pit if not _is_level(graph, number, floor)]
    if pit:
        beside = sorted({link.other for riser in risers for link in contracted.links[riser]} - {floor, *pit})
        pieces += [number for number in beside if number >= 0 and same_surface(graph.regions[number].surface, surface)]
        pieces += [number for number in pit if _is_level(graph, number, floor)]
    plan = plan_of(graph, floor)
    outside: list[NDArray[np.float64]] = []
    standing: list[NDArray[np.float64]] = []
    area = 0.0
    for piece in pieces:
        region = graph.regions[piece]
        islands = contracted.islands.get(piece, frozenset())
        area += region.area_mm2
        for ring in rings(graph, piece):
            runs = fine_runs(graph.part, ring)
            drawn = ring_area(np.concatenate(runs), plane_of(region).normal)
            inner = islands.issuperset(ring.edges)
            if drawn > 0 or inner:
                wide = sharp_ring(contracted, piece, ring, runs, plan, bridged=walled and not inner and not pit)
                (standing if inner else outside).append(wide)
                area += _flat_area(wide) - drawn
            else:
                area -= drawn
    segments = np.concatenate([np.concatenate([wide, _following(wide)], axis=1) for wide in (*outside, *standing)])
    for riser in risers:
        segments = segments[~_lies_on(graph.regions[riser].surface, plan, segments)]
    _, _, radius = inscribed_circle(segments)
    length, _ = rectangle(np.concatenate(outside))
    return 2 * radius, length, area


def _is_level(graph: Graph, number: int, floor: int) -> bool:
    """Whether a region is flat and looks the way of a floor."""
    surface = graph.regions[number].surface
    return isinstance(surface, Plane) and float(surface.normal @ plane_of(graph.regions[floor]).normal) > SAME_ANGLE_COS


def drawn_width(graph: Graph, walls: Collection[int], width_mm: float) -> float:
    """The width between two walls that face one another, or across a round one, where the largest circle has it: the
    outline that the circle was fitted to has chords for arcs."""
    flat = [number for number in sorted(walls) if graph.planes[number] is not None]
    round_ = [
        (surface, graph.regions[number].convex)
        for number in sorted(walls)
        if isinstance(surface := graph.regions[number].surface, Cylinder)
    ]
    sizes = [2 * surface.radius_mm for surface, convex in round_ if not convex]
    sizes += [
        abs(one.radius_mm - two.radius_mm) for one, hollow in round_ for two, convex in round_ if convex and not hollow
    ]
    normals = graph.normals[flat]
    first, second = np.nonzero(normals @ normals.T < -SAME_ANGLE_COS)
    away = graph.points[flat][second] - graph.points[flat][first]
    sizes += (away * normals[first]).sum(axis=1)[first < second].tolist()
    return min(
        (size for size in sizes if abs(size - width_mm) < DRAWN_MM),
        key=lambda size: abs(size - width_mm),
        default=width_mm,
    )


def plan_of(graph: Graph, floor: int) -> Plan:
    """The plane in which a floor is drawn."""
    region = graph.regions[floor]
    return (region.point, *frame(plane_of(region).normal))


def _lies_on(surface: Surface, plan: Plan, segments: Outline) -> NDArray[np.bool_]:
    """Which segments of a drawing lie on an upright wall, shape (k,)."""
    origin, across, up = plan
    on = np.ones(len(segments), dtype=bool)
    for ends in (segments[:, :2], segments[:, 2:]):
        points = origin + np.outer(ends[:, 0], across) + np.outer(ends[:, 1], up)
        if isinstance(surface, Cylinder):
            offset = points - surface.origin
            radial = np.linalg.norm(offset - np.outer(offset @ surface.axis, surface.axis), axis=1)
            on &= np.abs(radial - surface.radius_mm) < SAME_LENGTH_MM
        elif isinstance(surface, Plane):
            on &= np.abs((points - surface.origin) @ surface.normal) < SAME_LENGTH_MM
    return on


def sharp_ring(
    contracted: ContractedGraph,
    floor: int,
    ring: Ring,
    runs: Sequence[NDArray[np.float64]],
    plan: Plan,
    *,
    bridged: bool = False,
) -> NDArray[np.float64]:
    """A ring of a floor in a plan, shape (k, 2), each side moved to where its wall would meet the floor sharply.

    `runs`: its points edge by edge. `bridged`: with straight lines over its convex edges, at which something has cut
    the floor open.
    """
    origin, across, up = plan
    setbacks = {
        link.edge: setback_mm(contracted.bridges[link.via].radius_mm, contracted.bridges[link.via].extent_deg)
        for link in contracted.links[floor]
        if link.sign is CONCAVE and link.via is not None and link.via in contracted.bridges
    }
    if bridged:
        convex = {link.edge for link in contracted.links[floor] if link.sign is CONVEX}
        runs = [
            run if edge not in convex else run[:0] if before in convex else run[:1]
            for edge, before, run in zip(ring.edges, (ring.edges[-1], *ring.edges[:-1]), runs, strict=True)
        ]
    offset = np.concatenate(runs) - origin
    points = np.column_stack([offset @ across, offset @ up])
    if not any(setbacks.get(edge) for edge in ring.edges):
        return points
    out = np.repeat([setbacks.get(edge, 0.0) for edge in ring.edges], [len(run) for run in runs])
    sides = _following(points) - points
    lengths = np.hypot(sides[:, 0], sides[:, 1])
    points, out, sides = points[lengths > ZERO], out[lengths > ZERO], sides[lengths > ZERO]
    right = np.column_stack([sides[:, 1], -sides[:, 0]]) / lengths[lengths > ZERO, None]
    before, out_before = np.roll(right, 1, axis=0), np.roll(out, 1)
    # Each corner goes to where its two moved sides meet; along a smooth run they are one line, or a step.
    cross = before[:, 0] * right[:, 1] - before[:, 1] * right[:, 0]
    bent = np.abs(cross) > np.where(np.abs(out - out_before) < ZERO, ROUNDING, SAME_SIDE_SIN)
    shift = right * ((out + out_before) / 2)[:, None]
    shift[bent, 0] = (out_before * right[:, 1] - out * before[:, 1])[bent] / cross[bent]
    shift[bent, 1] = (out * before[:, 0] - out_before * right[:, 0])[bent] / cross[bent]
    moved: NDArray[np.float64] = points + shift
    return moved


def _flat_area(points: NDArray[np.float64]) -> float:
    """Signed area of a ring in the plane, shape (k, 2)."""
    x, y = points.T
    closing = float(x[-1] * y[0] - y[-1] * x[0])
    return 0.5 * (float(x[:-1] @ y[1:] - y[:-1] @ x[1:]) + closing)


def _following(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """The next of each of the points of a ring, shape (k, 2)."""
    return np.concatenate([points[1:], points[:1]])


def standing_area(contracted: ContractedGraph, floor: int, ring: Ring) -> float:
    """Area of what stands inside a ring of a floor, as if its fillets were sharp, mm2."""
    runs = fine_runs(contracted.graph.part, ring)
    return -_flat_area(sharp_ring(contracted, floor, ring, runs, plan_of(contracted.graph, floor)))


def passage_outline(graph: Graph, regions: Collection[int], axis: Vector) -> Outline:
    """Cross-section of walls that run along an axis, as loose segments that close around it.

    Pieces of one wall, which another cut has parted, are drawn as one.
    """
    across, up = frame(axis)
    plan = np.column_stack([across, up])
    paths = []
    for wall in by_surface(graph, sorted(regions)):
        region = graph.regions[wall[0]]
        points = boundary_points(graph, wall)
        surface = region.surface
        if isinstance(surface, Cylinder):
            flat = np.column_stack([points @ across, points @ up])
            center = np.array([surface.origin @ across, surface.origin @ up])
            middle = np.array([region.point @ across, region.point @ up]) - center
            start = math.atan2(middle[1], middle[0])
            turned = (np.arctan2(flat[:, 1] - center[1], flat[:, 0] - center[0]) - start + math.pi) % (
                2 * math.pi
            ) - math.pi
            low, high = float(turned.min()), float(turned.max())
            step = 2 * math.acos(1 - min(CHORD_MM / surface.radius_mm, 1.0))
            count = min(max(2, math.ceil((high - low) / step)), MAX_CHORDS)
            angles = start + np.linspace(low, high, count + 1)
            paths.append(center + surface.radius_mm * np.column_stack([np.cos(angles), np.sin(angles)]))
        else:
            along = points @ (across * -(region.normal @ up) + up * (region.normal @ across))
            ends = points[[int(along.argmin()), int(along.argmax())]]
            paths.append(ends @ plan)
    return _clipped(np.concatenate(paths), np.cumsum([0, *(len(path) for path in paths)]))


@njit(cache=True)
def _clipped(points: NDArray[np.float64], starts: NDArray[np.int64]) -> Outline:
    """Segments of paths, the straight ones cut off where no other wall stands beside them: a floor that passages share
    runs on in others. `points`: of all paths, each beginning at one of the `starts`, which end with their number.
    """
    count = len(starts) - 1
    segments = np.empty((len(points) - count, 4))
    used = 0
    for place in range(count):
        first, last = starts[place], starts[place + 1] - 1
        for k in range(first, last):
            segments[used + k - first, :2], segments[used + k - first, 2:] = points[k], points[k + 1]
        used += last - first
        if last - first > 1:
            continue
        x, y = points[last] - points[first]
        size = np.hypot(x, y)
        along_x, along_y = x / max(size, ZERO), y / max(size, ZERO)
        low, high = np.inf, -np.inf
        for other in range(count):
            begin, end = starts[other], starts[other + 1] - 1
            if other == place:
                continue
            if end - begin == 1:
                ax, ay = points[end] - points[begin]
                if abs(x * ay - y * ax) < SAME_SIDE_SIN * size * np.hypot(ax, ay):
                    continue  # parallel
            for k in range(begin, end + 1):
                reach = points[k, 0] * along_x + points[k, 1] * along_y
                low, high = min(low, reach), max(high, reach)
        if low > high:
            continue  # all others are parallel
        for end in range(2):
            begin_mm = points[first, 0] * along_x + points[first, 1] * along_y
            reach = points[first + end, 0] * along_x + points[first + end, 1] * along_y
            mark = min(max(reach, low), high) - begin_mm
            segments[used - 1, 2 * end] = points[first, 0] + mark * along_x
            segments[used - 1, 2 * end + 1] = points[first, 1] + mark * along_y
    return segments


def passage_size(graph: Graph, regions: Collection[int], axis: Vector) -> tuple[float, float, float]:
    """Width (largest circle), length and area of a passage's cross-section."""
    segments = _closed(passage_outline(graph, regions, axis))
    _, _, radius = inscribed_circle(segments)
    length, _ = rectangle(np.concatenate([segments[:, :2], segments[:, 2:]]))
    return 2 * radius, length, _loose_area(segments)


def _closed(segments: Outline) -> Outline:
    """The same with loose ends, where another cut has breached a wall, joined to the nearest one."""
    ends = np.concatenate([segments[:, :2], segments[:, 2:]])
    loose = _loose_ends(ends)
    if not len(loose):
        return segments
    apart = np.hypot(*(ends[loose, None] - ends[None, loose]).transpose(2, 0, 1))
    np.fill_diagonal(apart, math.inf)
    bridges = []
    while np.isfinite(apart).any():
        one, two = np.unravel_index(int(apart.argmin()), apart.shape)
        bridges.append([*ends[loose[one]], *ends[loose[two]]])
        apart[[one, two]] = math.inf
        apart[:, [one, two]] = math.inf
    return np.concatenate([segments, np.array(bridges).reshape(-1, 4)])


@njit(cache=True)
def _loose_ends(ends: NDArray[np.float64]) -> NDArray[np.int64]:
    """Which ends of segments no other end touches. `ends`: shape (2 k, 2), those where segments begin come first."""
    half = len(ends) // 2
    loose = np.empty(len(ends), np.int64)
    count = 0
    for one in range(len(ends)):
        # Most segments begin where the one before ends, so that end is looked at first.
        guess = half + one - 1 if one < half else one - half + 1
        touched = False
        for k in range(-1, len(ends)):
            other = guess if k < 0 else k
            if other == one or other < 0 or other >= len(ends):
                continue
            if np.hypot(ends[other, 0] - ends[one, 0], ends[other, 1] - ends[one, 1]) <= SAME_LENGTH_MM:
                touched = True
                break
        if not touched:
            loose[count] = one
            count += 1
    return loose[:count]


@njit(cache=True)
def _loose_area(segments: Outline) -> float:
    """Area inside segments that close but may run either way, in bands between their levels."""
    levels = np.unique(np.concatenate((segments[:, 1], segments[:, 3])))
    marks = np.empty(len(segments))
    total = 0.0
    for band in range(len(levels) - 1):
        y = (levels[band] + levels[band + 1]) / 2
        used = 0
        for x1, y1, x2, y2 in segments:
            if (y1 > y) != (y2 > y):
                marks[used] = x1 + (y - y1) / (y2 - y1) * (x2 - x1)
                used += 1
        if used % 2 == 0:
            crossed = np.sort(marks[:used])
            total += (crossed[1::2] - crossed[::2]).sum() * (levels[band + 1] - levels[band])
    return float(total)
