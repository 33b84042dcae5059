"""SHOULDER: a flat ring or end face of a turned part, square to its axis."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

SHOULDER = Role(24, "Shoulder")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shoulder(Feature):
    """A plane that a lathe faces."""

    kind: ClassVar[str] = "SHOULDER"

    outer_diameter_mm: Annotated[float, "Outer diameter of the ring."]
    inner_diameter_mm: Annotated[float, "Inner diameter of the ring, 0 where it reaches the axis."]
    z_mm: Annotated[float, "Place along the part's axis."]
    end: Annotated[bool, "Whether it is an end of the part."]


KIND = FeatureKind(
    feature_class=Shoulder,
    roles=(SHOULDER,),
    color="#d4d9df",
    about="A flat ring between two diameters of a turned part, or its end face, square to the axis. Steps inside a "
    "bore belong to the hole.",
    selector="shoulders",
    selects="Flat rings and end faces of a turned part, square to its axis.",
    dimensions=(field_dimension("shoulder.outer_diameter", "outer_diameter_mm", "Outer diameter of the shoulder."),),
    recognizers=(
        Recognizer(
            name="shoulders",
            function="fettle.recognize.turning.shoulders:find_shoulders",
            needs=("contracted", "turned", "taken"),
            yields_to=("flats",),
            claims=(SHOULDER,),
        ),
    ),
)
