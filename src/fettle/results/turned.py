"""A turned part in the result: its axis, its profile, and what is not turned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from fettle.results.record import Record, Triple

Place = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ProfileSegment(Record):
    """A surface of revolution as the line or arc that a plane through the axis cuts out of it."""

    type: Annotated[Literal["line", "arc", "curve"], "line, arc, or curve where the surface is freeform."]
    start_mm: Annotated[Place, "z and r where it begins."]
    end_mm: Annotated[Place, "z and r where it ends."]
    center_mm: Annotated[Place | None, "z and r of the center of an arc."]
    radius_mm: Annotated[float | None, "Radius of an arc."]
    fids: Annotated[tuple[str, ...], "Its faces."]


@dataclass(frozen=True, slots=True)
class TurnedProfile(Record):
    """The profile of a turned part in z (along the axis) and r (from it), by growing z."""

    outside: Annotated[tuple[ProfileSegment, ...], "What faces the outside, from end to end."]
    inside: Annotated[tuple[ProfileSegment, ...], "Bores on the axis and grooves in faces."]


@dataclass(frozen=True, slots=True)
class TurnedAxis(Record):
    """An axis of revolution and what it holds of the part."""

    axis: Annotated[Triple, "Unit direction."]
    position_mm: Annotated[Triple, "A point on it."]
    area_fraction: Annotated[float, "Share of the area that is of revolution or toothed about it, 0 to 1."]


@dataclass(frozen=True, slots=True)
class LiveTooling(Record):
    """A feature of a turned part that driven tools or a milling set-up make."""

    fid: Annotated[str, "Face that names the feature."]
    what: Annotated[str, "cross_hole, axial_hole, keyway, flat, slot, pocket, boss, gear or eccentric_step."]
    z_mm: Annotated[float, "Its place along the axis."]
    angle_deg: Annotated[
        float | None,
        "Angle about the axis, right-handed, from the feature that the others count from; null without a direction.",
    ]


@dataclass(frozen=True, slots=True)
class TurnedGeometry(Record):
    """A part of which at least half of the surface is of revolution about one axis."""

    axis: Annotated[Triple, "Unit direction of growing z, from the heavier end on."]
    position_mm: Annotated[Triple, "Where the axis meets the end at z 0."]
    area_fraction: Annotated[float, "Share of the area that is of revolution or toothed about the axis, 0 to 1."]
    length_mm: Annotated[float, "Length along the axis."]
    diameter_mm: Annotated[float, "Diameter of the round bar that holds the part."]
    profile: Annotated[TurnedProfile, "Profile in z and r."]
    axes: Annotated[tuple[TurnedAxis, ...], "Axes with most of the round area, this one first."]
    live: Annotated[tuple[LiveTooling, ...], "What is not turned, by growing z."]
