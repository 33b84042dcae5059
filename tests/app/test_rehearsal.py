"""What an installation compiles beforehand: a loop that it forgets takes 20 s in the first part that needs it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from fettle.app.build_result import build_encoded_result
from fettle.app.kernel_tasks import job_analysis
from fettle.app.kernel_tasks.measuring import measure
from fettle.app.kernel_tasks.sample_parts import HOLLOW
from fettle.app.options import JobOptions
from fettle.fit import free_faces
from fettle.geometry.csg import build
from fettle.geometry.kernel import face_integrals, freeform, spline_trims
from fettle.geometry.load import load
from fettle.measure import neighbor_counts


def test_the_sample_has_inside_corners_and_supports_that_stay_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = set()
    for module, name in ((free_faces, "free_shares"), (neighbor_counts, "count_near")):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, work=work, name=name: (reached.add(name), work(*given))[1])
    model = load(build(HOLLOW), "sample.step")
    build_encoded_result(measure(model, JobOptions(), lambda line: None), "")
    assert reached == {"free_shares", "count_near"}


def test_the_rehearsal_of_splines_follows_edges_and_integrates_within_trims(monkeypatch: pytest.MonkeyPatch) -> None:
    reached = set()
    for module, name in ((spline_trims, "follow"), (freeform, "integrate_trimmed"), (face_integrals, "integrate")):
        work = getattr(module, name)
        monkeypatch.setattr(module, name, lambda *given, work=work, name=name: (reached.add(name), work(*given))[1])
    job_analysis.read_splines()
    assert reached == {"follow", "integrate_trimmed", "integrate"}


LOADED_AFTERWARDS = """
import sys
from pathlib import Path
from numba.core.dispatcher import Dispatcher
from fettle.app.kernel_tasks import job_analysis
from fettle.app.kernel_tasks.file_analysis import judge_file
from fettle.app.options import JobOptions
from fettle.app.settings import Settings

job_analysis.warm_up()
loops = {
    f"{name}.{loop.py_func.__name__}": loop
    for name, module in list(sys.modules.items())
    if name.startswith("fettle.")
    for loop in vars(module).values()
    if isinstance(loop, Dispatcher) and loop.py_func.__module__ == name
}
before = {name: set(loop.overloads) for name, loop in loops.items()}
for path in map(Path, sys.argv[1:]):
    judge_file(path.read_bytes(), path.name, JobOptions(), Settings().size_bounds, "", (), say=lambda line: None)
print(len(loops), *(name for name, loop in loops.items() if set(loop.overloads) != before[name]))
"""
REAL_PARTS = (
    "machined/pockets/pockets_3.stp",
    "made/e3d/TC-PLATE_v1.2.step",
    "made/e3d/TC-RAMP-6MM_1.3.step",
    "made/e3d/Tool-Changer_Cover.step",
    "made/prusa-mini/MINI-display-box.stp",
    "made/prusa-mini/MINI-z-carriage-front.stp",
)
"""Between them they once loaded every loop that was not rehearsed."""


def test_real_parts_load_no_compiled_loop_after_the_rehearsal(corpus: Path) -> None:
    command = [sys.executable, "-c", LOADED_AFTERWARDS, *(str(corpus / part) for part in REAL_PARTS)]
    count, *loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert int(count) > 300
    assert loaded == []
