"""SLOT: two walls side by side over a floor, a round bottom or nothing, with open, round or square ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Feature, Triple
from fettle.recognize.recess_roles import RECESSES, SLOT_FLOOR, SLOT_WALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot(Feature):
    """A gap between two walls."""

    kind: ClassVar[str] = "SLOT"

    width_mm: Annotated[float, "Distance between the two walls."]
    depth_mm: Annotated[float, "Depth from the mouth; of a cut into the edge of a plate the plate's thickness."]
    length_mm: Annotated[float, "Length along the walls, once around for a ring."]
    through: Annotated[bool, "Whether it goes through the plate that it is cut into."]
    floor_face: Annotated[int | None, "Face number of the floor."]
    end_type: Annotated[str, "open, round, square, or ring where it closes on itself."]
    open_ends: Annotated[int, "Number of ends that run out of the part: 2, 1 or 0."]
    axis: Annotated[Triple, "Unit direction out of the floor; of a ring or an arc the direction of its axis."]
    mouth_width_mm: Annotated[float, "Width at the mouth; below `width_mm` in a T-slot or dovetail."]
    undercut: Annotated[bool, "Whether it widens below its mouth."]
    curve_radius_mm: Annotated[float | None, "Radius of the middle line of a slot along an arc."] = None


KIND = FeatureKind(
    feature_class=Slot,
    roles=(SLOT_WALL, SLOT_FLOOR),
    color="#18846c",
    about="Two flat walls that face each other across a gap at most half as wide as it is long, with a floor or "
    "through. A racetrack (two half cylinders between two flats) is a slot, not two holes. A mouth narrower "
    "than the inside marks a T-slot or dovetail. A slot along an arc has `curve_radius_mm`, and its length is "
    "that of its middle line. Slots of one depth that cross share their floor and are "
    "slots of their own. Depth and length count to the faces that the slot comes out of: a chamfer or round "
    "along its rim is looked through.",
    selector="slots",
    selects="Gaps between two parallel walls.",
    dimensions=(
        field_dimension("slot.width", "width_mm", "Distance between the two walls of the slot."),
        field_dimension("slot.depth", "depth_mm", "Depth of the slot from its mouth."),
        ratio("slot.depth_over_width", "depth_mm", "width_mm", "Depth of the slot over its width."),
    ),
    recognizers=(
        Recognizer(
            name="ring_grooves",
            function="fettle.recognize.grooves:find_ring_grooves",
            needs=("contracted", "taken"),
            yields_to=("shoulders",),
            claims=(SLOT_WALL, SLOT_FLOOR),
        ),
        RECESSES,
    ),
)
