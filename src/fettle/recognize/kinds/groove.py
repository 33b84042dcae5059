"""GROOVE: a ring cut into the outside, a bore or a face of a turned part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Role
from fettle.recognize.kinds.slot import Slot

GROOVE_FLOOR = Role(26, "Groove floor")
GROOVE_WALL = Role(27, "Groove wall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Groove(Slot):
    """A ring groove about the axis of a turned part: a slot of one turn, its width at the mouth, its depth below the
    lower of its two rims."""

    kind: ClassVar[str] = "GROOVE"

    form: Annotated[str, "outside, inside (in a bore) or face."]
    diameter_mm: Annotated[float, "Diameter of its floor; in a face the mean diameter of the ring."]
    corner_radius_mm: Annotated[float, "Smallest radius of its inside corners, 0 where one is sharp."]
    relief: Annotated[bool, "Whether it lies at the foot of a shoulder: a thread's run-out or a grinding relief."]
    z_mm: Annotated[float, "Where it begins, along the part's axis; in a face the place of its floor."]


KIND = FeatureKind(
    feature_class=Groove,
    roles=(GROOVE_FLOOR, GROOVE_WALL),
    color="#18846c",
    about="A ring cut about the axis of a turned part, between two walls: for retaining rings, seals, belts or the "
    "run-out of a thread. Its bottom may be flat, round or a V. What is wider than three times its depth and "
    "than a grooving insert of 8 mm is a diameter of its own. A groove inside a bore is also a stage of the "
    "hole, which keeps the faces. Parts that are not turned have ring grooves as slots.",
    selector="grooves",
    selects="Ring grooves about the axis of a turned part: outside, in bores and in faces.",
    dimensions=(
        field_dimension("turned_groove.width", "width_mm", "Width of the groove at its mouth."),
        field_dimension("turned_groove.depth", "depth_mm", "Depth of the groove below its lower rim."),
        ratio("turned_groove.depth_over_width", "depth_mm", "width_mm", "Depth of the groove over its width."),
        field_dimension("turned_groove.corner_radius", "corner_radius_mm", "Smallest radius of its inside corners."),
    ),
    recognizers=(
        Recognizer(
            name="grooves",
            function="fettle.recognize.turning.grooves:find_grooves",
            needs=("contracted", "turned", "holes", "taken"),
            yields_to=("modeled_threads",),
            claims=(GROOVE_FLOOR, GROOVE_WALL),
        ),
    ),
)
