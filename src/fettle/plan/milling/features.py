"""Operations of one feature: drilled, tapped and milled, each with tool, feed and time."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from fettle.plan.milling.cutting_data import MillingData, MillingFamily
from fettle.plan.milling.recesses import CLOSED_SHARE, recess_time
from fettle.plan.milling.tools import drilling_min, end_mill, end_mills, fitting, tapping_min
from fettle.plan.plan import Operation
from fettle.results.making import BoreStage, MachinedFeature

LEAST_REST = 1e-3
"""Share of a hole's volume that cones must have to count."""


@dataclass(frozen=True, slots=True)
class CuttingJob:
    """A machine, by its key in the rate card, and how it cuts a material."""

    machine: str
    data: MillingData
    family: MillingFamily


def feature_operations(
    job: CuttingJob, feature: MachinedFeature, setup: int, in_use: Collection[str]
) -> Iterator[Operation]:
    """The operations of a feature in a set-up; `in_use`: tools that the set-up has already."""
    if feature.kind == "HOLE":
        yield from _hole(job, feature, setup)
    elif feature.kind == "CHAMFER":
        mill = end_mill(job.data, job.family, job.data.finishing.ball_mm, 0.0)
        yield _step(job, feature, setup, "Chamfer", feature.length_mm / mill.feed_mm_min, "chamfer mill", {})
    else:
        yield from _recess(job, feature, setup, in_use)


def _hole(job: CuttingJob, hole: MachinedFeature, setup: int) -> Iterator[Operation]:
    """Each cylinder drilled, or milled where that is faster or no drill is as large; then cones and thread."""
    data, family, diameter, depth = job.data, job.family, hole.width_mm, hole.depth_mm
    for stage in hole.stages:
        flat = hole.flat_bottom or stage.diameter_mm > diameter
        drilled = list(_drilled_stage(job, hole, stage, setup, flat=flat))
        milled = _milled_stage(job, hole, stage, setup)
        fits = stage.diameter_mm <= data.drilling.largest_drill_mm
        if fits and sum(step.run_min for step in drilled) <= milled.run_min:
            yield from drilled
        else:
            yield milled
    straight_mm3 = sum(math.pi / 4.0 * stage.diameter_mm**2 * stage.depth_mm for stage in hole.stages)
    rest_mm3 = hole.volume_mm3 - straight_mm3
    if rest_mm3 > LEAST_REST * straight_mm3:
        mill = max(fitting(end_mills(data, family, depth), diameter), key=lambda one: one.removal_mm3_min)
        yield _step(
            job,
            hole,
            setup,
            "Countersink",
            rest_mm3 / mill.removal_mm3_min,
            "chamfer mill",
            {"volume_mm3": rest_mm3},
        )
    if hole.thread and hole.thread_pitch_mm:
        minutes = tapping_min(family, diameter, hole.thread_pitch_mm, depth)
        yield _step(
            job, hole, setup, f"Tap {hole.thread}", minutes, f"tap {hole.thread}", {"pitch_mm": hole.thread_pitch_mm}
        )


def _drilled_stage(
    job: CuttingJob, hole: MachinedFeature, stage: BoreStage, setup: int, *, flat: bool
) -> Iterator[Operation]:
    """A cylinder drilled; a flat bottom or shoulder squared with an end mill."""
    diameter, depth = stage.diameter_mm, stage.depth_mm
    minutes = drilling_min(job.data, job.family, diameter, depth, through=hole.through)
    name = f"rill {diameter:.4g} mm"
    yield _step(job, hole, setup, f"D{name}, {depth:.1f} deep", minutes, f"d{name}", {"depth_mm": depth})
    if flat:
        mill = fitting(end_mills(job.data, job.family, depth), diameter)[-1]
        around = (math.pi + 1.0) * diameter / (job.data.finishing.feed_share * mill.feed_mm_min)
        yield _step(job, hole, setup, "Square the bottom", around, mill.name, {"feed_mm_min": mill.feed_mm_min})


def _milled_stage(job: CuttingJob, hole: MachinedFeature, stage: BoreStage, setup: int) -> Operation:
    """A cylinder milled out on a helix and finished once around."""
    mills = fitting(end_mills(job.data, job.family, stage.depth_mm), CLOSED_SHARE * stage.diameter_mm)
    mill = max(mills, key=lambda one: one.removal_mm3_min)
    volume = math.pi / 4.0 * stage.diameter_mm**2 * stage.depth_mm
    passes = math.ceil(stage.depth_mm / (job.data.finishing.axial * mill.diameter_mm) - 1e-9)
    finish = passes * math.pi * stage.diameter_mm / (job.data.finishing.feed_share * mill.feed_mm_min)
    return _step(
        job,
        hole,
        setup,
        f"Mill hole {stage.diameter_mm:.4g} mm, {stage.depth_mm:.1f} deep",
        job.data.drilling.helix_min + volume / mill.removal_mm3_min + finish,
        mill.name,
        {"volume_mm3": volume, "rpm": mill.rpm, "feed_mm_min": mill.feed_mm_min},
    )


def _recess(job: CuttingJob, recess: MachinedFeature, setup: int, in_use: Collection[str]) -> Iterator[Operation]:
    if _is_engraved(job.data, recess):
        path_mm = recess.wall_mm2 / recess.depth_mm / 2.0
        minutes = path_mm / job.data.engraving.feed_mm_min
        yield _step(job, recess, setup, "Engrave", minutes, "engraving cutter", {"path_mm": path_mm})
        return
    time = recess_time(job.data, job.family, recess, in_use)
    name, tool = recess.kind.lower(), time.mill.name
    figures = {
        "volume_mm3": recess.volume_mm3,
        "depth_mm": recess.depth_mm,
        "rpm": time.mill.rpm,
        "feed_mm_min": time.mill.feed_mm_min,
        "removal_mm3_min": time.mill.removal_mm3_min,
    }
    factor = job.data.times.undercut_factor if recess.undercut else 1.0
    yield _step(job, recess, setup, f"Rough {name}", factor * time.rough_min, tool, figures)
    yield _step(job, recess, setup, f"Finish {name}", factor * time.finish_min, tool, {"wall_mm2": recess.wall_mm2})
    if time.corner_mill is not None:
        yield _step(
            job,
            recess,
            setup,
            f"Clear corners of {name}",
            factor * time.corner_min,
            time.corner_mill.name,
            {"feed_mm_min": time.corner_mill.feed_mm_min},
        )


def _is_engraved(data: MillingData, recess: MachinedFeature) -> bool:
    """Whether a recess is a stroke that an engraving cutter follows along its middle."""
    return 0.0 < recess.depth_mm <= data.engraving.depth_mm and recess.width_mm <= data.engraving.width_mm


def _step(
    job: CuttingJob,
    feature: MachinedFeature,
    setup: int,
    name: str,
    minutes: float,
    tool: str,
    figures: Mapping[str, float],
) -> Operation:
    """An operation on a feature, with the way to it."""
    return Operation(
        name, job.machine, 0.0, minutes + job.data.times.position_min, (feature.fid,), setup, tool, dict(figures)
    )
