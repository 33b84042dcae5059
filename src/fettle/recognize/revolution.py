"""The share of a part that a lathe makes: surfaces of revolution about one axis, and teeth around it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Edge, Face, Part
from fettle.recognize.components import connected_groups
from fettle.recognize.face_table import CONE, CYLINDER, FREEFORM, PLANE, SPHERE, TORUS, FaceTable
from fettle.recognize.graph import cross, rows_of
from fettle.recognize.signs import CONCAVE
from fettle.recognize.tolerances import ROUNDING

MAX_AXES = 2
"""Axes tried, those with the most round area first."""
MAX_SEEDS = 24
"""Round faces whose axes are looked at, the largest first."""
MIN_ROUND = 0.05
"""Share of the area that is round about an axis, below which it is no axis of a turned part."""
PARALLEL_COSINE = math.cos(math.radians(0.1))
"""Two directions closer than 0.1 degrees are one."""
COAXIAL_SHARE = 1e-3
"""Distance between axes, as a share of the diagonal, below which they are one."""
ANNULUS_FILL = (0.65, 0.80)
"""Area of a plane normal to the axis over the ring that it spans: a square fills 0.64 of its circle and is milled; a
face with bolt holes or teeth fills 0.8 and more and is turned."""
MIN_RING = 1e-3
"""Share of the area below which a plane is not looked at."""
TANGENTIAL = 0.1
"""Component of a freeform face's normal around the axis below which it is of revolution; the flanks of a thread have
that of its lead angle, up to 5 degrees."""
LEVEL_OUTLINE = 0.8
"""Share of the outline of such a face that keeps its distance from the axis."""
MIN_TEETH = 6
"""Equal faces around the axis that count as teeth: the flats of a hexagon bar are the fewest."""
SAME_AREA = 0.01
"""Relative difference in area below which two teeth are equal."""


@dataclass(frozen=True, slots=True, eq=False)
class Revolution:
    """About one axis: shares of the area of revolution (`curved_share` of it without flat rings), of teeth and of what
    lies between ribs inside a bore, and the number of teeth (0 for none). `origin` in mm and unit `direction`;
    `tolerance_mm`: how far from it a surface may be."""

    origin: NDArray[np.float64]
    direction: NDArray[np.float64]
    tolerance_mm: float
    round_share: float
    curved_share: float
    teeth_share: float
    ribbed_share: float
    teeth: int

    @property
    def share(self) -> float:
        return min(self.round_share + self.teeth_share, 1.0)


NO_REVOLUTION = Revolution(np.zeros(3), np.array([0.0, 0.0, 1.0]), 0.0, 0.0, 0.0, 0.0, 0.0, 0)
"""Of a part without round surfaces."""


@dataclass(frozen=True, slots=True, eq=False)
class _Axis:
    origin: NDArray[np.float64]
    direction: NDArray[np.float64]
    tolerance_mm: float

    def heights_and_radii(self, points: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Along the axis and from it, (k,) each, of points (k, 3)."""
        away = points - self.origin
        height = away @ self.direction
        return height, np.sqrt(np.maximum((away * away).sum(axis=1) - height * height, 0.0))


def find_revolutions(part: Part, faces: FaceTable) -> tuple[Revolution, ...]:
    """The axes with the most round area, that about which most of the area is of revolution or toothed first."""
    found = [_about(part, faces, axis) for axis in _axes(part, faces)]
    return tuple(sorted(found, key=lambda about: -about.share))


def _axes(part: Part, faces: FaceTable) -> list[_Axis]:
    tolerance_mm = COAXIAL_SHARE * part.diagonal_mm
    lines = np.flatnonzero((faces.kind == CYLINDER) | (faces.kind == CONE) | (faces.kind == TORUS))
    if len(lines) == 0:
        return _sphere_axes(faces, tolerance_mm)
    origins, ways, area = faces.origin[lines], faces.way[lines], faces.area_mm2[lines]
    left = np.ones(len(lines), np.bool_)
    groups: list[tuple[float, _Axis]] = []
    for seed in np.argsort(-area, kind="stable")[:MAX_SEEDS].tolist():
        if not left[seed]:
            continue
        axis = _Axis(origins[seed], ways[seed], tolerance_mm)
        same = left & _parallel(ways, axis) & (axis.heights_and_radii(origins)[1] < tolerance_mm)
        left &= ~same
        groups.append((float(area[same].sum() / faces.area_mm2.sum()), axis))
    groups.sort(key=lambda group: -group[0])
    return [axis for share, axis in groups[:MAX_AXES] if share >= MIN_ROUND]


def _sphere_axes(faces: FaceTable, tolerance_mm: float) -> list[_Axis]:
    """Through the center of the largest sphere, along the normal of the largest plane: a ball or a dome."""
    spheres, planes = np.flatnonzero(faces.kind == SPHERE), np.flatnonzero(faces.kind == PLANE)
    if len(spheres) == 0:
        return []
    center = faces.origin[spheres[faces.area_mm2[spheres].argmax()]]
    any_way = np.array([0.0, 0.0, 1.0])
    return [_Axis(center, faces.way[planes[faces.area_mm2[planes].argmax()]] if len(planes) else any_way, tolerance_mm)]


def _about(part: Part, faces: FaceTable, axis: _Axis) -> Revolution:
    parallel, on_axis = _parallel(faces.way, axis), axis.heights_and_radii(faces.origin)[1] < axis.tolerance_mm
    flat = (faces.kind == PLANE) & parallel
    curved = (faces.kind == CYLINDER) | (faces.kind == CONE) | (faces.kind == TORUS)
    turned = on_axis & ((curved & parallel) | (faces.kind == SPHERE))
    turned[_swept_freeform(part, faces, axis)] = True
    ribbed, ribs = _between_ribs(part, faces, axis, turned, flat)
    turned[ribbed] = False
    teeth = _teeth(part, faces, axis, np.flatnonzero(~turned & ~flat & ~ribbed & ~ribs))
    total = float(faces.area_mm2.sum())
    rings = np.flatnonzero(flat & (faces.area_mm2 > MIN_RING * total))
    curved_mm2 = float(faces.area_mm2[turned].sum())
    round_mm2 = curved_mm2 + _ring_area_mm2(part, axis, rings.tolist())
    toothed_mm2 = sum(float(faces.area_mm2[group].sum()) for group in teeth)
    return Revolution(
        origin=axis.origin,
        direction=axis.direction,
        tolerance_mm=axis.tolerance_mm,
        round_share=round_mm2 / total,
        curved_share=curved_mm2 / total,
        teeth_share=toothed_mm2 / total,
        ribbed_share=float(faces.area_mm2[ribbed].sum()) / total,
        teeth=max((len(group) for group in teeth), default=0),
    )


def _parallel(ways: NDArray[np.float64], axis: _Axis) -> NDArray[np.bool_]:
    """Which of the directions (k, 3) run along the axis, (k,)."""
    along: NDArray[np.bool_] = np.abs(ways @ axis.direction) > PARALLEL_COSINE
    return along


def _swept_freeform(part: Part, faces: FaceTable, axis: _Axis) -> list[int]:
    """Freeform faces whose normal has no component around the axis, most of whose outline keeps its distance from it:
    the circles of a revolved curve, the helices of a thread."""
    found = []
    for number in np.flatnonzero(faces.kind == FREEFORM).tolist():
        face = part.faces[number]
        around = cross(axis.direction, face.point - axis.origin)
        length = float(np.linalg.norm(around))
        if length < axis.tolerance_mm or abs(float(around @ face.normal)) > TANGENTIAL * length:
            continue
        level = every = 0.0
        for loop in face.loops:
            for number_of_edge in loop.edges:
                edge = part.edges[number_of_edge]
                every += edge.length_mm
                if float(np.ptp(axis.heights_and_radii(edge.points)[1])) < axis.tolerance_mm:
                    level += edge.length_mm
        if level >= LEVEL_OUTLINE * every:
            found.append(number)
    return found


def _between_ribs(
    part: Part, faces: FaceTable, axis: _Axis, turned: NDArray[np.bool_], flat: NDArray[np.bool_]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Faces of revolution inside a bore that ribs interrupt, and the faces of these ribs, (f,) each.

    A boring bar would cut the ribs away. Ribs with nothing but cylinders between them are left out: a broach or shaper
    makes internal teeth of one section all along the axis.
    """
    ribs = np.zeros(len(turned), np.bool_)
    is_bore = [
        is_turned and _looks_inward(face, axis) for face, is_turned in zip(part.faces, turned.tolist(), strict=True)
    ]
    is_cut = (~turned & ~flat).tolist()
    feet = [
        (one, other)
        for edge in part.edges
        if edge.convexity is CONCAVE and -1 not in edge.faces
        for one, other in (edge.faces, edge.faces[::-1])
        if is_bore[one] and is_cut[other] and _climbs(edge, axis)
    ]
    seeds = {other for one, other in feet if faces.kind[one] != CYLINDER}
    if seeds:
        cut = set(np.flatnonzero(~turned & ~flat).tolist())
        for body in connected_groups(sorted(cut), [edge.faces for edge in part.edges if cut.issuperset(edge.faces)]):
            ribs[body] = not seeds.isdisjoint(body)
    ribbed = np.zeros(len(turned), np.bool_)
    ribbed[[one for one, other in feet if ribs[other]]] = True
    return ribbed, ribs


def _looks_inward(face: Face, axis: _Axis) -> bool:
    """Whether a face of revolution looks toward its axis."""
    away = face.point - axis.origin
    outward = away - (away @ axis.direction) * axis.direction
    return float(outward @ face.normal) < 0.0


def _climbs(edge: Edge, axis: _Axis) -> bool:
    """Whether an edge does not stay at one height."""
    height = (edge.points - axis.origin) @ axis.direction
    return float(height.max() - height.min()) > axis.tolerance_mm


def _ring_area_mm2(part: Part, axis: _Axis, numbers: list[int]) -> float:
    """Area of planes normal to the axis, as far as those at one height fill the ring that they span."""
    if not numbers:
        return 0.0
    levels: dict[tuple[int, bool], list[int]] = {}
    heights = (rows_of([part.faces[number].point for number in numbers]) - axis.origin) @ axis.direction
    along = rows_of([part.faces[number].normal for number in numbers]) @ axis.direction
    for number, height, way in zip(numbers, heights.tolist(), along.tolist(), strict=True):
        levels.setdefault((round(height / axis.tolerance_mm), way > 0), []).append(number)
    total = 0.0
    for group in levels.values():
        area = sum(part.faces[number].area_mm2 for number in group)
        edges = {edge for number in group for loop in part.faces[number].loops for edge in loop.edges}
        if not edges:
            continue
        radii = axis.heights_and_radii(np.concatenate([part.edges[edge].points for edge in sorted(edges)]))[1]
        disc, ring = math.pi * radii.max() ** 2, math.pi * (radii.max() ** 2 - radii.min() ** 2)
        # a face that holds the axis itself spans the disc, whatever its nearest edge
        span = disc if area > ring * (1 + ROUNDING) else ring
        low, high = ANNULUS_FILL
        total += area * min(max((float(area / span) - low) / (high - low), 0.0), 1.0)
    return total


def _teeth(part: Part, faces: FaceTable, axis: _Axis, numbers: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """Groups of faces of one area, radius and height."""
    if len(numbers) < MIN_TEETH:
        return []
    height, radius = axis.heights_and_radii(rows_of([part.faces[number].centroid for number in numbers.tolist()]))
    area, step = faces.area_mm2[numbers], 3.0 * axis.tolerance_mm
    order = np.lexsort((np.round(height / step), np.round(radius / step), np.round(np.log(area) / SAME_AREA)))
    area, radius, height = area[order], radius[order], height[order]
    breaks = (
        (np.abs(np.diff(area)) > SAME_AREA * area[1:])
        | (np.abs(np.diff(radius)) > step)
        | (np.abs(np.diff(height)) > step)
    )
    ends = np.concatenate([[0], np.flatnonzero(breaks) + 1, [len(order)]])
    many = np.flatnonzero(np.diff(ends) >= MIN_TEETH)
    return [numbers[order[ends[group] : ends[group + 1]]] for group in many.tolist()]
