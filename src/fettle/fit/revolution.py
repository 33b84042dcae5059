"""The share of a part that a lathe makes: surfaces of revolution about one axis, and teeth around it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.mesh import Mesh
from fettle.geometry.part import Cone, Cylinder, Freeform, Part, Plane, Sphere, Torus

MAX_AXES = 4
"""Axes tried, those with the most round area first."""
PARALLEL_SINE = 2e-3
"""Sine of the angle (0.1 degrees) below which two directions are one."""
COAXIAL_SHARE = 1e-3
"""Distance between axes, as a share of the diagonal, below which they are one."""
ANNULUS_FILL = (0.65, 0.80)
"""Area of a plane normal to the axis over the ring that it spans: a square fills 0.64 of its circle and is milled; a
face with bolt holes or teeth fills 0.8 and more and is turned."""
TANGENTIAL = 0.02
"""Mean component of a freeform face's normals around the axis below which it is of revolution."""
MIN_TEETH = 6
"""Equal faces around the axis that count as teeth: the flats of a hexagon bar are the fewest."""
SAME_AREA = 0.01
"""Relative difference in area below which two teeth are equal."""


@dataclass(frozen=True, slots=True)
class Revolution:
    """About the best axis: shares of the area of revolution and of teeth, and the number of teeth (0 for none)."""

    round_share: float
    teeth_share: float
    teeth: int

    @property
    def share(self) -> float:
        return min(self.round_share + self.teeth_share, 1.0)


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


def find_revolution(part: Part, mesh: Mesh) -> Revolution:
    """The axis about which most of the area is of revolution or toothed."""
    found = [_about(part, mesh, axis) for axis in _axes(part)]
    return max(found, key=lambda about: about.share, default=Revolution(0.0, 0.0, 0))


def _axes(part: Part) -> list[_Axis]:
    lines = []
    for face in part.faces:
        surface = face.surface
        if isinstance(surface, Cylinder | Cone):
            lines.append((surface.origin, surface.axis, face.area_mm2))
        elif isinstance(surface, Torus):
            lines.append((surface.center, surface.axis, face.area_mm2))
    tolerance_mm = COAXIAL_SHARE * part.diagonal_mm
    if not lines:
        return _sphere_axes(part, tolerance_mm)
    origins, ways = np.array([line[0] for line in lines]), np.array([line[1] for line in lines])
    area = np.array([line[2] for line in lines])
    left = np.ones(len(lines), np.bool_)
    groups: list[tuple[float, _Axis]] = []
    for seed in np.argsort(-area, kind="stable")[: 8 * MAX_AXES].tolist():
        if not left[seed]:
            continue
        axis = _Axis(origins[seed], ways[seed], tolerance_mm)
        parallel = 1.0 - (ways @ axis.direction) ** 2 < PARALLEL_SINE**2
        same = left & parallel & (axis.heights_and_radii(origins)[1] < tolerance_mm)
        left &= ~same
        groups.append((float(area[same].sum()), axis))
    groups.sort(key=lambda group: -group[0])
    return [axis for _, axis in groups[:MAX_AXES]]


def _sphere_axes(part: Part, tolerance_mm: float) -> list[_Axis]:
    """Through the center of the largest sphere, along the normal of the largest plane: a ball or a dome."""
    centers = [(face.area_mm2, face.surface.center) for face in part.faces if isinstance(face.surface, Sphere)]
    planes = [(face.area_mm2, face.normal) for face in part.faces if isinstance(face.surface, Plane)]
    if not centers:
        return []
    direction = max(planes, key=lambda plane: plane[0])[1] if planes else np.array([0.0, 0.0, 1.0])
    return [_Axis(max(centers, key=lambda ball: ball[0])[1], direction, tolerance_mm)]


def _about(part: Part, mesh: Mesh, axis: _Axis) -> Revolution:
    round_mm2, flat, rest = 0.0, [], []
    for number, face in enumerate(part.faces):
        surface = face.surface
        if isinstance(surface, Plane):
            (flat if _parallel(surface.normal, axis) else rest).append(number)
        elif _is_round(surface, axis):
            round_mm2 += face.area_mm2
        else:
            rest.append(number)
    swept = _swept_freeform(part, mesh, axis, rest)
    round_mm2 += sum(part.faces[number].area_mm2 for number in swept) + _ring_area_mm2(part, axis, flat)
    teeth = _teeth(part, axis, [number for number in rest if number not in swept])
    total = sum(face.area_mm2 for face in part.faces)
    toothed = sum(part.faces[number].area_mm2 for group in teeth for number in group)
    return Revolution(round_mm2 / total, toothed / total, max((len(group) for group in teeth), default=0))


def _is_round(surface: object, axis: _Axis) -> bool:
    if isinstance(surface, Sphere):
        return bool(axis.heights_and_radii(surface.center[None])[1][0] < axis.tolerance_mm)
    if isinstance(surface, Torus):
        center, way = surface.center, surface.axis
    elif isinstance(surface, Cylinder | Cone):
        center, way = surface.origin, surface.axis
    else:
        return False
    return _parallel(way, axis) and bool(axis.heights_and_radii(center[None])[1][0] < axis.tolerance_mm)


def _parallel(way: NDArray[np.float64], axis: _Axis) -> bool:
    return 1.0 - float(way @ axis.direction) ** 2 < PARALLEL_SINE**2


def _swept_freeform(part: Part, mesh: Mesh, axis: _Axis, numbers: list[int]) -> frozenset[int]:
    """Freeform faces whose normals have no component around the axis."""
    free = [number for number in numbers if isinstance(part.faces[number].surface, Freeform)]
    if not free:
        return frozenset()
    asked = np.zeros(len(part.faces), np.bool_)
    asked[free] = True
    rows = np.flatnonzero(asked[mesh.point_face])
    around = np.cross(axis.direction, mesh.points[rows] - axis.origin)
    length = np.linalg.norm(around, axis=1)
    off_axis = length > axis.tolerance_mm
    rows, around, length = rows[off_axis], around[off_axis], length[off_axis]
    component = np.abs((around * mesh.normals[rows]).sum(axis=1)) / length
    faces = mesh.point_face[rows]
    count = np.bincount(faces, minlength=len(part.faces))
    mean = np.bincount(faces, component, minlength=len(part.faces)) / np.maximum(count, 1)
    return frozenset(number for number in free if count[number] and mean[number] < TANGENTIAL)


def _ring_area_mm2(part: Part, axis: _Axis, numbers: list[int]) -> float:
    """Area of planes normal to the axis, as far as those at one height fill the ring that they span."""
    levels: dict[tuple[int, bool], list[int]] = {}
    for number in numbers:
        face = part.faces[number]
        height = float((face.point - axis.origin) @ axis.direction)
        levels.setdefault((round(height / axis.tolerance_mm), float(face.normal @ axis.direction) > 0), []).append(number)
    total = 0.0
    for group in levels.values():
        area = sum(part.faces[number].area_mm2 for number in group)
        edges = {edge for number in group for loop in part.faces[number].loops for edge in loop.edges}
        if not edges:
            continue
        radii = axis.heights_and_radii(np.concatenate([part.edges[edge].points for edge in sorted(edges)]))[1]
        disc, ring = math.pi * radii.max() ** 2, math.pi * (radii.max() ** 2 - radii.min() ** 2)
        # a face that holds the axis itself spans the disc, whatever its nearest edge
        span = disc if area > ring else ring
        low, high = ANNULUS_FILL
        total += area * min(max((area / span - low) / (high - low), 0.0), 1.0)
    return total


def _teeth(part: Part, axis: _Axis, numbers: list[int]) -> list[list[int]]:
    """Groups of faces of one area, radius and height."""
    if len(numbers) < MIN_TEETH:
        return []
    height, radius = axis.heights_and_radii(np.array([part.faces[number].centroid for number in numbers]))
    area = np.array([part.faces[number].area_mm2 for number in numbers])
    step = 3.0 * axis.tolerance_mm
    order = np.lexsort((np.round(height / step), np.round(radius / step), np.round(np.log(area) / SAME_AREA)))
    groups: list[list[int]] = []
    last = None
    for place in order.tolist():
        if last is not None and (
            abs(area[place] - area[last]) < SAME_AREA * area[last]
            and abs(radius[place] - radius[last]) < step
            and abs(height[place] - height[last]) < step
        ):
            groups[-1].append(numbers[place])
        else:
            groups.append([numbers[place]])
        last = place
    return [group for group in groups if len(group) >= MIN_TEETH]
