"""TAPER: a cone of the outside of a turned part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

TAPER = Role(25, "Taper")


@dataclass(frozen=True, slots=True, kw_only=True)
class Taper(Feature):
    """A cone of the outside of a turned part that is no chamfer."""

    kind: ClassVar[str] = "TAPER"

    large_diameter_mm: Annotated[float, "Diameter at its wide end."]
    small_diameter_mm: Annotated[float, "Diameter at its narrow end, 0 for a point."]
    length_mm: Annotated[float, "Length along the axis."]
    angle_deg: Annotated[float, "Full angle of the cone."]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]


KIND = FeatureKind(
    feature_class=Taper,
    roles=(TAPER,),
    color="#f0f018",
    about="A cone of the outside of a turned part. A narrow cone that only breaks an edge is a chamfer; a cone in a"
    " bore is a stage of the hole.",
    selector="tapers",
    selects="Cones of the outside of a turned part.",
    dimensions=(
        field_dimension("taper.angle", "angle_deg", "Full angle of the taper."),
        field_dimension("taper.length", "length_mm", "Length of the taper along the axis."),
    ),
    recognizers=(
        Recognizer(
            name="tapers",
            function="fettle.recognize.turning.tapers:find_tapers",
            needs=("contracted", "turned", "taken"),
            yields_to=("sized_threads",),
            claims=(TAPER,),
        ),
    ),
)
