"""ROUND: a convex blend along an outside edge."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from fettle.recognize.blend_feature import BLEND_FEATURES, ROUND, Blend
from fettle.recognize.declarations import FeatureKind, field_dimension


@dataclass(frozen=True, slots=True, kw_only=True)
class Round(Blend):
    """A convex blend."""

    kind: ClassVar[str] = "ROUND"


KIND = FeatureKind(
    feature_class=Round,
    roles=(ROUND,),
    color="#fcb478",
    about="A convex blend: it rolls over an edge between two faces and touches both smoothly.",
    selector="rounds",
    selects="Convex blends along outside edges.",
    dimensions=(field_dimension("round.radius", "radius_mm", "Radius of the round, its smallest where it varies."),),
    recognizers=(BLEND_FEATURES,),
)
