"""Plan of a sand casting: the flask that costs the least for a part, pattern, cores, metal and fettling."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, row_of
from fettle.plan.plan import Operation, ProcessPlan, Purchase, RawStock
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber, ProcessRates, StockMaterial, typed_data
from fettle.results.making import CastingFacts, MakingFacts
from fettle.results.making.casting import SandCore
from fettle.sheet.nesting import count_rows

CONFIGURATIONS = ("sand",)
_STRICT = ConfigDict(extra="forbid")


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class Flask:
    """`sand_mm`: sand above and below the part together; `mold_min`: to make and pour one mold."""

    size_mm: tuple[PositiveNumber, PositiveNumber]
    sand_mm: PositiveNumber
    mold_min: PositiveNumber


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class CastAlloy:
    """`yield_share`: share of the poured metal in parts; `fettling`: work relative to gray iron."""

    yield_share: PositiveNumber
    melt_loss: NotNegativeNumber
    fettling: PositiveNumber


@checked(frozen=True, slots=True, kw_only=True, config=_STRICT)
class SandData:
    """Figures of a foundry; see the comments of the rate card."""

    flasks: tuple[Flask, ...]
    part_gap_mm: NotNegativeNumber
    flask_border_mm: NotNegativeNumber
    sand_kg_m3: PositiveNumber
    alloys: dict[str, CastAlloy]
    revert_value: NotNegativeNumber
    scrap: NotNegativeNumber
    patterns: tuple[int, ...]
    pattern_copy: NotNegativeNumber
    pattern_h: NotNegativeNumber
    pattern_h_per_cm2: NotNegativeNumber
    pattern_h_per_patch: NotNegativeNumber
    core_box_h: NotNegativeNumber
    core_box_h_per_cm2: NotNegativeNumber
    smallest_core_mm3: NotNegativeNumber
    core_min: NotNegativeNumber
    core_min_per_kg: NotNegativeNumber
    core_sand_kg_m3: PositiveNumber
    fettling_min: NotNegativeNumber
    fettling_min_per_kg: NotNegativeNumber
    core_fettling_min: NotNegativeNumber
    inspection_min: NotNegativeNumber
    pattern_hours_per_day: PositiveNumber
    source: str


@dataclass(frozen=True, slots=True)
class _Mold:
    """A flask with so many parts in it, and the hours of their patterns."""

    flask: Flask
    parts: int
    pattern_h: float


def plan_sand(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a sand casting; raises BadRequest for a body without walls or volume, or too large for a flask."""
    check_configuration(rates.process, configuration, CONFIGURATIONS)
    casting, volume_mm3, area_mm2 = facts.casting, facts.volume_mm3, facts.area_mm2
    if casting is None or volume_mm3 is None or volume_mm3 <= 0.0 or area_mm2 is None:
        raise BadRequest(
            f"Volume or walls of body {facts.body} could not be told, so no pattern can be planned; the warnings say "
            "why."
        )
    data = typed_data(rates, SandData)
    alloy = row_of(data.alloys, material, rates)
    good = 1.0 - data.scrap
    mass_kg = volume_mm3 * material.density_kg_m3 * 1e-9
    poured_kg = mass_kg / alloy.yield_share
    bought_kg = mass_kg + (poured_kg - mass_kg) * (1.0 - data.revert_value) + poured_kg * alloy.melt_loss
    first_h = data.pattern_h + data.pattern_h_per_cm2 * area_mm2 / 100.0 + data.pattern_h_per_patch * casting.patches
    mold = _best_mold(casting, first_h, quantity, rates, data)
    cores = [core for core in casting.cores if core.volume_mm3 >= data.smallest_core_mm3]
    boxes_h = sum(_core_box_h(core, data) for core in cores)
    sand_kg = _sand_kg(casting, mold.flask, data) / min(quantity, mold.parts)
    return ProcessPlan(
        process=rates.process,
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=RawStock("melt", (), bought_kg / good),
        operations=(
            Operation(
                "Make and pour the mold, share of a part",
                "molding-line",
                setup_min=rates.machine("molding-line").setup_min,
                run_min=mold.flask.mold_min / min(quantity, mold.parts) / good,
                figures={"parts in a mold": float(min(quantity, mold.parts)), "minutes of a mold": mold.flask.mold_min},
            ),
            *_core_operations(cores, data, rates),
            Operation(
                "Shake out, fettle and blast",
                "fettling",
                setup_min=0.0,
                run_min=alloy.fettling * (data.fettling_min + data.fettling_min_per_kg * mass_kg) / good
                + data.core_fettling_min * len(cores),
                figures={"mass kg": mass_kg},
            ),
            Operation(
                "Inspect",
                "inspection",
                setup_min=rates.machine("inspection").setup_min,
                run_min=data.inspection_min,
            ),
        ),
        purchases=(
            Purchase(f"Pattern plate of {mold.parts}", "pattern_hour", mold.pattern_h, "h", per_order=True),
            *(
                Purchase("Core box", "pattern_hour", _core_box_h(core, data), "h", per_order=True, fids=(core.fid,))
                for core in cores
            ),
            Purchase("Melting", f"melt-{material.family}", poured_kg / good, "kg poured", per_order=False),
            Purchase("Mold sand", "sand", sand_kg / good, "kg", per_order=False),
            *(
                Purchase("Core sand", "core_sand", _core_kg(core, data) / good, "kg", per_order=False, fids=(core.fid,))
                for core in cores
            ),
        ),
        assumptions=tuple(_assumptions(casting, mold, len(cores), mass_kg, poured_kg)),
        further_days=math.ceil((mold.pattern_h + boxes_h) / data.pattern_hours_per_day),
    )


def _best_mold(casting: CastingFacts, first_h: float, quantity: int, rates: ProcessRates, data: SandData) -> _Mold:
    """The flask and the number of patterns in it that cost the order the least; raises BadRequest for none. The choice
    is among the same molds at every quantity, so that a larger order never costs more for each part."""
    size = casting.footprint_mm
    found = [
        _Mold(flask, count, first_h * (1.0 + data.pattern_copy * (count - 1)))
        for flask in data.flasks
        for count in data.patterns
        if count
        <= max(count_rows(way, flask.size_mm, data.part_gap_mm, data.flask_border_mm) for way in (size, size[::-1]))
    ]
    if not found:
        long, short = data.flasks[-1].size_mm
        raise BadRequest(
            f"The part is {size[0]:g} x {size[1]:g} mm at its parting; the largest flask is {long:g} x {short:g} mm. "
            "Choose another process."
        )
    minute, hour = (
        float(rates.machine("molding-line").rate_per_hour) / 60.0,
        float(rates.purchase("pattern_hour").price),
    )
    kilogram, good = float(rates.purchase("sand").price), 1.0 - data.scrap

    def order_cost(mold: _Mold) -> float:
        filled = mold.flask.mold_min * minute + _sand_kg(casting, mold.flask, data) * kilogram
        return mold.pattern_h * hour + filled / good * max(1.0, quantity / mold.parts)

    return min(found, key=order_cost)


def _sand_kg(casting: CastingFacts, flask: Flask, data: SandData) -> float:
    length, width = flask.size_mm
    return length * width * (flask.sand_mm + casting.depth_mm) * data.sand_kg_m3 * 1e-9


def _core_kg(core: SandCore, data: SandData) -> float:
    return core.volume_mm3 * data.core_sand_kg_m3 * 1e-9


def _core_box_h(core: SandCore, data: SandData) -> float:
    """Hours of a core box, by the surface of a cube of the core's volume."""
    return data.core_box_h + data.core_box_h_per_cm2 * 6.0 * math.pow(core.volume_mm3 / 1000.0, 2.0 / 3.0)


def _core_operations(cores: list[SandCore], data: SandData, rates: ProcessRates) -> Iterator[Operation]:
    for core in cores:
        yield Operation(
            "Shoot and set a core",
            "core-shop",
            setup_min=rates.machine("core-shop").setup_min,
            run_min=(data.core_min + data.core_min_per_kg * _core_kg(core, data)) / (1.0 - data.scrap),
            fids=(core.fid,),
            figures={"core cm3": core.volume_mm3 / 1000.0},
        )


def _assumptions(casting: CastingFacts, mold: _Mold, cores: int, mass_kg: float, poured_kg: float) -> Iterator[str]:
    length, width = mold.flask.size_mm
    yield f"{mold.parts} in a flask of {length:g} x {width:g} mm; {poured_kg:.3g} kg are poured for {mass_kg:.3g} kg."
    left = len(casting.cores) - cores
    if left:
        yield (
            f"{left} small {'undercut is' if left == 1 else 'undercuts are'} filled in: sand so small breaks; the "
            "price has no machining of them."
        )
