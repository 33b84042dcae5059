"""POCKET: a depression with walls around a floor, islands and open sides, or a passage without a floor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, field_dimension, ratio
from fettle.recognize.feature import Feature, Triple
from fettle.recognize.recess_roles import POCKET_FLOOR, POCKET_WALL, RECESSES


@dataclass(frozen=True, slots=True, kw_only=True)
class Pocket(Feature):
    """A recess that a cutter goes down into, wider than a slot."""

    kind: ClassVar[str] = "POCKET"

    depth_mm: Annotated[float, "Depth from the rim to the floor."]
    width_mm: Annotated[float, "Diameter of the largest circle that fits the floor between walls and islands."]
    length_mm: Annotated[float, "Longer side of the smallest rectangle around the floor."]
    min_corner_radius_mm: Annotated[
        float | None, "Smallest radius between walls: 0 at a sharp corner, none without corners."
    ]
    open_sides: Annotated[int, "Number of sides on which the walls are missing."]
    through: Annotated[bool, "Whether it has no floor."]
    form: Annotated[
        str,
        "pocket (walls all round), passage (no floor), slot or blind slot (too wide to be a SLOT, open at two ends or "
        "one), notch (a corner cut away).",
    ]
    floor_face: Annotated[int | None, "Face number of the floor."]
    n_islands: Annotated[int, "Number of islands that stand on the floor."]
    volume_mm3: Annotated[float, "Volume of the removed material."]
    axis: Annotated[Triple, "Unit direction out of the floor, or along a passage."]


KIND = FeatureKind(
    feature_class=Pocket,
    roles=(POCKET_WALL, POCKET_FLOOR),
    color="#8484fc",
    about="Connected faces joined by concave edges with a rim of convex ones: a floor with walls round it, or a "
    "passage without a floor. `open_sides` counts where it opens sideways. Its width is that of the largest "
    "circle that fits the floor, because that is the largest cutter. Depth counts to the face that it was cut "
    "from: a chamfer or round along its rim is looked through. A pit in its floor is a pocket of its own, "
    "also where the two share a wall.",
    selector="pockets",
    selects="Recesses with walls and a floor, or through.",
    dimensions=(
        field_dimension("pocket.depth", "depth_mm", "Depth of the pocket from its rim."),
        field_dimension(
            "pocket.width", "width_mm", "Diameter of the largest circle that fits the floor between walls and islands."
        ),
        ratio("pocket.depth_over_width", "depth_mm", "width_mm", "Depth of the pocket over its width."),
        field_dimension(
            "pocket.corner_radius",
            "min_corner_radius_mm",
            "Smallest radius of the pocket's upright corners; 0 where one is sharp.",
        ),
    ),
    recognizers=(RECESSES,),
)
