"""The processes whose fit is measured; a new one is a function here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from fettle.fit import additive, casting, cnc, injection, sheet_metal, turning
from fettle.fit.evidence import Evidence, gather
from fettle.fit.terms import Fit

if TYPE_CHECKING:
    from fettle.analysis import Analysis


class ProcessFit(Protocol):
    def __call__(self, evidence: Evidence, /) -> Fit: ...


PROCESSES: dict[str, ProcessFit] = {
    cnc.PROCESS: cnc.fit_cnc,
    turning.PROCESS: turning.fit_turning,
    sheet_metal.PROCESS: sheet_metal.fit_sheet_metal,
    injection.PROCESS: injection.fit_injection,
    casting.PROCESS: casting.fit_casting,
    additive.PROCESS: additive.fit_additive,
}
"""By key; equal fits rank in this order."""


def measure_fit(analysis: Analysis) -> tuple[Fit, ...]:
    """The fit of every process, best first. Depends on the shape alone: not on its place, its turn or the pull."""
    fault = find_fault(analysis)
    if fault is not None:
        return tuple(Fit(process, 0.0, fault) for process in PROCESSES)
    evidence = gather(analysis)
    return tuple(sorted((fit(evidence) for fit in PROCESSES.values()), key=lambda fit: -fit.value))


def find_fault(analysis: Analysis) -> str | None:
    """Why no fit can be measured on the part, None where it can."""
    part = analysis.part
    if math.isnan(part.volume_mm3) or math.isnan(part.area_mm2):
        return "Volume or area of the part could not be told; the warnings say why."
    if not part.bodies or not part.volume_mm3 > 0.0:
        return "The part is no closed solid."
    if not math.isfinite(part.area_mm2) or not bool((analysis.thickness.value_mm > 0.0).any()):
        return "No wall thickness could be measured."
    return None
