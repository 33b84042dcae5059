"""Thread candidates of a diameter, from `data/threads.yaml`: information, never a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources

import yaml

from fettle.recognize.tolerances import ROUNDING, ZERO

BLIND_DEPTH = 1.0
THROUGH_DEPTH = 0.8
"""Least depth, in nominal diameters, that a tapped hole has."""
SMALL_SIZE_MM = 6.0
SMALL_SLACK_MM = 0.05
LARGE_SLACK_MM = 0.10
"""Drill diameters agree within these, below and from `SMALL_SIZE_MM` on."""


@dataclass(frozen=True, slots=True)
class Thread:
    """`minor_mm`: range of the internal minor diameter; `major_mm`: range of the external major diameter."""

    name: str
    series: str
    nominal_mm: float
    drill_mm: float
    minor_mm: tuple[float, float]
    major_mm: tuple[float, float]


@cache
def thread_table() -> tuple[Thread, ...]:
    """All threads, best known series first: coarse metric, unified coarse, then fine."""
    text = resources.files("fettle.data").joinpath("threads.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=yaml.CSafeLoader)  # a file of our own: the parser in C has ten times the speed
    rank = {series: index for index, series in enumerate(data["series"])}
    rows = [
        Thread(
            name=str(row["name"]),
            series=str(row["series"]),
            nominal_mm=float(row["nominal_mm"]),
            drill_mm=float(row["drill_mm"]),
            minor_mm=(float(row["minor_mm"][0]), float(row["minor_mm"][1])),
            major_mm=(float(row["major_mm"][0]), float(row["major_mm"][1])),
        )
        for row in data["threads"]
    ]
    return tuple(sorted(rows, key=lambda row: (rank[row.series], row.nominal_mm)))


def hole_threads(diameter_mm: float, depth_mm: float, through: bool) -> tuple[str, ...]:
    """Threads that a plain hole of this size may be meant for, best first."""
    least = THROUGH_DEPTH if through else BLIND_DEPTH
    return tuple(row.name for row in _fitting(diameter_mm) if depth_mm >= least * row.nominal_mm - ROUNDING)


def boss_threads(diameter_mm: float) -> tuple[str, ...]:
    """Threads whose external major diameter this boss has, best first."""
    return tuple(row.name for row in thread_table() if row.major_mm[0] <= diameter_mm <= row.major_mm[1])


def modeled_threads(minor_mm: float, major_mm: float) -> tuple[str, ...]:
    """Threads of a modeled helix, by both its diameters, best first."""
    return tuple(
        row.name for row in _fitting(minor_mm) if row.major_mm[0] <= major_mm <= row.nominal_mm + LARGE_SLACK_MM
    )


@lru_cache(maxsize=256)
def _fitting(diameter_mm: float) -> tuple[Thread, ...]:
    """Threads cut into a hole of this diameter, best first; holes of a pattern ask for the same one."""
    return tuple(row for row in thread_table() if _fits_hole(row, diameter_mm))


def _fits_hole(row: Thread, diameter_mm: float) -> bool:
    slack = SMALL_SLACK_MM if row.nominal_mm < SMALL_SIZE_MM else LARGE_SLACK_MM
    at_drill = abs(diameter_mm - row.drill_mm) <= slack + ZERO
    return at_drill or row.minor_mm[0] <= diameter_mm <= row.minor_mm[1]
