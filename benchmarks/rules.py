"""CPU time of evaluating all packs and configurations on an analyzed part of about 700 faces."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.table import Table
from fettle.analysis import Analysis
from fettle.rules import judge_all
from fettle.rules.cases import Case
from fettle.rules.run_cases import analyze_case

COLUMNS, ROWS = 10, 7
REPEATS = 5


def large_part() -> dict[str, object]:
    """A plate with 70 rounded pockets and as many holes: 6 + 70 * (9 + 1) faces."""
    pocket = {"fillet": {"of": {"box": [14, 14, 8]}, "r": 2, "edges": "z"}}
    places = [(20 * column, 20 * row) for column in range(COLUMNS) for row in range(ROWS)]
    pockets = [{"move": {"of": pocket, "by": [x + 3, y + 3, 12]}} for x, y in places]
    holes = [{"move": {"of": {"cylinder": {"d": 5, "h": 20}}, "by": [x + 10, y + 10, 0]}} for x, y in places]
    return {"cut": [{"box": [20 * COLUMNS, 20 * ROWS, 20]}, *pockets, *holes]}


def judging_cpu_s(analysis: Analysis) -> float:
    """Smallest CPU time in s of `REPEATS` runs, each without cached values of the run before."""
    times = []
    for _ in range(REPEATS):
        start = time.process_time()
        judge_all(analysis)
        times.append(time.process_time() - start)
    return min(times)


def tables() -> Iterator[Table]:
    analysis = analyze_case(Case("large", large_part(), "0,0,1", ()), Path())
    ms = 1e3 * judging_cpu_s(analysis)
    size_kb = len(json.dumps(judge_all(analysis).to_dict())) / 1000
    counts = (str(len(analysis.part.faces)), str(len(analysis.recognition.features)))
    yield Table(
        "",
        ("part", "faces", "features", "all packs, ms CPU", "JSON kB"),
        (("plate", *counts, f"{ms:.0f}", f"{size_kb:.0f}"),),
    )
