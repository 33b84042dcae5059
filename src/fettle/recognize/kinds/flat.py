"""FLAT: planes along the axis of a turned part: flats, squares and hexagons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role, Triple

FLAT = Role(28, "Flat")
FLAT_END = Role(29, "End of a flat")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShaftFlat(Feature):
    """One plane along the axis, or several at one distance from it."""

    kind: ClassVar[str] = "FLAT"

    form: Annotated[str, "flat, two_flats, square, hexagon or polygon."]
    count: Annotated[int, "Number of planes."]
    distance_mm: Annotated[float, "Distance of the planes from the part's axis."]
    across_mm: Annotated[float | None, "Width across opposite planes; none where no two are opposite."]
    length_mm: Annotated[float, "Length along the part's axis."]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]
    axis: Annotated[Triple, "Unit normal of its largest plane."]


KIND = FeatureKind(
    feature_class=ShaftFlat,
    roles=(FLAT, FLAT_END),
    color="#5424fc",
    about="Planes along the axis of a turned part that look outwards: a flat for a set screw, two flats for a "
    "wrench, a square, a hexagon. Planes at one distance from the axis and of one length are one feature. The"
    " hexagon of a nut or a fitting is one too, whether it is milled or comes with the bar.",
    selector="flats",
    selects="Planes along the axis of a turned part that look outwards.",
    dimensions=(
        field_dimension("flat.across", "across_mm", "Width across opposite flats."),
        field_dimension("flat.length", "length_mm", "Length of the flat along the axis."),
    ),
    recognizers=(
        Recognizer(
            name="flats",
            function="fettle.recognize.turning.flats:find_flats",
            needs=("contracted", "turned", "taken"),
            yields_to=("tapers",),
            claims=(FLAT, FLAT_END),
        ),
    ),
)
