"""CPU time of the command line from a cold start, child processes included, against the engine that it calls."""

from __future__ import annotations

import hashlib
import resource
import subprocess
import sys
from pathlib import Path

from benchmarks.floor import best, corpus
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


def main() -> None:
    path = corpus() / PART
    print(f"fettle --help: {cold_cpu_s('-m', 'fettle', '--help') * 1e3:.0f} ms CPU (allowed: 150)")
    cold, engine = cold_cpu_s("-m", "fettle", "analyze", str(path)), engine_cpu_s(path)
    libraries = cold_cpu_s("-c", LIBRARIES)
    script = cold_cpu_s("-c", LIBRARY, str(path))
    print(f"fettle analyze {path.name}: {cold:.2f} s CPU cold; a script that does it with the library: {script:.2f} s")
    print(f"the engine's own, everything loaded: {engine:.2f} s; over it: {cold - engine:.2f} s (allowed: 1.5)")
    print(f"of that, loading kernel and numeric libraries: {libraries:.2f} s; ours: {cold - engine - libraries:.2f} s")


if __name__ == "__main__":
    main()
