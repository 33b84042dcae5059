"""KNURL: fine teeth rolled into a diameter of a turned part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

KNURL = Role(33, "Knurl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Knurl(Feature):
    """Straight or slanted knurls around the axis."""

    kind: ClassVar[str] = "KNURL"

    diameter_mm: Annotated[float, "Outer diameter of the knurl."]
    pitch_mm: Annotated[float, "Distance of two crests around the diameter."]
    count: Annotated[int, "Number of crests."]
    length_mm: Annotated[float, "Length along the axis."]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]


KIND = FeatureKind(
    feature_class=Knurl,
    roles=(KNURL,),
    color="#300000",
    about="Crests around a diameter of a turned part whose flanks meet in edges, with a pitch of at most 1.6 mm "
    "(DIN 82). A knurl is rolled or cut by wheels, so none of its flanks is a feature of its own.",
    selector="knurls",
    selects="Knurls around a diameter of a turned part.",
    dimensions=(field_dimension("knurl.pitch", "pitch_mm", "Distance of two crests of the knurl."),),
    recognizers=(
        Recognizer(
            name="knurls",
            function="fettle.recognize.turning.gears:find_knurls",
            needs=("graph", "turned", "toothed", "confidence"),
            yields_to=("gears",),
            claims=(KNURL,),
        ),
    ),
)
