"""Blends: faces that only soften the edge between two supports.

A blend is found by its two smooth long borders. Once found it is a bridge: recognizers look across it at the support
on the far side, with the sign of the edge that it replaced.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence

import numpy as np

from fettle.geometry.part import Circle, Convexity, Cylinder, Freeform, Sphere, Torus, Vector
from fettle.recognize.blend_feature import FILLET, ROUND, Blend
from fettle.recognize.bridge import Bridge
from fettle.recognize.feature import Claim, Feature, claimed_regions
from fettle.recognize.graph import Border, Graph, Region
from fettle.recognize.kinds.fillet import Fillet
from fettle.recognize.kinds.round import Round
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.rolling_ball import ball_radii
from fettle.recognize.signs import CONCAVE, CONVEX, SMOOTH
from fettle.recognize.tolerances import ALONG_COS, LOOSE_LENGTH_MM, ROUNDING, ZERO

MAX_BLEND_DEG = 178.0
"""A face that turns by half a circle is an end (obround slot, full round), not a blend."""
MAX_SETBACK_DEG = 170.0
"""Blends that turn by more are measured as if by this: the edge that they replace lies ever farther away."""


def find_blends(graph: Graph, helices: Sequence[Helix], taken: Collection[int]) -> dict[int, Bridge]:
    """Every blend among the regions that are neither taken nor part of a modeled thread, by its region number."""
    found: dict[int, Bridge] = {}
    corners: list[Region] = []
    candidates = {region.number for region in graph.regions if _curved_like_a_blend(region)}
    for number in sorted(candidates):
        region = graph.regions[number]
        bridge = _bridge(graph, region, candidates)
        if bridge is not None:
            found[number] = bridge
        elif _is_corner(graph, region, candidates):
            corners.append(region)
    for region in corners:
        smooth = {border.other for border in region.borders if border.sign is SMOOTH}
        if len(smooth & found.keys()) >= 2:
            found[region.number] = _corner_bridge(graph, region, smooth, found)
    threaded = frozenset[int]().union(*(helix.regions for helix in helices))
    return {number: bridge for number, bridge in found.items() if number not in taken and number not in threaded}


def blend_claims(
    graph: Graph,
    blends: Mapping[int, Bridge],
    gears: Sequence[Claim[Feature]],
    knurls: Sequence[Claim[Feature]],
    confidence: float,
) -> list[Claim[Blend]]:
    """One ROUND or FILLET for each blend, those of teeth left out, in the order of region numbers."""
    toothed = claimed_regions([*gears, *knurls])
    return [_claim(graph, bridge, confidence) for number, bridge in sorted(blends.items()) if number not in toothed]


def _claim(graph: Graph, bridge: Bridge, confidence: float) -> Claim[Blend]:
    concave = bridge.sign is CONCAVE
    feature = (Fillet if concave else Round)(
        faces=graph.regions[bridge.region].faces,
        confidence=confidence,
        radius_mm=bridge.radius_mm,
        max_radius_mm=bridge.max_radius_mm,
        length_mm=bridge.length_mm,
        extent_deg=bridge.extent_deg,
        support_faces=tuple(graph.regions[support].face for support in bridge.supports),
    )
    return Claim(feature, {bridge.region: FILLET if concave else ROUND})


def _curved_like_a_blend(region: Region) -> bool:
    surface = region.surface
    if isinstance(surface, Cylinder):
        return region.extent_deg < MAX_BLEND_DEG
    if isinstance(surface, Freeform):
        return math.isfinite(surface.min_radius_mm)
    return isinstance(surface, Torus | Sphere)


def _bridge(graph: Graph, region: Region, candidates: set[int]) -> Bridge | None:
    """The blend that this region is between its two supports, if it is one."""
    reach: dict[int, float] = {}
    for border in region.borders:
        if border.sign is SMOOTH and border.other >= 0 and not _is_end(graph, region, border):
            reach[border.other] = reach.get(border.other, 0.0) + graph.part.edges[border.edge].length_mm
    if len(reach) < 2:
        return None
    # A support that is itself no blend is preferred: the neighbors at the ends of a strip are often blends.
    ranked = sorted(reach, key=lambda other: (other in candidates, -reach[other], other))
    supports = (ranked[0], ranked[1])
    if all(_is_round_corner(graph.regions[other], region, candidates) for other in supports):
        return None  # an outline between two corners that are rounded themselves, or the side of a curved slot
    sign = _sign(graph, region, supports)
    if sign is None:
        return None
    low, high = _radii(region)
    if isinstance(region.surface, Freeform):
        low, high = ball_radii(graph, region.number, supports) or (low, high)
    length = _length_mm(region, (reach[supports[0]] + reach[supports[1]]) / 2)
    extent = _turn_deg(graph, region, length, (low + high) / 2)
    if extent >= MAX_BLEND_DEG or not _narrow(graph, supports, reach, low, extent):
        return None
    return Bridge(region.number, sign, supports, low, high, length, extent)


def _is_round_corner(other: Region, region: Region, candidates: set[int]) -> bool:
    """Whether a region is a blend, or the round end of a slot, of less than half the radius of another."""
    round_ = other.number in candidates or isinstance(other.surface, Cylinder)
    return round_ and _radii(other)[1] < _radii(region)[0] / 2


def _is_end(graph: Graph, region: Region, border: Border) -> bool:
    """Whether the border crosses the blend (an arc of its own radius) instead of running along it."""
    curve = graph.part.edges[border.edge].curve
    surface = region.surface
    if isinstance(surface, Cylinder):
        return isinstance(curve, Circle) and abs(float(curve.axis @ surface.axis)) > ALONG_COS
    if isinstance(surface, Torus):
        return (
            isinstance(curve, Circle)
            and abs(curve.radius_mm - surface.minor_radius_mm) < LOOSE_LENGTH_MM
            and abs(float(curve.axis @ surface.axis)) < 0.1
        )
    return False


def _beside(graph: Graph, region: Region, support: int) -> Vector:
    """A point where a blend runs into one of its supports: the middle of their longest edge."""
    edges = [graph.part.edges[border.edge] for border in region.borders if border.other == support]
    if not edges:
        return graph.regions[support].point
    longest = max(edges, key=lambda edge: edge.length_mm)
    middle: Vector = longest.points[len(longest.points) // 2]
    return middle


def _sign(graph: Graph, region: Region, supports: tuple[int, int]) -> Convexity | None:
    if region.convex is not None:
        return CONVEX if region.convex else CONCAVE
    one, two = (graph.regions[support] for support in supports)
    apart = _beside(graph, region, supports[1]) - _beside(graph, region, supports[0])
    opening = float((two.normal - one.normal) @ apart)
    if abs(opening) < ZERO:
        return None
    return CONVEX if opening > 0 else CONCAVE


def _radii(region: Region) -> tuple[float, float]:
    surface = region.surface
    if isinstance(surface, Freeform):
        low, high = surface.min_radius_mm, surface.max_radius_mm
        return low, high if math.isfinite(high) else low
    if isinstance(surface, Torus):
        return surface.minor_radius_mm, surface.minor_radius_mm
    radius = surface.radius_mm if isinstance(surface, Cylinder | Sphere) else math.inf
    return radius, radius


def _length_mm(region: Region, border_length_mm: float) -> float:
    """Length along the path of the rolling ball's center where that is known, else along the borders."""
    surface = region.surface
    if isinstance(surface, Cylinder):
        return region.high_mm - region.low_mm
    if isinstance(surface, Torus):
        return math.radians(region.extent_deg) * surface.major_radius_mm
    return border_length_mm


def _turn_deg(graph: Graph, region: Region, length_mm: float, radius_mm: float) -> float:
    """Angle by which the surface turns from one support to the other."""
    surface = region.surface
    if isinstance(surface, Cylinder):
        return region.extent_deg
    if isinstance(surface, Torus):
        return _minor_extent_deg(graph, region, surface)
    if length_mm <= 0 or radius_mm <= 0:
        return 0.0
    return math.degrees(region.area_mm2 / (length_mm * radius_mm))


def _minor_extent_deg(graph: Graph, region: Region, surface: Torus) -> float:
    """Angle about the tube, from the boundary: everything but its largest gap."""
    offset = np.concatenate([graph.part.edges[border.edge].points for border in region.borders]) - surface.center
    height = offset @ surface.axis
    out = np.linalg.norm(offset - height[:, None] * surface.axis, axis=1) - surface.major_radius_mm
    inner = region.point - surface.center
    at = float(inner @ surface.axis)
    middle = math.atan2(at, float(np.linalg.norm(inner - at * surface.axis)) - surface.major_radius_mm)
    turned = (np.arctan2(height, out) - middle + math.pi) % (2 * math.pi) - math.pi
    return math.degrees(float(turned.max() - turned.min()))


def _narrow(
    graph: Graph, supports: tuple[int, int], reach: Mapping[int, float], radius_mm: float, extent_deg: float
) -> bool:
    """Whether the radius is at most half the width that each support had before it was blended on both sides."""
    setback = setback_mm(radius_mm, extent_deg)
    return all(
        graph.regions[support].area_mm2 / reach[support] + 2 * setback >= 2 * radius_mm * (1 - ROUNDING)
        for support in supports
    )


def setback_mm(radius_mm: float, extent_deg: float) -> float:
    """Distance from the edge that a blend replaces to where it begins on a support."""
    return radius_mm * math.tan(math.radians(min(extent_deg, MAX_SETBACK_DEG)) / 2)


def _is_corner(graph: Graph, region: Region, candidates: set[int]) -> bool:
    if not isinstance(region.surface, Sphere | Torus | Freeform):
        return False
    smooth = [border.other for border in region.borders if border.sign is SMOOTH]
    return len(smooth) >= 2 and any(other in candidates for other in smooth)


def _corner_bridge(graph: Graph, region: Region, smooth: set[int], found: Mapping[int, Bridge]) -> Bridge:
    if region.convex is not None:
        sign = CONVEX if region.convex else CONCAVE
    else:
        sign = found[min(smooth & found.keys())].sign
    low, high = _radii(region)
    return Bridge(region.number, sign, (), low, high, 0.0, 0.0)
