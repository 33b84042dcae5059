"""Which parts are turned, and their profile: what faces the outside and what lies in bores, from end to end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from fettle.geometry.part import Cylinder, Vector
from fettle.recognize.face_table import face_table
from fettle.recognize.feature import Claim, claimed_regions
from fettle.recognize.graph import Graph, triple
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.revolution import Revolution, find_revolutions
from fettle.recognize.teeth import ToothedRing
from fettle.recognize.tolerances import LOOSE_LENGTH_MM, ROUNDING
from fettle.recognize.turned_part import AxisShare, Point, Segment, TurnedPart
from fettle.recognize.turning.segments import find_segments

TURNED_SHARE = 0.5
"""Share of the area that is of revolution about one axis, or toothed, from which a part is turned: less than half is a
milled part with a round feature."""
FLANGED_SHARE = 0.65
"""The same where something that is not round stands out farthest from the axis, such as a square flange: it is sawn
from a block, so more of the rest must be a lathe's."""
CURVED_SHARE = 0.2
"""Share of the area that is curved about the axis: round plates have less and are cut from sheet."""
STANDS_OUT = 1.05
"""Radius of the part over that of its outermost round surface up to which the bar is round."""
FITTED_SLACK = 1e-4
"""Distance of axes fitted to a mesh from the axis of the part, as a share of its diagonal."""
SAME_WEIGHT = 1e-6
"""Difference between the two halves of a profile, as a share, below which neither end is the heavier one."""


def measure_revolutions(graph: Graph) -> tuple[Revolution, ...]:
    """Shares of the part's area about its main axes, the best first; none without round surfaces."""
    return find_revolutions(graph.part, face_table(graph.part)) if graph.part.faces else ()


def find_turned(
    graph: Graph,
    revolutions: Sequence[Revolution],
    holes: Sequence[Claim[Hole]],
    toothed: Sequence[ToothedRing],
    helices: Sequence[Helix],
) -> TurnedPart | None:
    """The turned part, None where less than half of the surface is of revolution about one axis."""
    part = graph.part
    if not revolutions or len(part.bodies) > 1:
        return None
    best = revolutions[0]
    teeth = [sorted({int(graph.region_of[face]) for face in ring.faces}) for ring in toothed]
    toothed_mm2 = sum(graph.regions[number].area_mm2 for ring in teeth for number in ring)
    if best.share < TURNED_SHARE or best.curved_share + toothed_mm2 / part.area_mm2 < CURVED_SHARE:
        return None
    slack = LOOSE_LENGTH_MM if part.source.exact else max(LOOSE_LENGTH_MM, FITTED_SLACK * part.diagonal_mm)
    points = (
        np.concatenate([edge.points for edge in part.edges]) - best.origin if part.edges else part.box - best.origin
    )
    along = points @ best.direction
    radial = np.sqrt(np.maximum((points * points).sum(axis=1) - along * along, 0.0))
    ends = float(along.min()), float(along.max())
    segments = find_segments(graph, best.origin, best.direction, slack, ends)
    for group in (*teeth, *(sorted(helix.regions) for helix in helices if is_external(graph, helix))):
        segments = _under_one_crest(graph, segments, group)
    drilled = claimed_regions(holes)
    outer = [one for one in segments if drilled.isdisjoint(one.regions)]
    hidden = _hidden(outer)
    outside = _with_overhangs([one for one in outer if id(one) not in hidden], outer)
    seen = {id(one) for one in outside}
    widest = max((one.outer_mm for one in outside), default=0.0)
    reach = float(radial.max())
    if reach > STANDS_OUT * widest and best.share < FLANGED_SHARE and not best.teeth:
        return None
    low = min([ends[0], *(one.low_mm for one in segments)])
    high = max([ends[1], *(one.high_mm for one in segments)])
    turned = TurnedPart(
        origin=best.origin + low * best.direction,
        axis=best.direction,
        axes=tuple(AxisShare(triple(one.direction), triple(one.origin), one.share) for one in revolutions),
        length_mm=high - low,
        # points of edges on a cylinder lie beside it by the tolerance of the file
        diameter_mm=2 * (widest if reach < widest + LOOSE_LENGTH_MM else reach),
        outside=tuple(_shifted(one, low) for one in outside),
        inside=tuple(_shifted(one, low) for one in segments if id(one) not in seen),
    )
    turned = _flipped(turned) if _is_upside_down(turned) else turned
    return replace(
        turned, outside=_in_order(turned.outside, outside=True), inside=_in_order(turned.inside, outside=False)
    )


def is_external(graph: Graph, helix: Helix) -> bool:
    """Whether a modeled thread lies around a shaft."""
    return graph.regions[helix.rounds[0]].convex is True


def _under_one_crest(graph: Graph, segments: Sequence[Segment], regions: Sequence[int]) -> list[Segment]:
    """The segments with those of a thread or of teeth replaced by one, that of their crests over their whole length."""
    members = frozenset(regions)
    own = [one for one in segments if not members.isdisjoint(one.regions)]
    rest = [one for one in segments if members.isdisjoint(one.regions)]
    crests = [one for one in own if isinstance(one.surface, Cylinder)]
    if not crests:
        return rest
    top = max(crests, key=lambda one: one.outer_mm)
    low, high = min(one.low_mm for one in own), max(one.high_mm for one in own)
    crest = replace(
        top,
        regions=tuple(regions),
        faces=graph.faces_of(regions),
        start=(low, top.outer_mm),
        end=(high, top.outer_mm),
        convex=True,
        extent_deg=360.0,
        area_mm2=sum(graph.regions[number].area_mm2 for number in regions),
    )
    return [*rest, crest]


def _with_overhangs(outside: Sequence[Segment], segments: Sequence[Segment]) -> list[Segment]:
    """What is seen from outside, and what hangs over it: segments that join two of them, such as a dovetail's walls."""
    ends = {_cell(point) for one in outside for point in (one.start, one.end)}

    def joins(point: Point) -> bool:
        z, r = _cell(point)
        return any((z + a, r + b) in ends for a in (-1, 0, 1) for b in (-1, 0, 1))

    seen = {id(one) for one in outside}
    return [one for one in segments if id(one) in seen or (joins(one.start) and joins(one.end))]


def _hidden(segments: Sequence[Segment]) -> set[int]:
    """Identities of the segments at whose height something round lies farther out: they are inside the part."""
    waiting = sorted((one for one in segments if one.convex is True), key=lambda one: -one.low_mm)
    around: list[Segment] = []  # of the round ones those at the height of the next segment
    found = set()
    for height, one in sorted(((_middle_mm(one), one) for one in segments), key=lambda pair: pair[0]):
        while waiting and waiting[-1].low_mm <= height + ROUNDING:
            around.append(waiting.pop())
        around = [other for other in around if other.high_mm >= height - ROUNDING]
        if any(other is not one and _covers(other, one, height) for other in around):
            found.add(id(one))
    return found


def _middle_mm(segment: Segment) -> float:
    return (segment.low_mm + segment.high_mm) / 2


def _covers(other: Segment, segment: Segment, height_mm: float) -> bool:
    """Whether a round surface lies farther out than a segment at its height; over a flat ring, on its open side."""
    if segment.faces_up is None:
        reaches = other.low_mm < height_mm < other.high_mm
    elif segment.faces_up:
        reaches = other.low_mm <= height_mm + ROUNDING < other.high_mm - ROUNDING
    else:
        reaches = other.low_mm + ROUNDING < height_mm - ROUNDING <= other.high_mm
    return reaches and _radius_at(other, height_mm) > segment.outer_mm + LOOSE_LENGTH_MM


def _radius_at(segment: Segment, height_mm: float) -> float:
    """Radius of a line at a height; of an arc, that of the chord between its ends."""
    (z, r), (end_z, end_r) = segment.start, segment.end
    return r if abs(end_z - z) < ROUNDING else r + (end_r - r) * (height_mm - z) / (end_z - z)


def _shifted(segment: Segment, by_mm: float) -> Segment:
    (z, r), (end_z, end_r) = segment.start, segment.end
    center = None if segment.center is None else (segment.center[0] - by_mm, segment.center[1])
    return replace(segment, start=(z - by_mm, r), end=(end_z - by_mm, end_r), center=center)


def _is_upside_down(turned: TurnedPart) -> bool:
    """Whether z must count from the other end. It counts from the heavier half of the outside, where a chuck holds the
    part; between equal halves from the end with the larger radii; else along the coordinate axis nearest to it."""
    middle = turned.length_mm / 2
    lever = sum(one.area_mm2 * (_middle_mm(one) - middle) for one in turned.outside)
    if abs(lever) > SAME_WEIGHT * turned.length_mm * sum(one.area_mm2 for one in turned.outside):
        return lever > 0
    ahead, back = _key(turned, flipped=False), _key(turned, flipped=True)
    if ahead != back:
        return ahead < back
    lead = int(np.abs(np.round(turned.axis, 6)).argmax())
    return float(turned.axis[lead]) < 0


def _key(turned: TurnedPart, *, flipped: bool) -> list[tuple[float, ...]]:
    """Ends of all segments by height, rounded; with z counted from the other end where flipped."""
    rows = []
    for side in (turned.outside, turned.inside):
        ends = []
        for one in side:
            (z, r), (end_z, end_r) = one.start, one.end
            row = (turned.length_mm - end_z, end_r, turned.length_mm - z, r) if flipped else (z, r, end_z, end_r)
            ends.append(tuple(round(value, 3) + 0.0 for value in row))
        rows.extend(sorted(ends, key=lambda row: (row[0] + row[2], row)))
    return rows


def _flipped(turned: TurnedPart) -> TurnedPart:
    """The same part with z counted from its other end."""
    length = turned.length_mm

    def flip(segment: Segment) -> Segment:
        (z, r), (end_z, end_r) = segment.start, segment.end
        center = None if segment.center is None else (length - segment.center[0], segment.center[1])
        up = None if segment.faces_up is None else not segment.faces_up
        return replace(segment, start=(length - end_z, end_r), end=(length - z, r), center=center, faces_up=up)

    return replace(
        turned,
        origin=turned.origin + length * turned.axis,
        axis=-turned.axis,
        outside=tuple(flip(one) for one in turned.outside),
        inside=tuple(flip(one) for one in turned.inside),
    )


def _in_order(segments: Sequence[Segment], *, outside: bool) -> tuple[Segment, ...]:
    """Segments as the profile runs, from its lowest z on: each begins where one ends, else at the next larger z."""
    waiting = sorted(segments, key=_place)
    meeting: dict[tuple[int, int], list[int]] = {}
    for number, one in enumerate(waiting):
        for cell in {_cell(one.start), _cell(one.end)}:
            meeting.setdefault(cell, []).append(number)
    used = [False] * len(waiting)
    ordered: list[Segment] = []
    for first in range(len(waiting)):
        following: int | None = first
        while following is not None and not used[following]:
            used[following] = True
            before = None if following == first else ordered[-1].end
            ordered.append(_directed(waiting[following], before, outside))
            following = _next(waiting, used, meeting, ordered[-1].end, outside)
    return tuple(ordered)


def _directed(segment: Segment, before: Point | None, outside: bool) -> Segment:
    """The segment beginning at the end that is nearer to what comes before it."""
    start, end = segment.start, segment.end
    if segment.faces_up is not None:
        # material lies behind a flat ring: on its way along z the outside goes down where the ring looks up
        start, end = sorted((start, end), key=lambda point: point[1], reverse=segment.faces_up == outside)
    elif before is not None and _gap(before, end) < _gap(before, start) - ROUNDING:
        start, end = end, start
    return segment if start == segment.start and end == segment.end else replace(segment, start=start, end=end)


def _next(
    segments: Sequence[Segment],
    used: Sequence[bool],
    meeting: dict[tuple[int, int], list[int]],
    point: Point,
    outside: bool,
) -> int | None:
    """The segment not yet used that begins at a point."""
    z, r = _cell(point)
    near = sorted({number for a in (-1, 0, 1) for b in (-1, 0, 1) for number in meeting.get((z + a, r + b), ())})
    for number in near:
        if not used[number] and _gap(_directed(segments[number], point, outside).start, point) < LOOSE_LENGTH_MM:
            return number
    return None


def _cell(point: Point) -> tuple[int, int]:
    """The square of a grid that a point lies in."""
    return round(point[0] / (2 * LOOSE_LENGTH_MM)), round(point[1] / (2 * LOOSE_LENGTH_MM))


def _place(segment: Segment) -> tuple[float, float, float]:
    return round(_middle_mm(segment), 6), round(segment.outer_mm, 6), round(segment.inner_mm, 6)


def _gap(one: Point, two: Point) -> float:
    return abs(one[0] - two[0]) + abs(one[1] - two[1])


def foot(turned: TurnedPart, height_mm: float) -> Vector:
    """The point of the axis at a height."""
    point: Vector = turned.origin + height_mm * turned.axis
    return point
