"""Build time, packing and material against counts by hand, and the costs of Hopkinson and Dickens (2003)."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from fettle.errors import BadRequest
from fettle.plan.plan import Operation, ProcessPlan, RawStock
from fettle.plan.printing.build import (
    PrinterData,
    deposited_mm3,
    parts_per_plate,
    plan_build,
    share_of_plate,
)
from fettle.plan.rate_card import ProcessRates, parse_rates, shipped_rates, typed_data
from fettle.quote.lines import price_plan
from fettle.results.making.printing import PrintOrientation

LYING = PrintOrientation("fdm", (0.0, 0.0, 1.0), 20.0, (45.0, 35.0), 900.0, 1000.0, 100.0, ("3",))


def printer(kind: str = "fdm") -> PrinterData:
    return typed_data(shipped_rates("additive"), dict[str, PrinterData])[kind]


def test_skin_and_infill() -> None:
    """A cube of 20 mm: 2,400 mm2 times 1 mm of skin, a fifth of the 5,600 mm3 left. A thin part is all skin."""
    assert deposited_mm3(8000.0, 2400.0, 1.0, 0.2) == pytest.approx(2400 + 1120)
    assert deposited_mm3(500.0, 2000.0, 1.2, 0.2) == 500.0


def test_parts_on_a_plate() -> None:
    """250 x 210 with gaps of 5: 45 x 35 gives 5 x 5 = 25 one way, 6 x 4 = 24 the other."""
    assert parts_per_plate(LYING, printer()) == 25


def test_larger_than_the_printer() -> None:
    with pytest.raises(BadRequest, match="260 x 35 x 20 mm as it would be printed; the printer builds 250 x 210 x 210"):
        parts_per_plate(replace(LYING, footprint_mm=(260.0, 35.0)), printer())


def test_time_and_material_of_a_filament_part() -> None:
    """6 cm3 with little skin at 12 cm3/h, 100 layers of 0.2 mm at 4 s; supports of 1 cm3 at a density of 0.15."""
    data = replace(printer(), shell_mm=0.0, infill=1.0)
    build = plan_build(LYING, 6000.0, 2000.0, 12.0, data)
    assert build.layers == 100
    assert build.part_min == pytest.approx(30 + 100 * 4 / 60)
    assert build.support_mm3 == pytest.approx(150.0)
    assert build.support_min == pytest.approx(0.75)
    assert build.shared_min == data.start_min


def test_layers_of_powder_are_shared_by_the_plate() -> None:
    """23 mm with the foot in layers of 0.04 mm at 10 s: 575 layers, 95.8 min for the plate."""
    data = printer("dmls")
    build = plan_build(replace(LYING, configuration="dmls"), 6000.0, 2000.0, 12.0, data)
    assert build.layers == 575
    assert build.shared_min == pytest.approx(data.start_min + 5750 / 60)
    assert build.part_min == pytest.approx((6.0 + 0.25 * 3 * 45 * 35 / 1000) / 12 * 60)


@pytest.mark.parametrize(("quantity", "share"), [(1, 60.0), (3, 20.0), (25, 2.4), (26, 2.4), (1000, 2.4)])
def test_a_plate_is_shared_by_the_parts_on_it(quantity: int, share: float) -> None:
    assert share_of_plate(60.0, 25, quantity) == pytest.approx(share)


def test_an_order_of_metal_pays_a_quarter_of_a_plate_at_least() -> None:
    """One part pays 15 of 60 minutes, five pay 3 each; from a quarter of 20 on each pays a twentieth."""
    assert [share_of_plate(60.0, 20, quantity, 0.25) for quantity in (1, 5, 6, 100)] == [15.0, 3.0, 3.0, 3.0]


HOPKINSON_DICKENS = {
    # parts on a platform, hours, cost of the machine a year, minutes of labor for a platform, material of a part
    "SL": (190, 26.8, 130_000 + 89_000, 33 + 49, Decimal("1.29344"), (3.918, 0.038, 1.293), 5.25),
    "FDM": (75, 67.27, 12_660 + 10_560, 10 + 60, Decimal("1.7456"), (2.642, 0.082, 1.746), 4.47),
}
"""The lever, with 7,884 h a year and labor at 5.30 an hour; material: 0.0047 kg at 275.20 (SL), 0.0035 kg at 400 and
0.0016 kg of support at 216 (FDM)."""


def _card(rate_per_hour: Decimal) -> ProcessRates:
    """A card without markup, in which material is bought by the part."""
    return parse_rates(
        "lever",
        {
            "process": "lever",
            "version": "2003",
            "currency": "EUR",
            "default_material": "lever",
            "machines": {
                "printer": {"name": "printer", "rate_per_hour": rate_per_hour, "setup_min": 0, "source": "paper"},
                "labor": {"name": "labor", "rate_per_hour": Decimal("5.30"), "setup_min": 0, "source": "paper"},
            },
            "materials": [
                {"name": "lever", "family": "-", "density_kg_m3": 1000, "price_per_kg": 1, "source": "paper"}
            ],
            "purchases": {},
            "markup": {"base": 0, "small_order": 0, "small_order_quantity": 1, "minimum_order": 0, "source": "none"},
            "lead_time": {"order": 0, "machine_hours_per_day": 24, "source": "none"},
            "band": {"low": 1, "high": 1, "reason": "none"},
            "assumptions": [],
            "process_data": {},
        },
    )


@pytest.mark.parametrize("kind", HOPKINSON_DICKENS)
def test_lever_of_hopkinson_and_dickens(kind: str) -> None:
    """The plan of full platforms, priced by the lines of every process: machine, labor, material and their sum."""
    parts, hours, a_year, labor_min, material, (machine_cost, labor_cost, material_cost), total = HOPKINSON_DICKENS[
        kind
    ]
    quantity = 10_000
    plan = ProcessPlan(
        "lever",
        kind,
        "lever",
        quantity,
        RawStock("resin", (), float(material)),  # at 1 a kilogram
        (
            Operation("Print", "printer", 0.0, share_of_plate(hours * 60, parts, quantity)),
            Operation("Labor", "labor", 0.0, share_of_plate(labor_min, parts, quantity)),
        ),
        (),
        (),
    )
    price = price_plan(plan, 1, _card(Decimal(a_year) / Decimal(7884)))
    each = {line.what: float(line.amount) / quantity for line in price.lines}
    assert each["Print"] == pytest.approx(machine_cost, abs=5e-4)
    assert each["Labor"] == pytest.approx(labor_cost, abs=5e-4)
    assert each["lever, resin"] == pytest.approx(material_cost, abs=5e-4)
    assert float(price.unit_price) == pytest.approx(total, abs=1e-9)
