"""The attributed face graph: touching faces of one surface merged into regions, with a sign on every border.

Merging cures split cylinders, imprints and seams before anything is measured. Everything after reads regions; face
numbers come back only when a feature is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from fettle.geometry.part import Cone, Convexity, Cylinder, Edge, Part, Plane, Sphere, Surface, Torus, Vector

SAME_LENGTH_MM = 1e-3
"""Surfaces closer than this are one surface: the tolerance at which the reader turns splines into exact surfaces."""
SAME_DIRECTION = math.sin(math.radians(0.1))
"""Sine of the angle below which two directions are one."""

KNIFE_DEG = 0.1
"""Faces that meet at less than this lie back to back."""

FEW = 32
"""Directions up to which plain comparison is faster than a search tree."""


class Border(NamedTuple):
    """An edge as one of its regions sees it. `other` is the region across it, -1 where the part is open."""

    edge: int
    other: int
    sign: Convexity


@dataclass(frozen=True, slots=True, eq=False)
class Ring:
    """A closed chain of borders of a region. `points`: shape (k, 3), in order, material to the left from outside."""

    edges: tuple[int, ...]
    backward: tuple[bool, ...]
    points: NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Region:
    """Touching faces of one surface.

    `extent_deg`: angle covered about the axis (cylinder, cone, torus; else 0); `low_mm`, `high_mm`: range along the
    axis from the surface's origin (cylinder and cone; else 0).
    """

    number: int
    faces: tuple[int, ...]
    surface: Surface
    convex: bool | None
    area_mm2: float
    extent_deg: float
    low_mm: float
    high_mm: float
    point: Vector
    normal: Vector
    body: int
    borders: tuple[Border, ...]

    @property
    def face(self) -> int:
        """The largest member face."""
        return self.faces[0]


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """`region_of`: shape (faces,), the region of each face. `ring_cache` belongs to `rings`."""

    part: Part
    regions: tuple[Region, ...]
    region_of: NDArray[np.int64]
    ring_cache: dict[int, tuple[Ring, ...]]

    def faces_of(self, regions: Iterable[int]) -> tuple[int, ...]:
        """Member faces of the given regions, the largest first, each once."""
        members = {face for region in regions for face in self.regions[region].faces}
        return tuple(sorted(members, key=lambda face: (-self.part.faces[face].area_mm2, face)))


def build_graph(part: Part) -> Graph:
    """Merge the part's faces into regions and list each region's borders."""
    groups = _merged_groups(part)
    region_of = np.zeros(len(part.faces), dtype=np.int64)
    for number, group in enumerate(groups):
        region_of[group] = number
    region_of.setflags(write=False)
    borders: list[list[Border]] = [[] for _ in groups]
    lookup = region_of.tolist()
    for number, edge in enumerate(part.edges):
        first, second = edge.faces
        one = lookup[first]
        two = lookup[second] if second >= 0 else -1
        if one == two and first != second:
            continue
        sign = edge_sign(part, edge)
        borders[one].append(Border(number, two, sign))
        if two >= 0 and two != one:
            borders[two].append(Border(number, one, sign))
    regions = tuple(_region(part, number, group, tuple(borders[number])) for number, group in enumerate(groups))
    return Graph(part, regions, region_of, {})


def edge_sign(part: Part, edge: Edge) -> Convexity:
    """Convex or concave, also where two faces touch back to back and the angle between them is 0 as well as 360.

    Material lies between a hollow face and the wall that it runs out into: a knife's edge. Void lies between a shaft
    and the wall that it leans against.
    """
    if KNIFE_DEG < edge.angle_deg < 360.0 - KNIFE_DEG or edge.convexity is Convexity.FREE:
        return edge.convexity
    curved = [part.faces[face].convex for face in edge.faces]
    if False in curved:
        return Convexity.CONVEX
    return Convexity.CONCAVE if True in curved else edge.convexity


def rings(graph: Graph, region: int) -> tuple[Ring, ...]:
    """The closed boundary chains of a region, in the order of its faces; worked out once."""
    known = graph.ring_cache.get(region)
    if known is None:
        known = graph.ring_cache[region] = _rings(graph, region)
    return known


def _rings(graph: Graph, region: int) -> tuple[Ring, ...]:
    part = graph.part
    inside = {border.edge for border in graph.regions[region].borders}
    steps = [
        (edge, back)
        for face in graph.regions[region].faces
        for loop in part.faces[face].loops
        for edge, back in zip(loop.edges, loop.reversed, strict=True)
        if edge in inside
    ]
    starts: dict[int, list[int]] = {}
    for index, (edge, back) in enumerate(steps):
        starts.setdefault(part.edges[edge].vertices[1 if back else 0], []).append(index)
    used = [False] * len(steps)
    found: list[Ring] = []
    for first in range(len(steps)):
        if used[first]:
            continue
        chain: list[int] = []
        following: int | None = first
        while following is not None:
            used[following] = True
            chain.append(following)
            edge, back = steps[following]
            end = part.edges[edge].vertices[0 if back else 1]
            following = next((step for step in starts.get(end, ()) if not used[step]), None)
        walk = [steps[step] for step in chain]
        runs = [part.edges[edge].points[::-1] if back else part.edges[edge].points for edge, back in walk]
        points = np.concatenate([run[:-1] for run in runs])
        found.append(Ring(tuple(edge for edge, _ in walk), tuple(back for _, back in walk), points))
    return tuple(found)


def same_surface(one: Surface, two: Surface) -> bool:
    """Whether two faces lie on one unbounded surface, within the merging tolerance."""
    if isinstance(one, Plane) and isinstance(two, Plane):
        return (
            float(one.normal @ two.normal) > 0.5
            and _parallel(one.normal, two.normal)
            and abs(float((two.origin - one.origin) @ one.normal)) < SAME_LENGTH_MM
        )
    if isinstance(one, Cylinder) and isinstance(two, Cylinder):
        return abs(one.radius_mm - two.radius_mm) < SAME_LENGTH_MM and coaxial(
            one.origin, one.axis, two.origin, two.axis
        )
    if isinstance(one, Cone) and isinstance(two, Cone):
        if float(one.axis @ two.axis) < 0 or abs(one.half_angle_deg - two.half_angle_deg) > 0.1:
            return False
        along = float((two.origin - one.origin) @ one.axis)
        expected = one.radius_mm + along * math.tan(math.radians(one.half_angle_deg))
        return abs(expected - two.radius_mm) < SAME_LENGTH_MM and coaxial(one.origin, one.axis, two.origin, two.axis)
    if isinstance(one, Sphere) and isinstance(two, Sphere):
        return (
            abs(one.radius_mm - two.radius_mm) < SAME_LENGTH_MM
            and float(np.linalg.norm(one.center - two.center)) < SAME_LENGTH_MM
        )
    if isinstance(one, Torus) and isinstance(two, Torus):
        return (
            abs(one.minor_radius_mm - two.minor_radius_mm) < SAME_LENGTH_MM
            and abs(one.major_radius_mm - two.major_radius_mm) < SAME_LENGTH_MM
            and _parallel(one.axis, two.axis)
            and float(np.linalg.norm(one.center - two.center)) < SAME_LENGTH_MM
        )
    return False


def coaxial(origin: Vector, axis: Vector, other_origin: Vector, other_axis: Vector, slack_mm: float = 1e-3) -> bool:
    """Whether two axes are one line."""
    if not _parallel(axis, other_axis):
        return False
    ax, ay, az = axis.tolist()
    dx, dy, dz = (other_origin - origin).tolist()
    along = dx * ax + dy * ay + dz * az
    return math.dist((dx, dy, dz), (along * ax, along * ay, along * az)) < slack_mm


def _parallel(one: Vector, two: Vector) -> bool:
    ax, ay, az = one.tolist()
    bx, by, bz = two.tolist()
    return math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) < SAME_DIRECTION


def _merged_groups(part: Part) -> list[list[int]]:
    """Faces grouped by surface over common edges; groups in order of their first face, members largest first.

    Faces of one surface and one side always meet smoothly; the angle measured on the edge is not asked, because it
    has no meaning at the apex of a cone.
    """
    parent = list(range(len(part.faces)))

    def root(face: int) -> int:
        while parent[face] != face:
            parent[face] = parent[parent[face]]
            face = parent[face]
        return face

    for edge in part.edges:
        first, second = edge.faces
        if first == second or second < 0:
            continue
        one, two = part.faces[first], part.faces[second]
        if one.convex == two.convex and same_surface(one.surface, two.surface):
            low, high = sorted((root(first), root(second)))
            parent[high] = low
    groups: dict[int, list[int]] = {}
    for face in range(len(part.faces)):
        groups.setdefault(root(face), []).append(face)
    for members in groups.values():
        members.sort(key=lambda face: (-part.faces[face].area_mm2, face))
    return list(groups.values())


def _region(part: Part, number: int, group: Sequence[int], borders: tuple[Border, ...]) -> Region:
    face = part.faces[group[0]]
    surface = face.surface
    extent = 0.0
    low = high = 0.0
    if isinstance(surface, Cylinder | Cone | Torus):
        extent = _extent_deg(part, group, surface)
    if isinstance(surface, Cylinder | Cone):
        low, high = _axial_range(part, group, surface)
    return Region(
        number=number,
        faces=tuple(group),
        surface=surface,
        convex=face.convex,
        area_mm2=sum(part.faces[member].area_mm2 for member in group),
        extent_deg=extent,
        low_mm=low,
        high_mm=high,
        point=face.point,
        normal=face.normal,
        body=face.body,
        borders=borders,
    )


def _axial_range(part: Part, group: Sequence[int], surface: Cylinder | Cone) -> tuple[float, float]:
    low, high = math.inf, -math.inf
    for member in group:
        face = part.faces[member]
        other = face.surface
        if not isinstance(other, Cylinder | Cone):
            continue
        shift = float((other.origin - surface.origin) @ surface.axis) if other is not surface else 0.0
        sense = 1.0 if other is surface or float(other.axis @ surface.axis) > 0 else -1.0
        ends = (shift + sense * face.v_range_mm[0], shift + sense * face.v_range_mm[1])
        low, high = min(low, *ends), max(high, *ends)
    return low, high


def _extent_deg(part: Part, group: Sequence[int], surface: Cylinder | Cone | Torus) -> float:
    """Angle about the axis covered by the faces together.

    Faces of one cylinder may count their angles from different directions, so each interval (its width is known) is
    placed by its boundary points: it begins after the largest gap between them.
    """
    widths = [math.degrees(part.faces[member].u_range_rad[1] - part.faces[member].u_range_rad[0]) for member in group]
    if len(group) == 1 or max(widths) > 359.9:
        return min(widths[0] if len(group) == 1 else 360.0, 360.0)
    across, up = frame(surface.axis)
    origin = surface.center if isinstance(surface, Torus) else surface.origin
    intervals: list[tuple[float, float]] = []
    for member, width in zip(group, widths, strict=True):
        points = np.concatenate([part.edges[edge].points for loop in part.faces[member].loops for edge in loop.edges])
        offset = points - origin
        angles = np.sort(np.degrees(np.arctan2(offset @ up, offset @ across)) % 360.0)
        gaps = np.append(angles[1:], angles[0] + 360.0) - angles
        start = float(angles[(int(np.argmax(gaps)) + 1) % len(angles)])
        intervals.append((start, start + width))
    return _covered(intervals)


def _covered(intervals: Sequence[tuple[float, float]]) -> float:
    """Degrees of the circle covered by intervals that may run past 360."""
    pieces = []
    for start, end in intervals:
        pieces.append((start, min(end, 360.0)))
        if end > 360.0:
            pieces.append((0.0, end - 360.0))
    total, reached = 0.0, 0.0
    for start, end in sorted(pieces):
        if end > reached:
            total += end - max(start, reached)
            reached = end
    return min(total, 360.0)


def direction_groups(directions: Sequence[Vector]) -> list[int]:
    """Group number of each direction; directions within 0.1 degrees, either way round, are one group."""
    if not directions:
        return []
    if len(directions) <= FEW:
        return _few_groups(directions)
    # Rounding first keeps the search small where thousands of faces look one way.
    rounded = np.round(np.array(directions), 4) + 0.0
    unique, first = np.unique(np.concatenate([rounded, -rounded]), axis=0, return_inverse=True)
    labels = first.ravel()
    pairs = cKDTree(unique).query_pairs(2 * SAME_DIRECTION, output_type="ndarray")
    count = len(directions)
    rows = np.concatenate([pairs[:, 0], labels[:count]])
    columns = np.concatenate([pairs[:, 1], labels[count:]])
    links = coo_matrix((np.ones(len(rows)), (rows, columns)), shape=(len(unique), len(unique)))
    _, group = connected_components(links, directed=False)
    grouped: list[int] = group[labels[:count]].tolist()
    return grouped


def _few_groups(directions: Sequence[Vector]) -> list[int]:
    """The same for a handful, without building a search tree."""
    known: list[tuple[float, float, float]] = []
    groups = []
    for x, y, z in (direction.tolist() for direction in directions):
        for group, (a, b, c) in enumerate(known):
            if math.hypot(y * c - z * b, z * a - x * c, x * b - y * a) < 2 * SAME_DIRECTION:
                groups.append(group)
                break
        else:
            groups.append(len(known))
            known.append((x, y, z))
    return groups


def frame(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors that make a right-handed frame with the axis."""
    x, y, z = axis.tolist()
    if abs(x) < abs(y) and abs(x) < abs(z):
        first = (0.0, z, -y)
    elif abs(y) < abs(z):
        first = (-z, 0.0, x)
    else:
        first = (y, -x, 0.0)
    size = math.hypot(*first)
    a, b, c = first[0] / size, first[1] / size, first[2] / size
    return np.array([a, b, c]), np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def cross(one: Vector, two: Vector) -> Vector:
    """The vector product of two single vectors; numpy's own costs ten times as much on three numbers."""
    x, y, z = one.tolist()
    a, b, c = two.tolist()
    return np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def plane_of(region: Region) -> Plane:
    """The plane of a region known to be flat."""
    if not isinstance(region.surface, Plane):
        raise TypeError(f"region {region.number} is a {type(region.surface).__name__}, not flat")
    return region.surface


def axial_of(region: Region) -> Cylinder | Cone:
    """The cylinder or cone of a region known to be one."""
    if not isinstance(region.surface, Cylinder | Cone):
        raise TypeError(f"region {region.number} is a {type(region.surface).__name__}, not a cylinder or cone")
    return region.surface


def triple(vector: Vector) -> tuple[float, float, float]:
    """A vector as plain numbers, without negative zeros."""
    x, y, z = vector.tolist()
    return x + 0.0, y + 0.0, z + 0.0
