"""CPU time of the command line from a cold start, child processes included, against the engine that it calls."""

from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from benchmarks.floor import best, corpus
from benchmarks.table import Table
from fettle.analysis import analyze
from fettle.app.build_result import build_result
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine

PART = "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp"
RUNS = 3


LIBRARY = "import sys, fettle; fettle.result(fettle.analyze(fettle.read(sys.argv[1])))"
LIBRARIES = "import numpy, scipy.ndimage, scipy.sparse.csgraph, scipy.spatial, numba, OCP.TopAbs, yaml"


def cold_cpu_s(*arguments: str) -> float:
    """Smallest CPU time in s of `RUNS` runs of Python, each in a new process."""
    spent = []
    for _ in range(RUNS):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *arguments], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(spent)


def engine_cpu_s(path: Path) -> float:
    """Smallest CPU time in s of the same work in this process, with all libraries loaded."""
    data = path.read_bytes()

    def work() -> None:
        model = load(data, path.name)
        build_result(
            analyze(model.part, refine(model.mesh, model.part, model.options)), hashlib.sha256(data).hexdigest()
        )

    return best(work)[0] / 1e3


def tables() -> Iterator[Table]:
    path = corpus() / PART
    start, cold = cold_cpu_s("-m", "fettle", "--help"), cold_cpu_s("-m", "fettle", "analyze", str(path))
    engine, libraries = engine_cpu_s(path), cold_cpu_s("-c", LIBRARIES)
    rows = {
        "fettle --help (allowed: 0.15)": start,
        f"fettle analyze {path.name}, cold": cold,
        "a script that does it with the library, cold": cold_cpu_s("-c", LIBRARY, str(path)),
        "the engine's own, everything loaded": engine,
        "command over engine (allowed: 1.5)": cold - engine,
        "of that, loading kernel and numeric libraries": libraries,
        "of that, ours": cold - engine - libraries,
    }
    yield Table("", ("what", "CPU s"), tuple((what, f"{spent:.2f}") for what, spent in rows.items()))
