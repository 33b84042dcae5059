"""Verdicts on parts that were really manufactured: is the process that made a part ranked first, does the part pass
there, and how many causes does it list.

`python -m benchmarks verdicts` prints the table and writes the page [Verdicts on made parts](verdicts.md), which also
has the headline of every part.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.fit import own_process
from benchmarks.floor import corpus
from benchmarks.table import Table
from fettle.app.build_result import build_result
from fettle.assembly import analyze_model, refine_model
from fettle.geometry.load import load
from fettle.results import AnalysisResult

MODULE_OF: dict[str, str] = {}
"""Module that judges a process without one of its own."""
CONFIGURATION = {"additive": "fdm"}
"""Configuration in which the corpus' parts of a process were made, where it is known; else the best one counts."""
SUFFIXES = {".step", ".stp"}
PAGE = Path(__file__).parents[1] / "docs" / "verdicts.md"
PAGE_HEAD = """# Verdicts on made parts

Parts that were really manufactured and sold, judged by the shipped packs: the place of the process that made a part
among all processes, its fit, and the verdict and number of causes there. For printed parts the configuration is the one
they were made in (filament); for others it is the best of the process. An assembly is judged as the worst of its made
bodies. `python -m benchmarks verdicts` writes this page again from the corpus of real parts
(`FETTLE_CORPUS`, see CONTRIBUTING.md).
"""
"""What stands above the table."""


@dataclass(frozen=True, slots=True)
class VerdictRow:
    """One part. `rank`: place of its own module among the modules; `severity`, `causes`: of the configuration that it
    was made in, or of the best of that module; `rules`: the rules of its causes, failing ones first."""

    name: str
    own: str
    rank: int
    fit: float
    configuration: str
    severity: str
    causes: int
    rules: tuple[str, ...]
    headline: str


def measure(folder: Path) -> list[VerdictRow]:
    """Rows of every part file below `folder`."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    return [row_of(path.stem, own_process(path.name), _result(path)) for path in files]


def row_of(name: str, own: str, result: AnalysisResult) -> VerdictRow:
    """The row of a part that the process `own` made."""
    module = MODULE_OF.get(own, own)
    known = CONFIGURATION.get(own)
    judged = [one for one in result.processes if one.module_key == module]
    best = next(one for one in judged if known in (None, one.configuration_key))
    modules = list(dict.fromkeys(one.module_key for one in result.processes))
    rules = tuple(f"{cause.rule} {cause.severity} {cause.count}" for cause in best.causes)
    rank, fit = modules.index(module) + 1, best.fit or 0.0
    counts = (best.configuration_key, best.severity, len(best.causes), rules)
    return VerdictRow(name, own, rank, fit, *counts, result.headline)


def table(rows: Sequence[VerdictRow]) -> Table:
    """Rows with the totals below them."""
    counts = [row.causes for row in rows]
    failed, first = (sum(held) for held in zip(*((row.severity == "fail", row.rank == 1) for row in rows), strict=True))
    totals = f"Fails on its own process: {failed} of {len(rows)}. Own process first: {first} of {len(rows)}."
    return Table(
        "",
        ("part", "made by", "rank", "fit", "configuration", "verdict", "causes"),
        tuple(_cells(row) for row in rows),
        (f"{totals} Causes there: {statistics.median(counts):g} (median), {max(counts)} (most).",),
    )


def _cells(row: VerdictRow) -> tuple[str, ...]:
    return row.name, row.own, str(row.rank), f"{row.fit:.2f}", row.configuration, row.severity, str(row.causes)


def _result(path: Path) -> AnalysisResult:
    model = load(path.read_bytes(), path.name)
    return build_result(analyze_model(refine_model(model, model.options)), "")


def page(rows: Sequence[VerdictRow]) -> str:
    """The page of the documentation, in Markdown."""
    listed = [f"- **{row.name}**: {row.headline}" for row in rows]
    return "\n".join([PAGE_HEAD, table(rows).markdown(), "## Headlines", "", *listed, ""])


def tables() -> Iterator[Table]:
    """The table; the page of the headlines is written with it."""
    rows = measure(corpus() / "made")
    PAGE.write_text(page(rows), encoding="utf-8")
    yield table(rows)
