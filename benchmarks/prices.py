"""CPU time of what plans start from, of a plan with its price, and of a whole quote call, on parts really made.

Facts, plan and price are compared with the floor, in turns; they may take a tenth of it together. A quote call (stored
facts read, priced with curve and savings, encoded) may take 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor import Clock, corpus, floor
from fettle.analysis import Analysis
from fettle.app.build_result import build_result
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import PriceableBody, part_of_json, part_of_result, part_to_json
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.assembly import analyze_model
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from fettle.plan.facts import making_facts
from fettle.quote import shipped_catalog
from fettle.quote.process_price import price_once
from fettle.results import encode
from fettle.rules.context import RuleContext
from fettle.rules.flat_shape import unfolded_of

ROUNDS = 3
"""Times that everything is run, in turns; the least of each counts."""
QUANTITY = 100
ALLOWED_RATIO, ALLOWED_MS = 0.1, 20.0


@dataclass(frozen=True, slots=True)
class Row:
    """CPU times in ms; `process`: the one priced, the first of the ranking."""

    name: str
    process: str
    floor_ms: float
    facts_ms: float
    plan_ms: float
    call_ms: float

    @property
    def ratio(self) -> float:
        return (self.facts_ms + self.plan_ms) / self.floor_ms


def measure(files: list[Path]) -> Iterator[Row]:
    terms = PricingTerms(shipped_catalog(), rate_cards(None))
    for path in files:
        data = path.read_bytes()
        model = load(data, path.name)
        analysis = analyze_model(model, refine(model.mesh, model.part, model.options), model.options)
        result = build_result(analysis, "")
        part, stored = part_of_result(result), part_to_json(result)
        process = best_process(choose(part, QUANTITY, terms))
        contexts: dict[int, RuleContext] = {}

        def facts(of: Analysis = analysis, kept: dict[int, RuleContext] = contexts) -> None:
            making_facts(of, lambda one: unfolded_of(kept.setdefault(id(one), RuleContext(one))))

        def plan(bodies: tuple[PriceableBody, ...] = part.bodies, by: str = process) -> None:
            for body in bodies:
                price_once(body.facts, by, QUANTITY)

        def call(read: bytes = stored, by: str = process) -> None:
            encode(price_part(part_of_json("", read, by), OrderRequest(by, QUANTITY), terms))

        clock = Clock()
        for _ in range(ROUNDS + 1):
            clock.time("floor", floor, data)
            clock.time("facts", facts)
            clock.time("plan", plan)
            clock.time("call", call)
        best = clock.best_ms
        yield Row(path.stem, process, best["floor"], best["facts"], best["plan"], best["call"])


def main() -> None:
    files = [path for path in sorted((corpus() / "made").rglob("*")) if path.suffix.lower() in (".step", ".stp")]
    rows = []
    for row in measure(files):
        rows.append(row)
        print(
            f"{row.name[:40]:40} {row.process:24} floor {row.floor_ms:6.0f} ms, facts {row.facts_ms:6.1f}, "
            f"plan and price {row.plan_ms:5.2f}: {row.ratio:.3f} of the floor; quote call {row.call_ms:5.1f} ms",
            flush=True,
        )
    over = [row.name for row in rows if row.ratio > ALLOWED_RATIO]
    print(f"facts, plan and price: most {max(row.ratio for row in rows):.3f} of the floor ({ALLOWED_RATIO} allowed)")
    print(f"over that: {len(over)} of {len(rows)} {' '.join(over)}")
    print(f"quote call: most {max(row.call_ms for row in rows):.1f} ms CPU ({ALLOWED_MS:.0f} allowed)")


if __name__ == "__main__":
    main()
