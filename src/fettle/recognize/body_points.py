"""Corners, circles and faces of a body as labelled points: what stays the same when a body is turned and moved.

Where a file cuts a round face in two is no property of the shape: faces of one surface that meet smoothly count as one
region, and edges between the same two regions as one chain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.components import components
from fettle.geometry.part import Circle, CylinderOrCone, Edge, Part, Surface, Torus
from fettle.recognize.graph import same_surface
from fettle.recognize.signs import SMOOTH

Array = NDArray[np.float64]

CORNER, CENTER, CHAIN, REGION = 0.0, 100.0, 200.0, 300.0
"""Label kinds: a corner plus its number of chains, the center of a circle, a chain, a region plus its surface."""
_SURFACES = {"Plane": 0.0, "Cylinder": 1.0, "Cone": 2.0, "Sphere": 3.0, "Torus": 4.0, "Freeform": 5.0}
SAME_CENTER_MM = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class LabelledPoints:
    """Points (k, 3) in mm and labels (k, 3): kind, size in mm or mm2, and a second size."""

    points: Array
    labels: Array


@dataclass(frozen=True, slots=True, eq=False)
class BodyPoints:
    """`exact`: corners and centers of circles, as good as the file; `sampled`: centers of chains and regions, as good
    as the mesh. `axis`: a point and the direction of one round face, None where there is none."""

    exact: LabelledPoints
    sampled: LabelledPoints
    axis: tuple[Array, Array] | None


def body_points(part: Part) -> BodyPoints:
    """The labelled points of a part."""
    real, region = _regions(part)
    chains = _chains(part, real, region)
    exact: list[tuple[Array, tuple[float, float, float]]] = []
    sampled: list[tuple[Array, tuple[float, float, float]]] = []
    ends: dict[int, list[float]] = {}
    places: dict[int, Array] = {}
    for edges in chains:
        length = sum(edge.length_mm for edge in edges)
        counts: dict[int, int] = {}
        for edge in edges:
            for vertex, place in zip(edge.vertices, (edge.points[0], edge.points[-1]), strict=True):
                counts[vertex] = counts.get(vertex, 0) + 1
                places[vertex] = place
        for vertex, count in counts.items():
            if count == 1:
                ends.setdefault(vertex, []).append(length)
        circle = _circle_of(edges)
        if circle is not None:
            exact.append((circle.center, (CENTER, length, circle.radius_mm)))
        sampled.append((_middle(edges), (CHAIN, length, 0.0)))
    exact += [(places[vertex], (CORNER + len(lengths), sum(lengths), 0.0)) for vertex, lengths in ends.items()]
    sampled += _region_points(part, region)
    axes = (_axis(face.surface) for face in part.faces)
    return BodyPoints(_gather(exact), _gather(sampled), next((axis for axis in axes if axis is not None), None))


def _regions(part: Part) -> tuple[list[int], NDArray[np.int32]]:
    """Edges between different regions, and the region (faces,) of each face."""
    real, joined = [], []
    for number, edge in enumerate(part.edges):
        one, two = edge.faces
        smooth = two >= 0 and edge.convexity is SMOOTH
        if smooth and same_surface(part.faces[one].surface, part.faces[two].surface):
            joined.append((one, two))
        else:
            real.append(number)
    pairs = np.array(joined, np.int64).reshape(-1, 2)
    return real, components(len(part.faces), pairs[:, 0], pairs[:, 1])


def _chains(part: Part, real: list[int], region: NDArray[np.int32]) -> list[list[Edge]]:
    """Edges between the same two regions that follow each other, as one chain each."""
    at_vertex: dict[int, list[int]] = {}
    for place, number in enumerate(real):
        for vertex in dict.fromkeys(part.edges[number].vertices):
            at_vertex.setdefault(vertex, []).append(place)

    def beside(place: int) -> tuple[int, ...]:
        return tuple(sorted(int(region[face]) if face >= 0 else -1 for face in part.edges[real[place]].faces))

    joined = [
        (places[0], places[1])
        for places in at_vertex.values()
        if len(places) == 2 and beside(places[0]) == beside(places[1])
    ]
    pairs = np.array(joined, np.int64).reshape(-1, 2)
    chains: dict[int, list[Edge]] = {}
    for place, chain in enumerate(components(len(real), pairs[:, 0], pairs[:, 1]).tolist()):
        chains.setdefault(chain, []).append(part.edges[real[place]])
    return list(chains.values())


def _circle_of(edges: list[Edge]) -> Circle | None:
    """The circle that all edges of a chain lie on."""
    first = edges[0].curve
    if not isinstance(first, Circle):
        return None
    for edge in edges[1:]:
        other = edge.curve
        if not isinstance(other, Circle) or abs(other.radius_mm - first.radius_mm) > SAME_CENTER_MM:
            return None
        if float(np.linalg.norm(other.center - first.center)) > SAME_CENTER_MM:
            return None
    return first


def _middle(edges: list[Edge]) -> Array:
    """Center of the length of a chain, mm."""
    starts = np.concatenate([edge.points[:-1] for edge in edges])
    stops = np.concatenate([edge.points[1:] for edge in edges])
    lengths = np.linalg.norm(stops - starts, axis=1)
    if not lengths.sum() > 0.0:
        return np.asarray(starts[0], np.float64)
    middle: Array = ((starts + stops) / 2 * lengths[:, None]).sum(axis=0) / lengths.sum()
    return middle


def _region_points(part: Part, region: NDArray[np.int32]) -> list[tuple[Array, tuple[float, float, float]]]:
    """Center of area of each region; its second size tells material inside the curve (1) from outside (-1)."""
    members: dict[int, list[int]] = {}
    for face, one in enumerate(region.tolist()):
        members.setdefault(one, []).append(face)
    points = []
    for faces in members.values():
        own = [part.faces[face] for face in faces]
        areas = np.array([face.area_mm2 for face in own])
        weights = areas / areas.sum() if areas.sum() > 0.0 else np.full(len(own), 1.0 / len(own))
        center = (np.array([face.centroid for face in own]) * weights[:, None]).sum(axis=0)
        side = 0.0 if own[0].convex is None else 1.0 if own[0].convex else -1.0
        label = (REGION + _SURFACES[type(own[0].surface).__name__], float(areas.sum()), side)
        points.append((center, label))
    return points


def _axis(surface: Surface) -> tuple[Array, Array] | None:
    if isinstance(surface, CylinderOrCone):
        return surface.origin, surface.axis
    if isinstance(surface, Torus):
        return surface.center, surface.axis
    return None


def _gather(found: list[tuple[Array, tuple[float, float, float]]]) -> LabelledPoints:
    points = np.array([point for point, _ in found]).reshape(-1, 3)
    return LabelledPoints(points, np.array([label for _, label in found]).reshape(-1, 3))
