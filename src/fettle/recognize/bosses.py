"""BOSS: an external cylinder or cone that stands on a base."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence

import numpy as np

from fettle.geometry.part import Cone, Convexity, Cylinder, CylinderOrCone, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph, Link
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, Region, Ring, axial_of, coaxial, frame, rings, triple
from fettle.recognize.kinds.boss import BOSS_TOP, BOSS_WALL, Boss
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.signs import CONCAVE, CONVEX
from fettle.recognize.threads import boss_threads
from fettle.recognize.tolerances import ACROSS_COS, ALONG_COS, FULL_DEG, LOOSE_LENGTH_MM, OPENED_DEG

END_SHARE = 0.25
"""Share of the height at each end in which a border belongs to that end."""

END_AGREES = 0.9
"""Share of an end's length that must be concave or convex."""


def find_bosses(
    contracted: ContractedGraph, holes: Sequence[Claim[Hole]], helices: Sequence[Helix], taken: Collection[int]
) -> list[Claim[Boss]]:
    """Every boss of the part, in the order of its wall's region."""
    found = []
    bores = [claim.feature for claim in holes]
    taken = {*taken, *contracted.bridges}
    winding = {number: helix for helix in helices for number in helix.rounds}
    for region in contracted.graph.regions:
        if (
            region.convex
            and region.number not in taken
            and isinstance(region.surface, CylinderOrCone)
            and region.extent_deg >= OPENED_DEG
        ):
            helix = winding.get(region.number)
            if helix is not None and region.number != _crest(contracted.graph, helix):
                continue
            wall = helix.regions if helix is not None else frozenset((region.number,))
            boss = _boss(contracted, bores, region, wall)
            if boss is not None:
                found.append(boss)
    return found


def _is_all(contracted: ContractedGraph, links: Sequence[Link], sign: Convexity) -> bool:
    """Whether an end is all of one sign, but for specks."""
    lengths = [contracted.graph.part.edges[link.edge].length_mm for link in links]
    right = sum(length for link, length in zip(links, lengths, strict=True) if link.sign is sign)
    return bool(links) and right >= END_AGREES * sum(lengths)


def _crest(graph: Graph, helix: Helix) -> int:
    """The outermost cylinder of a modeled thread."""
    return max(helix.rounds, key=lambda number: (axial_of(graph.regions[number]).radius_mm, -number))


def _boss(
    contracted: ContractedGraph, holes: Sequence[Hole], region: Region, wall: frozenset[int]
) -> Claim[Boss] | None:
    """The boss of a wall: one region, or all those of a modeled thread around it."""
    surface = axial_of(region)
    low, high = _end_links(contracted, region, surface) if len(wall) == 1 else _thread_ends(contracted, wall, surface)
    upward = _is_all(contracted, low, CONCAVE)
    bases, caps = (low, high) if upward else (high, low)
    # Concave at one end and convex at the other, else it is a barrel, or lies between two shoulders.
    if not _is_all(contracted, bases, CONCAVE) or not _is_all(contracted, caps, CONVEX):
        return None
    base_link = max(bases, key=lambda link: contracted.graph.part.edges[link.edge].length_mm)
    base = contracted.graph.regions[base_link.other]
    axis: Vector = surface.axis if upward else -surface.axis
    foot = _base_height(surface, base, region, upward)
    cap_link = max(caps, key=lambda link: contracted.graph.part.edges[link.edge].length_mm)
    cap = contracted.graph.regions[cap_link.other]
    top = _cap_height(surface, cap, region, upward)
    slope = math.tan(math.radians(surface.half_angle_deg)) if isinstance(surface, Cone) else 0.0
    faces = contracted.graph.part.faces
    own = [hole for hole in holes if faces[hole.faces[0]].body == region.body]
    bore = _bore(own, surface, foot, top)
    fillet = (
        contracted.bridges[base_link.via].radius_mm
        if base_link.via is not None and base_link.via in contracted.bridges
        else None
    )
    radius = surface.radius_mm + slope * foot
    flat_cap = isinstance(cap.surface, Plane) and abs(float(cap.surface.normal @ axis)) > ALONG_COS
    members = (
        set(wall) | ({cap.number} if flat_cap else set()) | ({base_link.via} if base_link.via is not None else set())
    )
    roles = dict.fromkeys(sorted(wall), BOSS_WALL)
    if flat_cap:
        roles[cap.number] = BOSS_TOP
    diameter = 2 * radius
    boss = Boss(
        faces=contracted.graph.faces_of(members),
        confidence=contracted.confidence,
        diameter_mm=diameter,
        height_mm=abs(top - foot),
        base_fillet_radius_mm=fillet,
        draft_deg=surface.half_angle_deg if isinstance(surface, Cone) else 0.0,
        bore_diameter_mm=bore,
        axis=triple(axis),
        position_mm=triple(surface.origin + surface.axis * foot),
        thread_candidates=boss_threads(diameter) if slope == 0.0 and region.extent_deg > FULL_DEG else (),
    )
    return Claim(boss, roles)


def _end_links(contracted: ContractedGraph, region: Region, surface: Cylinder | Cone) -> tuple[list[Link], list[Link]]:
    """Links at the lower and at the upper end of a wall.

    Two rings that go round the axis are the ends, however they lean. Where ribs have cut them open, ends are what lies
    near the ends; ribs that meet the wall between are left out.
    """
    ends: tuple[list[Link], list[Link]] = ([], [])
    around = [ring for ring in rings(contracted.graph, region.number) if _winds(ring, surface)]
    if len(around) == 2:
        low, high = sorted(around, key=lambda ring: float((ring.points @ surface.axis).mean()))
        for link in contracted.links[region.number]:
            if link.other >= 0 and link.edge in low.edges:
                ends[0].append(link)
            elif link.other >= 0 and link.edge in high.edges:
                ends[1].append(link)
        return ends
    margin = END_SHARE * (region.high_mm - region.low_mm)
    for link in contracted.links[region.number]:
        if link.other < 0:
            continue
        reach = (contracted.graph.part.edges[link.edge].points - surface.origin) @ surface.axis
        if float(reach.max()) < region.low_mm + margin:
            ends[0].append(link)
        elif float(reach.min()) > region.high_mm - margin:
            ends[1].append(link)
    return ends


def _thread_ends(
    contracted: ContractedGraph, wall: frozenset[int], surface: Cylinder | Cone
) -> tuple[list[Link], list[Link]]:
    """The same for all regions of a modeled thread together: links in its lower and in its upper half."""
    links = [link for number in sorted(wall) for link in contracted.links[number] if link.other not in wall | {-1}]
    heights = [
        float(((contracted.graph.part.edges[link.edge].points - surface.origin) @ surface.axis).mean())
        for link in links
    ]
    middle = (min(heights, default=0.0) + max(heights, default=0.0)) / 2
    ends: tuple[list[Link], list[Link]] = ([], [])
    for link, height in zip(links, heights, strict=True):
        ends[height > middle].append(link)
    return ends


def _winds(ring: Ring, surface: Cylinder | Cone) -> bool:
    """Whether a ring goes once round the axis."""
    across, up = frame(surface.axis)
    offset = ring.points - surface.origin
    angle = np.unwrap(np.arctan2(offset @ up, offset @ across), period=2 * math.pi)
    closing = (float(angle[0]) - float(angle[-1]) + math.pi) % (2 * math.pi) - math.pi
    return abs(float(angle[-1]) + closing - float(angle[0])) > math.pi


def _base_height(surface: Cylinder | Cone, base: Region, region: Region, upward: bool) -> float:
    """Where the axis meets the base, counted from the surface's origin; a base fillet counts as sharp."""
    end = region.low_mm if upward else region.high_mm
    meeting = _meet(surface, base, end)
    return meeting if meeting is not None else end


def _cap_height(surface: Cylinder | Cone, cap: Region, region: Region, upward: bool) -> float:
    end = region.high_mm if upward else region.low_mm
    meeting = _meet(surface, cap, end)
    return meeting if meeting is not None else end


def _meet(surface: Cylinder | Cone, region: Region, near_mm: float) -> float | None:
    """Where the axis meets the plane or cylinder of a region; of two places the one nearer to `near_mm`."""
    if isinstance(region.surface, Cylinder):
        return _meet_round(surface, region.surface, near_mm)
    if not isinstance(region.surface, Plane):
        return None
    slope = float(region.surface.normal @ surface.axis)
    if abs(slope) < ACROSS_COS:
        return None
    return float((region.surface.origin - surface.origin) @ region.surface.normal) / slope


def _meet_round(surface: Cylinder | Cone, base: Cylinder, near_mm: float) -> float | None:
    offset = surface.origin - base.origin
    offset = offset - float(offset @ base.axis) * base.axis
    way = surface.axis - float(surface.axis @ base.axis) * base.axis
    square = float(way @ way)
    if square < 0.25:
        return None
    middle = -float(way @ offset) / square
    reach = middle**2 - (float(offset @ offset) - base.radius_mm**2) / square
    if reach < 0:
        return None
    return min((middle - math.sqrt(reach), middle + math.sqrt(reach)), key=lambda at: abs(at - near_mm))


def _bore(holes: Sequence[Hole], surface: Cylinder | Cone, foot: float, top: float) -> float | None:
    """Diameter of the hole on the boss's axis that reaches into it."""
    if not holes:
        return None
    low, high = min(foot, top), max(foot, top)
    offset = np.array([hole.position_mm for hole in holes]) - surface.origin
    beside = np.linalg.norm(offset - (offset @ surface.axis)[:, None] * surface.axis, axis=1)
    for index in np.flatnonzero(beside < LOOSE_LENGTH_MM).tolist():
        hole = holes[index]
        axis, position = np.array(hole.axis), np.array(hole.position_mm)
        if not coaxial(surface.origin, surface.axis, position, axis, LOOSE_LENGTH_MM):
            continue
        start = float((position - surface.origin) @ surface.axis)
        end = start + hole.total_depth_mm * float(axis @ surface.axis)
        if min(high, max(start, end)) - max(low, min(start, end)) > 0.1 * (high - low):
            return hole.diameter_mm
    return None
