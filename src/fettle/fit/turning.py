"""Turning: surfaces of revolution about one axis; gears and knurls are cut into a turned blank."""

from __future__ import annotations

from fettle.fit.evidence import Evidence
from fettle.fit.terms import Fit, Term, combine, percent

PROCESS = "turning"
BY_MOLD = 0.7
"""Share of the fit lost on drafted parts: round caps and knobs are molded."""


def fit_turning(evidence: Evidence) -> Fit:
    found = evidence.revolution
    teeth = f" or one of {found.teeth} equal teeth and flats around it" if found.teeth else ""
    return combine(
        PROCESS,
        "Turned part",
        (
            Term(
                evidence.round,
                f"{percent(found.share)} of the surface is of revolution about one axis{teeth}",
                main=True,
            ),
            Term(evidence.clear_bore, f"{percent(found.ribbed_share)} of the surface lies between ribs inside a bore"),
            Term(1.0 - BY_MOLD * evidence.draft, f"{percent(evidence.drafted.drafted_share)} of the surface has draft"),
            Term(0.0 if evidence.hollow else 1.0, "it has a closed void inside"),
        ),
    )
