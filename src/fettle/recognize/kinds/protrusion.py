"""PROTRUSION: what stands inside a concave ring of a flat base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Feature, Role

PROTRUSION_WALL = Role(12, "Protrusion wall")
PROTRUSION_TOP = Role(13, "Protrusion top")


@dataclass(frozen=True, slots=True, kw_only=True)
class Protrusion(Feature):
    """A raised region that is neither boss nor fin."""

    kind: ClassVar[str] = "PROTRUSION"

    height_mm: Annotated[float, "Height above the base face."]
    width_mm: Annotated[float, "Shorter side of the smallest rectangle around its foot."]
    length_mm: Annotated[float, "Longer side of the smallest rectangle around its foot."]
    base_face: Annotated[int, "Face number of the wall that it stands on."]


KIND = FeatureKind(
    feature_class=Protrusion,
    roles=(PROTRUSION_WALL, PROTRUSION_TOP),
    color="#f0f018",
    about="A pocket turned inside out: material that stands on a base face and is neither a boss nor a fin.",
    selector="protrusions",
    selects="Raised regions that are neither boss nor fin.",
    dimensions=(
        field_dimension("protrusion.height", "height_mm", "Height of the protrusion above the face it stands on."),
        ratio("protrusion.height_over_width", "height_mm", "width_mm", "Height of the protrusion over its width."),
    ),
    recognizers=(
        Recognizer(
            name="protrusions",
            function="fettle.recognize.protrusions:find_protrusions",
            needs=("contracted", "holes", "taken"),
            yields_to=("slots_and_pockets",),
            claims=(PROTRUSION_WALL, PROTRUSION_TOP),
        ),
    ),
)
