"""CPU time of what plans start from, of a plan with its price, and of a whole quote call, on parts really made.

Facts, plan and price are compared with the floor, in turns; they may take a tenth of it together. A quote call (stored
facts read, priced with curve and savings, encoded) may take 20 ms.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor import Clock, corpus, floor
from benchmarks.table import Table
from fettle.analysis import Analysis
from fettle.app.build_result import build_result
from fettle.app.pricing.choices import best_process, choose
from fettle.app.pricing.orders import OrderRequest, price_part
from fettle.app.pricing.parts import PriceableBody, part_of_json, part_of_result, part_to_json
from fettle.app.pricing.terms import PricingTerms, rate_cards
from fettle.assembly import analyze_model, refine_model
from fettle.geometry.load import load
from fettle.plan.facts import making_facts
from fettle.quote import shipped_catalog
from fettle.quote.process_price import price_once
from fettle.results import encode
from fettle.rules.context import RuleContext
from fettle.rules.flat_shape import unfolded_of

ROUNDS = 5
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
        analysis = analyze_model(refine_model(model, model.options))
        result = build_result(analysis, "")
        part, stored = part_of_result(result), part_to_json(result)
        process = best_process(choose(part, QUANTITY, terms))
        judged = {one: RuleContext(one) for one in (analysis, *(body.analysis for body in analysis.bodies)) if one}

        def facts(of: Analysis = analysis, kept: dict[Analysis, RuleContext] = judged) -> None:
            making_facts(of, lambda single: unfolded_of(kept[single]), lambda single: kept[single].wall_readings)

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


def tables() -> Iterator[Table]:
    files = [path for path in sorted((corpus() / "made").rglob("*")) if path.suffix.lower() in (".step", ".stp")]
    rows = list(measure(files))
    over = [row.name for row in rows if row.ratio > ALLOWED_RATIO]
    yield Table(
        "",
        ("part", "process", "floor ms", "facts ms", "plan and price ms", "of the floor", "quote call ms"),
        tuple(
            (
                *(row.name, row.process, f"{row.floor_ms:.0f}", f"{row.facts_ms:.1f}", f"{row.plan_ms:.2f}"),
                *(f"{row.ratio:.3f}", f"{row.call_ms:.1f}"),
            )
            for row in rows
        ),
        (
            f"Facts, plan and price: at most {max(row.ratio for row in rows):.3f} of the floor "
            f"({ALLOWED_RATIO} allowed); over that: {len(over)} of {len(rows)} {' '.join(over)}".rstrip(),
            f"Quote call: at most {max(row.call_ms for row in rows):.1f} ms CPU ({ALLOWED_MS:.0f} allowed).",
        ),
    )
