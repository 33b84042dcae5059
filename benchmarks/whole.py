"""CPU time of everything that `fettle analyze --format json` does in a warm child, against the stock kernel (`floor`).

`whole` is the least CPU time in ms of several rounds on real parts, floor and whole in turns; `ratio` is their
quotient. The columns after it are the shares of the stages in percent of the whole: each stage counts its own time
without the stages inside it, and `other` is what is left, so that they sum to 100. `scene` is the tree for rays with
the sample points and what they see, `listed` the list of features with what was measured on them. The floor reads STEP
files only.

The second table has wall and CPU time in ms with one core and with two. Its `ratio` is the wall time with two cores
over the CPU time with one; `idle`, wall over CPU time with one core, is 1 on a machine that had nothing else to do.

    python -m benchmarks whole              the parts of `WHOLE_PARTS`
    FETTLE_WHOLE=all python -m benchmarks whole     every real STEP part of the corpus
"""

from __future__ import annotations

import gc
import hashlib
import os
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks.floor import PARTS, Clock, corpus, floor, real_parts
from benchmarks.table import Table
from fettle import cores
from fettle.app.kernel_tasks.file_analysis import encode_file
from fettle.app.kernel_tasks.job_analysis import warm_up
from fettle.app.options import JobOptions
from fettle.app.settings import Settings
from fettle.cli.formats import json as json_format
from fettle.cli.outcome import Outcome
from fettle.errors import InputRefused

WHOLE_PARTS = (
    *PARTS,
    "made/prusa-mini/MINI-display-box.stp",
    "made/prusa-mini/MINI-y-plate-rear.stp",
    "made/prusa-mini/MINI-heatsink.stp",
    "made/e3d/TC-SHAFT_1.5.step",
    "made/e3d/TC-PLATE_v1.2.step",
    "made/analysis-situs/milled_005.stp",
)
ROUNDS = 5

STAGES = {
    "read": ("fettle.app.kernel_tasks.file_analysis.load",),
    "mesh": ("fettle.geometry.kernel.shape_to_part.tessellate",),
    "pmi": ("fettle.geometry.kernel.step_pmi.with_pmi", "fettle.app.build_result.pmi_report"),
    "refine": ("fettle.assembly.refine",),
    "bodies": ("fettle.app.kernel_tasks.measuring.refine_model",),
    "scene": ("fettle.analysis.prepare", "fettle.analysis._new_visibility"),
    "recog": ("fettle.analysis.recognize",),
    "walls": ("fettle.analysis.measure_walls",),
    "draft": ("fettle.analysis._measure_fields_along_pull",),
    "mold": ("fettle.analysis.measure_mold_draft",),
    "access": ("fettle.analysis.measure_access",),
    "build": ("fettle.analysis.search_build_direction", "fettle.analysis.measure_overhang"),
    "cavity": ("fettle.analysis.find_cavities",),
    "rules": ("fettle.app.build_result.judge_module", "fettle.app.build_result.judge_bodies"),
    "fit": ("fettle.app.build_result.rank_processes", "fettle.app.build_result.rank_file"),
    "flat": (
        "fettle.rules.flat_shape.unfold",
        "fettle.app.flats.unfolding.usual_flat",
        "fettle.app.build_result.usual_flat",
    ),
    "making": ("fettle.app.build_result.making_facts",),
    "listed": ("fettle.app.build_result.features_of",),
    "json": ("fettle.app.build_result.EncodedResult.hashed", "fettle.cli.formats.json.write"),
}
"""Functions of each stage, by the names under which they are called."""


class Stages:
    """CPU time in ms of the stages of one run, each without those inside it."""

    def __init__(self) -> None:
        self.spent_ms: dict[str, float] = dict.fromkeys(STAGES, 0.0)
        self._inside: list[float] = [0.0]

    def watch(self) -> None:
        """Time every function of `STAGES` from now on."""
        for stage, names in STAGES.items():
            for name in names:
                owner, called = _owner(name)
                setattr(owner, called, self._timed(stage, getattr(owner, called)))

    def start(self) -> None:
        self.spent_ms = dict.fromkeys(STAGES, 0.0)

    def _timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*given: Any, **named: Any) -> Any:
            self._inside.append(0.0)
            start = time.process_time()
            try:
                return work(*given, **named)
            finally:
                spent = 1e3 * (time.process_time() - start)
                self.spent_ms[stage] += spent - self._inside.pop()
                self._inside[-1] += spent

        return timed


def _owner(name: str) -> tuple[Any, str]:
    """The module or class that holds a function of this full name, and the function's own name."""
    path, _, called = name.rpartition(".")
    try:
        return import_module(path), called
    except ModuleNotFoundError:
        module, _, holder = path.rpartition(".")
        return getattr(import_module(module), holder), called


BOUNDS = Settings().size_bounds
"""Read once, as by a command or a worker: a child is told them."""


def whole(path: Path, data: bytes) -> str:
    """The text that the command prints of a file."""
    digest = hashlib.sha256(data).hexdigest()
    found = encode_file(data, path.name, JobOptions(), BOUNDS, digest, (), say=lambda line: None)
    return json_format.write([Outcome(str(path), result=found.result, as_json=found.shown)], [()], [0])


def tables() -> Iterator[Table]:
    is_all = os.environ.get("FETTLE_WHOLE") == "all"
    paths = real_parts() if is_all else [corpus() / name for name in WHOLE_PARTS]
    warm_up()
    # as the fork server does: a collection would look at a quarter of a million objects of the bindings
    gc.collect()
    gc.freeze()
    stages = Stages()
    stages.watch()
    rows, analyzed, refused = [], [], []
    for path in paths:
        try:
            rows.append(_row(path, stages))
            analyzed.append(path)
        except InputRefused as refusal:
            refused.append(f"{path.name}: refused, {refusal.code}")
    columns = ("part", "floor", "whole", "ratio", *STAGES, "other")
    yield Table("", columns, tuple(rows), tuple(refused))
    if len(os.sched_getaffinity(0)) < cores.MOST:
        return
    columns = ("part", "wall, 1 core", "CPU, 1 core", "wall, 2 cores", "CPU, 2 cores", "ratio", "idle")
    yield Table("One core and two", columns, tuple(_cores_row(path) for path in analyzed), ())


def _cores_row(path: Path) -> tuple[str, ...]:
    data = path.read_bytes()
    wall_ms: dict[int, list[float]] = {1: [], cores.MOST: []}
    clock = Clock()
    try:
        for _ in range(ROUNDS):
            for count, spent in wall_ms.items():
                cores.allow(count)
                start = time.perf_counter()
                clock.time(str(count), whole, path, data)
                spent.append(1e3 * (time.perf_counter() - start))
    finally:
        cores.allow(1)
    (one_wall, one_cpu), (two_wall, two_cpu) = ((min(wall_ms[count]), clock.best_ms[str(count)]) for count in wall_ms)
    times = (f"{spent:.0f}" for spent in (one_wall, one_cpu, two_wall, two_cpu))
    return path.name, *times, f"{two_wall / one_cpu:.2f}", f"{one_wall / one_cpu:.2f}"


def _row(path: Path, stages: Stages) -> tuple[str, ...]:
    data = path.read_bytes()
    whole(path, data)
    clock, shares = Clock(), {}
    for _ in range(ROUNDS):
        clock.time("floor", floor, data)
        stages.start()
        clock.time("whole", whole, path, data)
        spent = clock.spent_ms["whole"]
        if spent[-1] == min(spent):
            shares = {name: 100.0 * stages.spent_ms[name] / spent[-1] for name in STAGES}
    best = clock.best_ms
    shares["other"] = 100.0 - sum(shares.values())
    ratio = best["whole"] / best["floor"]
    figures = (f"{share:.1f}" for share in shares.values())
    return path.name, f"{best['floor']:.0f}", f"{best['whole']:.0f}", f"{ratio:.2f}", *figures
