"""Fit of the corpus to every process: is the process that made a part ranked first, by what margin, at what cost.

Parts under made/ were really manufactured; those under printed/ and machined/ are models of their kind, of which some
are drawn for another process than their folder says (`OWN`).
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor import Clock, corpus
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


def main() -> None:
    rows = measure(corpus())
    print(f"{'part':36} {'own':11} rank margin  " + " ".join(f"{name[:9]:>9}" for name in COLUMNS) + "  reason")
    maker = ""
    for row in rows:
        if row.maker != maker:
            maker = row.maker
            print(maker)
        by_process = {fit.process: fit for fit in row.fits}
        values = " ".join(f"{by_process[name].value:9.2f}" for name in COLUMNS)
        print(f"{row.name[:36]:36} {row.own:11} {row.rank:4} {row.margin:+6.2f}  {values}  {row.fits[0].reason}")
    for folder in FOLDERS:
        some = [row for row in rows if row.maker.startswith(folder)]
        print(f"{folder}: own process first on {sum(row.rank == 1 for row in some)} of {len(some)}")
    made = [row for row in rows if row.maker.startswith("made")]
    for process in COLUMNS:
        least, most = least_and_most(made, process)
        print(f"made, {process}: least on its own parts {least:.2f}, most on others {most:.2f}")
    print(f"cost over analysis: median {100 * statistics.median(row.cost for row in rows):.1f} %,", end=" ")
    print(f"most {100 * max(row.cost for row in rows):.1f} %")


if __name__ == "__main__":
    main()
