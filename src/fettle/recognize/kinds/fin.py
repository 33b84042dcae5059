"""FIN: a thin wall that stands on a base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Feature, Role

FIN_WALL = Role(8, "Fin wall")
FIN_TOP = Role(9, "Fin top")


@dataclass(frozen=True, slots=True, kw_only=True)
class Fin(Feature):
    """A rib or fin between two walls that face away from one another."""

    kind: ClassVar[str] = "FIN"

    thickness_mm: Annotated[float, "Thickness at half the height."]
    thickness_base_mm: Annotated[float, "Thickness at the base."]
    thickness_tip_mm: Annotated[float, "Thickness at the tip."]
    height_mm: Annotated[float, "Height above the base face."]
    length_mm: Annotated[float, "Length along the base."]
    draft_deg: Annotated[float, "Draft of its sides as modeled, whatever the pull."]
    base_face: Annotated[int, "Face number of the wall that it stands on."]


KIND = FeatureKind(
    feature_class=Fin,
    roles=(FIN_WALL, FIN_TOP),
    color="#d83018",
    about="Two flat walls back to back with material between, standing on a base: at least 1.5 times as high and 3 "
    "times as long as it is thick. Ribs are fins, whole ones where they cross. Draft up to 8 degrees a side "
    "is allowed.",
    selector="fins",
    selects="Thin walls that stand on a face: ribs and fins.",
    dimensions=(
        field_dimension("fin.thickness", "thickness_mm", "Thickness of the fin at half its height."),
        field_dimension("fin.height", "height_mm", "Height of the fin above the face it stands on."),
        ratio("fin.height_over_thickness", "height_mm", "thickness_mm", "Height of the fin over its thickness."),
        field_dimension("fin.draft", "draft_deg", "Draft of the fin's sides as modeled, whatever the pull."),
    ),
    recognizers=(
        Recognizer(
            name="fins",
            function="fettle.recognize.fins:find_fins",
            needs=("contracted", "recesses_with_fins", "taken"),
            yields_to=("chamfers",),
            claims=(FIN_WALL, FIN_TOP),
        ),
    ),
)
