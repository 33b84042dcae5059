"""Fit of the corpus to every process: is the process that made a part ranked first, by what margin, at what cost.

Parts under made/ were really manufactured; those under printed/ and machined/ are models of their kind, of which some
are drawn for another process than their folder says (`OWN`).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor import Clock, corpus
from benchmarks.table import Table
from fettle.analysis import analyze
from fettle.fit import Fit, measure_fit
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine

FOLDERS = ("made", "printed", "machined")
OWN = {
    "turning": ("TC-SHAFT", "TC-DOCK-PIN", "TC-MOD0.5", "filament-spur", "custom_shaft", "transmission_pulley"),
    "sheet-metal": ("bearing-clip", "rear_camera_mount", "nist_ctc_03"),
    "cnc": (
        *("TC-BACK", "TC-FACE", "TC-PLATE", "TC-DOCK-V6", "TC-HE-V6", "TC-MOTOR-BRACKET", "TC-RECIEVER", "TC-RAMP"),
        *("y-carriage", "heatsink", "milled_", "nist_ctc", "pockets_", "chamfer_", "featuretype"),
    ),
}
"""Parts by what their file names contain; all others are printed."""
LEFT_OUT = ("916 Metal Button",)
"""An assembly of bought parts."""
COLUMNS = ("cnc", "turning", "sheet-metal", "injection", "casting", "additive")


@dataclass(frozen=True, slots=True)
class Row:
    """`maker`: folder of the file; `fits`: best first; `cost`: CPU time of the fit over that of the analysis."""

    maker: str
    name: str
    own: str
    fits: tuple[Fit, ...]
    cost: float

    @property
    def rank(self) -> int:
        return [fit.process for fit in self.fits].index(self.own) + 1

    @property
    def margin(self) -> float:
        own = next(fit.value for fit in self.fits if fit.process == self.own)
        return own - max(fit.value for fit in self.fits if fit.process != self.own)


def own_process(name: str) -> str:
    return next((process for process, words in OWN.items() if any(word in name for word in words)), "additive")


def measure(folder: Path) -> list[Row]:
    files = [path for kind in FOLDERS for path in sorted((folder / kind).rglob("*")) if _is_part(path)]
    return [_row(folder, path) for path in files]


def _is_part(path: Path) -> bool:
    return path.suffix.lower() in {".step", ".stp"} and path.stem not in LEFT_OUT


def _row(folder: Path, path: Path) -> Row:
    model, clock = load(path.read_bytes(), path.name), Clock()
    analysis = clock.time("analyze", lambda: analyze(model.part, refine(model.mesh, model.part, model.options)))
    for _ in range(3):
        fits = clock.time("fit", measure_fit, analysis)
    spent = clock.best_ms
    maker = "/".join(path.relative_to(folder).parts[:-1])
    return Row(maker, path.stem, own_process(path.name), fits, spent["fit"] / spent["analyze"])


def least_and_most(rows: list[Row], process: str) -> tuple[float, float]:
    """The least fit of a process on parts of its own, and the most on the others of which it is no maker."""
    own = [fit.value for row in rows for fit in row.fits if row.own == process == fit.process]
    others = [fit.value for row in rows for fit in row.fits if row.own != process == fit.process]
    return min(own, default=float("nan")), max(others, default=float("nan"))


def tables() -> Iterator[Table]:
    rows = measure(corpus())
    yield Table(
        "",
        ("part", "maker", "own", "rank", "margin", *COLUMNS),
        tuple((row.name, row.maker, row.own, str(row.rank), f"{row.margin:+.2f}", *_values(row)) for row in rows),
        tuple(f"{folder}: own process first on {_first(rows, folder)}." for folder in FOLDERS),
    )
    made = [row for row in rows if row.maker.startswith("made")]
    extremes = ((process, *least_and_most(made, process)) for process in COLUMNS)
    cost = [row.cost for row in rows]
    yield Table(
        "Parts really made",
        ("process", "least fit of its own parts", "most of others"),
        tuple((process, f"{least:.2f}", f"{most:.2f}") for process, least, most in extremes),
        (f"Fit over analysis, CPU: median {100 * statistics.median(cost):.1f} %, most {100 * max(cost):.1f} %.",),
    )


def _values(row: Row) -> tuple[str, ...]:
    by_process = {fit.process: fit.value for fit in row.fits}
    return tuple(f"{by_process[name]:.2f}" for name in COLUMNS)


def _first(rows: list[Row], folder: str) -> str:
    some = [row.rank == 1 for row in rows if row.maker.startswith(folder)]
    return f"{sum(some)} of {len(some)}"
