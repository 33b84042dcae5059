"""SHAFT_STEP: the diameters of a turned part's outside, with the lengths of a drawing."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from fettle.geometry.part import Cylinder, Plane
from fettle.recognize.contracted_graph import ContractedGraph
from fettle.recognize.feature import Claim, claimed_regions
from fettle.recognize.graph import triple
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.shaft_step import SHAFT_WALL, ShaftStep
from fettle.recognize.kinds.thread import TurnedThread
from fettle.recognize.threads import boss_threads
from fettle.recognize.tolerances import FULL_DEG, LOOSE_LENGTH_MM, OPENED_DEG, SAME_ANGLE_COS, SAME_LENGTH_MM
from fettle.recognize.turned_part import Segment, TurnedPart
from fettle.recognize.turning.profile import foot

LEAST_DEG = 15.0
"""Least angle about the axis that is left of a diameter: the corners of a square cut from round bar."""


def find_shaft_steps(
    contracted: ContractedGraph,
    turned: TurnedPart | None,
    grooves: Sequence[Claim[Groove]],
    modeled_threads: Sequence[Claim[TurnedThread]],
    taken: Collection[int],
) -> list[Claim[ShaftStep]]:
    """Every diameter of the outside by growing z, threaded ones too, then the eccentric ones."""
    if turned is None:
        return []
    threaded = claimed_regions(modeled_threads)
    taken = set(taken).difference(threaded)
    grooved = claimed_regions(grooves)
    runs: list[list[int]] = []
    for place, segment in enumerate(turned.outside):
        if not _is_step(segment, taken):
            continue
        if runs and _runs_on(turned.outside, runs[-1][-1], place, grooved):
            runs[-1].append(place)
        else:
            runs.append([place])
    found = [_step(contracted, turned, run, grooved, threaded) for run in runs]
    return [*found, *_eccentric(contracted, turned, {*taken, *claimed_regions(found)})]


def _is_step(segment: Segment, taken: Collection[int]) -> bool:
    return (
        isinstance(segment.surface, Cylinder)
        and segment.convex is True
        and segment.extent_deg >= LEAST_DEG
        and not any(number in taken for number in segment.regions)
    )


def _runs_on(profile: Sequence[Segment], one: int, two: int, grooved: Collection[int]) -> bool:
    """Whether nothing, or nothing but a groove, lies between two segments of one diameter."""
    if abs(profile[one].outer_mm - profile[two].outer_mm) > SAME_LENGTH_MM:
        return False
    if abs(profile[one].high_mm - profile[two].low_mm) < LOOSE_LENGTH_MM:
        return True
    return _all_in_groove(profile[one + 1 : two], grooved)


def _all_in_groove(between: Sequence[Segment], grooved: Collection[int]) -> bool:
    """Whether segments are those of a groove, with the blends and chamfers of its corners."""
    marked = [any(number in grooved for number in one.regions) for one in between]
    lower = [one for one, inside in zip(between, marked, strict=True) if not inside]
    return any(marked) and all(not isinstance(one.surface, Plane | Cylinder) for one in lower)


def _step(
    contracted: ContractedGraph,
    turned: TurnedPart,
    run: Sequence[int],
    grooved: Collection[int],
    threaded: Collection[int],
) -> Claim[ShaftStep]:
    segments = [turned.outside[place] for place in run]
    low = _drawn_end(contracted, turned, run[0], -1, grooved)
    high = _drawn_end(contracted, turned, run[-1], 1, grooved)
    members = [number for one in segments for number in one.regions]
    diameter, extent = 2 * segments[0].outer_mm, max(one.extent_deg for one in segments)
    step = ShaftStep(
        faces=contracted.graph.faces_of(members),
        confidence=contracted.confidence,
        diameter_mm=diameter,
        length_mm=high - low,
        z_mm=low,
        interrupted=any(
            turned.outside[two].low_mm - turned.outside[one].high_mm > LOOSE_LENGTH_MM for one, two in pairwise(run)
        ),
        offset_mm=0.0,
        extent_deg=extent,
        axis=triple(turned.axis),
        position_mm=triple(foot(turned, low)),
        thread_candidates=boss_threads(diameter) if extent > FULL_DEG else (),
    )
    return Claim(step, {number: SHAFT_WALL for number in members if number not in threaded})


def _drawn_end(
    contracted: ContractedGraph, turned: TurnedPart, place: int, way: int, grooved: Collection[int]
) -> float:
    """z of an end of a diameter as drawn: beyond the chamfer or blend there, and beyond a relief at a shoulder."""
    profile = turned.outside
    end = profile[place].high_mm if way > 0 else profile[place].low_mm
    radius, at = profile[place].outer_mm, place + way
    while 0 <= at < len(profile):
        one = profile[at]
        near, far = (one.low_mm, one.high_mm) if way > 0 else (one.high_mm, one.low_mm)
        if abs(near - end) > LOOSE_LENGTH_MM:
            break
        in_groove = any(number in grooved for number in one.regions)
        bridges = any(number in contracted.bridges for number in one.regions)
        if not in_groove and not bridges:
            break
        if in_groove and one.outer_mm > radius + LOOSE_LENGTH_MM and not isinstance(one.surface, Plane):
            break
        end, at = far, at + way
    return end


def _eccentric(contracted: ContractedGraph, turned: TurnedPart, taken: Collection[int]) -> list[Claim[ShaftStep]]:
    """Cylinders beside the axis, parallel to it and around it: cams and eccentrics. Studs beside it are bosses."""
    found = []
    for region in contracted.graph.regions:
        surface = region.surface
        if (
            not isinstance(surface, Cylinder)
            or not region.convex
            or region.number in taken
            or region.number in contracted.bridges
            or region.extent_deg < OPENED_DEG
            or abs(float(surface.axis @ turned.axis)) < SAME_ANGLE_COS
        ):
            continue
        away = surface.origin - turned.origin
        offset = float(np.linalg.norm(away - float(away @ turned.axis) * turned.axis))
        if not LOOSE_LENGTH_MM < offset < surface.radius_mm:
            continue
        ends = sorted(
            float((surface.origin + along * surface.axis - turned.origin) @ turned.axis)
            for along in (region.low_mm, region.high_mm)
        )
        base = surface.origin - float((surface.origin - turned.origin) @ turned.axis - ends[0]) * turned.axis
        step = ShaftStep(
            faces=contracted.graph.faces_of([region.number]),
            confidence=contracted.confidence,
            diameter_mm=2 * surface.radius_mm,
            length_mm=ends[1] - ends[0],
            z_mm=ends[0],
            interrupted=False,
            offset_mm=offset,
            extent_deg=region.extent_deg,
            axis=triple(turned.axis),
            position_mm=triple(base),
            thread_candidates=(),
        )
        found.append(Claim(step, {region.number: SHAFT_WALL}))
    return sorted(found, key=lambda claim: (claim.feature.z_mm, claim.feature.offset_mm))
