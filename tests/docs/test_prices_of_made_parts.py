"""The table of docs/prices-of-made-parts.md, computed again from the files of the corpus."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from fettle.assembly import analyze_model, refine_model
from fettle.geometry.load import load
from fettle.plan.facts import making_facts
from fettle.quote.process_price import price_once
from fettle.results.making import MakingFacts

PAGE = Path(__file__).parents[2] / "docs" / "prices-of-made-parts.md"
ROWS = [
    tuple(cell.strip() for cell in line.strip("|\n ").split("|"))
    for line in PAGE.read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and "/" in line.split("|")[1] and ":" in line.split("|")[2]
]


def test_the_page_reads_at_least_six_parts() -> None:
    assert len({part for part, *_ in ROWS}) >= 6


@cache
def measured(path: Path) -> MakingFacts:
    model = load(path.read_bytes(), path.name)
    analysis = analyze_model(refine_model(model, model.options))
    (facts,) = making_facts(analysis, lambda _: None)
    return facts


@pytest.mark.parametrize(("part", "process", "material", "quantity", "unit_price"), ROWS)
def test_prices_are_those_of_the_page(
    corpus: Path, part: str, process: str, material: str, quantity: str, unit_price: str
) -> None:
    found = price_once(measured(corpus / "made" / part), process, int(quantity), material)
    assert str(found.unit_price) == unit_price
    assert sum(line.amount for line in found.lines) == found.total_price
    assert sum((one.amount for one in found.by_feature), found.common_amount) == found.total_price
