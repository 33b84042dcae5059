"""Plan of a molded part: the number of cavities and the press that make the order cheapest, the mold, and the cycle."""

from __future__ import annotations

import math
from collections.abc import Iterator

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, row_of
from fettle.plan.molding.mold import MoldHours, base_size, cavities_factor, mold_hours, plate_cm2, plates_cm
from fettle.plan.molding.press import MoldingData, Shot, largest, shots
from fettle.plan.plan import Operation, ProcessPlan, Purchase, RawStock
from fettle.plan.rate_card import ProcessRates, StockMaterial, typed_data
from fettle.results.making import MakingFacts, MoldingFacts

TWO_PART = "standard"
"""Configuration whose molds have no side actions."""
CONFIGURATIONS = (TWO_PART, "side-action")


def plan_molding(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a molded part; raises BadRequest for a body without walls or volume, or too large for every press.

    The number of cavities is the one with the least cost of the order at the card's rates: the minimum over molds that
    do not depend on the quantity, so that a larger order never costs more for each part.
    """
    check_configuration(rates.process, configuration, CONFIGURATIONS)
    molding, volume_mm3 = facts.molding, facts.volume_mm3
    if molding is None or volume_mm3 is None or volume_mm3 <= 0.0:
        raise BadRequest(
            f"Volume or walls of body {facts.body} could not be told, so no mold can be planned; the warnings say why."
        )
    data = typed_data(rates, MoldingData)
    resin = row_of(data.resins, material, rates)
    hours = _hours(molding)
    every = [shot for cavities in data.cavities for shot in shots(molding, volume_mm3, resin, cavities, data)]
    if not every:
        press = largest(data.presses)
        raise BadRequest(
            f"The part ({molding.footprint_mm[0]:g} x {molding.footprint_mm[1]:g} x {molding.depth_mm:g} mm, "
            f"{volume_mm3 / 1000:.4g} cm3) is too large for the largest press of the rate card "
            f"({press.clamp_kn:g} kN, {press.shot_cm3:g} cm3, stroke {press.stroke_cm:g} cm). Choose another process."
        )
    shot = min(every, key=lambda one: _order_cost(one, molding, hours, material, quantity, rates, data))
    return ProcessPlan(
        process=rates.process,
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=RawStock("granulate", (), _mass_kg(shot, material, data)),
        operations=_operations(shot, rates, data),
        purchases=tuple(_mold(molding, hours, shot.cavities)),
        assumptions=tuple(_assumptions(molding, configuration, shot)),
        further_days=math.ceil(hours.total * cavities_factor(shot.cavities) / data.tool_room_hours_per_day)
        + data.trial_days,
    )


def _hours(molding: MoldingFacts) -> MoldHours:
    return mold_hours(
        area_cm2=molding.projected_mm2 / 100.0,
        patches=molding.patches,
        side_pulls=len({one.slide for one in molding.undercuts if one.slide is not None}),
        lifters=sum(one.slide is None for one in molding.undercuts),
        unscrewing=len(molding.threads),
    )


def _mass_kg(shot: Shot, material: StockMaterial, data: MoldingData) -> float:
    """Plastic for one good part, runner and scrap included."""
    return shot.volume_cm3 / shot.cavities * material.density_kg_m3 * 1e-6 / (1.0 - data.scrap)


def _operations(shot: Shot, rates: ProcessRates, data: MoldingData) -> tuple[Operation, ...]:
    press = shot.press
    return (
        Operation(
            "Mold",
            press.machine,
            setup_min=rates.machine(press.machine).setup_min,
            run_min=shot.cycle_s / 60.0 / shot.cavities / (1.0 - data.scrap),
            figures={
                "cavities": float(shot.cavities),
                "clamping force kN": shot.clamp_kn,
                "fill s": shot.fill_s,
                "cooling s": shot.cooling_s,
                "reset s": shot.reset_s,
            },
        ),
        Operation("Take off the gate and pack", "bench", setup_min=0.0, run_min=data.trim_min),
    )


def _mold(molding: MoldingFacts, hours: MoldHours, cavities: int) -> Iterator[Purchase]:
    """The base, then the hours of the tool room by what they are spent on; side actions name their features."""
    footprint_cm = (molding.footprint_mm[0] / 10.0, molding.footprint_mm[1] / 10.0)
    size = base_size(plate_cm2(footprint_cm, cavities), plates_cm(molding.depth_mm / 10.0))
    factor = cavities_factor(cavities)
    pulled = tuple(dict.fromkeys(one.fid for one in molding.undercuts if one.slide is not None))
    lifted = tuple(dict.fromkeys(one.fid for one in molding.undercuts if one.slide is None))
    named = "" if cavities == 1 else f", {cavities} cavities"
    yield Purchase(f"Mold base{named}", "mold_base", 1.0, "mold", per_order=True)
    yield Purchase("Plates of the mold base", "mold_plates", size, "cm2 cm^0.4", per_order=True)
    for name, spent, fids in (
        ("Ejection system", hours.ejection, ()),
        ("Cavity and core, size", hours.points, ()),
        ("Cavity and core, form", hours.form, ()),
        ("Side pulls", hours.side_pulls, pulled),
        ("Lifters", hours.lifters, lifted),
        ("Unscrewing devices", hours.unscrewing, molding.threads),
    ):
        if spent:
            yield Purchase(f"{name}{named}", "tool_room", spent * factor, "h", per_order=True, fids=fids)


def _order_cost(
    shot: Shot,
    molding: MoldingFacts,
    hours: MoldHours,
    material: StockMaterial,
    quantity: int,
    rates: ProcessRates,
    data: MoldingData,
) -> float:
    """What depends on mold and press in the cost of an order."""
    mold = sum(
        purchase.amount * float(rates.purchase(purchase.key).price) for purchase in _mold(molding, hours, shot.cavities)
    )
    each = _mass_kg(shot, material, data) * float(material.price_per_kg)
    for operation in _operations(shot, rates, data):
        rate = float(rates.machine(operation.machine).rate_per_hour) / 60.0
        mold += operation.setup_min * rate
        each += operation.run_min * rate
    return mold + quantity * each


def _assumptions(molding: MoldingFacts, configuration: str, shot: Shot) -> Iterator[str]:
    yield (
        f"Mold of {shot.cavities} {'cavity' if shot.cavities == 1 else 'cavities'} on a press of "
        f"{shot.press.clamp_kn:g} kN, the cheapest for this quantity; cycle {shot.cycle_s:.0f} s, of which cooling of "
        f"the {molding.wall_mm:.3g} mm wall {shot.cooling_s:.0f} s."
    )
    if configuration == TWO_PART and molding.undercuts:
        count = len(molding.undercuts)
        yield (
            f"{count} {'undercut needs' if count == 1 else 'undercuts need'} side pulls or lifters, which a two-part "
            "mold does not have; they are priced."
        )
