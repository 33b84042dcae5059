"""Run benchmarks: `python -m benchmarks [NAME...]`, all of them by default. `make benchmark-report` writes the page."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from importlib import import_module

from benchmarks.table import Table

BENCHMARKS = (
    "closed_forms",
    "volumes",
    "thickness",
    "labeled",
    "blocks",
    "turned",
    "triangles",
    "segmentation",
    "verdicts",
    "fit",
    "positions",
    "flats",
    "unfold",
    "chooser",
    "cutting_times",
    "prices",
    "whole",
    "geometry",
    "meshing",
    "measure",
    "recognize",
    "rules",
    "command_line",
    "service",
    "calls",
    "viewer",
    "drills",
    "node_kills",
    "soak",
    "upgrade",
)
"""Modules of this package with a function `tables`, in the order in which they run."""

# As in the sandbox's child processes, and before numpy is imported: waiting threads would count as CPU time.
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")


def tables_of(name: str) -> Iterator[Table]:
    """The tables of a benchmark, each when it is measured."""
    found: Iterator[Table] = import_module(f"benchmarks.{name}").tables()
    return found


def main() -> None:
    names = sys.argv[1:] or BENCHMARKS
    if unknown := sorted(set(names) - set(BENCHMARKS)):
        sys.exit(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    for name in names:
        sys.stdout.write(f"\n# {name}\n")
        for table in tables_of(name):
            sys.stdout.write(f"\n{table.text()}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
