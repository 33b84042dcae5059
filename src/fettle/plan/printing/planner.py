"""Plan of a printed part: build, supports, removal, and the furnace of metal."""

from __future__ import annotations

from collections.abc import Iterator

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, row_of
from fettle.plan.plan import Operation, ProcessPlan, Purchase, RawStock
from fettle.plan.printing.build import Build, PrinterData, plan_build, share_of_plate
from fettle.plan.rate_card import ProcessRates, StockMaterial, typed_data
from fettle.results.making import MakingFacts
from fettle.results.making.printing import PrintOrientation

LEAST_MIN = 0.01
"""Minutes of printing below which supports are no line of a price."""
FORMS = {"fdm": "filament", "sla": "resin", "dmls": "powder"}


def plan_printing(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a printed part; raises BadRequest for a body without volume, or larger than the printer."""
    check_configuration(rates.process, configuration, FORMS)
    orientation, volume_mm3 = find_orientation(facts, configuration), facts.volume_mm3
    if volume_mm3 is None or volume_mm3 <= 0.0 or facts.area_mm2 is None or orientation is None:
        raise BadRequest(
            f"Volume or orientation of body {facts.body} could not be told, so no build can be planned; "
            "the warnings say why."
        )
    data = typed_data(rates, dict[str, PrinterData])[configuration]
    build = plan_build(orientation, volume_mm3, facts.area_mm2, row_of(data.rate_cm3_h, material, rates), data)
    used_mm3 = (build.part_mm3 + build.support_mm3) / (1.0 - data.waste)
    return ProcessPlan(
        process=rates.process,
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=RawStock(FORMS[configuration], (), used_mm3 * material.density_kg_m3 * 1e-9),
        operations=tuple(_operations(orientation, build, quantity, data)),
        purchases=(
            Purchase(
                "Stress relief in the furnace",
                "stress_relief",
                share_of_plate(1.0, build.per_plate, quantity, data.least_plate),
                "plate",
                per_order=False,
            ),
        )
        if data.relief
        else (),
        assumptions=tuple(_assumptions(orientation, build)),
        further_days=data.days,
    )


def find_orientation(facts: MakingFacts, configuration: str) -> PrintOrientation | None:
    """The way in which a kind of printer would build the body."""
    every = facts.printing.orientations if facts.printing else ()
    return next((one for one in every if one.configuration == configuration), None)


def _operations(orientation: PrintOrientation, build: Build, quantity: int, data: PrinterData) -> Iterator[Operation]:
    """The work of the printer, then of people; what a plate takes is shared by the parts on it."""
    together = {"parts that fit a plate": float(build.per_plate), "layers": float(build.layers)}
    supported_cm2 = orientation.support_mm2 / 100.0
    yield Operation("Lay out and slice", "operator", setup_min=data.order_operator_min, run_min=0.0)
    yield Operation(
        "Print",
        data.printer,
        setup_min=0.0,
        run_min=build.part_min,
        figures={"printed cm3": build.part_mm3 / 1000.0, "height mm": orientation.height_mm, **together},
    )
    yield Operation(
        "Start, recoat and cool, share of the plate",
        data.printer,
        setup_min=0.0,
        run_min=share_of_plate(build.shared_min, build.per_plate, quantity, data.least_plate),
        figures={"minutes of a plate": build.shared_min, **together},
    )
    if build.support_min >= LEAST_MIN:
        yield Operation(
            "Print supports",
            data.printer,
            setup_min=0.0,
            run_min=build.support_min,
            fids=orientation.support_fids,
            figures={"support cm3": build.support_mm3 / 1000.0},
        )
    yield Operation(
        "Clear and prepare the plate, share of a part",
        "operator",
        setup_min=0.0,
        run_min=share_of_plate(data.plate_operator_min, build.per_plate, quantity, data.least_plate),
        figures={"minutes of a plate": data.plate_operator_min, **together},
    )
    if data.saw_min:
        yield Operation(
            "Saw off the plate",
            "wire-saw",
            setup_min=0.0,
            run_min=data.saw_min + data.saw_min_per_cm2 * orientation.contact_mm2 / 100.0,
            figures={"foot cm2": orientation.contact_mm2 / 100.0},
        )
    if supported_cm2:
        yield Operation(
            "Remove supports",
            "operator",
            setup_min=0.0,
            run_min=data.support_min_per_cm2 * supported_cm2,
            fids=orientation.support_fids,
            figures={"supported cm2": supported_cm2},
        )
    yield Operation("Clean and check", "operator", setup_min=0.0, run_min=data.part_operator_min)


def _assumptions(orientation: PrintOrientation, build: Build) -> Iterator[str]:
    long, short = orientation.footprint_mm
    yield (
        f"Printed {orientation.height_mm:.4g} mm high on {long:.4g} x {short:.4g} mm of the plate, which holds "
        f"{build.per_plate} {'part' if build.per_plate == 1 else 'parts'}; the orientation is the one that needs the "
        "least support."
    )
