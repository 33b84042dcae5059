"""GEAR and KNURL: rings of teeth about the axis of a turned part."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.recognize.extents import boundary_points
from fettle.recognize.feature import Claim, claimed_regions
from fettle.recognize.graph import Graph
from fettle.recognize.kinds.gear import GEAR_TOOTH, Gear
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.knurl import KNURL, Knurl
from fettle.recognize.revolution import Revolution
from fettle.recognize.teeth import MANY_TEETH, MAX_KNURL_PITCH_MM, MIN_TEETH, ToothedRing, find_toothed_rings
from fettle.recognize.turned_part import TurnedPart

GEAR_HEIGHT = (1.9, 2.6)
"""Height of gear teeth in modules: 2.25 (DIN 867), less where tips are cut back, more for ground roots."""


def find_toothed(graph: Graph, revolutions: Sequence[Revolution], holes: Sequence[Claim[Hole]]) -> list[ToothedRing]:
    """Rings of teeth about the part's main axis."""
    if not revolutions or revolutions[0].teeth < MIN_TEETH:
        return []
    # the tips of teeth in a bore are arcs of it
    whole = claimed_regions(hole for hole in holes if not hole.feature.partial)
    drilled = frozenset(face for number in whole for face in graph.regions[number].faces)
    best = revolutions[0]
    return [one for one in find_toothed_rings(graph.part, drilled, (best.origin, best.direction)) if one.hollow]


def find_gears(
    graph: Graph, turned: TurnedPart | None, toothed: Sequence[ToothedRing], confidence: float
) -> list[Claim[Gear]]:
    """Every ring of teeth that is no knurl, by growing z."""
    if turned is None:
        return []
    found = []
    for ring in toothed:
        if _is_knurl(ring):
            continue
        regions, low, high = _extent(graph, turned, ring)
        tip = 2 * ring.tip_radius_mm
        root = 2 * (ring.low_radius_mm + ring.high_radius_mm) - tip
        module = tip / (ring.count + (-2 if ring.internal else 2))
        is_gear = ring.count >= MANY_TEETH and GEAR_HEIGHT[0] <= abs(tip - root) / 2 / module <= GEAR_HEIGHT[1]
        gear = Gear(
            faces=graph.faces_of(regions),
            confidence=confidence,
            form="gear" if is_gear else "spline",
            teeth=ring.count,
            module_mm=module if is_gear else None,
            pitch_mm=ring.pitch_mm,
            internal=ring.internal,
            tip_diameter_mm=tip,
            root_diameter_mm=root,
            width_mm=high - low,
            z_mm=low,
        )
        found.append(Claim(gear, dict.fromkeys(regions, GEAR_TOOTH)))
    return sorted(found, key=lambda claim: claim.feature.z_mm)


def find_knurls(
    graph: Graph, turned: TurnedPart | None, toothed: Sequence[ToothedRing], confidence: float
) -> list[Claim[Knurl]]:
    """Every knurl, by growing z."""
    if turned is None:
        return []
    found = []
    for ring in toothed:
        if not _is_knurl(ring):
            continue
        regions, low, high = _extent(graph, turned, ring)
        knurl = Knurl(
            faces=graph.faces_of(regions),
            confidence=confidence,
            diameter_mm=2 * ring.high_radius_mm,
            pitch_mm=ring.pitch_mm,
            count=ring.count,
            length_mm=high - low,
            z_mm=low,
        )
        found.append(Claim(knurl, dict.fromkeys(regions, KNURL)))
    return sorted(found, key=lambda claim: claim.feature.z_mm)


def _is_knurl(ring: ToothedRing) -> bool:
    return ring.flanks_only and not ring.internal and ring.pitch_mm <= MAX_KNURL_PITCH_MM


def _extent(graph: Graph, turned: TurnedPart, ring: ToothedRing) -> tuple[list[int], float, float]:
    """Regions of a ring, and its ends along the axis, mm."""
    regions = sorted({int(graph.region_of[face]) for face in ring.faces})
    heights = (boundary_points(graph, regions) - turned.origin) @ turned.axis
    return regions, float(heights.min()), float(heights.max())
