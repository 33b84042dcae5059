"""THREAD: helices about the axis, and diameters that are drawn at the size of a thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fettle.recognize.feature import Claim
from fettle.recognize.graph import Graph, axial_of, coaxial
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.hole import Hole
from fettle.recognize.kinds.shaft_step import ShaftStep
from fettle.recognize.kinds.thread import THREAD, TurnedThread
from fettle.recognize.modeled_threads import Helix
from fettle.recognize.threads import modeled_bolts, modeled_threads, sized_bolt, sized_nut
from fettle.recognize.tolerances import LOOSE_LENGTH_MM
from fettle.recognize.turned_part import TurnedPart
from fettle.recognize.turning.profile import is_external


def find_modeled_threads(
    graph: Graph,
    turned: TurnedPart | None,
    helices: Sequence[Helix],
    holes: Sequence[Claim[Hole]],
    confidence: float,
) -> list[Claim[TurnedThread]]:
    """Every helix about the axis, in the order of helices; a hole keeps the faces of the helix in it."""
    if turned is None:
        return []
    found = []
    for helix in helices:
        surface = axial_of(graph.regions[helix.rounds[0]])
        if not coaxial(turned.origin, turned.axis, surface.origin, surface.axis, LOOSE_LENGTH_MM):
            continue
        internal = not is_external(graph, helix)
        edges = {border.edge for number in helix.regions for border in graph.regions[number].borders}
        points = np.concatenate([graph.part.edges[edge].points for edge in sorted(edges)])
        heights = (points - turned.origin) @ turned.axis
        low, high = float(heights.min()), float(heights.max())
        major, minor = 2 * helix.major_radius_mm, 2 * helix.minor_radius_mm
        thread = TurnedThread(
            faces=graph.faces_of(helix.regions),
            confidence=confidence,
            internal=internal,
            form="modeled",
            major_diameter_mm=major,
            minor_diameter_mm=minor,
            pitch_mm=helix.lead_mm,
            length_mm=high - low,
            z_mm=low,
            runout_mm=None if internal else _runout_mm(turned, low, high, helix.major_radius_mm),
            thread_candidates=modeled_threads(minor, major) if internal else modeled_bolts(major, helix.lead_mm),
        )
        found.append(Claim(thread, {} if internal else dict.fromkeys(sorted(helix.regions), THREAD)))
    return found


def find_sized_threads(
    turned: TurnedPart | None,
    shaft_steps: Sequence[Claim[ShaftStep]],
    grooves: Sequence[Claim[Groove]],
    holes: Sequence[Claim[Hole]],
    confidence: float,
) -> list[Claim[TurnedThread]]:
    """Diameters and bores on the axis that are drawn at the size of a thread."""
    if turned is None:
        return []
    reliefs = [one.feature for one in grooves if one.feature.relief and one.feature.form == "outside"]
    return [
        *(_bolt(turned, step.feature, reliefs, confidence) for step in shaft_steps if _is_sized(step.feature)),
        *_nuts(turned, [hole.feature for hole in holes], confidence),
    ]


def _is_sized(step: ShaftStep) -> bool:
    return bool(step.thread_candidates) and step.offset_mm == 0.0 and sized_bolt(step.diameter_mm) is not None


def _bolt(turned: TurnedPart, step: ShaftStep, reliefs: Sequence[Groove], confidence: float) -> Claim[TurnedThread]:
    low, high = step.z_mm, step.z_mm + step.length_mm
    for relief in reliefs:
        end = relief.z_mm + relief.width_mm
        if abs(end - high) < LOOSE_LENGTH_MM:
            high = relief.z_mm
        elif abs(relief.z_mm - low) < LOOSE_LENGTH_MM:
            low = end
    row = sized_bolt(step.diameter_mm)
    thread = TurnedThread(
        faces=step.faces,
        confidence=confidence,
        internal=False,
        form="sized",
        major_diameter_mm=row.nominal_mm if row else step.diameter_mm,
        minor_diameter_mm=None,
        pitch_mm=row.pitch_mm if row else None,
        length_mm=high - low,
        z_mm=low,
        runout_mm=_runout_mm(turned, low, high, step.diameter_mm / 2),
        thread_candidates=step.thread_candidates,
    )
    return Claim(thread, {})


def _nuts(turned: TurnedPart, holes: Sequence[Hole], confidence: float) -> Iterator[Claim[TurnedThread]]:
    for hole in holes:
        axis, position = np.array(hole.axis), np.array(hole.position_mm)
        row = sized_nut(hole.diameter_mm)
        if row is None or not hole.thread_candidates or any(stage.type == "thread" for stage in hole.stages):
            continue
        if not coaxial(turned.origin, turned.axis, position, axis, LOOSE_LENGTH_MM):
            continue
        ends = [float((position + depth * axis - turned.origin) @ turned.axis) for depth in (0.0, hole.depth_mm)]
        thread = TurnedThread(
            faces=hole.faces,
            confidence=confidence,
            internal=True,
            form="sized",
            major_diameter_mm=row.nominal_mm,
            minor_diameter_mm=hole.diameter_mm,
            pitch_mm=row.pitch_mm,
            length_mm=hole.depth_mm,
            z_mm=min(ends),
            runout_mm=None,
            thread_candidates=hole.thread_candidates,
        )
        yield Claim(thread, {})


def _runout_mm(turned: TurnedPart, low_mm: float, high_mm: float, radius_mm: float) -> float | None:
    """Free length between a thread on the outside and the nearest shoulder that stands out behind it."""
    gaps = []
    for one in turned.outside:
        if one.faces_up is None or one.outer_mm < radius_mm + LOOSE_LENGTH_MM:
            continue
        # a shoulder behind the upper end looks down on it, one behind the lower end looks up
        gap = low_mm - one.start[0] if one.faces_up else one.start[0] - high_mm
        if gap > -LOOSE_LENGTH_MM:
            gaps.append(max(gap, 0.0))
    return min(gaps, default=None)
