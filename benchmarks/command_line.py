"""CPU time of the command line from a cold start, child processes included, against the same work in a warm child."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from tempfile import TemporaryDirectory

from benchmarks.floor import best, corpus
from benchmarks.table import Table
from benchmarks.whole import whole

PARTS = (
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "printed/odri/foot_structure.STEP",
)
RUNS = 3
ALLOWED_HELP_S = 0.1
ALLOWED_RATIO = 2.5
"""CPU time of a cold start over that of the same work in a warm child."""
LIBRARIES = "import numpy, scipy.sparse.csgraph, scipy.spatial, numba, OCP.TopAbs, yaml"


def cold_cpu_s(byte_code: str, *arguments: str) -> float:
    """Smallest CPU time in s of `RUNS` runs of Python, each in a new process.

    `byte_code`: folder where the modules are kept compiled, as in an installation, whatever the environment says.
    """
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": byte_code}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    spent = []
    # the first run compiles
    for _ in range(1 + RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [sys.executable, *arguments]
        subprocess.run(command, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def tables() -> Iterator[Table]:
    with TemporaryDirectory() as byte_code:
        libraries = cold_cpu_s(byte_code, "-c", LIBRARIES)
        starts = (
            (f"fettle --help (allowed: {ALLOWED_HELP_S:g})", cold_cpu_s(byte_code, "-m", "fettle", "--help")),
            ("loading kernel and numeric libraries", libraries),
        )
        yield Table("", ("what", "CPU s"), tuple((what, f"{spent:.2f}") for what, spent in starts))
        rows = []
        for name in PARTS:
            path = corpus() / name
            cold = cold_cpu_s(byte_code, "-m", "fettle", "analyze", str(path), "--format", "json")
            warm = best(partial(whole, path, path.read_bytes()))[0] / 1e3
            figures = (cold, warm, cold / warm, cold - warm - libraries)
            rows.append((path.name, *(f"{figure:.2f}" for figure in figures)))
    columns = ("fettle analyze", "cold, CPU s", "warm, CPU s", f"cold / warm (allowed: {ALLOWED_RATIO:g})", "ours, s")
    yield Table("", columns, tuple(rows))
