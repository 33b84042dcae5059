"""One side of a sheet laid flat: a tree of walls over bends, each with its map into the plane."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from fettle.errors import CannotUnfold
from fettle.geometry.part import Cone, Cylinder, Edge, Line, OtherCurve, Plane, Vector
from fettle.recognize.graph import Border, Graph, Region, coaxial, cross, rings
from fettle.recognize.signs import CONCAVE, SMOOTH
from fettle.recognize.tolerances import COAXIAL_COS, LOOSE_LENGTH_MM
from fettle.sheet.allowance import Allowance, Developed
from fettle.sheet.development import (
    ConeBend,
    Development,
    FlatWall,
    Joint,
    RoundBend,
    angle_at,
    covered_arc,
    sense_at,
)
from fettle.sheet.plane_curves import Outline
from fettle.sheet.thickness import SAME_THICKNESS_MM

Array = NDArray[np.float64]

SAME_PLACE_MM = 0.01
"""Two ways round a slot or cut-out lead to the same place in the plane where they differ by less."""
CLOSED_RAD = 1e-6
"""A bend that leaves less of the full turn open is a closed ring."""
STRAIGHT_MM = 1e-3
"""An edge whose points are nearer than this to its chord is straight."""


@dataclass(frozen=True, slots=True, eq=False)
class Bending:
    """How a bend turns the sheet. `inside`: the developed side is the inner one of the bend."""

    angle_rad: float
    inner_radius_mm: float
    inside: bool
    developed: Developed


@dataclass(frozen=True, slots=True, eq=False)
class Zone:
    """A wall or bend laid flat.

    `region`: of the graph; -1 for a bend that is sharp inside and has no face on this side. `parent`: position in the
    skin's zones of the zone it is joined to, -1 for the first; `joint`: where they meet. `development` is None and
    `outer` names the region on the other side for a sharp bend.
    """

    region: int
    parent: int
    joint: Joint
    bending: Bending | None
    development: Development | None
    outer: int = -1


@dataclass(slots=True, eq=False)
class Skin:
    """Zones in the order they were reached. `zone_of`: region to position. `joints`: edges between two zones, laid
    beside each other; `sharp`: those that are sharp inside bends. `outlines` and `pieces` belong to `outline`."""

    graph: Graph
    thickness_mm: float
    zones: list[Zone] = field(default_factory=list)
    zone_of: dict[int, int] = field(default_factory=dict)
    joints: set[int] = field(default_factory=set)
    sharp: dict[int, int] = field(default_factory=dict)
    outlines: dict[tuple[int, int], Outline] = field(default_factory=dict)
    pieces: dict[tuple[int, int, int], Outline] = field(default_factory=dict)

    def map_of(self, region: int) -> Development:
        """The map of a region that has been reached."""
        found = self.zones[self.zone_of[region]].development
        if found is None:
            raise ValueError(f"region {region} is a sharp bend")
        return found

    def bend_between(self, one: int, two: int) -> int:
        """Position of the sharp bend that joins two walls, -1 where none does."""
        for first, second in ((one, two), (two, one)):
            above = self.zones[self.zone_of[first]].parent
            if above >= 0 and self.zones[above].region < 0 and self.zones[above].parent == self.zone_of[second]:
                return above
        return -1


def develop(
    graph: Graph,
    root: int,
    thickness_mm: float,
    allowance: Allowance,
    blocked: Iterable[int],
    within: set[int] | None = None,
) -> Skin:
    """Lay one side of the sheet flat, starting from a region; `blocked` regions are left out, and so is all that is not
    `within` where that is given. Raises `CannotUnfold` where the sheet does not lie flat."""
    skin = Skin(graph, thickness_mm)
    stop = set(blocked)
    _add(skin, root, -1, root_joint(graph, graph.regions[root]), allowance)
    queue = deque([root])
    while queue:
        here = graph.regions[queue.popleft()]
        for border in _in_order(here):
            if border.other in stop or (within is not None and border.other not in within):
                continue
            if border.sign is SMOOTH:
                _cross(skin, here, border, allowance, queue)
            elif border.sign is CONCAVE:
                _cross_sharp(skin, here, border, allowance, queue)
    return skin


def is_developable(graph: Graph, region: int) -> bool:
    """Whether a region is of a kind that can be laid flat."""
    return isinstance(graph.regions[region].surface, Plane | Cylinder | Cone)


def is_edge_round(region: Region, thickness_mm: float) -> bool:
    """Whether a rounded region is too narrow to be the outside of a bend: a deburred edge of the sheet."""
    radius = getattr(region.surface, "radius_mm", getattr(region.surface, "minor_radius_mm", math.inf))
    return bool(region.convex) and radius < thickness_mm - SAME_THICKNESS_MM


def straight_ends(edge: Edge) -> tuple[Vector, Vector] | None:
    """Both ends of a straight edge, (3,) each; None where it is curved."""
    ends = edge.points[0], edge.points[-1]
    if isinstance(edge.curve, Line):
        return ends
    if not isinstance(edge.curve, OtherCurve):
        return None
    chord = ends[1] - ends[0]
    size = float(np.linalg.norm(chord))
    if size < STRAIGHT_MM:
        return None
    away = np.concatenate([edge.points, edge.curve.samples]) - ends[0]
    off = away - (away @ chord)[:, None] * chord / size**2
    return ends if float(np.linalg.norm(off, axis=1).max()) < STRAIGHT_MM else None


def root_joint(graph: Graph, region: Region) -> Joint:
    """A line of a region from which to lay it flat: its longest straight edge, or one through its first point."""
    steps = [step for ring in rings(graph, region.number) for step in zip(ring.edges, ring.backward, strict=True)]
    straight = []
    for number, back in steps:
        ends = straight_ends(graph.part.edges[number])
        if ends is None:
            continue
        along = (ends[0] - ends[1]) if back else (ends[1] - ends[0])
        size = float(np.linalg.norm(along))
        if isinstance(region.surface, Plane) or _along_ruling(region, along / size):
            straight.append((-round(size, 6), number, ends[1] if back else ends[0], along / size))
    if straight:
        _, _, point, along = min(straight, key=lambda one: one[:2])
    else:
        point = graph.part.edges[steps[0][0]].points[0] if steps else region.point
        along = _ruling(region, point)
    normal = _normal(region, point)
    into = cross(normal, along)
    return Joint(point, along, into, np.zeros(2), np.array([1.0, 0.0]), np.array([0.0, 1.0]))


def _in_order(region: Region) -> list[Border]:
    return sorted(region.borders, key=lambda border: border.edge)


def _cross(skin: Skin, here: Region, border: Border, allowance: Allowance, queue: deque[int]) -> None:
    """Go on over a smooth edge."""
    graph = skin.graph
    there = graph.regions[border.other]
    edge = graph.part.edges[border.edge]
    ends = straight_ends(edge)
    if ends is None or not is_developable(graph, there.number):
        if is_edge_round(there, skin.thickness_mm) or is_edge_round(here, skin.thickness_mm):
            return
        raise CannotUnfold(
            "the sheet is drawn there: it curves in two directions and does not lie flat",
            (there.faces if not is_developable(graph, there.number) else here.faces + there.faces),
        )
    if is_edge_round(there, skin.thickness_mm):
        return
    parent = skin.zone_of[here.number]
    if there.number not in skin.zone_of:
        joint = _joint_over(skin, here, border.edge)
        _add(skin, there.number, parent, joint, allowance)
        queue.append(there.number)
    else:
        _check_same_place(skin, here, there, np.array(ends))
    skin.joints.add(border.edge)


def _cross_sharp(skin: Skin, here: Region, border: Border, allowance: Allowance, queue: deque[int]) -> None:
    """Go on over a bend that is sharp inside: its outside is a cylinder about the edge, one thickness in radius."""
    graph = skin.graph
    there = graph.regions[border.other]
    ends = straight_ends(graph.part.edges[border.edge])
    if ends is None or not isinstance(here.surface, Plane) or not isinstance(there.surface, Plane):
        return
    outer = _outer_cylinder(skin, ends)
    if outer is None:
        return
    joint = _joint_over(skin, here, border.edge)
    across = cross(here.surface.normal, there.surface.normal)
    angle = math.atan2(float(np.linalg.norm(across)), float(here.surface.normal @ there.surface.normal))
    developed = allowance.develop(0.0, skin.thickness_mm, math.degrees(angle))
    bending = Bending(angle, 0.0, True, developed)
    beyond = joint.flat_point + developed.length_mm * joint.flat_into
    into = cross(joint.along, there.surface.normal)
    after = Joint(joint.point, joint.along, into, beyond, joint.flat_along, joint.flat_into)
    wall = FlatWall(after, there.surface.normal)
    if there.number in skin.zone_of:
        known = skin.map_of(there.number)
        _compare(skin, here, there, wall.to_flat(np.array(ends)), known.to_flat(np.array(ends)))
        skin.sharp.setdefault(border.edge, skin.bend_between(here.number, there.number))
        return
    skin.zones.append(Zone(-1, skin.zone_of[here.number], joint, bending, None, outer))
    skin.sharp[border.edge] = len(skin.zones) - 1
    skin.zones.append(Zone(there.number, len(skin.zones) - 1, after, None, wall))
    skin.zone_of[there.number] = len(skin.zones) - 1
    queue.append(there.number)


def _outer_cylinder(skin: Skin, ends: tuple[Vector, Vector]) -> int | None:
    axis = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    for region in skin.graph.regions:
        surface = region.surface
        if (
            isinstance(surface, Cylinder)
            and region.convex
            and abs(surface.radius_mm - skin.thickness_mm) < SAME_THICKNESS_MM
            and coaxial(ends[0], axis, surface.origin, surface.axis, LOOSE_LENGTH_MM)
        ):
            return region.number
    return None


def _joint_over(skin: Skin, here: Region, edge: int) -> Joint:
    """The joint at an edge of a region that lies flat already, looking away from it."""
    for ring in rings(skin.graph, here.number):
        if edge in ring.edges:
            back = ring.backward[ring.edges.index(edge)]
            break
    points = skin.graph.part.edges[edge].points
    first, last = (points[-1], points[0]) if back else (points[0], points[-1])
    along = (last - first) / np.linalg.norm(last - first)
    development = skin.map_of(here.number)
    flat = development.to_flat(np.array([first, last]))
    flat_along = (flat[1] - flat[0]) / np.hypot(*(flat[1] - flat[0]))
    into = cross(along, development.normal_at(first))
    return Joint(first, along, into, flat[0], flat_along, np.array([flat_along[1], -flat_along[0]]))


def _add(skin: Skin, region: int, parent: int, joint: Joint, allowance: Allowance) -> None:
    there = skin.graph.regions[region]
    surface = there.surface
    bending: Bending | None = None
    development: Development | None = None
    if isinstance(surface, Plane):
        development = FlatWall(joint, surface.normal)
    elif isinstance(surface, Cylinder | Cone):
        bending, development = _bend(skin, there, surface, joint, allowance)
    skin.zone_of[region] = len(skin.zones)
    skin.zones.append(Zone(region, parent, joint, bending, development))


def _bend(
    skin: Skin, region: Region, surface: Cylinder | Cone, joint: Joint, allowance: Allowance
) -> tuple[Bending, Development]:
    thickness = skin.thickness_mm
    runs = [skin.graph.part.edges[border.edge].points for border in region.borders]
    middle, covered = covered_arc(surface, runs)
    if covered > 2 * math.pi - CLOSED_RAD:
        raise CannotUnfold("the sheet closes round into a ring there; it needs a gap to lie flat", region.faces)
    inside = not region.convex
    outward = -1.0 if inside else 1.0
    radius = surface.radius_mm
    if isinstance(surface, Cone):
        radius = _mean_radius(surface, runs)
    inner = radius if inside else radius - thickness
    inner = 0.0 if abs(inner) < SAME_THICKNESS_MM and not inside else inner
    developed = allowance.develop(inner, thickness, math.degrees(covered))
    neutral = developed.length_mm / covered
    sense, at_joint = sense_at(surface, joint), angle_at(surface, middle, joint.point)
    bending = Bending(covered, inner, inside, developed)
    if isinstance(surface, Cylinder):
        return bending, RoundBend(joint, surface, outward, middle, neutral, sense, at_joint)
    shift = developed.k_factor * thickness if inside else (developed.k_factor - 1.0) * thickness
    return bending, ConeBend(joint, surface, outward, middle, shift, sense, at_joint)


def _mean_radius(cone: Cone, runs: list[Array]) -> float:
    """Radius of curvature across the rulings, in the middle of a conical bend."""
    along = (np.concatenate(runs) - cone.origin) @ cone.axis
    half = math.radians(cone.half_angle_deg)
    return (cone.radius_mm + 0.5 * float(along.min() + along.max()) * math.tan(half)) / math.cos(half)


def _check_same_place(skin: Skin, here: Region, there: Region, ends: Array) -> None:
    one, two = skin.map_of(here.number).to_flat(ends), skin.map_of(there.number).to_flat(ends)
    _compare(skin, here, there, one, two)


def _compare(skin: Skin, here: Region, there: Region, one: Array, two: Array) -> None:
    if float(np.abs(one - two).max()) > SAME_PLACE_MM:
        raise CannotUnfold(
            "bends close a ring there: the sheet cannot lie flat without a cut through it", here.faces + there.faces
        )


def _normal(region: Region, point: Vector) -> Vector:
    surface = region.surface
    if not isinstance(surface, Cylinder | Cone):
        return region.normal
    away = point - surface.origin
    away = away - (away @ surface.axis) * surface.axis
    away = away / np.linalg.norm(away)
    if isinstance(surface, Cone):
        half = math.radians(surface.half_angle_deg)
        away = math.cos(half) * away - math.sin(half) * surface.axis
    normal: Vector = away if region.convex else -away
    return normal


def _ruling(region: Region, point: Vector) -> Vector:
    surface = region.surface
    if isinstance(surface, Cone):
        tip = surface.origin - surface.axis * (surface.radius_mm / math.tan(math.radians(surface.half_angle_deg)))
        ruling: Vector = (point - tip) / np.linalg.norm(point - tip)
        return ruling
    if isinstance(surface, Cylinder):
        return surface.axis
    across = cross(region.normal, np.eye(3)[int(np.argmin(np.abs(region.normal)))])
    direction: Vector = across / np.linalg.norm(across)
    return direction


def _along_ruling(region: Region, along: Vector) -> bool:
    surface = region.surface
    if isinstance(surface, Cylinder):
        return abs(float(along @ surface.axis)) > COAXIAL_COS
    if isinstance(surface, Cone):
        return abs(abs(float(along @ surface.axis)) - math.cos(math.radians(surface.half_angle_deg))) < 1e-5
    return True
