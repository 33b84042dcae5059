"""The process data of the rate card of milling."""

from __future__ import annotations

from typing import Annotated

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as checked

from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber
from fettle.plan.tolerances import ToleranceCost

_STRICT = ConfigDict(extra="forbid")


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MillingFamily:
    """How a family of materials is milled, drilled and tapped; depths and feeds as shares of the tool's diameter."""

    speed_m_min: PositiveNumber
    chip_per_diameter: PositiveNumber
    largest_chip_mm: PositiveNumber
    axial: PositiveNumber
    radial: PositiveNumber
    drill_m_min: PositiveNumber
    drill_feed_per_diameter: PositiveNumber
    tap_m_min: PositiveNumber
    saw_mm2_min: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MillLimits:
    """End mills in the shop, and what the spindle and the axes do."""

    end_mills_mm: tuple[PositiveNumber, ...]
    teeth: int = Field(ge=1)
    largest_rpm: PositiveNumber
    largest_feed_mm_min: PositiveNumber
    rapid_mm_min: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class FaceMill:
    """The face mill; `overlap`: share of its diameter by which paths overlap; `allowance_mm`: taken off a side."""

    diameter_mm: PositiveNumber
    teeth: int = Field(ge=1)
    overlap: Annotated[float, Field(ge=0, lt=1)]
    allowance_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Finishing:
    """Depth of a finishing pass along a side and step across a floor as shares of the diameter; ridges that a ball-nose
    cutter of `ball_mm` leaves; feed as a share of roughing."""

    axial: PositiveNumber
    radial: PositiveNumber
    ridge_mm: PositiveNumber
    ball_mm: PositiveNumber
    feed_share: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Slenderness:
    """Diameters that an end mill sticks out, and a drill goes deep, before it is fed slower."""

    free_mill: PositiveNumber
    free_drill: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Drilling:
    """Point angle, times of spotting and of a mill's way in and out on a helix, way beyond a through hole, and the
    largest drill; wider holes are milled."""

    point_deg: PositiveNumber
    spot_min: NotNegativeNumber
    helix_min: NotNegativeNumber
    through_mm: NotNegativeNumber
    largest_drill_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class ThinWall:
    """Thickness below which walls are finished slower, in proportion."""

    from_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Engraving:
    """Largest depth and width of a stroke that an engraving cutter follows, and its feed."""

    depth_mm: PositiveNumber
    width_mm: PositiveNumber
    feed_mm_min: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class HandlingTimes:
    """Minutes beside cutting."""

    tool_change_min: NotNegativeNumber
    load_min: NotNegativeNumber
    position_min: NotNegativeNumber
    index_min: NotNegativeNumber
    deburr_min_per_m: NotNegativeNumber
    inspect_min: NotNegativeNumber
    inspect_feature_min: NotNegativeNumber
    inspected_share: Annotated[float, Field(gt=0, le=1)]
    saw_min: NotNegativeNumber
    askew_factor: PositiveNumber
    undercut_factor: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class PlateStock:
    """Stocked plates, the allowance of a sawn side, the saw's kerf, and the longest piece that is milled."""

    plate_mm: tuple[PositiveNumber, ...]
    sawn_allowance_mm: NotNegativeNumber
    kerf_mm: NotNegativeNumber
    largest_mm: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MillingData:
    families: dict[str, MillingFamily]
    mill: MillLimits
    facing: FaceMill
    finishing: Finishing
    slender: Slenderness
    drilling: Drilling
    thin_wall: ThinWall
    engraving: Engraving
    times: HandlingTimes
    tolerance: ToleranceCost
    stock: PlateStock
