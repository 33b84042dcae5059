"""What ROUND and FILLET have in common: their dimensions, and the recognizer that lists both in one order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from fettle.recognize.declarations import Recognizer
from fettle.recognize.feature import Feature, Role

ROUND = Role(14, "Round")
FILLET = Role(15, "Fillet")


@dataclass(frozen=True, slots=True, kw_only=True)
class Blend(Feature):
    """A blend between two supports, of constant or variable radius."""

    radius_mm: Annotated[float, "Radius; the smallest where it varies along the blend."]
    max_radius_mm: Annotated[float, "Largest radius; equal to `radius_mm` where the radius is constant."]
    length_mm: Annotated[float, "Length along the blend."]
    extent_deg: Annotated[float, "Angle by which the surface turns from one support to the other."]
    support_faces: Annotated[tuple[int, ...], "The faces that the blend joins; empty at a corner where blends meet."]


BLEND_FEATURES = Recognizer(
    name="blend_features",
    function="fettle.recognize.blends:blend_claims",
    needs=("graph", "blends", "gears", "knurls", "confidence"),
    yields_to=("bosses",),
    claims=(ROUND, FILLET),
)
"""Lists every blend as a ROUND or a FILLET, in the order of its region."""
