"""Measure and write the page: `python -m benchmarks.report [NAME...]`, all benchmarks by default.

Those whose figures are no times run first, one on each core; the others alone, one after the other. Figures are stored
after each benchmark, so that a run may be interrupted. One that fails keeps its last figures, and the exit code is 1.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed

from benchmarks.__main__ import BENCHMARKS
from benchmarks.report import figures, machine, page
from benchmarks.report.sections import ALONE

PAGE = machine.ROOT / "docs" / "benchmark.md"


def main() -> int:
    names = sys.argv[1:] or list(BENCHMARKS)
    unknown = sorted(set(names) - set(BENCHMARKS) - {"none"})
    if unknown:
        sys.exit(
            f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}, and none to write the page only"
        )
    failed = []
    for name, outcome in _measured([name for name in names if name != "none"]):
        if isinstance(outcome, figures.Figures):
            print(f"{name}: {outcome.seconds:.0f} s", flush=True)
            figures.write(figures.read() | {name: outcome})
        else:
            failed.append(name)
            print(f"{name} failed: {type(outcome).__name__}: {outcome}", flush=True)
    PAGE.write_text(page.render(figures.read()), encoding="utf-8")
    print(
        f"wrote {PAGE.relative_to(machine.ROOT)}; {len(failed)} of {len(names)} failed: {' '.join(failed)}".rstrip(": ")
    )
    return 1 if failed else 0


def _measured(names: list[str]) -> Iterator[tuple[str, figures.Figures | BaseException]]:
    """Each benchmark with its figures, or with what it raised, when it is done."""
    with ThreadPoolExecutor(machine.cores()) as pool:
        running = {pool.submit(figures.measure, name): name for name in names if name not in ALONE}
        for done in as_completed(running):
            yield running[done], done.exception() or done.result()
    for name in names:
        if name in ALONE:
            try:
                yield name, figures.measure(name)
            except (Exception, SystemExit) as error:  # noqa: BLE001 - the others are still measured; said and counted
                yield name, error


if __name__ == "__main__":
    sys.exit(main())
