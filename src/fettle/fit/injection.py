"""Injection molding: a shell of thin, even walls that leave the mold by draft or rounded edges."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.terms import Fit, Term, combine, falling, percent, rising

PROCESS = "injection"
THINNEST_MM = (0.4, 0.7)
"""Resins flow through 0.7 (ABS, PP, POM guides: 0.64 to 1.14)."""
THICKEST_MM = (3.8, 6.0)
"""Resins end at 3.8; from 6 on the wall sinks and takes minutes to cool."""
EVEN = (0.25, 0.65)
"""Share of the area within a factor of 1.5 of the median thickness: ribs, bosses and snap fits take the rest."""
SHELL = (4.0, 10.0)
"""Side in thicknesses: from a chunk to a thin-walled part."""
PLAIN = 0.3
"""Left of the fit where nothing is drawn for a mold."""


def fit_injection(evidence: Evidence) -> Fit:
    walls = evidence.walls
    thin = rising(walls.median_mm, *THINNEST_MM) * falling(walls.median_mm, *THICKEST_MM)
    return combine(
        PROCESS,
        f"Molded part with walls of {walls.median_mm:.3g} mm",
        (
            Term(
                PLAIN + (1.0 - PLAIN) * evidence.molded,
                evidence.mold_signs,
                main=True,
            ),
            Term(thin, f"the wall is {walls.median_mm:.3g} mm", main=True),
            Term(
                rising(walls.even_share, *EVEN),
                f"{percent(walls.even_share)} of the surface has nearly the wall of {walls.median_mm:.3g} mm",
            ),
            Term(rising(evidence.slenderness, *SHELL), f"its sides are about {evidence.slenderness:.0f} walls long"),
            Term(0.0 if evidence.hollow else 1.0, "it has a closed void inside"),
        ),
    )
