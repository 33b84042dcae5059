"""The process data of the rate card of turning."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked

from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber
from fettle.plan.tolerances import ToleranceCost

_STRICT = ConfigDict(extra="forbid")


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class TurningFamily:
    """How a family of materials is turned: speed, feed of a revolution and depth of a roughing cut, feed of finishing,
    speeds of drill and threading tool, feed of a drill as a share of its diameter."""

    speed_m_min: PositiveNumber
    rough_feed_mm: PositiveNumber
    rough_depth_mm: PositiveNumber
    finish_feed_mm: PositiveNumber
    groove_feed_mm: PositiveNumber
    drill_m_min: PositiveNumber
    drill_feed_per_diameter: PositiveNumber
    thread_m_min: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class LatheLimits:
    """What the spindle does, the largest drill, the reach of tools in diameters before they are fed slower, and the
    share of the outside's rates that a boring bar reaches."""

    largest_rpm: PositiveNumber
    largest_drill_mm: PositiveNumber
    point_deg: PositiveNumber
    free_bore: PositiveNumber
    free_length: PositiveNumber
    boring_share: Annotated[float, Field(gt=0, le=1)]
    largest_tap_mm: PositiveNumber
    thread_pass_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class LatheTimes:
    """Minutes beside cutting."""

    tool_index_min: NotNegativeNumber
    bar_feed_min: NotNegativeNumber
    second_side_min: NotNegativeNumber
    live_load_min: NotNegativeNumber
    live_index_min: NotNegativeNumber
    gear_mm_min: PositiveNumber
    deburr_min: NotNegativeNumber
    inspect_min: NotNegativeNumber
    inspect_cut_min: NotNegativeNumber
    inspected_share: Annotated[float, Field(gt=0, le=1)]
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class BarStock:
    """Stocked bars, their length and the piece that no part comes from, and what facing and parting take."""

    bar_mm: tuple[PositiveNumber, ...]
    same_mm: NotNegativeNumber
    length_mm: PositiveNumber
    remnant_mm: NotNegativeNumber
    facing_mm: NotNegativeNumber
    parting_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class TurningData:
    families: dict[str, TurningFamily]
    lathe: LatheLimits
    times: LatheTimes
    tolerance: ToleranceCost
    stock: BarStock
    largest_mm: dict[str, PositiveNumber]
