"""Measure and write the page: `python -m benchmarks.report [NAME...]`, all benchmarks by default.

Figures are stored after each benchmark, so that a run may be interrupted. One that fails keeps its last figures, and
the exit code is 1.
"""

from __future__ import annotations

import sys

from benchmarks.__main__ import BENCHMARKS
from benchmarks.report import figures, machine, page

PAGE = machine.ROOT / "docs" / "benchmark.md"


def main() -> int:
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = sorted(set(names) - set(BENCHMARKS) - {"none"})
    if unknown:
        sys.exit(
            f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}, and none to write the page only"
        )
    failed = []
    for name in names:
        if name == "none":
            continue
        print(f"{name} ...", end=" ", flush=True)
        try:
            measured = figures.measure(name)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the others are still measured; said and counted
            failed.append(name)
            print(f"failed: {type(error).__name__}: {error}", flush=True)
            continue
        print(f"{measured.seconds:.0f} s", flush=True)
        figures.write(figures.read() | {name: measured})
    PAGE.write_text(page.render(figures.read()), encoding="utf-8")
    print(
        f"wrote {PAGE.relative_to(machine.ROOT)}; {len(failed)} of {len(names)} failed: {' '.join(failed)}".rstrip(": ")
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
