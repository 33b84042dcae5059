"""Milling from solid: inside corners that a cutter leaves, plain surfaces, a good part of the block kept."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.sheet_metal import fit_sheet_metal
from fettle.fit.terms import Fit, Term, combine, counted, percent

PROCESS = "cnc"
CHIPS = 0.6
"""Share of the fit lost where a block becomes chips."""
SCULPTED = 0.6
"""Share of the fit lost on surfaces that a ball-nose cutter follows line by line."""
BY_MOLD = 0.6
"""Share of the fit lost on parts drawn for a mold: no square cutter leaves draft."""
BY_LATHE = 0.6
"""Share of the fit lost where a lathe makes the part."""
BY_SHEET = 0.6
"""Share of the fit lost where the part is sheet."""


def fit_cnc(evidence: Evidence) -> Fit:
    sheet = fit_sheet_metal(evidence).value
    return combine(
        PROCESS,
        "Part milled from solid",
        (
            Term(
                1.0 - evidence.sharp,
                f"{counted(round(evidence.corners.sharp), 'sharp inside corner')} that a cutter cannot leave",
                main=True,
            ),
            Term(1.0 - CHIPS * evidence.chips, f"{percent(evidence.block_fill)} of the block remains", main=True),
            Term(
                1.0 - SCULPTED * evidence.sculpted,
                f"{percent(evidence.doubly_curved_share)} of the surface is curved both ways",
            ),
            Term(1.0 - BY_MOLD * evidence.molded, evidence.mold_signs),
            Term(
                1.0 - BY_LATHE * evidence.revolved,
                f"{percent(evidence.revolution.share)} of the surface is a lathe's work",
            ),
            Term(1.0 - BY_SHEET * sheet, "it is cut from sheet"),
            Term(0.0 if evidence.hollow else 1.0, "it has a closed void inside"),
        ),
    )
