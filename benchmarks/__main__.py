"""Run benchmarks: `python -m benchmarks [NAME...]`, all of them by default."""

from __future__ import annotations

import os
import sys
from importlib import import_module

BENCHMARKS = (
    "whole",
    "geometry",
    "volumes",
    "meshing",
    "segmentation",
    "measure",
    "recognize",
    "labeled",
    "blocks",
    "turned",
    "triangles",
    "fit",
    "chooser",
    "prices",
    "verdicts",
    "positions",
    "unfold",
    "rules",
    "service",
    "calls",
    "node_kills",
    "soak",
    "upgrade",
    "command_line",
    "viewer",
)
"""Modules of this package with a `main` function, in the order in which they run."""

# As in the sandbox's child processes, and before numpy is imported: waiting threads would count as CPU time.
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")


def main() -> None:
    for name in sys.argv[1:] or BENCHMARKS:
        if name not in BENCHMARKS:
            sys.exit(f"no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
        sys.stdout.write(f"\n# {name}\n\n")
        import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
