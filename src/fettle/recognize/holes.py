"""HOLE: a bore with its entry, stages, bottom and thread candidates."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from fettle.geometry.part import Cylinder, Plane, Torus
from fettle.recognize.blend_feature import FILLET, ROUND
from fettle.recognize.bore_ends import End, Piece
from fettle.recognize.bores import Bore, find_bores
from fettle.recognize.bridge import Bridge
from fettle.recognize.center_holes import is_center_hole
from fettle.recognize.feature import Claim, Role
from fettle.recognize.graph import Graph, triple
from fettle.recognize.kinds.chamfer import CHAMFER
from fettle.recognize.kinds.hole import COUNTERSINK, HOLE_BOTTOM, HOLE_WALL, Hole, Stage
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.threads import hole_threads, modeled_threads, stepped_threads, tapped_threads
from fettle.recognize.tolerances import ACROSS_COS, FULL_DEG, ROUNDING, SAME_LENGTH_MM

CHAMFER_DEPTH = 0.15
"""A cone at a mouth that is shallower than this share of the diameter is a chamfer, not a countersink."""
DRILL_POINT_DEG = (90.0, 140.0)
"""Full angles of drill points: spotting drills from 90, solid carbide up to 140 (DIN 6537)."""
TAPER_MAX_DEG = 30.0
"""Full angle up to which a cone between two diameters is a taper and no countersink."""


@dataclass(frozen=True, slots=True, eq=False)
class _Section:
    """A piece of a bore from the entry inwards: depths count from the bore's origin along the way in."""

    regions: tuple[int, ...]
    start_mm: float
    end_mm: float
    start_radius_mm: float
    end_radius_mm: float
    extent_deg: float
    thread_radius_mm: float | None

    @property
    def is_cone(self) -> bool:
        return abs(self.start_radius_mm - self.end_radius_mm) > SAME_LENGTH_MM

    @property
    def depth_mm(self) -> float:
        return self.end_mm - self.start_mm

    @property
    def angle_deg(self) -> float | None:
        if not self.is_cone:
            return None
        return math.degrees(2 * math.atan2(abs(self.start_radius_mm - self.end_radius_mm), self.depth_mm))


def find_holes(
    graph: Graph, blends: Mapping[int, Bridge], helices: Sequence[Helix], confidence: float
) -> list[Claim[Hole]]:
    """Every hole of the part, with roles for its regions."""
    bores = find_bores(graph, blends, helices)
    return [claim for bore in bores if (claim := _hole(graph, bore, confidence)) is not None]


def _hole(graph: Graph, bore: Bore, confidence: float) -> Claim[Hole] | None:
    forward = _enters_low(bore)
    axis = bore.axis if forward else -bore.axis
    entry, exit_ = (bore.low, bore.high) if forward else (bore.high, bore.low)
    if not entry.open:
        return None  # closed at both ends: a void, not a hole
    steps = _meeting(_steps(bore, forward), _shoulders(graph, bore, forward))
    near, far = (entry.lowest_mm, entry.highest_mm) if forward else (-entry.highest_mm, -entry.lowest_mm)
    end_near, end_far = (exit_.lowest_mm, exit_.highest_mm) if forward else (-exit_.highest_mm, -exit_.lowest_mm)
    steps[0] = replace(steps[0], start_mm=min(near, steps[0].start_mm))
    if exit_.open:
        steps[-1] = replace(steps[-1], end_mm=max(end_far, steps[-1].end_mm))
    mouth, middle, tail = _trim(steps, exit_)
    if not middle:
        return None
    narrow = min(middle, key=lambda step: min(step.start_radius_mm, step.end_radius_mm))
    cylinders = [step for step in middle if not step.is_cone]
    if cylinders:
        narrow = min(cylinders, key=lambda step: step.start_radius_mm)
    diameter = 2 * min(narrow.start_radius_mm, narrow.end_radius_mm)
    if tail and tail[-1].is_cone and not exit_.open and not cylinders:
        diameter = 2 * max(narrow.start_radius_mm, narrow.end_radius_mm)
    through = exit_.open
    broken_point = through and bool(tail) and tail[-1].end_radius_mm < tail[-1].start_radius_mm
    full_end = end_near if through and not broken_point else middle[-1].end_mm
    total_end = max(end_far, steps[-1].end_mm)
    # On a slanted or curved entry the full depth counts from the deepest point of the rim.
    depth = full_end - far
    if depth < SAME_LENGTH_MM:
        if not graph.part.source.exact:
            return None  # nowhere a whole ring: a speck of a blend that the fit took for a bore
        depth = total_end - near  # other cuts have opened it over its whole length
    stages = tuple(
        _stage(step, index, middle, tail)
        for index, step in enumerate([*middle, *(tail if not through or broken_point else [])])
    )
    extent = max(step.extent_deg for step in middle if step is narrow or not cylinders)
    bottom_angle = tail[-1].angle_deg if tail and exit_.bottom == "conical" else None
    single = len(middle) == 1
    threads: tuple[str, ...] = ()
    if narrow.thread_radius_mm is not None:
        threads = modeled_threads(diameter, 2 * narrow.thread_radius_mm)
    elif single and extent >= FULL_DEG:
        threads = hole_threads(diameter, depth, through)
    elif cylinders and extent >= FULL_DEG:
        wider = [step for step in cylinders if step is not narrow]
        if len(wider) == 1:
            threads = tapped_threads(diameter, 2 * wider[0].start_radius_mm)
        threads = threads or stepped_threads(diameter, narrow.depth_mm, through)
    center_hole = is_center_hole(stages, through)
    position = bore.origin + axis * near
    hole = Hole(
        faces=graph.faces_of(bore.regions),
        confidence=confidence,
        diameter_mm=diameter,
        depth_mm=depth,
        total_depth_mm=total_end - near,
        through=through,
        partial=extent < FULL_DEG,
        interrupted=bore.interrupted,
        bottom=exit_.bottom,
        bottom_angle_deg=bottom_angle,
        axis=triple(axis),
        position_mm=triple(position),
        stages=stages,
        entry_chamfer_mm=mouth.depth_mm if mouth is not None else None,
        extent_deg=extent,
        thread_candidates=() if center_hole else threads,
        center_hole=center_hole,
    )
    return Claim(hole, _roles(graph, bore, steps, middle, tail if not through or broken_point else []))


def _enters_low(bore: Bore) -> bool:
    """Whether the tool comes from the low end: the open one, else the wider one, else the one in the larger face."""
    if bore.low.open != bore.high.open:
        return bore.low.open
    first, last = bore.pieces[0], bore.pieces[-1]
    if abs(first.low_radius_mm - last.high_radius_mm) > SAME_LENGTH_MM:
        return first.low_radius_mm > last.high_radius_mm
    down, up = (
        _profile(bore.pieces),
        _profile(tuple(replace(piece, low_radius_mm=piece.high_radius_mm) for piece in bore.pieces[::-1])),
    )
    if down != up:
        return down < up
    if abs(bore.low.area_mm2 - bore.high.area_mm2) > ROUNDING * (bore.low.area_mm2 + bore.high.area_mm2):
        return bore.low.area_mm2 > bore.high.area_mm2
    return False


def _profile(pieces: tuple[Piece, ...]) -> list[tuple[float, float]]:
    """Radii and lengths from one end, such that the end with the wider, then the shorter, first piece sorts first."""
    return [(-round(piece.low_radius_mm, 3), round(piece.high_mm - piece.low_mm, 3)) for piece in pieces]


def _steps(bore: Bore, forward: bool) -> list[_Section]:
    """Pieces from the entry inwards; equal cylinders that follow one another (interrupted) become one."""
    steps: list[_Section] = []
    for piece in bore.pieces if forward else bore.pieces[::-1]:
        if forward:
            ends = (piece.low_mm, piece.high_mm, piece.low_radius_mm, piece.high_radius_mm)
        else:
            ends = (-piece.high_mm, -piece.low_mm, piece.high_radius_mm, piece.low_radius_mm)
        step = _Section(piece.regions, *ends, piece.extent_deg, piece.thread_radius_mm)
        before = steps[-1] if steps else None
        if (
            before is not None
            and not before.is_cone
            and not step.is_cone
            and abs(before.start_radius_mm - step.start_radius_mm) < SAME_LENGTH_MM
        ):
            extent = max(before.extent_deg, step.extent_deg)
            steps[-1] = _Section(
                (*before.regions, *step.regions),
                before.start_mm,
                step.end_mm,
                before.start_radius_mm,
                step.end_radius_mm,
                extent,
                before.thread_radius_mm or step.thread_radius_mm,
            )
        else:
            steps.append(step)
    return steps


def _shoulders(graph: Graph, bore: Bore, forward: bool) -> list[float]:
    """Depths of the flat rings between the pieces of a bore."""
    planes = [surface for number in bore.joints if isinstance(surface := graph.regions[number].surface, Plane)]
    sense = 1.0 if forward else -1.0
    return [
        sense * float((plane.origin - bore.origin) @ bore.axis)
        for plane in planes
        if abs(float(plane.normal @ bore.axis)) > ACROSS_COS
    ]


def _meeting(steps: list[_Section], shoulders: list[float]) -> list[_Section]:
    """Steps that a blend keeps apart run on to the shoulder between them; without one the wider takes it all."""
    met = list(steps)
    for index, (one, two) in enumerate(pairwise(steps)):
        if two.start_mm - one.end_mm < SAME_LENGTH_MM or one.is_cone or two.is_cone:
            continue
        wider = two.start_mm if one.end_radius_mm > two.start_radius_mm else one.end_mm
        at = next((mark for mark in shoulders if one.end_mm - ROUNDING <= mark <= two.start_mm + ROUNDING), wider)
        met[index] = replace(met[index], end_mm=at)
        met[index + 1] = replace(met[index + 1], start_mm=at)
    return met


def _trim(steps: list[_Section], exit_: End) -> tuple[_Section | None, list[_Section], list[_Section]]:
    """Part the chamfer at the mouth and the tail (drill point, or chamfer at the exit) from what is measured."""
    middle = list(steps)
    mouth: _Section | None = None
    tail: list[_Section] = []
    if len(middle) > 1 and _is_chamfer(middle[0], middle[1]):
        mouth = middle.pop(0)
    if len(middle) > 1:
        last = middle[-1]
        point = (exit_.bottom == "conical" and last.is_cone) or (exit_.open and _is_drill_point(last, middle[-2]))
        if point or (exit_.open and _is_chamfer(last, middle[-2])):
            tail.append(middle.pop())
    elif exit_.bottom == "conical" and middle and middle[-1].is_cone and mouth is None:
        tail.append(middle[-1])
    return mouth, middle, tail


def _is_drill_point(step: _Section, beside: _Section) -> bool:
    """Whether a cone that narrows towards an open end is the point of the drill, broken into a slot or cavity."""
    low, high = DRILL_POINT_DEG
    return (
        not beside.is_cone
        and step.end_radius_mm < step.start_radius_mm
        and abs(step.start_radius_mm - beside.end_radius_mm) < SAME_LENGTH_MM
        and low <= (step.angle_deg or 0.0) <= high
    )


def _is_chamfer(step: _Section, beside: _Section) -> bool:
    bore_mm = 2 * min(step.start_radius_mm, step.end_radius_mm)
    return step.is_cone and step.depth_mm < CHAMFER_DEPTH * bore_mm and not beside.is_cone


def _stage(step: _Section, index: int, middle: list[_Section], tail: list[_Section]) -> Stage:
    if any(step is one for one in tail):
        kind = "drill_point"
    elif step.is_cone:
        wide = step.angle_deg is not None and step.angle_deg > TAPER_MAX_DEG
        kind = "countersink" if wide and step.start_radius_mm > step.end_radius_mm else "taper"
    else:
        radius = step.start_radius_mm
        before = any(one.start_radius_mm < radius - SAME_LENGTH_MM for one in middle[:index] if not one.is_cone)
        after = any(one.end_radius_mm < radius - SAME_LENGTH_MM for one in middle[index + 1 :] if not one.is_cone)
        kind = "groove" if before and after else "counterbore" if before or after else "cylinder"
    end_radius = step.end_radius_mm
    if step.thread_radius_mm is not None:
        kind, end_radius = "thread", step.thread_radius_mm
    return Stage(
        type=kind,
        diameter_mm=2 * step.start_radius_mm,
        end_diameter_mm=2 * end_radius,
        depth_mm=step.depth_mm,
        angle_deg=step.angle_deg,
    )


def _roles(
    graph: Graph, bore: Bore, steps: list[_Section], middle: list[_Section], bottom: list[_Section]
) -> dict[int, Role]:
    roles: dict[int, Role] = {}
    for step in steps:
        if any(step is one for one in bottom):
            role = HOLE_BOTTOM
        elif not any(step is one for one in middle):
            role = CHAMFER
        elif step.is_cone and (step.angle_deg or 0.0) > TAPER_MAX_DEG:
            role = COUNTERSINK
        else:
            role = HOLE_WALL
        for number in step.regions:
            roles[number] = role
    for number in (*bore.low.regions, *bore.high.regions):
        if isinstance(graph.regions[number].surface, Torus):
            roles[number] = FILLET
        else:
            roles[number] = HOLE_BOTTOM
    for number in bore.joints:
        surface = graph.regions[number].surface
        if isinstance(surface, Plane) and abs(float(surface.normal @ bore.axis)) < ACROSS_COS:
            roles[number] = HOLE_WALL
        elif isinstance(surface, Plane | Cylinder):
            roles[number] = HOLE_BOTTOM
        else:
            roles[number] = FILLET if graph.regions[number].convex is False else ROUND
    return roles
