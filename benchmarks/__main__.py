"""`python -m benchmarks [NAME...]` runs the benchmarks of every room, or of those named."""

from __future__ import annotations

import os
import sys
from importlib import import_module

ROOMS = (
    "geometry",
    "meshing",
    "patches",
    "measure",
    "recognize",
    "labelled",
    "blocks",
    "triangles",
    "fit",
    "rules",
    "service",
    "doors",
    "viewer",
)


# as the sandbox's children have it, and before anything imports numpy: threads that wait count as CPU time
for _threads in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ.setdefault(_threads, "1")


def main() -> None:
    for room in sys.argv[1:] or ROOMS:
        if room not in ROOMS:
            sys.exit(f"no benchmark {room!r}; there are {', '.join(ROOMS)}")
        sys.stdout.write(f"\n# {room}\n\n")
        import_module(f"benchmarks.{room}").main()


if __name__ == "__main__":
    main()
