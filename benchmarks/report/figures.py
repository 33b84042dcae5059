"""Figures of every benchmark as they were last measured, kept in `docs/benchmark.json` beside the page."""

from __future__ import annotations

import json
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path
from time import monotonic
from typing import Any

from benchmarks.__main__ import tables_of
from benchmarks.report import machine
from benchmarks.table import Table

FILE = machine.ROOT / "docs" / "benchmark.json"


@dataclass(frozen=True, slots=True)
class Figures:
    """Tables of one benchmark. `seconds`: wall-clock time of the run; `load`: of the machine before it began."""

    tables: tuple[Table, ...]
    date: str
    commit: str
    machine: str
    load: float
    cores: int
    seconds: float


def measure(name: str) -> Figures:
    """Run a benchmark in a process of its own, so that none leaves a trace in the next. Raises what it raises."""
    load, began = machine.load(), monotonic()
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        tables = pool.submit(_tables, name).result()
    seconds = monotonic() - began
    date = datetime.now(UTC).date().isoformat()
    return Figures(tables, date, machine.commit(), machine.machine(), round(load, 1), machine.cores(), round(seconds))


def _tables(name: str) -> tuple[Table, ...]:
    return tuple(tables_of(name))


def read(file: Path = FILE) -> dict[str, Figures]:
    """By name of the benchmark; empty where there is no file yet."""
    if not file.exists():
        return {}
    stored: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))
    return {name: Figures(**(one | {"tables": tuple(map(Table.read, one["tables"]))})) for name, one in stored.items()}


def write(figures: dict[str, Figures], file: Path = FILE) -> None:
    text = json.dumps({name: asdict(one) for name, one in sorted(figures.items())}, indent=1, ensure_ascii=False)
    file.write_text(f"{text}\n", encoding="utf-8")
