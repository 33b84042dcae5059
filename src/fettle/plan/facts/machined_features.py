"""A recognized feature as the numbers that its cutting time follows from."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from fettle.geometry.part import Cylinder, Face, Plane
from fettle.recognize.feature import Feature
from fettle.recognize.kinds.chamfer import Chamfer
from fettle.recognize.kinds.groove import Groove
from fettle.recognize.kinds.hole import Hole, Stage
from fettle.recognize.kinds.pocket import Pocket
from fettle.recognize.kinds.slot import Slot
from fettle.recognize.kinds.step import Step
from fettle.recognize.threads import Thread, sized_nut, thread_table
from fettle.results.making.machining import BoreStage, MachinedFeature
from fettle.results.record import rounded

if TYPE_CHECKING:
    from fettle.analysis import Analysis

Faces = tuple[str, ...]
OPEN_SHARE = 0.5
"""A recess with less than this share of the walls that a closed one of its size has is open to any cutter."""
PARALLEL_COS = 0.9998
"""Directions within 1 degree are parallel."""
SAME_RADIUS_MM = 0.01
"""Radii that differ by less are of one cutter."""
SHARP_TURNS = 4.0
"""Right angles that the sharp corners of a pocket are taken to turn by: once around."""
STRAIGHT_STAGES = ("cylinder", "counterbore", "thread")
"""Stages of a hole that are drilled or milled as cylinders."""
WHOLE_MM, TENTH_MM = 1.0, 0.1
SAME_SIZE_MM = 1e-3
"""A diameter nearer to round millimeters is drawn so."""
TAPPED_SERIES = ("coarse", "unc")
"""Threads that a plain hole is taken to be tapped for; fine threads are cut only where they are modeled."""
RIGHT_ANGLE = math.pi / 2.0


@dataclass(frozen=True, slots=True)
class Reached:
    """Set-ups of 3-axis and 5-axis mills that reach a feature, and the thinnest wall behind it; None for none."""

    setup_3axis: int | None
    setup_5axis: int | None
    wall_mm: float | None


def is_machined(feature: Feature) -> bool:
    """Whether a feature has operations of its own; what is left of the surface is outline or freeform."""
    if isinstance(feature, Hole):
        return not feature.partial
    return isinstance(feature, Chamfer | Pocket | Slot | Step) and not isinstance(feature, Groove)


def machined_feature(analysis: Analysis, feature: Feature, fids: list[str], reached: Reached) -> MachinedFeature:
    """A feature that is machined, as a machine shop sees it."""
    names = tuple(fids[face] for face in feature.faces)
    if isinstance(feature, Hole):
        return _hole(feature, names, reached)
    if isinstance(feature, Chamfer):
        return _chamfer(analysis, feature, names, reached)
    if isinstance(feature, Pocket | Slot | Step):
        return _recess(analysis, feature, names, reached)
    raise TypeError(f"a {feature.kind} has no operations of its own; ask is_machined first")


def _hole(feature: Hole, names: Faces, reached: Reached) -> MachinedFeature:
    stages = tuple(
        BoreStage(rounded(stage.diameter_mm), rounded(stage.depth_mm))
        for stage in feature.stages
        if stage.type in STRAIGHT_STAGES
    ) or (BoreStage(rounded(feature.diameter_mm), rounded(feature.depth_mm)),)
    depth = min(stages, key=lambda stage: stage.diameter_mm).depth_mm
    volume = sum(stage_mm3(stage) for stage in feature.stages if stage.type != "drill_point")
    thread = _thread(feature)
    return MachinedFeature(
        fid=names[0],
        fids=names,
        kind=feature.kind,
        setup_3axis=reached.setup_3axis,
        setup_5axis=reached.setup_5axis,
        volume_mm3=rounded(volume),
        depth_mm=rounded(depth),
        width_mm=rounded(feature.diameter_mm),
        length_mm=rounded(depth),
        floor_mm2=0.0,
        wall_mm2=rounded(math.pi * feature.diameter_mm * depth),
        corner_radius_mm=None,
        corner_turns=0.0,
        through=feature.through,
        open=False,
        flat_bottom=feature.bottom == "flat",
        thread=None if thread is None else thread.name,
        thread_pitch_mm=None if thread is None else thread.pitch_mm,
        undercut=any(stage.type == "groove" for stage in feature.stages),
        stages=stages,
        wall_mm=reached.wall_mm,
    )


def _thread(hole: Hole) -> Thread | None:
    """The thread that a hole is tapped with: modeled, the first that its diameter is the tap drill of, or one that
    it is drawn for at the middle of the minor diameter's tolerance."""
    modeled = any(stage.type == "thread" for stage in hole.stages)
    for row in thread_table() if hole.thread_candidates else ():
        if row.name in hole.thread_candidates and (modeled or _is_tap_drill(row, hole.diameter_mm)):
            return row
    return sized_nut(hole.diameter_mm)


def _is_tap_drill(row: Thread, diameter_mm: float) -> bool:
    """Whether a plain hole is sized for a thread rather than drawn in round millimeters: whole ones for metric threads,
    tenths for inch ones, which share them with plain holes."""
    step = WHOLE_MM if row.name.startswith("M") else TENTH_MM
    return row.series in TAPPED_SERIES and abs(diameter_mm - round(diameter_mm / step) * step) > SAME_SIZE_MM


def stage_mm3(stage: Stage) -> float:
    """Volume of a stage of a hole: a cylinder or a truncated cone; of a thread up to its minor diameter."""
    one, two = stage.diameter_mm / 2.0, (stage.diameter_mm if stage.type == "thread" else stage.end_diameter_mm) / 2.0
    return math.pi / 3.0 * stage.depth_mm * (one * one + one * two + two * two)


def _recess(analysis: Analysis, feature: Pocket | Slot | Step, names: Faces, reached: Reached) -> MachinedFeature:
    """A recess with upright walls: its floor as measured, or of its length and width where it has none."""
    faces = [analysis.part.faces[face] for face in feature.faces]
    depth, width, length = feature.depth_mm, feature.width_mm, feature.length_mm
    way = _upwards(analysis, feature)
    floor = sum(face.area_mm2 for face in faces if _is_level(face, way))
    walls = sum(face.area_mm2 for face in faces) - floor
    radius, turns = _corners(faces, way)
    if radius is None and isinstance(feature, Pocket) and feature.min_corner_radius_mm == 0.0:
        radius, turns = 0.0, SHARP_TURNS
    section = floor if floor > 0.0 else length * width
    return MachinedFeature(
        fid=names[0],
        fids=names,
        kind=feature.kind,
        setup_3axis=reached.setup_3axis,
        setup_5axis=reached.setup_5axis,
        volume_mm3=rounded(section * depth),
        depth_mm=rounded(depth),
        width_mm=rounded(width),
        length_mm=rounded(length),
        floor_mm2=rounded(floor),
        wall_mm2=rounded(walls),
        corner_radius_mm=radius,
        corner_turns=rounded(turns),
        through=floor == 0.0,
        open=isinstance(feature, Step)
        or (isinstance(feature, Pocket) and walls < OPEN_SHARE * 2.0 * (length + width) * depth),
        flat_bottom=floor > 0.0,
        thread=None,
        thread_pitch_mm=None,
        undercut=isinstance(feature, Slot) and feature.undercut,
        stages=(),
        wall_mm=reached.wall_mm,
    )


def _upwards(analysis: Analysis, feature: Pocket | Slot | Step) -> NDArray[np.float64]:
    """Unit direction (3,) of the tool: square to a plane floor, else the axis of the feature."""
    floor = None if feature.floor_face is None else analysis.part.faces[feature.floor_face].surface
    return floor.normal if isinstance(floor, Plane) else np.array(feature.axis)


def _is_level(face: Face, way: NDArray[np.float64]) -> bool:
    return isinstance(face.surface, Plane) and abs(float(face.surface.normal @ way)) >= PARALLEL_COS


def _corners(faces: list[Face], way: NDArray[np.float64]) -> tuple[float | None, float]:
    """Smallest radius of the upright inside corners, and the right angles that corners of it turn by together; None
    where the recess has none, so that any end mill fits."""
    found = [
        (face.surface.radius_mm, (face.u_range_rad[1] - face.u_range_rad[0]) / RIGHT_ANGLE)
        for face in faces
        if isinstance(face.surface, Cylinder)
        and face.convex is False
        and abs(float(face.surface.axis @ way)) >= PARALLEL_COS
    ]
    if not found:
        return None, 0.0
    least = min(radius for radius, _ in found)
    return rounded(least), sum(turn for radius, turn in found if radius <= least + SAME_RADIUS_MM)


def _chamfer(analysis: Analysis, feature: Chamfer, names: Faces, reached: Reached) -> MachinedFeature:
    width, length = feature.width_mm, feature.length_mm
    area = sum(analysis.part.faces[face].area_mm2 for face in feature.faces)
    leg = width / math.sqrt(2.0)
    return MachinedFeature(
        fid=names[0],
        fids=names,
        kind=feature.kind,
        setup_3axis=reached.setup_3axis,
        setup_5axis=reached.setup_5axis,
        volume_mm3=rounded(leg * leg / 2.0 * length),
        depth_mm=rounded(leg),
        width_mm=rounded(width),
        length_mm=rounded(length),
        floor_mm2=0.0,
        wall_mm2=rounded(area),
        corner_radius_mm=None,
        corner_turns=0.0,
        through=False,
        open=True,
        flat_bottom=False,
        thread=None,
        thread_pitch_mm=None,
        undercut=False,
        stages=(),
        wall_mm=reached.wall_mm,
    )
