"""KEYWAY: a slot along the axis of a turned part for a key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Role
from fettle.recognize.kinds.slot import Slot

KEYWAY_FLOOR = Role(30, "Keyway floor")
KEYWAY_WALL = Role(31, "Keyway wall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Keyway(Slot):
    """A slot along the axis, its walls at equal distances from it; depth counts from the shaft's surface, as tables of
    keys give it."""

    kind: ClassVar[str] = "KEYWAY"

    form: Annotated[str, "outside, inside (in a bore) or woodruff (cut by a disc)."]
    diameter_mm: Annotated[float, "Diameter of the shaft or bore that it is cut into."]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]


KIND = FeatureKind(
    feature_class=Keyway,
    roles=(KEYWAY_FLOOR, KEYWAY_WALL),
    color="#18846c",
    about="A slot along the axis of a turned part whose middle plane holds the axis: with round ends from an end "
    "mill, run out by a disc cutter, open at the end of the shaft, or broached in a bore. Other slots of "
    "turned parts stay slots.",
    selector="keyways",
    selects="Slots along the axis of a turned part, for keys.",
    dimensions=(
        field_dimension("keyway.width", "width_mm", "Width of the keyway."),
        field_dimension("keyway.depth", "depth_mm", "Depth of the keyway below the shaft's surface."),
    ),
    recognizers=(
        Recognizer(
            name="keyways",
            function="fettle.recognize.turning.keyways:find_keyways",
            needs=("contracted", "turned", "recesses"),
            yields_to=("fins",),
            claims=(KEYWAY_FLOOR, KEYWAY_WALL),
        ),
    ),
)
