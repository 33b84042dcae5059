"""A body as a machine shop sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.results.making.turning import TurningFacts
from fettle.results.record import Record


@dataclass(frozen=True, slots=True)
class BoreStage(Record):
    """A cylinder of a hole."""

    diameter_mm: Annotated[float, "Diameter; of a thread its minor diameter."]
    depth_mm: Annotated[float, "Length along the axis."]


@dataclass(frozen=True, slots=True)
class MachinedFeature(Record):
    """A feature that tools cut, with the numbers that its time follows from; a number that the kind lacks is null."""

    fid: Annotated[str, "Face that names the feature."]
    fids: Annotated[tuple[str, ...], "All its faces, the largest first."]
    kind: Annotated[str, "Kind of the feature, as in `features`."]
    setup_3axis: Annotated[int | None, "Set-up of a 3-axis mill that reaches it, from 1; null where none does."]
    setup_5axis: Annotated[int | None, "Set-up of a 5-axis mill that reaches it, from 1; null where none does."]
    volume_mm3: Annotated[float, "Volume that is cut away for it."]
    depth_mm: Annotated[float, "Depth along the tool; of a hole that of its narrowest cylinder."]
    width_mm: Annotated[float, "Diameter of a hole, width of a pocket, slot, step or chamfer."]
    length_mm: Annotated[float, "Length of the path along it; of a hole its depth."]
    floor_mm2: Annotated[float, "Area of its floor."]
    wall_mm2: Annotated[float, "Area of its walls."]
    corner_radius_mm: Annotated[float | None, "Smallest radius of its inside corners; 0 where one is sharp."]
    corner_turns: Annotated[float, "Angle of the corners of that radius together, in right angles."]
    through: Annotated[bool, "Whether it goes through."]
    open: Annotated[bool, "Whether walls stand on so few sides that any cutter fits."]
    flat_bottom: Annotated[bool, "Whether a hole ends in a flat bottom, which is milled after the drill."]
    thread: Annotated[str | None, "Thread that the hole is sized for; null where it is none."]
    thread_pitch_mm: Annotated[float | None, "Pitch of that thread."]
    undercut: Annotated[bool, "Whether only a side cutter reaches it."]
    stages: Annotated[tuple[BoreStage, ...], "Cylinders of a hole from the entry inwards; empty for others."]
    wall_mm: Annotated[float | None, "Thinnest wall behind its faces; null where none was measured."] = None


@dataclass(frozen=True, slots=True)
class MachiningSetup(Record):
    """A clamping: the sides of the box that the spindle looks at."""

    faced_mm: Annotated[tuple[float, float], "Length and width of the side that is faced; 0 where none is."]
    height_mm: Annotated[float, "Size of the box along the spindle."]
    askew: Annotated[bool, "Whether the part is clamped at an angle to its own directions."]


@dataclass(frozen=True, slots=True)
class AskedTolerance(Record):
    """A tolerance that the file states on some faces."""

    text: Annotated[str, "As a drawing would say it."]
    grade: Annotated[int, "Coarsest grade of ISO 286 that keeps within it; 0 finer than IT1."]
    hollow: Annotated[bool, "Whether it is the diameter of a bore."]
    fids: Annotated[tuple[str, ...], "Faces that it is asked of."]


@dataclass(frozen=True, slots=True)
class MachiningFacts(Record):
    """A body as a machine shop sees it."""

    features: Annotated[tuple[MachinedFeature, ...], "What is cut, in the order of `features`."]
    setups_3axis: Annotated[tuple[MachiningSetup, ...], "Clampings on a 3-axis mill."]
    setups_5axis: Annotated[tuple[MachiningSetup, ...], "Clampings on a 5-axis mill."]
    unreached_3axis_mm2: Annotated[float, "Area that no set-up of a 3-axis mill reaches."]
    unreached_5axis_mm2: Annotated[float, "Area that no set-up of a 5-axis mill reaches."]
    freeform_mm2: Annotated[float, "Area that a ball-nose cutter finishes line by line."]
    outline_mm2: Annotated[float, "Area of upright outer walls, finished with the side of an end mill."]
    edge_mm: Annotated[float, "Length of the outside edges, which are deburred."]
    tolerances: Annotated[tuple[AskedTolerance, ...], "Tolerances of the file that have a grade."]
    turning: Annotated[TurningFacts | None, "What turning starts from; null where the body is not turned."]
