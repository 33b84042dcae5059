"""STEP: a shoulder cut along an edge of the stock, of a floor and walls that meet in concave edges."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Plane, Surface, Vector
from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.depression import DepressionForm
from fettle.recognize.extents import boundary_points, extent_mm
from fettle.recognize.feature import Claim, Feature, Role, Triple
from fettle.recognize.graph import same_surface, triple
from fettle.recognize.signs import CONVEX
from fettle.recognize.tolerances import (
    ALONG_COS,
    HALF_RIGHT_COS,
    LEAST_FITTED_SIZE,
    SAME_LENGTH_MM,
    SAME_SIDE_COS,
    SAME_SIDE_SIN,
    ZERO,
)

if TYPE_CHECKING:
    from fettle.recognize.contracted_graph import ContractedGraph
    from fettle.recognize.recesses import Recess

LEAST_LENGTH = 1.0
"""Least length of a step, in depths: a shorter one is an inside corner in the outline of a plate."""

STEP_FLOOR = Role(21, "Step floor")
STEP_WALL = Role(22, "Step wall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step(Feature):
    """A shoulder that runs along an edge of the stock and out of it at both ends."""

    kind: ClassVar[str] = "STEP"

    depth_mm: Annotated[float, "The smaller of its two sizes across the edge: from the side of the stock to the floor."]
    width_mm: Annotated[float, "The larger of its two sizes across the edge: from the other side to the wall."]
    length_mm: Annotated[float, "Length along the edge that it is cut from."]
    floor_face: Annotated[int, "Face number of the floor."]
    n_surfaces: Annotated[
        int, "Number of surfaces from one side to the other: 2, or more where the step has slanted faces."
    ]
    axis: Annotated[Triple, "Unit direction out of the stock, square to the side that the depth is measured from."]


KIND = FeatureKind(
    feature_class=Step,
    roles=(STEP_FLOOR, STEP_WALL),
    color="#5424fc",
    about="A shoulder cut along an edge of the stock: flat faces that meet in concave edges (or fillets), one after "
    "the other from one side of the part to the next, and run out at both ends. Depth and width count from the two "
    "sides that it opens on; the smaller is the depth. A step is at least as long as deep: a shorter one is a corner "
    "in the outline of a plate. A corner cut away, with walls on two sides of a floor, is a pocket of form `notch`; "
    "the shoulder of a shaft is a boss or a wall, and faces of a sheet or plate stay with their slab.",
    selector="steps",
    selects="Shoulders cut along an edge of the part.",
    dimensions=(
        field_dimension("step.depth", "depth_mm", "Depth of the step, its smaller size across the edge."),
        field_dimension("step.width", "width_mm", "Width of the step, its larger size across the edge."),
        ratio("step.depth_over_width", "depth_mm", "width_mm", "Depth of the step over its width."),
    ),
    recognizers=(
        Recognizer(
            name="steps",
            function="fettle.recognize.kinds.step:find_steps",
            needs=("contracted", "recesses", "taken"),
            yields_to=("slabs",),
            claims=(STEP_FLOOR, STEP_WALL),
        ),
    ),
)


class _Side(NamedTuple):
    """A side of the stock that a step comes out of: its outward normal, and its offset along it in mm."""

    normal: Vector
    offset_mm: float


def find_steps(contracted: ContractedGraph, recesses: Sequence[Recess], taken: Collection[int]) -> list[Claim[Step]]:
    """Depressions of the form of a step, all flat and not taken, in the order of depressions."""
    found = []
    for depression, slot in recesses:
        members, along = depression.regions, depression.axis
        if (
            slot is not None
            or depression.form is not DepressionForm.STEP
            or along is None
            or depression.floor is not None
        ):
            continue
        flat = all(isinstance(contracted.graph.regions[number].surface, Plane) for number in members)
        if flat and not any(number in taken for number in members):
            step = _step(contracted, members, along, depression.inner_blends)
            if step is not None:
                found.append(step)
    return found


def _step(
    contracted: ContractedGraph, members: tuple[int, ...], along: Vector, blends: tuple[int, ...]
) -> Claim[Step] | None:
    """The step of flat members that run along a direction; None unless it opens on two sides that are about square."""
    graph = contracted.graph
    sides = _sides(contracted, members, along)
    if len(sides) != 2 or abs(float(sides[0].normal @ sides[1].normal)) > HALF_RIGHT_COS:
        return None
    if any(float(graph.regions[number].normal @ side.normal) < -SAME_SIDE_SIN for number in members for side in sides):
        return None
    points = boundary_points(graph, members)
    (depth, top), (width, _) = sorted(((_below_mm(side, points), side) for side in sides), key=_shallow_first)
    length = extent_mm(points, along)
    least = SAME_LENGTH_MM if graph.part.source.exact else LEAST_FITTED_SIZE * graph.part.diagonal_mm
    if depth < least or length < LEAST_LENGTH * depth:
        return None
    floor = max(members, key=lambda number: (float(graph.regions[number].normal @ top.normal), -number))
    step = Step(
        faces=graph.faces_of([*members, *blends]),
        confidence=contracted.confidence,
        depth_mm=depth,
        width_mm=width,
        length_mm=length,
        floor_face=graph.regions[floor].face,
        n_surfaces=_surface_count([graph.regions[number].surface for number in members]),
        axis=triple(top.normal),
    )
    return Claim(step, {number: STEP_FLOOR if number == floor else STEP_WALL for number in members})


def _surface_count(surfaces: Sequence[Surface]) -> int:
    """Number of different surfaces: pieces of a face that another cut has split count once."""
    return sum(not any(same_surface(one, before) for before in surfaces[:place]) for place, one in enumerate(surfaces))


def _shallow_first(sized: tuple[float, _Side]) -> tuple[float, list[float]]:
    """Order of two sides: the one that a step is less deep below; at equal depths by direction, not by face number."""
    return round(sized[0], 6), [-round(value, 6) for value in sized[1].normal.tolist()[::-1]]


def _below_mm(side: _Side, points: NDArray[np.float64]) -> float:
    """How far points reach below a side."""
    return side.offset_mm - float((points @ side.normal).min())


def _sides(contracted: ContractedGraph, members: Sequence[int], along: Vector) -> list[_Side]:
    """The flat faces that the members break out into at convex edges along a direction, one for each side."""
    graph, inside = contracted.graph, set(members)
    found: list[_Side] = []
    for number in members:
        for link in contracted.links[number]:
            if link.other in inside or link.other < 0 or link.sign is not CONVEX:
                continue
            points = graph.part.edges[link.edge].points
            chord = points[-1] - points[0]
            size = float(np.linalg.norm(chord))
            surface = graph.regions[link.other].surface
            if size < ZERO or abs(float(chord @ along)) < ALONG_COS * size or not isinstance(surface, Plane):
                continue
            if not any(float(side.normal @ surface.normal) > SAME_SIDE_COS for side in found):
                found.append(_Side(surface.normal, float(surface.origin @ surface.normal)))
    return found
