"""Casting: thick sections that run into each other in fillets, with draft."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.terms import Fit, Term, combine, percent, rising

PROCESS = "casting"
THICK_MM = (2.5, 5.0)
"""Sand needs 3 to 5; thinner metal is cast by investment only."""
ROUNDED = (0.30, 0.70)
"""Share of the length of edges that is rounded: machined faces of a casting keep sharp borders."""
EVEN = (0.20, 0.50)
"""Share of the area within a factor of 1.5 of the median thickness: sections change slowly."""
PLAIN = 0.5
"""Left of the fit without draft, which a lost pattern does not need."""


def fit_casting(evidence: Evidence) -> Fit:
    walls = evidence.walls
    return combine(
        PROCESS,
        f"Casting with sections of {walls.median_mm:.3g} mm",
        (
            Term(
                rising(evidence.blended_share, *ROUNDED),
                f"{percent(evidence.blended_share)} of the edges are rounded",
                main=True,
            ),
            Term(
                PLAIN + (1.0 - PLAIN) * evidence.draft,
                f"{percent(evidence.drafted.drafted_share)} of the surface has draft",
            ),
            Term(rising(walls.median_mm, *THICK_MM), f"the sections are {walls.median_mm:.3g} mm thick", main=True),
            Term(1.0 - evidence.sharp, f"{evidence.corners.sharp:.0f} inside corners are sharp"),
            Term(rising(walls.even_share, *EVEN), "sections change abruptly"),
            Term(0.0 if evidence.hollow else 1.0, "it has a closed void inside"),
        ),
    )
