"""SLAB: two parallel faces with material between them, far wider than it is thick."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

SLAB_FACE = Role(19, "Slab face")


@dataclass(frozen=True, slots=True, kw_only=True)
class Slab(Feature):
    """A plate between two parallel faces."""

    kind: ClassVar[str] = "SLAB"

    thickness_mm: Annotated[float, "Distance between the two planes."]
    overlap_area_mm2: Annotated[float, "Area over which the two faces lie opposite one another."]


KIND = FeatureKind(
    feature_class=Slab,
    roles=(SLAB_FACE,),
    color="#a8b4fc",
    about="Two parallel faces with material between them that overlap over at least half their area: a plate, a "
    "floor, a flange.",
    selector="slabs",
    selects="Plate-like regions between two antiparallel planes.",
    dimensions=(field_dimension("slab.thickness", "thickness_mm", "Distance between the two planes of the slab."),),
    recognizers=(
        Recognizer(
            name="slabs",
            function="fettle.recognize.slabs:find_slabs",
            needs=("graph", "taken", "confidence"),
            yields_to=("protrusions",),
            claims=(SLAB_FACE,),
        ),
    ),
)
