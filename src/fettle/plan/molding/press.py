"""The press of a mold: which one is large enough, and how long its cycle is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked

from fettle.plan.molding.cycle import EXTRA_STROKE_CM, LEAST_COOLING_S, cooling_s, fill_s, reset_s
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber
from fettle.results.making import MoldingFacts

_STRICT = ConfigDict(extra="forbid")


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Press:
    """`machine`: its key among the machines of the card."""

    machine: str
    clamp_kn: PositiveNumber
    shot_cm3: PositiveNumber
    dry_cycle_s: PositiveNumber
    stroke_cm: PositiveNumber
    power_kw: PositiveNumber


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Resin:
    """How a plastic is molded."""

    diffusivity_mm2_s: PositiveNumber
    melt_deg_c: float
    mold_deg_c: float
    ejection_deg_c: float
    pressure_bar: PositiveNumber
    source: str


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class MoldingData:
    """Figures of molding; see the comments of the rate card."""

    presses: tuple[Press, ...]
    resins: dict[str, Resin]
    cavity_pressure_share: PositiveNumber
    runner_share_at_16_cm3: NotNegativeNumber
    runner_exponent: NotNegativeNumber
    cavities: tuple[int, ...]
    scrap: NotNegativeNumber
    trim_min: NotNegativeNumber
    tool_room_hours_per_day: PositiveNumber
    trial_days: int
    source: str


@dataclass(frozen=True, slots=True)
class Shot:
    """Shots of a mold on a press: volume with runner, clamping force needed, and the parts of the cycle."""

    press: Press
    cavities: int
    volume_cm3: float
    clamp_kn: float
    fill_s: float
    cooling_s: float
    reset_s: float

    @property
    def cycle_s(self) -> float:
        return self.fill_s + self.cooling_s + self.reset_s


def shots(molding: MoldingFacts, volume_mm3: float, resin: Resin, cavities: int, data: MoldingData) -> Iterator[Shot]:
    """A shot of so many cavities on every press that is large enough for it."""
    volume_cm3 = shot_cm3(cavities * volume_mm3 / 1000.0, data)
    clamp_kn = cavities * molding.projected_mm2 / 100.0 * data.cavity_pressure_share * resin.pressure_bar * 0.01
    depth_cm = molding.depth_mm / 10.0
    cooling = max(
        LEAST_COOLING_S,
        cooling_s(molding.wall_mm, resin.diffusivity_mm2_s, resin.melt_deg_c, resin.mold_deg_c, resin.ejection_deg_c),
    )
    for press in data.presses:
        if press.clamp_kn < clamp_kn or press.shot_cm3 < volume_cm3:
            continue
        if press.stroke_cm < 2.0 * depth_cm + EXTRA_STROKE_CM:
            continue
        yield Shot(
            press=press,
            cavities=cavities,
            volume_cm3=volume_cm3,
            clamp_kn=clamp_kn,
            fill_s=fill_s(volume_cm3, resin.pressure_bar, press.power_kw),
            cooling_s=cooling,
            reset_s=reset_s(press.dry_cycle_s, depth_cm, press.stroke_cm),
        )


def shot_cm3(parts_cm3: float, data: MoldingData) -> float:
    """Volume of a shot: the parts with runner and sprue."""
    return parts_cm3 * (1.0 + data.runner_share_at_16_cm3 * math.pow(16.0 / parts_cm3, data.runner_exponent))


def largest(presses: Sequence[Press]) -> Press:
    """The press with the greatest clamping force."""
    return max(presses, key=lambda press: press.clamp_kn)
