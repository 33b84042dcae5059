"""The process that the chooser names for parts really made, at their likely quantity, with prices and break-evens.

Printed parts are priced at 10 pieces, all others at 100.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from benchmarks.fit import own_process
from benchmarks.floor import corpus
from benchmarks.table import Table
from fettle.app.build_result import build_result
from fettle.app.library import analyze, read
from fettle.app.pricing.choices import choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import part_of_result
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.quote import shipped_catalog
from fettle.results.process_choices import ProcessChoices

PRINTED, OTHERS = 10, 100
"""Likely quantities."""
SHOWN = 4
"""Processes of a row."""


@dataclass(frozen=True, slots=True)
class Row:
    """`quote_ms`: CPU time of one quote by the process chosen, once the analysis is there."""

    name: str
    own: str
    choices: ProcessChoices
    quote_ms: float

    @property
    def right(self) -> bool:
        return self.choices.processes[0].module_key == self.own


def measure(folder: Path) -> Iterator[Row]:
    terms = PricingTerms(shipped_catalog(), rate_cards(None))
    for path in sorted((folder / "made").rglob("*.st*p")):
        own, data = own_process(path.name), path.read_bytes()
        part = part_of_result(build_result(analyze(read(path)), hashlib.sha256(data).hexdigest()))
        choices = choose(part, PRINTED if own == "additive" else OTHERS, terms)
        request = OrderRequest(choices.processes[0].process, choices.quantity)
        start = process_time()
        price_part(part, request, terms)
        yield Row(path.stem, own, choices, 1000 * (process_time() - start))


def tables() -> Iterator[Table]:
    rows = list(measure(corpus()))
    right = sum(row.right for row in rows)
    slowest_ms = max(row.quote_ms for row in rows)
    yield Table(
        "",
        ("part", "made by", "pieces", f"first {SHOWN} processes: USD a piece (verdict)", "cheaper from"),
        tuple((row.name, row.own, str(row.choices.quantity), _ranked(row), _break_even(row)) for row in rows),
        (
            f"The process that made the part is named first on {right} of {len(rows)}.",
            f"CPU time of a quote: at most {slowest_ms:.1f} ms.",
        ),
    )


def _ranked(row: Row) -> str:
    return ", ".join(
        f"{one.process} {one.price:.2f} ({one.severity})" for one in row.choices.processes[:SHOWN] if one.price
    )


def _break_even(row: Row) -> str:
    return "; ".join(f"{one.process} than {one.than}: {one.cheaper_from}" for one in row.choices.break_even)
