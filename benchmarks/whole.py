"""CPU time of everything that `fettle analyze --format json` does in a warm child, against the stock kernel (`floor`).

`whole` is the least CPU time in ms of several rounds on every real STEP part of the corpus, floor and whole in turns;
`ratio` is their quotient. The columns after it are the shares of the stages in percent of the whole: each stage counts
its own time without the stages inside it, and `other` is what is left, so that they sum to 100. `scene` is the tree for
rays with the sample points and what they see, `listed` the list of features with what was measured on them. The notes
count the parts that keep to what is aimed at, and name the others.

The second table has wall and CPU time in ms with one core and with two. Its `ratio` is the wall time with two cores
over the CPU time with one; `idle`, wall over CPU time with one core, is 1 on a machine that had nothing else to do.
"""

from __future__ import annotations

import gc
import hashlib
import json
import os
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
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

CORES_PARTS = (
    *PARTS,
    "made/prusa-mini/MINI-display-box.stp",
    "made/prusa-mini/MINI-y-plate-rear.stp",
    "made/prusa-mini/MINI-heatsink.stp",
    "made/e3d/TC-SHAFT_1.5.step",
    "made/e3d/TC-PLATE_v1.2.step",
    "made/analysis-situs/milled_005.stp",
)
"""Those timed with one core and with two."""
ROUNDS = 5
MANY_FACES, MOST_FLOORS = 150, 1.6
"""Aimed at: a part of so many faces takes at most so many times its floor."""
FEW_FACES, YARDSTICK, MOST_YARDSTICKS = 100, "pockets_3.stp", 8.0
"""Aimed at: a part of fewer faces takes at most so many times the floor of this one."""

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


@dataclass(frozen=True, slots=True)
class Timed:
    """Least times of a part, and the shares in percent of the stages of its fastest round."""

    name: str
    faces: int
    floor_ms: float
    whole_ms: float
    shares: dict[str, float]

    def row(self) -> tuple[str, ...]:
        ratio = self.whole_ms / self.floor_ms
        shares = (f"{share:.1f}" for share in self.shares.values())
        return self.name, str(self.faces), f"{self.floor_ms:.0f}", f"{self.whole_ms:.0f}", f"{ratio:.2f}", *shares


def tables() -> Iterator[Table]:
    warm_up()
    # as the fork server does: a collection would look at a quarter of a million objects of the bindings
    gc.collect()
    gc.freeze()
    stages = Stages()
    stages.watch()
    timed, refused = [], []
    for path in real_parts():
        try:
            timed.append(_timed(path, stages))
        except InputRefused as refusal:
            refused.append(f"{path.name}: refused, {refusal.code}")
    columns = ("part", "faces", "floor", "whole", "ratio", *STAGES, "other")
    yield Table("", columns, tuple(one.row() for one in timed), (*_aims(timed), *refused))
    if len(os.sched_getaffinity(0)) < cores.MOST:
        return
    columns = ("part", "wall, 1 core", "CPU, 1 core", "wall, 2 cores", "CPU, 2 cores", "ratio", "idle")
    rows = tuple(_cores_row(corpus() / name) for name in CORES_PARTS)
    yield Table("One core and two", columns, rows, ())


def _aims(timed: Sequence[Timed]) -> Iterator[str]:
    """How many parts of many and of few faces keep to what is aimed at, and which do not."""
    yardstick_ms = next(one.floor_ms for one in timed if one.name == YARDSTICK)
    many = [(one, one.whole_ms / one.floor_ms) for one in timed if one.faces >= MANY_FACES]
    few = [(one, one.whole_ms / yardstick_ms) for one in timed if one.faces < FEW_FACES]
    for parts, most, unit, size in (
        (many, MOST_FLOORS, "their floor", f"{MANY_FACES} faces and more"),
        (few, MOST_YARDSTICKS, f"the floor of {YARDSTICK}", f"fewer than {FEW_FACES} faces"),
    ):
        beyond = sorted((-times, one.name) for one, times in parts if times > most)
        named = "; ".join(f"{name} {-times:.2f}" for times, name in beyond)
        within = f"{len(parts) - len(beyond)} of {len(parts)} parts of {size} take at most {most:g} times {unit}"
        yield f"{within}; the others: {named}" if beyond else within


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


def _timed(path: Path, stages: Stages) -> Timed:
    data = path.read_bytes()
    faces = len(json.loads(whole(path, data))["features"]["roles_by_fid"])
    clock, shares = Clock(), {}
    for _ in range(ROUNDS):
        clock.time("floor", floor, data)
        stages.start()
        clock.time("whole", whole, path, data)
        spent = clock.spent_ms["whole"]
        if spent[-1] == min(spent):
            shares = {name: 100.0 * stages.spent_ms[name] / spent[-1] for name in STAGES}
    shares["other"] = 100.0 - sum(shares.values())
    return Timed(path.name, faces, clock.best_ms["floor"], clock.best_ms["whole"], shares)
