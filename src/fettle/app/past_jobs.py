"""Past jobs of a shop: a CSV file of what was made, held against what the model says for it."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping
from dataclasses import dataclass

from fettle.app.pricing.makers import PlannedMaker, find_maker
from fettle.app.pricing.parts import PriceableBody, PriceablePart
from fettle.app.pricing.terms import PricingTerms
from fettle.errors import BadRequest
from fettle.quote.calibrated import machine_key
from fettle.quote.calibration import CalibrationBasis, PastJob

PART_COLUMNS = ("file", "job_id", "job")
AMOUNT_COLUMNS = {
    "actual_minutes": CalibrationBasis.MINUTES,
    "minutes": CalibrationBasis.MINUTES,
    "actual_price": CalibrationBasis.PRICE,
    "price": CalibrationBasis.PRICE,
}
HELP = (
    "columns file or job_id, process (module:configuration), quantity, actual_minutes or actual_price of the whole "
    "order; and maybe material, and machine, where the minutes are those of one machine of the rate card"
)


@dataclass(frozen=True, slots=True)
class JobRow:
    """A row of the file: `part` is a file name or the id of a job; `amount` in minutes or money, of the whole order."""

    number: int
    part: str
    process: str
    quantity: int
    basis: CalibrationBasis
    amount: float
    material: str | None
    machine: str | None


def read_rows(text: str) -> list[JobRow]:
    """The rows of a CSV file; raises BadRequest with the row that cannot be read."""
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    columns = {name.strip().casefold(): name for name in reader.fieldnames or () if name}
    part = next((columns[name] for name in PART_COLUMNS if name in columns), None)
    amounts = {columns[name]: basis for name, basis in AMOUNT_COLUMNS.items() if name in columns}
    if part is None or not amounts or not {"process", "quantity"} <= columns.keys():
        found = ", ".join(columns) or "none"
        raise BadRequest(f"The past jobs need {HELP}; the first line has: {found}.")
    rows = []
    for number, raw in enumerate(reader, 2):
        row = {key: (value or "").strip() for key, value in raw.items() if isinstance(key, str)}
        for column, basis in amounts.items():
            if row[column]:
                rows.append(_row(number, row, columns, part, column, basis))
    return rows


def _row(
    number: int, row: Mapping[str, str], columns: Mapping[str, str], part: str, column: str, basis: CalibrationBasis
) -> JobRow:
    def optional(name: str) -> str | None:
        return row[columns[name]] or None if name in columns else None

    try:
        quantity, amount = int(row[columns["quantity"]]), float(row[column])
    except ValueError as fault:
        raise BadRequest(f"Line {number} of the past jobs: quantity and {column} must be numbers ({fault}).") from fault
    process = row[columns["process"]]
    if not row[part] or not process:
        raise BadRequest(f"Line {number} of the past jobs names no {'process' if row[part] else part}.")
    return JobRow(number, row[part], process, quantity, basis, amount, optional("material"), optional("machine"))


def past_job(row: JobRow, part: PriceablePart, terms: PricingTerms) -> PastJob:
    """The row with what the model says, before any calibration; raises BadRequest with the line."""
    try:
        maker = find_maker(row.process, PricingTerms(terms.catalog, terms.cards), row.material)
        if not isinstance(maker, PlannedMaker):
            raise BadRequest(f"{row.process} is priced by a model of its own, which is not calibrated.")
        computed = sum(_computed(row, maker, body) for body in part.bodies)
    except BadRequest as refusal:
        raise BadRequest(f"Line {row.number} of the past jobs ({row.part}): {refusal}") from refusal
    key = row.process if row.machine is None else machine_key(row.process, row.machine)
    return PastJob(f"Line {row.number} ({row.part})", key, row.basis, row.amount, computed)


def _computed(row: JobRow, maker: PlannedMaker, body: PriceableBody) -> float:
    """Minutes or price of an order of one body."""
    quantity = row.quantity * body.count
    if row.basis is CalibrationBasis.PRICE:
        return float(maker.price(body, quantity).total_price)
    plan = maker.plan(body, quantity)
    if row.machine is not None:
        maker.rates.machine(row.machine)
    chosen = [one for one in plan.operations if row.machine in (None, one.machine)]
    return sum(one.setup_min + one.run_min * quantity for one in chosen)
