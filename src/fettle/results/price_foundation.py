"""What the price of an order rests on: the analysis with its verdict, and the bodies that are made."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from fettle.results.record import Record
from fettle.results.verdicts import Severity


@dataclass(frozen=True, slots=True)
class PriceFoundation(Record):
    """The analysis and the verdict that a price rests on."""

    job_id: Annotated[str | None, "Job whose analysis was priced; null for a file on the command line."]
    result_sha256: Annotated[str, "Hash of the result that was priced."]
    severity: Annotated[Severity | None, "Verdict of the process; null where it was not judged."]
    fit: Annotated[float | None, "How well the part suits the process, 0 to 1; null where it was not measured."]
    causes: Annotated[tuple[str, ...], "What is wrong, failures first, in words."]


@dataclass(frozen=True, slots=True)
class OrderedBody(Record):
    """One of the different bodies of an order, with its part of the price."""

    body: Annotated[int, "Number of the body in the file's order, from 1."]
    name: Annotated[str, "Name of the body."]
    count: Annotated[int, "Pieces in one assembly."]
    process: Annotated[str, "Process that it is made by."]
    material: Annotated[str, "Material."]
    unit_price: Annotated[Decimal, "Price of one piece."]
    total_price: Annotated[Decimal, "Price of all pieces of the order: unit_price times count times quantity."]
