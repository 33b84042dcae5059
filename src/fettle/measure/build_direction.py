"""The build direction of a printed part, searched among the part's own directions.

Directions come from the part alone (planes on which it can rest, axes of round faces, principal axes), never from the
axes of the file, so that a part that is turned or mirrored is printed the same way.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Cylinder, Part, Plane
from fettle.measure.context import MeasureContext
from fettle.measure.overhang_columns import (
    ON_PLATE,
    SurfaceTriangles,
    extent_along,
    measure_columns,
    stands,
    surface_triangles,
)
from fettle.measure.pull import SAME_DIRECTION_COS, unit
from fettle.measure.readings import BuildOrientation, SupportLimits, Triple
from fettle.measure.sides import merge_directions
from fettle.measure.support import best_orientation, is_trapped, needs_support, volume_mm3
from fettle.measure.support_removal import NOT_ALONG, exit_directions, measure_exits

LOOKED_FROM = 0.47
"""Place in a column from which a way out is looked for, as a share of its height from the top; not just the middle,
where on parts of round dimensions other faces end."""
LARGEST_FACES = 200
"""Faces whose directions are taken into account."""
OWN_DIRECTIONS = 8
"""Most directions of planes and axes that are tried, each both ways."""
SCOUT_SAMPLES, FULL_SAMPLES, EXIT_SAMPLES = 150, 500, 100
"""Sample points of an orientation that is tried, of one that is kept, and those from which ways out are looked for."""
FULL_SPAN_MM = 25.0
"""Distance to either side of a sample up to which its spans are measured in an orientation that is kept."""
OTHERS = 3
"""Orientations that are measured in full besides, where supports would stay in the part."""
USUAL = SupportLimits(self_support_deg=45.0, bridge_mm=10.0, arch_mm=10.0, ledge_mm=1.5, tool_mm=2.0)
"""The limits under which the directions tried are compared: those of filament."""
STRICT = SupportLimits(self_support_deg=60.0, bridge_mm=1.0, arch_mm=1.0, ledge_mm=0.3, tool_mm=0.0)
"""What needs support under any limits of a process: the way out of it is looked for."""
SCOUT_SPAN_MM = max(max(one.bridge_mm, one.arch_mm, one.ledge_mm) for one in (USUAL, STRICT))
"""The same distance in one that is only compared: no longer span holds anything up under these limits."""


def search_build_direction(context: MeasureContext) -> tuple[BuildOrientation, ...]:
    """The orientations in which the part prints best, the best under usual limits first: also that in which nothing is
    bridged, and others where supports would stay in the part."""
    surface = surface_triangles(context)
    own = own_directions(context.part, surface)
    tried = _standing(context, surface, own)
    scouted = _scout(context, surface, tried, own)
    best = [best_orientation(scouted, limits, context.part.volume_mm3).direction for limits in (USUAL, STRICT)]
    kept = [build_orientation(context, surface, direction, own) for direction in dict.fromkeys(best)]
    if all(is_trapped(one, USUAL).any() for one in kept):
        # A brim or a few supports outside hold a part up in a direction in which it would not stand by itself.
        held = [up for way in own for up in (unit(way), unit(-way)) if up not in tried]
        others = [one for one in (*scouted, *_scout(context, surface, held, own)) if one.direction not in best]
        others.sort(key=lambda one: volume_mm3(one, needs_support(one, USUAL)))
        kept += [build_orientation(context, surface, one.direction, own) for one in others[:OTHERS]]
    first = best_orientation(tuple(kept), USUAL, context.part.volume_mm3)
    return (first, *(one for one in kept if one is not first))


def _scout(
    context: MeasureContext, surface: SurfaceTriangles, ways: list[Triple], own: NDArray[np.float64]
) -> tuple[BuildOrientation, ...]:
    return tuple(measure_columns(context, surface, way, _aside(way, own), SCOUT_SAMPLES, SCOUT_SPAN_MM) for way in ways)


def build_orientation(
    context: MeasureContext, surface: SurfaceTriangles, direction: Triple, own: NDArray[np.float64]
) -> BuildOrientation:
    """The part printed along one direction, measured in full; own (d, 3): directions of the part."""
    found = measure_columns(context, surface, direction, _aside(direction, own), FULL_SAMPLES, FULL_SPAN_MM)
    doubtful = np.flatnonzero(needs_support(found, STRICT))
    # One in `every` is looked at, for those after it as well: they lie beside it.
    every = -(-len(doubtful) // EXIT_SAMPLES)
    if not every:
        return found
    looked = doubtful[::every]
    places = found.position_mm[looked] - LOOKED_FROM * found.column_mm[looked, None] * np.asarray(direction)
    exits = measure_exits(context.scene, places, exit_directions(direction, own))
    exit_mm = found.exit_mm.copy()
    exit_mm[doubtful] = np.repeat(exits, every)[: len(doubtful)]
    return replace(found, exit_mm=exit_mm)


def own_directions(part: Part, surface: SurfaceTriangles) -> NDArray[np.float64]:
    """Unit directions (d, 3) of the part, without opposites: normals of its planes and axes of its round faces, those
    with the most area first, then the principal axes of its surface."""
    kept = face_directions(part)
    axes = _principal_axes(surface)
    return np.concatenate([kept, axes[(np.abs(axes @ kept.T) < SAME_DIRECTION_COS).all(axis=1)]])


@lru_cache(maxsize=1)
def face_directions(part: Part) -> NDArray[np.float64]:
    """Unit directions (d, 3), read only, without opposites, of the part's planes and round faces, those with the most
    area first; empty for a part that has none. Kept for the last part: molds, printers and plans ask for them."""
    ways: list[tuple[float, list[float]]] = []
    for face in sorted(part.faces, key=lambda face: -face.area_mm2)[:LARGEST_FACES]:
        match face.surface:
            case Plane(normal=way) | Cylinder(axis=way) | Cone(axis=way):
                ways.append((face.area_mm2, way.tolist()))
    merged = merge_directions(ways, SAME_DIRECTION_COS)
    largest = sorted(merged, key=lambda one: -one[0])[:OWN_DIRECTIONS]
    directions = np.array([way for _, way in largest]).reshape(-1, 3)
    directions.setflags(write=False)
    return directions


def _principal_axes(surface: SurfaceTriangles) -> NDArray[np.float64]:
    """Axes (3, 3), rows, of the spread of the points about the center of mass, the widest first."""
    away = surface.points - surface.center_of_mass[:, None]
    spread = [[float((one * other).mean()) for other in away] for one in away]
    _, axes = np.linalg.eigh(np.array(spread))
    principal: NDArray[np.float64] = axes.T[::-1]
    return principal


def _standing(context: MeasureContext, surface: SurfaceTriangles, own: NDArray[np.float64]) -> list[Triple]:
    """The part's directions (d, 3) and their opposites in which it stands on planes of its own; for a part that stands
    in none those in which it touches the plate with planes, or all."""
    part, point_face = context.part, context.mesh.point_face
    planes = [number for number, face in enumerate(part.faces) if isinstance(face.surface, Plane)]
    normals = np.array([part.faces[number].normal for number in planes]).reshape(-1, 3)
    places = np.array([part.faces[number].point for number in planes]).reshape(-1, 3)
    areas = np.array([part.faces[number].area_mm2 for number in planes])
    every: list[Triple] = []
    touching: list[Triple] = []
    standing: list[Triple] = []
    for way in own:
        bottom, top = extent_along(surface.points, way)
        height = top - bottom
        for up, lowest in ((unit(way), bottom), (unit(-way), -top)):
            every.append(up)
            low = (normals @ up <= -SAME_DIRECTION_COS) & (places @ up - lowest <= ON_PLATE * part.diagonal_mm)
            if not low.any():
                continue
            touching.append(up)
            lies = np.zeros(len(part.faces), np.bool_)
            lies[np.array(planes)[low]] = True
            if stands(surface, up, _aside(up, own), lies[point_face], float(areas[low].sum()), height):
                standing.append(up)
    return standing or touching or every


def _aside(direction: Triple, own: NDArray[np.float64]) -> Triple:
    """The first of the part's directions (d, 3) that does not run along the given one."""
    return unit(next(way for way in own if abs(way @ np.asarray(direction)) < NOT_ALONG))
