"""FILLET: a concave blend along an inside corner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fettle.recognize.blend_feature import BLEND_FEATURES, FILLET, Blend
from fettle.recognize.declarations import FeatureKind, field_dimension


@dataclass(frozen=True, slots=True, kw_only=True)
class Fillet(Blend):
    """A concave blend."""

    kind: ClassVar[str] = "FILLET"


KIND = FeatureKind(
    feature_class=Fillet,
    roles=(FILLET,),
    color="#3c486c",
    about="A concave blend: it fills a corner between two faces and touches both smoothly. Its radius limits the "
    "cutter.",
    selector="fillets",
    selects="Concave blends along inside corners.",
    dimensions=(field_dimension("fillet.radius", "radius_mm", "Radius of the fillet, its smallest where it varies."),),
    recognizers=(BLEND_FEATURES,),
)
