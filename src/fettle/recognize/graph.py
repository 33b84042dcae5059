"""The attributed face graph: touching faces of one surface merged into regions, with a sign on every border.

Merging joins split cylinders, imprints and seams before anything is measured. Everything after reads regions; face
numbers come back only when a feature is reported.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cone, Convexity, Cylinder, CylinderOrCone, Part, Plane, Sphere, Surface, Torus, Vector
from fettle.recognize.tolerances import SAME_ANGLE_DEG, SAME_ANGLE_SIN, SAME_LENGTH_MM

PlaneNumbers: TypeAlias = tuple[float, float, float, float, float, float]
"""Normal and origin of a plane: numpy takes ten times as long over three numbers."""
LineNumbers: TypeAlias = tuple[Sequence[float], Sequence[float]]
"""A point of a line and its direction."""

_SKEW = (0.36, 0.48, 0.8)
_CELL = 0.01
"""A direction along no usual axis, and steps along it: unit normals within the angle tolerance are less than one step
apart."""
_NOT_FLAT = 1_000
"""In place of the step: farther than any."""


class Border(NamedTuple):
    """An edge as one of its regions sees it. `other` is the region across it, -1 where the part is open.

    `via`: the blend or chamfer that the contracted graph looks across to find `other`.
    """

    edge: int
    other: int
    sign: Convexity
    via: int | None


@dataclass(frozen=True, eq=False)
class Ring:
    """A closed chain of borders of a region."""

    edges: tuple[int, ...]
    backward: tuple[bool, ...]
    part: Part

    @cached_property
    def points(self) -> NDArray[np.float64]:
        """Shape (k, 3), in order, material to the left from outside."""
        edges = self.part.edges
        return np.concatenate(
            [
                edges[edge].points[:0:-1] if back else edges[edge].points[:-1]
                for edge, back in zip(self.edges, self.backward, strict=True)
            ]
        )


@dataclass(slots=True, eq=False)
class Region:
    """Touching faces of one surface. Made once and never changed, though not frozen: setting twelve fields of a frozen
    object takes longer than all else that is done to make one.

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
    """`region_of`: shape (faces,), the region of each face. `points`, `normals`: shape (regions, 3), of all regions:
    numpy takes many rows out of them as fast as it makes an array of one. `planes`: normal and origin of each flat
    region in plain numbers, None for others. `ring_cache` belongs to `rings`, `outline_cache` to
    `outlines.region_outline`, `area_cache` to `outlines.ring_areas`, `point_cache` to `extents.boundary_points` and
    `axis_cache` to `wall_directions.common_axis`."""

    part: Part
    regions: tuple[Region, ...]
    region_of: NDArray[np.int64]
    points: NDArray[np.float64]
    normals: NDArray[np.float64]
    planes: tuple[PlaneNumbers | None, ...]
    ring_cache: dict[int, tuple[Ring, ...]]
    outline_cache: dict[int, NDArray[np.float64]]
    area_cache: dict[int, tuple[float, ...]]
    point_cache: dict[int, NDArray[np.float64]]
    axis_cache: dict[tuple[int, ...], Vector | None]

    def faces_of(self, regions: Iterable[int]) -> tuple[int, ...]:
        """Member faces of the given regions, the largest first, each once."""
        members = {face for region in regions for face in self.regions[region].faces}
        return tuple(sorted(members, key=lambda face: (-self.part.faces[face].area_mm2, face)))


def rings(graph: Graph, region: int) -> tuple[Ring, ...]:
    """The closed boundary chains of a region, in the order of its faces; worked out once."""
    known = graph.ring_cache.get(region)
    if known is None:
        known = graph.ring_cache[region] = _rings(graph, region)
    return known


def _rings(graph: Graph, region: int) -> tuple[Ring, ...]:
    part = graph.part
    faces = graph.regions[region].faces
    simple = _simple_rings(part, faces[0]) if len(faces) == 1 else None
    if simple is not None:
        return simple
    inside = {border.edge for border in graph.regions[region].borders}
    steps = [
        (edge, back)
        for face in faces
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
        found.append(Ring(tuple(edge for edge, _ in walk), tuple(back for _, back in walk), part))
    return tuple(found)


def _simple_rings(part: Part, face: int) -> tuple[Ring, ...] | None:
    """The rings of a single face as its loops tell them; None where they touch a vertex twice or do not close."""
    loops, edges = part.faces[face].loops, part.edges
    starts: list[int] = []
    for loop in loops:
        first = len(starts)
        here = -1
        for edge, back in zip(loop.edges, loop.reversed, strict=True):
            start, end = edges[edge].vertices
            if back:
                start, end = end, start
            if start != here and len(starts) > first:
                return None
            starts.append(start)
            here = end
        if first == len(starts) or here != starts[first]:
            return None
    if len(set(starts)) != len(starts):
        return None
    return tuple(Ring(loop.edges, loop.reversed, part) for loop in loops)


def on_one_surface(graph: Graph, one: int, two: int) -> bool:
    """Whether two regions lie on one unbounded surface, as `same_surface` says of their surfaces."""
    first, second = graph.planes[one], graph.planes[two]
    if first is None or second is None:
        return same_surface(graph.regions[one].surface, graph.regions[two].surface)
    return one_plane(first, second)


def regions_on_surface(graph: Graph, numbers: Iterable[int], other: int) -> list[int]:
    """Those of the regions that lie on one unbounded surface with another, in their order."""
    planes = graph.planes
    plane = planes[other]
    if plane is None:
        return [number for number in numbers if on_one_surface(graph, number, other)]
    x, y, z = plane[:3]
    found = []
    for number in numbers:
        own = planes[number]
        # most look another way, which one product tells
        if own is not None and own[0] * x + own[1] * y + own[2] * z > 0.5 and one_plane(own, plane):
            found.append(number)
    return found


def by_surface(graph: Graph, numbers: Iterable[int]) -> list[list[int]]:
    """Regions of one body and one surface together, each with the first group that it fits."""
    groups: list[list[int]] = []
    places: dict[tuple[int, int], list[int]] = {}
    for number in numbers:
        body, plane = graph.regions[number].body, graph.planes[number]
        cells = [(body, _NOT_FLAT)]
        if plane is not None:
            # held only against those that look nearly the same way: most do not
            cell = math.floor((plane[0] * _SKEW[0] + plane[1] * _SKEW[1] + plane[2] * _SKEW[2]) / _CELL)
            cells = [(body, cell), (body, cell - 1), (body, cell + 1)]
        near = [place for one in cells for place in places.get(one, ())]
        found = min((place for place in near if on_one_surface(graph, groups[place][0], number)), default=None)
        if found is None:
            places.setdefault(cells[0], []).append(len(groups))
            groups.append([number])
        else:
            groups[found].append(number)
    return groups


def plane_numbers(surface: Surface) -> PlaneNumbers | None:
    """A plane in plain numbers, None for other surfaces."""
    if not isinstance(surface, Plane):
        return None
    (nx, ny, nz), (x, y, z) = surface.normal.tolist(), surface.origin.tolist()
    return nx, ny, nz, x, y, z


def one_plane(first: PlaneNumbers, second: PlaneNumbers) -> bool:
    """Whether two planes are one, within the merging tolerance."""
    ax, ay, az, px, py, pz = first
    bx, by, bz, qx, qy, qz = second
    return (
        ax * bx + ay * by + az * bz > 0.5
        and abs((qx - px) * ax + (qy - py) * ay + (qz - pz) * az) < SAME_LENGTH_MM
        and math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) < SAME_ANGLE_SIN
    )


def same_surface(one: Surface, two: Surface) -> bool:
    """Whether two faces lie on one unbounded surface, within the merging tolerance."""
    if type(one) is not type(two):
        return False
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
        if float(one.axis @ two.axis) < 0 or abs(one.half_angle_deg - two.half_angle_deg) > SAME_ANGLE_DEG:
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


def coaxial(
    origin: Vector, axis: Vector, other_origin: Vector, other_axis: Vector, slack_mm: float = SAME_LENGTH_MM
) -> bool:
    """Whether two axes are one line."""
    line, other = (origin.tolist(), axis.tolist()), (other_origin.tolist(), other_axis.tolist())
    return is_one_line(line, other, slack_mm)


def is_one_line(one: LineNumbers, two: LineNumbers, slack_mm: float = SAME_LENGTH_MM) -> bool:
    """The same in plain numbers."""
    (ox, oy, oz), (ax, ay, az) = one
    (px, py, pz), (bx, by, bz) = two
    if not math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) < SAME_ANGLE_SIN:
        return False
    dx, dy, dz = px - ox, py - oy, pz - oz
    along = dx * ax + dy * ay + dz * az
    return math.dist((dx, dy, dz), (along * ax, along * ay, along * az)) < slack_mm


def _parallel(one: Vector, two: Vector) -> bool:
    ax, ay, az = one.tolist()
    bx, by, bz = two.tolist()
    return math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx) < SAME_ANGLE_SIN


def frame(axis: Vector) -> tuple[Vector, Vector]:
    """Two unit vectors that make a right-handed frame with the axis."""
    across, up = frame_numbers(*axis.tolist())
    return np.array(across), np.array(up)


def frame_numbers(x: float, y: float, z: float) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """The same in plain numbers."""
    if abs(x) < abs(y) and abs(x) < abs(z):
        first = (0.0, z, -y)
    elif abs(y) < abs(z):
        first = (-z, 0.0, x)
    else:
        first = (y, -x, 0.0)
    size = math.hypot(*first)
    a, b, c = first[0] / size, first[1] / size, first[2] / size
    return (a, b, c), (y * c - z * b, z * a - x * c, x * b - y * a)


def cross(one: Vector, two: Vector) -> Vector:
    """The vector product of two single vectors; numpy's own costs ten times as much on three numbers."""
    x, y, z = one.tolist()
    a, b, c = two.tolist()
    return np.array([y * c - z * b, z * a - x * c, x * b - y * a])


def rows_of(vectors: Sequence[Vector]) -> NDArray[np.float64]:
    """Vectors one below the other, shape (n, 3); `np.array` takes three times as long over a list of arrays."""
    return np.concatenate([np.empty(0), *vectors]).reshape(-1, 3)


def norm(vector: Vector) -> float:
    """Length of a single vector; numpy's own takes six times as long to come to the same."""
    return math.sqrt(vector.dot(vector))


def plane_of(region: Region) -> Plane:
    """The plane of a region known to be flat."""
    if not isinstance(region.surface, Plane):
        raise TypeError(f"region {region.number} is a {type(region.surface).__name__}, not flat")
    return region.surface


def axial_of(region: Region) -> Cylinder | Cone:
    """The cylinder or cone of a region known to be one."""
    if not isinstance(region.surface, CylinderOrCone):
        raise TypeError(f"region {region.number} is a {type(region.surface).__name__}, not a cylinder or cone")
    return region.surface


def triple(vector: Vector) -> tuple[float, float, float]:
    """A vector as plain numbers, without negative zeros."""
    x, y, z = vector.tolist()
    return x + 0.0, y + 0.0, z + 0.0
