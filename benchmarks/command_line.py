"""CPU time of the command line from a cold start, child processes included, against the same work in a warm child.

`helped` is a command beside a service of the same user, whose loaded kernel it uses: its own CPU time and that of what
the service's fork server does for it, forks and reaping included.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.floor import best, corpus
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


def environment_in(runtime: str) -> dict[str, str]:
    """That of a user with this runtime folder and the default settings. Modules are kept compiled there, as in an
    installation, whatever the environment says."""
    said = {name: value for name, value in os.environ.items() if not name.startswith("FETTLE_")}
    said.pop("PYTHONDONTWRITEBYTECODE", None)
    return {**said, "XDG_RUNTIME_DIR": runtime, "PYTHONPYCACHEPREFIX": f"{runtime}/compiled"}


def cold_cpu_s(environment: dict[str, str], *arguments: str, elsewhere_s: Callable[[], float] = lambda: 0.0) -> float:
    """Smallest CPU time in s of `RUNS` runs of Python, each in a new process. `elsewhere_s`: what another process has
    spent so far, some of it for us."""
    spent = []
    # the first run compiles
    for _ in range(1 + RUNS):
        start = _children_s() + elsewhere_s()
        command = [sys.executable, *arguments]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        spent.append(_children_s() + elsewhere_s() - start)
    return min(spent)


def _children_s() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@contextmanager
def service(environment: dict[str, str]) -> Iterator[Callable[[], float]]:
    """A service with its kernel loaded; yields what its fork server and all that it has reaped have spent, in s."""
    folder = Path(environment["XDG_RUNTIME_DIR"])
    log = folder / "log"
    command = [sys.executable, "-m", "fettle", "worker", "--data-dir", str(folder / "data")]
    with log.open("w") as file, subprocess.Popen(command, env=environment, stdout=file, stderr=file) as running:
        until(lambda: "takes jobs" in log.read_text(), lambda: f"the worker is up: {log.read_text()}")
        server = fork_server_of(running.pid)
        until(lambda: len(children(server)) == 1, "the fork server has forked that of the worker, and nothing else")

        def spent_s() -> float:
            until(lambda: len(children(server)) == 1, "what commands were given is reaped")
            figures = Path(f"/proc/{server}/stat").read_text().rpartition(")")[2].split()
            return sum(map(int, figures[11:15])) / TICKS_PER_S

        yield spent_s
        running.terminate()


def tables() -> Iterator[Table]:
    paths = [corpus() / name for name in PARTS]
    with TemporaryDirectory() as runtime:
        alone = environment_in(runtime)
        libraries = cold_cpu_s(alone, "-c", LIBRARIES)
        starts = (
            (f"fettle --help (allowed: {ALLOWED_HELP_S:g})", cold_cpu_s(alone, "-m", "fettle", "--help")),
            ("loading kernel and numeric libraries", libraries),
        )
        yield Table("", ("what", "CPU s"), tuple((what, f"{spent:.2f}") for what, spent in starts))
        cold = [cold_cpu_s(alone, *_analyze(path)) for path in paths]
        with service(alone) as spent_s:
            helped = [cold_cpu_s(alone, *_analyze(path), elsewhere_s=spent_s) for path in paths]
    rows = []
    for path, cold_s, helped_s in zip(paths, cold, helped, strict=True):
        warm_s = best(partial(whole, path, path.read_bytes()))[0] / 1e3
        figures = (warm_s, cold_s, cold_s / warm_s, cold_s - warm_s - libraries, helped_s, helped_s / warm_s)
        rows.append((path.name, *(f"{figure:.2f}" for figure in figures)))
    columns = (
        "fettle analyze, CPU s",
        "warm",
        "cold",
        f"cold / warm (allowed: {ALLOWED_RATIO:g})",
        "ours",
        "helped",
        "helped / warm",
    )
    yield Table("", columns, tuple(rows))


def _analyze(path: Path) -> tuple[str, ...]:
    return "-m", "fettle", "analyze", str(path), "--format", "json"
