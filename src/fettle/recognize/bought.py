"""Bought parts among the bodies of an assembly: fasteners, bearings and the like, by name or by shape.

A made part that is taken for a bought one goes unjudged and unpriced, so a shape must agree with the table of a
standard in every size that it has, and nothing else may be on it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, CylinderOrCone, Face, Freeform, Part, Plane, Sphere, Torus
from fettle.recognize.bought_names import bought_by_name, names_made_part
from fettle.recognize.bought_sizes import BEARINGS, HEXAGONS, SOCKET_HEADS, WASHERS
from fettle.recognize.graph import LineNumbers, coaxial, is_one_line

Array = NDArray[np.float64]

LARGEST_MM = 250.0
"""Diagonal beyond which no body is named a bought part by a word of its name alone."""
SIZE_MM = 0.06
"""Difference from the size of a standard: exporters keep nominal sizes; 0.05 mm is a usual clearance on top."""
HEAD_MM = 0.35
"""The same for heads, whose edges are rounded or knurled and whose standards give a range."""
THREAD_SHARES = (0.76, 1.03)
"""A thread's cylinder over the nominal diameter: from the core (0.77 for M3) to a little above nominal."""
OWN_SHARE = 0.97
"""Area on the axis, on the hexagon or across the axis: above it nothing else is on the body."""
PARALLEL_COS = 0.9999
BENT_SHARE = 0.03
"""Area of bent pieces from which a rod is bent: a straight one may be a shaft or a spacer."""
BOUGHT_ASSEMBLIES = frozenset({"bearing", "motor", "fan", "electronic part", "hot end"})
"""What is bought as one piece and drawn as several; a sub-assembly `Screws` is only a folder."""
WIRE_DIAMETER_MM = 3.0
WIRE_RATIO = 15.0
"""Length over diameter from which a bent round rod is a wire, a cable or a spring: no process here makes one."""


@dataclass(frozen=True, slots=True)
class Bought:
    """`what`: what it is bought as; `reason`: the evidence, in words."""

    what: str
    reason: str


def find_bought(part: Part, name: str, groups: Sequence[str] = ()) -> Bought | None:
    """What a body is bought as; None for one that is to be made. `groups`: names of the sub-assemblies that hold it, so
    that the rings and balls of a bearing are bought with it."""
    by_shape = bought_by_shape(part)
    named = bought_by_name(name)
    if named is not None and (part.diagonal_mm <= LARGEST_MM or by_shape is not None):
        return Bought(by_shape.what if by_shape else named[0], named[1])
    if by_shape is not None or part.diagonal_mm > LARGEST_MM or names_made_part(name):
        return by_shape
    for group in groups:
        held = bought_by_name(group)
        if held is not None and held[0] in BOUGHT_ASSEMBLIES:
            return Bought(f"part of a {held[0]}", f"it belongs to {group!r}: {held[1]}")
    return None


def bought_by_shape(part: Part) -> Bought | None:
    """A standard part whose sizes the body has; None where it is none."""
    if all(isinstance(face.surface, Sphere) for face in part.faces) and part.void_count == 0:
        return Bought("ball", f"it is a ball of {part.size_mm[0]:.4g} mm")
    form = _form_of(part)
    if form is None:
        return _wire(part)
    finders = (_bearing, _washer, _nut, _screw)
    return next((found for found in (find(form) for find in finders) if found is not None), None) or _wire(part)


@dataclass(frozen=True, slots=True, eq=False)
class _Form:
    """A body about its main axis: radii of its cylinders outside and inside, its hexagon (width across flats, outside
    or in), its height along the axis, and the share of its area that all this explains."""

    outer_mm: tuple[float, ...]
    inner_mm: tuple[float, ...]
    outer_flats_mm: float | None
    inner_flats_mm: float | None
    height_mm: float
    width_mm: float
    share: float
    threaded: bool


def _form_of(part: Part) -> _Form | None:
    axis = _main_axis(part)
    if axis is None:
        return None
    origin, direction = axis
    own = [face for face in part.faces if _is_on_axis(face, origin, direction)]
    across = [face for face in part.faces if _is_across(face, direction)]
    flats = [face for face in part.faces if _is_along(face, direction)]
    outer_flats, inner_flats = (
        _hexagon([face for face in flats if _is_outward(face, origin) is side], origin, direction)
        for side in (True, False)
    )
    on_hexagon = [face for face in flats if (outer_flats if _is_outward(face, origin) else inner_flats) is not None]
    spline = sum(face.area_mm2 for face in part.faces if isinstance(face.surface, Freeform | Torus)) - sum(
        face.area_mm2 for face in own if isinstance(face.surface, Torus)
    )
    explained = sum(face.area_mm2 for face in (*own, *across, *on_hexagon))
    points = np.concatenate([edge.points for edge in part.edges]) if part.edges else np.empty((0, 3))
    if not len(points):
        return None
    heights = (points - origin) @ direction
    distances = np.linalg.norm(points - origin - heights[:, None] * direction, axis=1)
    cylinders = [face for face in own if isinstance(face.surface, Cylinder)]
    return _Form(
        outer_mm=tuple(sorted({_radius(face) for face in cylinders if face.convex})),
        inner_mm=tuple(sorted({_radius(face) for face in cylinders if not face.convex})),
        outer_flats_mm=outer_flats,
        inner_flats_mm=inner_flats,
        height_mm=float(heights.max() - heights.min()),
        width_mm=2.0 * float(distances.max()),
        share=(explained + max(spline, 0.0)) / part.area_mm2 if part.area_mm2 > 0.0 else 0.0,
        threaded=spline > 0.05 * part.area_mm2,
    )


def _main_axis(part: Part) -> tuple[Array, Array] | None:
    """The axis with the most area of cylinders and cones about it."""
    lines: list[LineNumbers] = []
    areas: list[float] = []
    for face in part.faces:
        surface = face.surface
        if not isinstance(surface, CylinderOrCone):
            continue
        own = surface.origin.tolist(), surface.axis.tolist()
        place = next((place for place, line in enumerate(lines) if is_one_line(line, own)), len(lines))
        if place == len(lines):
            lines.append(own)
            areas.append(0.0)
        areas[place] += face.area_mm2
    if not lines:
        return None
    origin, direction = lines[areas.index(max(areas))]
    return np.array(origin), np.array(direction)


def _is_on_axis(face: Face, origin: Array, direction: Array) -> bool:
    surface = face.surface
    if isinstance(surface, CylinderOrCone):
        return coaxial(origin, direction, surface.origin, surface.axis)
    if isinstance(surface, Torus):
        return coaxial(origin, direction, surface.center, surface.axis)
    return isinstance(surface, Sphere) and coaxial(origin, direction, surface.center, direction)


def _is_across(face: Face, direction: Array) -> bool:
    return isinstance(face.surface, Plane) and abs(float(face.surface.normal @ direction)) > PARALLEL_COS


def _is_along(face: Face, direction: Array) -> bool:
    slant = math.sqrt(1.0 - PARALLEL_COS**2)
    return isinstance(face.surface, Plane) and abs(float(face.surface.normal @ direction)) < slant


def _is_outward(face: Face, origin: Array) -> bool:
    """Whether a plane along the axis looks away from it."""
    return float((face.point - origin) @ face.normal) > 0.0


def _hexagon(faces: list[Face], origin: Array, direction: Array) -> float | None:
    """Width across flats, mm, where these planes are the six sides of a regular hexagon about the axis."""
    if len(faces) < 6:
        return None
    distances = [abs(float((face.point - origin) @ face.normal)) for face in faces]
    if max(distances) - min(distances) > SIZE_MM:
        return None
    start = faces[0].normal
    side = np.cross(direction, start)
    turns = [math.degrees(math.atan2(float(face.normal @ side), float(face.normal @ start))) % 60.0 for face in faces]
    sixths = {
        round(math.degrees(math.atan2(float(face.normal @ side), float(face.normal @ start))) / 60.0) % 6
        for face in faces
    }
    if len(sixths) < 6 or any(min(turn, 60.0 - turn) > 0.5 for turn in turns):
        return None
    return 2.0 * sum(distances) / len(distances)


def _radius(face: Face) -> float:
    return round(face.surface.radius_mm, 4) if isinstance(face.surface, Cylinder) else 0.0


def _bearing(form: _Form) -> Bought | None:
    if form.share < OWN_SHARE or form.outer_flats_mm or form.inner_flats_mm or not form.inner_mm or not form.outer_mm:
        return None
    sizes = (2 * form.inner_mm[0], 2 * form.outer_mm[-1], form.height_mm)
    if form.threaded or abs(form.width_mm - sizes[1]) > HEAD_MM:
        return None
    for name, table in BEARINGS.items():
        if all(abs(one - other) <= SIZE_MM / 2 for one, other in zip(sizes, table, strict=True)):
            measures = " x ".join(f"{size:g}" for size in table)
            return Bought(f"bearing {name}", f"it is a ring of {measures} mm, the sizes of bearing {name}")
    return None


def _washer(form: _Form) -> Bought | None:
    plain = len(form.inner_mm) == 1 and len(form.outer_mm) == 1 and not form.threaded
    if form.share < OWN_SHARE or not plain or form.outer_flats_mm or form.inner_flats_mm:
        return None
    sizes = (2 * form.inner_mm[0], 2 * form.outer_mm[0], form.height_mm)
    for table in WASHERS:
        if all(abs(one - other) <= SIZE_MM for one, other in zip(sizes, table, strict=True)):
            measures = " x ".join(f"{size:g}" for size in table)
            return Bought("washer", f"it is a ring of {measures} mm, the sizes of a washer (ISO 7089, ISO 7093)")
    return None


def _nut(form: _Form) -> Bought | None:
    flats = form.outer_flats_mm
    if flats is None or not form.inner_mm or form.share < OWN_SHARE or form.inner_flats_mm:
        return None
    for nominal, widths in HEXAGONS.items():
        fits = any(abs(flats - width) <= SIZE_MM for width in widths)
        bore = any(_is_thread(2 * radius, nominal) for radius in form.inner_mm)
        if fits and bore and 0.3 * nominal <= form.height_mm <= 1.4 * nominal:
            return Bought(
                f"hexagon nut M{nominal:g}",
                f"it is a hexagon of {flats:.3g} mm across flats with a hole for M{nominal:g} (ISO 4032)",
            )
    return None


def _screw(form: _Form) -> Bought | None:
    if form.share < OWN_SHARE or not form.outer_mm:
        return None
    for nominal in HEXAGONS:
        shank = any(_is_thread(2 * radius, nominal) for radius in form.outer_mm)
        if not shank or form.height_mm < nominal:
            continue
        flats = form.outer_flats_mm
        if flats is not None and not form.inner_mm and any(abs(flats - one) <= SIZE_MM for one in HEXAGONS[nominal]):
            return Bought(
                f"hexagon screw M{nominal:g}",
                f"it has a shank for M{nominal:g} and a head of {flats:.3g} mm across flats (ISO 4014, ISO 4017)",
            )
        for head in SOCKET_HEADS.get(nominal, ()):
            inner = form.inner_flats_mm
            if inner is None or head.diameter is None or abs(inner - head.across_flats) > SIZE_MM:
                continue
            if abs(form.width_mm - head.diameter) <= HEAD_MM:
                return Bought(
                    f"{head.name.split(' (')[0]} M{nominal:g}",
                    f"it has a shank for M{nominal:g}, a head of {form.width_mm:.3g} mm and a hexagon socket of "
                    f"{inner:.3g} mm, as a {head.name}",
                )
    return None


def _is_thread(diameter_mm: float, nominal_mm: float) -> bool:
    low, high = THREAD_SHARES
    return low * nominal_mm <= diameter_mm <= high * nominal_mm


def _wire(part: Part) -> Bought | None:
    """A bent round rod much longer than thick: of one radius, 2 V / A, and of length V / (pi r2)."""
    if part.void_count or not part.volume_mm3 > 0.0:
        return None
    radius = 2.0 * part.volume_mm3 / part.area_mm2
    length = part.volume_mm3 / (math.pi * radius**2)
    tubes = [face for face in part.faces if _is_tube(face, radius)]
    round_area = sum(face.area_mm2 for face in tubes)
    bent_area = sum(face.area_mm2 for face in tubes if not isinstance(face.surface, Cylinder))
    if (
        bent_area < BENT_SHARE * part.area_mm2
        or 2 * radius > WIRE_DIAMETER_MM
        or length < WIRE_RATIO * 2 * radius
        or round_area < 0.8 * part.area_mm2
    ):
        return None
    return Bought(
        "wire, cable or spring",
        f"it is a bent round rod, {2 * radius:.2g} mm thick and about {length:.3g} mm long",
    )


def _is_tube(face: Face, radius: float) -> bool:
    """Whether a face is a piece of the outside of a rod of that radius, within 15 %."""
    surface = face.surface
    found = (
        surface.minor_radius_mm
        if isinstance(surface, Torus)
        else surface.radius_mm
        if isinstance(surface, Cylinder)
        else surface.min_radius_mm
        if isinstance(surface, Freeform) and surface.max_radius_mm <= 1.3 * surface.min_radius_mm
        else math.nan
    )
    return abs(found - radius) <= 0.15 * radius and face.convex is not False
