"""`python -m benchmarks [NAME...]` runs the benchmarks of every room, or of those named."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    rooms = sorted(path.stem for path in Path(__file__).parent.glob("[a-z]*.py"))
    for room in sys.argv[1:] or rooms:
        if room not in rooms:
            sys.exit(f"no benchmark {room!r}; there are {', '.join(rooms)}")
        sys.stdout.write(f"\n# {room}\n\n")
        import_module(f"benchmarks.{room}").main()


if __name__ == "__main__":
    main()
