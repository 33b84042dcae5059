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


def main() -> None:
    rows = []
    for row in measure(corpus()):
        rows.append(row)
        ranked = ", ".join(
            f"{one.process} {one.price:.2f} ({one.severity})" for one in row.choices.processes[:SHOWN] if one.price
        )
        mark = "   " if row.right else "NOT"
        print(f"{mark} {row.name[:34]:34} {row.own:11} {row.choices.quantity:4} {row.quote_ms:5.1f} ms  {ranked}")
        for one in row.choices.break_even:
            print(f"{'':56}{one.process} is cheaper than {one.than} from {one.cheaper_from}")
    print(f"the process that made the part is named first on {sum(row.right for row in rows)} of {len(rows)}")
    print(f"CPU time of a quote: most {max(row.quote_ms for row in rows):.1f} ms")


if __name__ == "__main__":
    main()
