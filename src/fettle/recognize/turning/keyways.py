"""KEYWAY: slots along the axis whose middle plane holds it."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.geometry.part import Cylinder, Plane, Vector
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.depression import Depression, DepressionForm
from fettle.recognize.extents import boundary_points
from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, Region, cross, triple
from fettle.recognize.kinds.keyway import KEYWAY_FLOOR, KEYWAY_WALL, Keyway
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.recesses import Recess
from fettle.recognize.tolerances import LOOSE_LENGTH_MM, SAME_ANGLE_COS, SAME_ANGLE_SIN
from fettle.recognize.turned_part import Segment, TurnedPart

MAX_WIDTH = 0.5
"""Widest keyway in diameters of its shaft: DIN 6885 has up to 0.4."""
MAX_DEPTH = 1.0
MAX_DISC_DEPTH = 2.5
"""Deepest keyway in widths: DIN 6885 has up to 0.65, for disc keys DIN 6888 up to 2.4."""


def find_keyways(
    contracted: ContractedGraph, turned: TurnedPart | None, recesses: Sequence[Recess]
) -> list[Claim[Keyway]]:
    """Every keyway of a turned part, in the order of depressions."""
    if turned is None:
        return []
    return [
        claim
        for depression, slot in recesses
        if (slot is None or not slot.undercut) and (claim := _keyway(contracted, turned, depression, slot)) is not None
    ]


def _keyway(
    contracted: ContractedGraph, turned: TurnedPart, depression: Depression, slot: Slot | None
) -> Claim[Keyway] | None:
    graph = contracted.graph
    floor_face = slot.floor_face if slot is not None else _flat_floor(graph, depression)
    pair = _sides(graph, turned, depression)
    if floor_face is None or pair is None:
        return None
    floor = graph.part.faces[floor_face]
    out = floor.normal if isinstance(floor.surface, Plane) else cross(pair[0].normal, turned.axis)
    if abs(float(out @ turned.axis)) > SAME_ANGLE_SIN or abs(float(out @ pair[0].normal)) > SAME_ANGLE_SIN:
        return None
    # the walls look at each other from equal distances on both sides of the axis
    sides = [float((wall.point - turned.origin) @ wall.normal) for wall in pair]
    width = -(sides[0] + sides[1])
    if abs(sides[0] - sides[1]) > LOOSE_LENGTH_MM or width < LOOSE_LENGTH_MM:
        return None
    points = boundary_points(graph, depression.regions)
    heights = (points - turned.origin) @ turned.axis
    low, high = float(heights.min()), float(heights.max())
    above = float(((points - turned.origin) @ out).mean())
    if isinstance(floor.surface, Cylinder) and above < 0:
        out, above = -out, -above
    rim = _rim(turned, low, high, above > 0)
    if rim is None or width > 2 * MAX_WIDTH * rim.outer_mm or high - low < width:
        return None
    inside = rim.convex is False
    if isinstance(floor.surface, Plane):
        bottom = abs(float((floor.point - turned.origin) @ floor.normal))
        form = "inside" if inside else "outside"
    elif isinstance(floor.surface, Cylinder) and not inside:
        bottom, form = _disc_bottom(turned, floor.surface, out), "woodruff"
    else:
        return None
    depth = bottom - rim.outer_mm if inside else rim.outer_mm - bottom
    if not LOOSE_LENGTH_MM < depth <= (MAX_DISC_DEPTH if form == "woodruff" else MAX_DEPTH) * width:
        return None
    keyway = Keyway(
        faces=slot.faces if slot is not None else graph.faces_of([*depression.regions, *depression.inner_blends]),
        confidence=contracted.confidence,
        width_mm=width,
        depth_mm=depth,
        length_mm=high - low,
        through=False,
        floor_face=floor_face,
        end_type=slot.end_type if slot is not None else "square",
        open_ends=slot.open_ends if slot is not None else depression.open_sides,
        axis=triple(out),
        mouth_width_mm=width,
        undercut=False,
        form=form,
        diameter_mm=2 * rim.outer_mm,
        z_mm=low,
    )
    roles = {number: KEYWAY_FLOOR if number == depression.floor else KEYWAY_WALL for number in depression.regions}
    return Claim(keyway, roles)


def _flat_floor(graph: Graph, depression: Depression) -> int | None:
    """The floor of a pocket with walls all round; None for other depressions."""
    if depression.form is not DepressionForm.POCKET or depression.floor is None:
        return None
    return graph.regions[depression.floor].face


def _sides(graph: Graph, turned: TurnedPart, depression: Depression) -> tuple[Region, Region] | None:
    """The two flat walls along the axis that face one another; None unless there are just two."""
    walls = [graph.regions[number] for number in depression.walls if number != depression.floor]
    along = [
        wall
        for wall in walls
        if isinstance(wall.surface, Plane) and abs(float(wall.normal @ turned.axis)) < SAME_ANGLE_SIN
    ]
    if len(along) != 2 or float(along[0].normal @ along[1].normal) > -SAME_ANGLE_COS:
        return None
    return along[0], along[1]


def _rim(turned: TurnedPart, low_mm: float, high_mm: float, looks_out: bool) -> Segment | None:
    """The diameter that a slot between two heights is cut into: of those it overlaps, the one it overlaps most."""
    middle = (low_mm + high_mm) / 2
    every = (*turned.outside, *turned.inside) if looks_out else turned.inside
    rims = [one for one in every if isinstance(one.surface, Cylinder) and one.convex is looks_out]
    around = [one for one in rims if min(high_mm, one.high_mm) - max(low_mm, one.low_mm) > LOOSE_LENGTH_MM]
    return max(
        around,
        key=lambda one: (
            min(high_mm, one.high_mm) - max(low_mm, one.low_mm),
            -abs(one.low_mm + one.high_mm - 2 * middle),
        ),
        default=None,
    )


def _disc_bottom(turned: TurnedPart, surface: Cylinder, out: Vector) -> float:
    """Distance from the axis of the lowest point of a round floor that a disc cutter leaves."""
    return float((surface.origin - turned.origin) @ out) - surface.radius_mm
