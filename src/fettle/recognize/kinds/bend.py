"""BEND: two coaxial cylinders one sheet thickness apart, on a part that is a sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

BEND = Role(16, "Bend")


@dataclass(frozen=True, slots=True, kw_only=True)
class Bend(Feature):
    """A bend of a sheet."""

    kind: ClassVar[str] = "BEND"

    inner_radius_mm: Annotated[float, "Inside radius; 0 where the inside is sharp."]
    outer_radius_mm: Annotated[float, "Outside radius."]
    thickness_mm: Annotated[float, "Thickness of the sheet at the bend."]
    angle_deg: Annotated[float, "Angle through which the sheet is bent."]
    length_mm: Annotated[float, "Length along the bend line."]
    bend_ratio: Annotated[float, "Inside radius over thickness."]


KIND = FeatureKind(
    feature_class=Bend,
    roles=(BEND,),
    color="#841818",
    about="Two coaxial cylinders one sheet thickness apart, each running smoothly into flat walls: sheet folded, "
    "not machined. Only parts that pass as sheet have bends.",
    selector="bends",
    selects="Cylindrical regions between two flat walls of a sheet.",
    dimensions=(
        field_dimension("bend.inner_radius", "inner_radius_mm", "Inside radius of the bend."),
        field_dimension(
            "bend.radius_over_thickness", "bend_ratio", "Inside radius of the bend over the sheet's thickness there."
        ),
        field_dimension("bend.angle", "angle_deg", "Angle through which the sheet is bent."),
    ),
    recognizers=(
        Recognizer(
            name="bends", function="fettle.recognize.bends:find_bends", needs=("graph", "confidence"), claims=(BEND,)
        ),
    ),
)
