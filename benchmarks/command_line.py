"""CPU time of the command line from a cold start, child processes included, against the same work in a warm child.

`helped` is a command beside a service of the same user, whose loaded kernel it uses: its own CPU time and that of what
the service's fork server does for it, forks and reaping included.
"""

from __future__ import annotations

import gc
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.floor import corpus
from benchmarks.table import Table
from benchmarks.whole import whole
from tests.patience import until
from tests.web.drill import children, fork_server_of

PARTS = (
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "made/prusa-mini/MINI-display-box.stp",
    "printed/odri/foot_structure.STEP",
)
RUNS = 3
ALLOWED_HELP_S = 0.1
ALLOWED_RATIO = 2.5
"""CPU time of a cold start over that of the same work in a warm child."""
LIBRARIES = "import numpy, scipy.sparse.csgraph, scipy.spatial, numba, OCP.TopAbs, yaml"
TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def environment_in(folder: str, runtime: str) -> dict[str, str]:
    """That of a user with this runtime folder and the default settings. Modules are kept compiled in `folder`, as in an
    installation, whatever the environment says."""
    said = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    said.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**said, "XDG_RUNTIME_DIR": f"{folder}/{runtime}", "PYTHONPYCACHEPREFIX": f"{folder}/compiled"}


def python_cpu_s(environment: dict[str, str], *arguments: str) -> float:
    """CPU time in s of a run of Python in a new process."""
    start = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime


def smallest(*works: Callable[[], float]) -> list[float]:
    """Smallest figure of each in `RUNS` rounds, one after the other in each, after a first round that does not count:
    it compiles."""
    rounds = [[work() for work in works] for _ in range(1 + RUNS)][1:]
    return [min(figures) for figures in zip(*rounds, strict=True)]


@contextmanager
def service(environment: dict[str, str]) -> Iterator[Callable[[], float]]:
    """A service with its kernel loaded; yields what its fork server and all that it has reaped have spent, in s."""
    folder = Path(environment["XDG_RUNTIME_DIR"])
    folder.mkdir()
    log = folder / "log"
    command = [sys.executable, "-m", "fettle", "worker", "--data-dir", str(folder / "data")]
    with log.open("w") as file, subprocess.Popen(command, env=environment, stdout=file, stderr=file) as running:
        until(lambda: "takes jobs" in log.read_text(), lambda: f"the worker is up: {log.read_text()}")
        server = fork_server_of(running.pid)

        def spent_s() -> float:
            until(lambda: len(children(server)) == 1, "of its children only the worker's fork server is left")
            figures = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, figures[11:15])) / TICKS_PER_S

        spent_s()
        yield spent_s
        running.terminate()


def tables() -> Iterator[Table]:
    with TemporaryDirectory() as folder:
        alone, beside = (environment_in(folder, runtime) for runtime in ("empty", "service"))
        help_s, libraries_s = smallest(
            partial(python_cpu_s, alone, "-m", "fettle", "--help"), partial(python_cpu_s, alone, "-c", LIBRARIES)
        )
        starts = (
            (f"fettle --help (allowed: {ALLOWED_HELP_S:g})", help_s),
            ("loading kernel and numeric libraries", libraries_s),
        )
        yield Table("", ("what", "CPU s"), tuple((what, f"{spent:.2f}") for what, spent in starts))
        gc.collect()
        gc.freeze()  # as the fork server does
        with service(beside) as spent_s:
            rows = [_row(corpus() / name, alone, beside, spent_s) for name in PARTS]
    allowed = f"(allowed: {ALLOWED_RATIO:g})"
    columns = ("fettle analyze, CPU s", "warm", "cold", f"cold / warm {allowed}", "helped", f"helped / warm {allowed}")
    yield Table("", columns, tuple(rows))


def _row(path: Path, alone: dict[str, str], beside: dict[str, str], spent_s: Callable[[], float]) -> tuple[str, ...]:
    """Warm, cold and helped in turns: all three feel what else the machine does."""
    data = path.read_bytes()
    asked = ("-m", "fettle", "analyze", str(path), "--format", "json")

    def warm() -> float:
        start = time.process_time()
        whole(path, data)
        return time.process_time() - start

    def helped() -> float:
        start = spent_s()
        own = python_cpu_s(beside, *asked)
        return own + spent_s() - start

    warm_s, cold_s, helped_s = smallest(warm, partial(python_cpu_s, alone, *asked), helped)
    figures = (warm_s, cold_s, cold_s / warm_s, helped_s, helped_s / warm_s)
    return path.name, *(f"{figure:.2f}" for figure in figures)
