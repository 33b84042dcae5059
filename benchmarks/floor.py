"""Baseline of the benchmarks (the "floor"): CPU time of the stock kernel to read and mesh a file; and their clock."""

from __future__ import annotations

import io
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from OCP.Bnd import Bnd_Box
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.STEPControl import STEPControl_Reader
from OCP.TopoDS import TopoDS_Shape

from fettle.geometry.kernel.tessellate import DEFLECTION_PER_DIAGONAL
from fettle.geometry.mesh_options import AUTO_CURVATURE

CORPUS = Path(os.environ.get("FETTLE_CORPUS", Path(__file__).parents[2] / "shared" / "corpus"))
PARTS = (
    "machined/pockets/pockets_3.stp",
    "machined/featuretype.STEP",
    "machined/nist-ctc/nist_ctc_01_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_02_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_03_asme1_ap242-e2.stp",
    "machined/nist-ctc/nist_ctc_04_asme1_ap242-e1.stp",
    "machined/nist-ctc/nist_ctc_05_asme1_ap242-e1.stp",
    "printed/odri/foot_structure.STEP",
    "printed/odri/lower_leg_structure_base.STEP",
    "printed/framework/ExpansionCard_SelfTapping.stp",
    "printed/example-bracket.step",
    "units/boxed_sphere.step",
)
REAL_FOLDERS = ("machined", "made", "printed", "units")
"""Of the corpus: those whose STEP files are parts that somebody designed to be made."""
REPEATS = 2
"""Timed runs in `best`."""
NO_COMPARISON = (
    "No comparison: install benchmarks/requirements.txt somewhere and set FETTLE_BENCH_PYTHON to its python."
)
"""Said where `comparison_python` finds none."""

T = TypeVar("T")


def corpus() -> Path:
    """Folder of part files (FETTLE_CORPUS); exits with a message if there is none."""
    if not CORPUS.is_dir():
        sys.exit(f"no corpus at {CORPUS}; set FETTLE_CORPUS to a folder of part files")
    return CORPUS


def step_files(root: Path) -> list[Path]:
    """STEP files of the corpus that are not meant to be hostile."""
    found = sorted(path for path in root.rglob("*") if path.suffix.lower() in (".step", ".stp"))
    return [path for path in found if "hostile" not in path.parts]


def real_parts() -> list[Path]:
    """Every real STEP part of the corpus."""
    return [path for name in REAL_FOLDERS for path in step_files(corpus() / name)]


def comparison_python(modules: str) -> str | None:
    """The interpreter named by FETTLE_BENCH_PYTHON, or this one, if it can import the modules to compare with."""
    interpreter = os.environ.get("FETTLE_BENCH_PYTHON", sys.executable)
    probe = [interpreter, "-c", f"import {modules}"]
    if shutil.which(interpreter) and subprocess.run(probe, capture_output=True, check=False).returncode == 0:
        return interpreter
    return None


def stock_shape(data: bytes) -> TopoDS_Shape:
    """A STEP file as the stock kernel reads it, repaired as a whole."""
    reader = STEPControl_Reader()
    reader.ReadStream("part.step", io.BytesIO(data))
    reader.TransferRoots()
    return reader.OneShape()


def floor(data: bytes) -> None:
    """Read and mesh a file with the stock kernel, and nothing else."""
    shape, box = stock_shape(data), Bnd_Box()
    BRepBndLib.Add_s(shape, box, False)
    deflection = math.sqrt(box.SquareExtent()) * DEFLECTION_PER_DIAGONAL
    BRepMesh_IncrementalMesh(shape, deflection, False, 2 * math.pi / AUTO_CURVATURE, False)


def best(work: Callable[[], T]) -> tuple[float, T]:
    """Smallest CPU time in ms of `REPEATS` runs after a warm-up run, and the value of the last."""
    value = work()
    spent = []
    for _ in range(REPEATS):
        start = time.process_time()
        value = work()
        spent.append(time.process_time() - start)
    return min(spent) * 1e3, value


class Clock:
    """CPU times in ms of several stages, round by round.

    Stages that are compared alternate within a round, so that a busy machine slows all alike.
    """

    def __init__(self) -> None:
        self.spent_ms: dict[str, list[float]] = {}

    def time(self, stage: str, work: Callable[..., T], *arguments: object) -> T:
        """Run the work once, add its CPU time to the stage, and return its value."""
        start = time.process_time()
        value = work(*arguments)
        self.spent_ms.setdefault(stage, []).append(1e3 * (time.process_time() - start))
        return value

    @property
    def best_ms(self) -> dict[str, float]:
        """Smallest time of each stage."""
        return {stage: min(spent) for stage, spent in self.spent_ms.items()}

    def median_ratio(self, stages: Mapping[str, float], to: str) -> float:
        """Median over the rounds of a weighted sum of stages over another stage."""
        rounds: list[float] = [
            sum(times * spent for times, spent in zip(stages.values(), row, strict=True)) / below
            for *row, below in zip(*(self.spent_ms[stage] for stage in (*stages, to)), strict=True)
        ]
        return statistics.median(rounds)
