"""Printing: makes anything, and is chosen for sharp inside corners, sculpted shapes and parts of little material."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.sheet_metal import fit_sheet_metal
from fettle.fit.terms import Fit, Term, combine, counted, either, falling, percent

PROCESS = "additive"
ANYTHING = 0.4
"""Fit of a part that shows no reason for printing: it can be printed, and has cheaper processes."""
CHIPS_WEIGHT = 0.5
"""A part of little material in its block is as often bent or molded as printed."""
SCULPTED_WEIGHT = 0.5
"""A sculpted part is as often milled or cast as printed."""
BY_MOLD = 0.6
"""Share of the fit lost on parts drawn for a mold: draft is work that a printer does not ask for."""
BY_LATHE = 0.6
"""Share of the fit lost where a lathe makes the part."""
CHAMBER_MM = (350.0, 700.0)
"""Longest side: what common printers hold, and what none but a few hold."""
BY_SHEET = 0.6
"""Share of the fit lost where the part is sheet."""


def fit_additive(evidence: Evidence) -> Fit:
    reasons = (
        (evidence.sharp, f"{counted(round(evidence.corners.sharp), 'sharp inside corner')} that a cutter cannot leave"),
        (CHIPS_WEIGHT * evidence.chips, f"only {percent(evidence.block_fill)} of its block is material"),
        (
            SCULPTED_WEIGHT * evidence.sculpted,
            f"{percent(evidence.doubly_curved_share)} of the surface is curved both ways",
        ),
        (1.0 if evidence.hollow else 0.0, "it has a closed void inside"),
    )
    weight = either(*(reason[0] for reason in reasons))
    leading = max(reasons, key=lambda reason: reason[0])[1]
    return combine(
        PROCESS,
        "Printed part",
        (
            Term(
                ANYTHING + (1.0 - ANYTHING) * weight,
                leading if weight else "nothing in its shape needs printing",
                main=True,
            ),
            Term(1.0 - BY_MOLD * evidence.molded, evidence.mold_signs),
            Term(
                1.0 - BY_LATHE * evidence.revolved,
                f"{percent(evidence.revolution.share)} of the surface is a lathe's work",
            ),
            Term(falling(evidence.longest_mm, *CHAMBER_MM), f"it is {evidence.longest_mm:.0f} mm long"),
            Term(1.0 - BY_SHEET * fit_sheet_metal(evidence).value, "it is cut from sheet"),
        ),
    )
