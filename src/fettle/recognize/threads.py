"""Thread candidates of a diameter, from `data/threads.yaml`: information, never a verdict."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

import yaml

from fettle.recognize.tolerances import ROUNDING, ZERO

COARSE, TRAPEZOIDAL = "coarse", "trapezoidal"
BLIND_DEPTH = 1.0
THROUGH_DEPTH = 0.8
"""Least depth, in nominal diameters, that a tapped hole has."""
SMALL_SIZE_MM = 6.0
SMALL_SLACK_MM = 0.05
LARGE_SLACK_MM = 0.10
"""Drill diameters agree within these, below and from `SMALL_SIZE_MM` on."""
SAME_PITCH = 0.02
"""Relative difference of a modeled pitch from that of the table."""
DRAWN_STEP_MM = 0.05
DRAWN_SLACK_MM = 2e-3
"""Diameters that are multiples of this, within the slack, are drawn for their own sake."""
FITTED_STEP_MM, CLEARANCE_MM = 0.5, 0.01
"""Diameters of bearings and pins, and what a seat for one is drawn smaller or larger."""
UNDERSIZE_MM = 0.02
"""Least difference of a bolt's diameter from the nominal one where a modeler has drawn it at mid tolerance."""


@dataclass(frozen=True, slots=True)
class Thread:
    """`minor_mm`: range of the internal minor diameter; `major_mm`: range of the external major diameter."""

    name: str
    series: str
    nominal_mm: float
    pitch_mm: float
    drill_mm: float
    minor_mm: tuple[float, float]
    major_mm: tuple[float, float]


@cache
def _table() -> Any:
    text = resources.files("fettle.data").joinpath("threads.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)  # a file of our own: the parser in C has ten times the speed


@cache
def _clearances() -> dict[float, tuple[float, float]]:
    """Diameters of clearance holes, fine and medium, by the nominal size of the screw."""
    return {float(size): (float(row[0]), float(row[1])) for size, row in _table()["clearance_mm"].items()}


@cache
def thread_table() -> tuple[Thread, ...]:
    """All threads, best known series first: coarse metric, unified coarse, fine, then trapezoidal."""
    data = _table()
    rank = {series: index for index, series in enumerate(data["series"])}
    rows = [
        Thread(
            name=str(row["name"]),
            series=str(row["series"]),
            nominal_mm=float(row["nominal_mm"]),
            pitch_mm=float(row["pitch_mm"]),
            drill_mm=float(row["drill_mm"]),
            minor_mm=(float(row["minor_mm"][0]), float(row["minor_mm"][1])),
            major_mm=(float(row["major_mm"][0]), float(row["major_mm"][1])),
        )
        for row in data["threads"]
    ]
    return tuple(sorted(rows, key=lambda row: (rank[row.series], row.nominal_mm)))


@lru_cache(maxsize=256)
def hole_threads(diameter_mm: float, depth_mm: float, through: bool) -> tuple[str, ...]:
    """Threads that a plain hole of this size may be meant for, best first. A screw's own size and its clearance hole
    count only where they are the tap drill of a coarse thread of first choice, or, but for the medium clearance hole,
    of a fine one."""
    least = THROUGH_DEPTH if through else BLIND_DEPTH
    fitting = [row for row in _fitting(diameter_mm) if row.series != TRAPEZOIDAL]
    screw = next((size for size in _clearances() if _is_drawn(diameter_mm, (size, *_clearances()[size]))), None)
    if screw is not None:
        drilled = [row for row in fitting if _is_drawn(diameter_mm, (row.drill_mm,))]
        if not any(row.series == COARSE for row in drilled):
            fitting = [] if _is_drawn(diameter_mm, _clearances()[screw][1:]) else drilled
    return tuple(row.name for row in fitting if depth_mm >= least * row.nominal_mm - ROUNDING)


def stepped_threads(diameter_mm: float, depth_mm: float, through: bool) -> tuple[str, ...]:
    """Threads that the narrowest stage of a stepped hole may be meant for, best first: only where it is drawn as the
    drill of a coarse thread or at the middle of a thread's tolerance, since most stepped holes are for screws."""
    sized = sized_nut(diameter_mm)
    drilled = {row.name for row in thread_table() if row.series == COARSE and _is_drawn(diameter_mm, (row.drill_mm,))}
    found = hole_threads(diameter_mm, depth_mm, through)
    if any(_is_drawn(diameter_mm, (size,)) for size in _clearances()):
        return ()
    return tuple(name for name in found if name in drilled or (sized is not None and name == sized.name))


def tapped_threads(drill_mm: float, major_mm: float) -> tuple[str, ...]:
    """Threads of a tap drill with a wider cylinder at the thread's major diameter over it, best first."""
    return tuple(
        row.name
        for row in _fitting(drill_mm)
        if row.series != TRAPEZOIDAL and abs(major_mm - row.nominal_mm) <= SMALL_SLACK_MM
    )


def boss_threads(diameter_mm: float) -> tuple[str, ...]:
    """Threads whose external major diameter this boss has, best first."""
    return tuple(
        row.name
        for row in thread_table()
        if row.series != TRAPEZOIDAL and row.major_mm[0] <= diameter_mm <= row.major_mm[1]
    )


def modeled_threads(minor_mm: float, major_mm: float) -> tuple[str, ...]:
    """Threads of a modeled helix, by both its diameters, best first."""
    return tuple(row.name for row in _fitting(minor_mm) if row.major_mm[0] <= major_mm <= _largest_mm(row))


def _largest_mm(row: Thread) -> float:
    """Largest major diameter of a modeled helix, nuts included."""
    return max(row.nominal_mm + LARGE_SLACK_MM, row.major_mm[1])


def _is_drawn(diameter_mm: float, sizes_mm: Iterable[float]) -> bool:
    """Whether a diameter is drawn at one of some sizes."""
    return any(abs(diameter_mm - size) < DRAWN_SLACK_MM for size in sizes_mm)


def modeled_bolts(major_mm: float, pitch_mm: float) -> tuple[str, ...]:
    """Threads of a modeled helix around a shaft, by its major diameter and pitch, best first."""
    return tuple(
        row.name
        for row in thread_table()
        if row.major_mm[0] <= major_mm <= _largest_mm(row) and abs(pitch_mm - row.pitch_mm) <= SAME_PITCH * row.pitch_mm
    )


def sized_bolt(diameter_mm: float) -> Thread | None:
    """The thread that a shaft is drawn for at the middle of its tolerance; None where its diameter is ordinary."""
    if _is_ordinary(diameter_mm):
        return None
    rows = (
        row
        for row in thread_table()
        if row.series != TRAPEZOIDAL and row.major_mm[0] <= diameter_mm < row.nominal_mm - UNDERSIZE_MM
    )
    return next(rows, None)


def sized_nut(diameter_mm: float) -> Thread | None:
    """The thread that a bore is drawn for at the middle of its tolerance; None where its diameter is ordinary."""
    if _is_ordinary(diameter_mm):
        return None
    rows = (
        row for row in thread_table() if row.series != TRAPEZOIDAL and row.minor_mm[0] <= diameter_mm <= row.minor_mm[1]
    )
    return next(rows, None)


def _is_ordinary(diameter_mm: float) -> bool:
    """Whether a diameter is one that people draw: a multiple of 0.05 mm or of 1/64 inch, or the seat of a bearing or
    pin, which is a hundredth beside a multiple of 0.5 mm."""
    sizes = (
        *((diameter_mm, step) for step in (DRAWN_STEP_MM, 25.4 / 64)),
        *((diameter_mm + clearance, FITTED_STEP_MM) for clearance in (-CLEARANCE_MM, CLEARANCE_MM)),
    )
    return any(abs(size - round(size / step) * step) < DRAWN_SLACK_MM for size, step in sizes)


@lru_cache(maxsize=256)
def _fitting(diameter_mm: float) -> tuple[Thread, ...]:
    """Threads cut into a hole of this diameter, best first; holes of a pattern ask for the same one."""
    return tuple(row for row in thread_table() if _fits_hole(row, diameter_mm))


def _fits_hole(row: Thread, diameter_mm: float) -> bool:
    slack = SMALL_SLACK_MM if row.nominal_mm < SMALL_SIZE_MM else LARGE_SLACK_MM
    at_drill = abs(diameter_mm - row.drill_mm) <= slack + ZERO
    return at_drill or row.minor_mm[0] <= diameter_mm <= row.minor_mm[1]
