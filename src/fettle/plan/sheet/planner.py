"""Plan of a sheet part: blanks nested on sheets, laser, deburring, press brake, forms, threads and hardware."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass as checked

from fettle.errors import BadRequest
from fettle.plan.checks import check_configuration, row_of
from fettle.plan.plan import Operation, ProcessPlan, Purchase, RawStock
from fettle.plan.rate_card import NotNegativeNumber, PositiveNumber, ProcessRates, StockMaterial, typed_data
from fettle.plan.sheet.cutting import CuttingRow, cutting_at, cutting_min
from fettle.results.making import MakingFacts, SheetFacts
from fettle.results.making.sheet import SheetBend
from fettle.sheet.nesting import SheetYield, blanks_per_sheet

CONFIGURATIONS = ("mild-steel-1.5mm", "stainless-1.0mm")
ENGRAVING = "engraving"


@checked(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class CuttingData:
    """Rows by family of material, thinnest first."""

    source: str
    rows: dict[str, tuple[CuttingRow, ...]]


@checked(frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid"))
class SheetData:
    """Times of sheet work; see the comments of the rate card."""

    cutting: CuttingData
    loop_move_s: NotNegativeNumber
    sheet_change_min: NotNegativeNumber
    unload_min: NotNegativeNumber
    unload_min_per_m2: NotNegativeNumber
    bend_min: NotNegativeNumber
    bend_min_per_m: NotNegativeNumber
    bend_part_min: NotNegativeNumber
    one_person_kg: PositiveNumber
    bump_deg: PositiveNumber
    hem_strokes: PositiveNumber
    further_tool_min: NotNegativeNumber
    deburr_min: NotNegativeNumber
    deburr_min_per_m: NotNegativeNumber
    form_min: dict[str, NotNegativeNumber]
    form_setup_min: NotNegativeNumber
    engrave_m_min: PositiveNumber
    tap_min: NotNegativeNumber
    insertion_min: NotNegativeNumber
    source: str


def plan_sheet(
    facts: MakingFacts, configuration: str, material: StockMaterial, quantity: int, rates: ProcessRates
) -> ProcessPlan:
    """The plan of a sheet part; raises BadRequest for a body that does not lie flat, is too large or too thick."""
    check_configuration(rates.process, configuration, CONFIGURATIONS)
    sheet = facts.sheet
    if sheet is None:
        raise BadRequest(
            f"Body {facts.body} does not lie flat as one sheet of one thickness, so it cannot be cut and bent. "
            "Choose another process."
        )
    data = typed_data(rates, SheetData)
    used = best_yield(sheet)
    mass_kg = sheet.blank_area_mm2 * sheet.thickness_mm * material.density_kg_m3 * 1e-9
    long, short = used.sheet_mm
    return ProcessPlan(
        process=rates.process,
        configuration=configuration,
        material=material.name,
        quantity=quantity,
        stock=RawStock(
            form="sheet",
            size_mm=(long, short, sheet.thickness_mm),
            mass_kg=used.charged_mm2 * sheet.thickness_mm * material.density_kg_m3 * 1e-9,
        ),
        operations=(
            Operation("Prepare the order", "office", setup_min=rates.machine("office").setup_min, run_min=0.0),
            *_cut(sheet, material, used, data, rates),
            *_deburr(sheet, data, rates),
            *_forms(sheet, data, rates),
            *_bends(sheet, mass_kg, data, rates),
            *_insert(sheet, data, rates),
        ),
        purchases=tuple(
            Purchase("Press nuts and studs", "hardware", float(count), "piece", per_order=False)
            for count in (sheet.hardware,)
            if count
        ),
        assumptions=(
            f"Priced with sheet of the part's own thickness, {sheet.thickness_mm:g} mm.",
            f"{used.count} blanks on a sheet of {long:g} x {short:g} mm; each part pays its share of the whole sheet.",
        ),
    )


def best_yield(sheet: SheetFacts) -> SheetYield:
    """The sheet in stock that one blank takes the least of, the smallest among equals."""
    every = blanks_per_sheet(sheet.blank_mm, sheet.blank_area_mm2, sheet.thickness_mm)
    fitting = [one for one in every if one.count]
    if not fitting:
        long, short = every[-1].sheet_mm
        raise BadRequest(
            f"The blank is {sheet.blank_mm[0]:g} x {sheet.blank_mm[1]:g} mm; the largest sheet in stock is "
            f"{long:g} x {short:g} mm. Divide the part or weld it from pieces."
        )
    return min(fitting, key=lambda one: (one.charged_mm2, one.sheet_mm))


def _cut(
    sheet: SheetFacts, material: StockMaterial, used: SheetYield, data: SheetData, rates: ProcessRates
) -> Iterator[Operation]:
    """The outer loop with loading and unloading, then each cut-out for itself."""
    row = cutting_at(row_of(data.cutting.rows, material, rates), sheet.thickness_mm)
    speed = {"speed m/min": row.speed_m_min, "piercing s": row.pierce_s}
    outer, *inner = sheet.loops
    yield Operation(
        "Cut the outline",
        "laser",
        setup_min=rates.machine("laser").setup_min,
        run_min=cutting_min(outer.length_mm, 1, row, data.loop_move_s),
        figures={"cut mm": outer.length_mm, **speed},
    )
    for loop in inner:
        yield Operation(
            "Cut an inner contour",
            "laser",
            setup_min=0.0,
            run_min=cutting_min(loop.length_mm, 1, row, data.loop_move_s),
            fids=() if loop.fid is None else (loop.fid,),
            figures={"cut mm": loop.length_mm, **speed},
        )
    area_m2 = sheet.blank_mm[0] * sheet.blank_mm[1] * 1e-6
    yield Operation(
        "Load sheets, unload and sort blanks",
        "laser",
        setup_min=0.0,
        run_min=data.sheet_change_min / used.count + data.unload_min + data.unload_min_per_m2 * area_m2,
        figures={"blanks on a sheet": float(used.count)},
    )


def _deburr(sheet: SheetFacts, data: SheetData, rates: ProcessRates) -> Iterator[Operation]:
    cut_mm = sum(loop.length_mm for loop in sheet.loops)
    yield Operation(
        "Deburr",
        "bench",
        setup_min=rates.machine("bench").setup_min,
        run_min=data.deburr_min + data.deburr_min_per_m * cut_mm / 1000.0,
        figures={"edge mm": cut_mm},
    )


def _forms(sheet: SheetFacts, data: SheetData, rates: ProcessRates) -> Iterator[Operation]:
    """Forms, engravings, countersinks and threads; every kind is set up once."""
    ready: set[str] = set()
    for form in sheet.forms:
        engraved = form.kind == ENGRAVING
        first = form.kind not in ready and not engraved
        ready.add(form.kind)
        yield Operation(
            f"{form.kind.capitalize()}",
            "laser" if engraved else "bench",
            setup_min=data.form_setup_min if first else 0.0,
            run_min=form.length_mm / 1000.0 / data.engrave_m_min if engraved else data.form_min[form.kind],
            fids=(form.fid,),
        )
    for number, fid in enumerate(sheet.threads):
        yield Operation(
            "Tap",
            "bench",
            setup_min=rates.machine("bench").setup_min if number == 0 else 0.0,
            run_min=data.tap_min,
            fids=(fid,),
        )


def _bends(sheet: SheetFacts, mass_kg: float, data: SheetData, rates: ProcessRates) -> Iterator[Operation]:
    """Handling once for a part, then each bend; another radius or kind is another tool."""
    if not sheet.bends:
        return
    people = 2.0 if mass_kg > data.one_person_kg else 1.0
    tools = {(bend.kind, round(bend.inner_radius_mm, 2)) for bend in sheet.bends}
    yield Operation(
        "Take up and gauge for bending",
        "brake",
        setup_min=rates.machine("brake").setup_min + data.further_tool_min * (len(tools) - 1),
        run_min=people * data.bend_part_min,
        figures={"tools": float(len(tools)), "people": people},
    )
    each_min = people * (data.bend_min + data.bend_min_per_m * sheet.blank_mm[0] / 1000.0)
    for bend in sheet.bends:
        strokes = strokes_of(bend, data)
        yield Operation(
            {"bend": "Bend", "hem": "Hem", "curl": "Curl", "rolled": "Roll by bumping"}[bend.kind],
            "brake",
            setup_min=0.0,
            run_min=strokes * each_min,
            fids=(bend.fid,),
            figures={"strokes": strokes, "angle deg": bend.angle_deg, "length mm": bend.length_mm},
        )


def strokes_of(bend: SheetBend, data: SheetData) -> float:
    """Strokes of the brake for one bend line."""
    if bend.kind == "hem":
        return data.hem_strokes
    if bend.kind == "bend":
        return 1.0
    return max(1.0, -(-bend.angle_deg // data.bump_deg))


def _insert(sheet: SheetFacts, data: SheetData, rates: ProcessRates) -> Iterator[Operation]:
    if sheet.hardware:
        yield Operation(
            "Press in nuts and studs",
            "insertion_press",
            setup_min=rates.machine("insertion_press").setup_min,
            run_min=data.insertion_min * sheet.hardware,
            figures={"pieces": float(sheet.hardware)},
        )
