"""Sheet metal: one thin thickness, flat or bent, cut right through."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.terms import Fit, Term, combine, counted, falling, percent, rising

PROCESS = "sheet-metal"
FLAT_ONE_THICKNESS = (0.60, 0.90)
"""Share of the area at the sheet's thickness in a flat piece."""
BENT_ONE_THICKNESS = (0.40, 0.75)
"""The same in a bent one: press nuts, collars and hems are thicker, and bends already say what it is."""
FLAT_GAUGE_MM = (3.0, 6.0)
"""Flat blanks: sheet up to the first, plate from the second on."""
BENT_GAUGE_MM = (4.0, 8.0)
"""Press brakes of a job shop: what is bent is sheet up to more."""
FLAT_SLENDERNESS = (10.0, 25.0)
"""Side in thicknesses: a flat piece below the first is a block or a plate."""
BENT_SLENDERNESS = (5.0, 12.0)
FLAT_BLIND = (0.0, 4.0)
"""Blind features in a flat piece: a laser or a punch cuts right through, a mill makes the rest."""
BENT_BLIND = (4.0, 24.0)
"""The space between flanges is sometimes taken for a pocket."""
NEITHER = 0.1
"""Left of the fit when the part is neither flat nor bent."""


def fit_sheet_metal(evidence: Evidence) -> Fit:
    walls, bent = evidence.walls, evidence.bends > 0
    shape = (
        f"it has {counted(evidence.bends, 'bend')}"
        if bent
        else "it is flat"
        if evidence.flat
        else "it is neither flat nor bent"
    )
    return combine(
        PROCESS,
        f"{'Bent' if bent else 'Flat'} sheet of {walls.main_mm:.3g} mm",
        (
            Term(
                rising(walls.main_share, *(BENT_ONE_THICKNESS if bent else FLAT_ONE_THICKNESS)),
                f"{percent(walls.main_share)} of the surface has one thickness of {walls.main_mm:.3g} mm",
                main=True,
            ),
            Term(1.0 if bent or evidence.flat else NEITHER, shape, main=True),
            Term(
                falling(walls.main_mm, *(BENT_GAUGE_MM if bent else FLAT_GAUGE_MM)),
                f"{walls.main_mm:.3g} mm is thick for sheet",
            ),
            Term(
                rising(evidence.slenderness, *(BENT_SLENDERNESS if bent else FLAT_SLENDERNESS)),
                f"its sides are only about {evidence.slenderness:.0f} times its thickness",
            ),
            Term(
                falling(evidence.blind, *(BENT_BLIND if bent else FLAT_BLIND)),
                f"{counted(evidence.blind, 'feature')} end inside the thickness",
            ),
            Term(1.0 - evidence.draft, f"{percent(evidence.drafted.drafted_share)} of the surface has draft"),
            Term(0.0 if evidence.hollow else 1.0, "it has a closed void inside"),
        ),
    )
