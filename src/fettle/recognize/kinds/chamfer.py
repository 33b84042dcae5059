"""CHAMFER: a flat or conical strip that cuts off a convex edge between two supports, or fills a concave one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

CHAMFER = Role(20, "Chamfer")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chamfer(Feature):
    """A strip that breaks an edge at an angle."""

    kind: ClassVar[str] = "CHAMFER"

    width_mm: Annotated[float, "Width across the strip."]
    angle_deg: Annotated[float, "Angle between the strip and its first support."]
    length_mm: Annotated[float, "Length along the edge."]


KIND = FeatureKind(
    feature_class=Chamfer,
    roles=(CHAMFER,),
    color="#3018b4",
    about="A narrow flat or conical strip between two faces that would otherwise meet at a sharp convex edge.",
    selector="chamfers",
    selects="Narrow strips that break an edge at an angle.",
    dimensions=(field_dimension("chamfer.width", "width_mm", "Width across the chamfer."),),
    recognizers=(
        Recognizer(
            name="chamfers",
            function="fettle.recognize.chamfers:chamfer_claims",
            needs=("chamfer_strips", "gears", "knurls"),
            yields_to=("blend_features",),
            claims=(CHAMFER,),
        ),
    ),
)
