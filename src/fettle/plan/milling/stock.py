"""The piece of plate that a part is milled from."""

from __future__ import annotations

from fettle.errors import BadRequest
from fettle.plan.milling.cutting_data import MillingData
from fettle.plan.plan import RawStock
from fettle.plan.rate_card import StockMaterial
from fettle.results.record import Triple


class PartTooLongToMill(BadRequest):
    code = "part_too_large"


def choose_plate(box_mm: Triple, material: StockMaterial, data: MillingData) -> RawStock:
    """The stocked plate that holds the box with its allowances: facing on the thin side, saw on the two others. The
    kerf of the saw is charged with the piece."""
    stock = data.stock
    if box_mm[0] > stock.largest_mm:
        raise PartTooLongToMill(
            f"The part is {box_mm[0]:.0f} mm long; the machine mills {stock.largest_mm:.0f} mm. "
            "Make it of two parts, or ask a shop with a larger machine."
        )
    needed = box_mm[2] + 2.0 * data.facing.allowance_mm
    thickness = next((plate for plate in sorted(stock.plate_mm) if plate >= needed), needed)
    length, width = (side + 2.0 * stock.sawn_allowance_mm for side in box_mm[:2])
    mass_kg = (length + stock.kerf_mm) * (width + stock.kerf_mm) * thickness * material.density_kg_m3 / 1e9
    return RawStock("plate", (length, width, thickness), mass_kg)
