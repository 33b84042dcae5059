"""BOSS: an external cylinder or cone that stands on a base."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Feature, Role, Triple

BOSS_WALL = Role(4, "Boss wall")
BOSS_TOP = Role(5, "Boss top")


@dataclass(frozen=True, slots=True, kw_only=True)
class Boss(Feature):
    """A cylindrical or conical stud on a base face."""

    kind: ClassVar[str] = "BOSS"

    diameter_mm: Annotated[float, "Outer diameter at the base."]
    height_mm: Annotated[float, "Height above the base face."]
    base_fillet_radius_mm: Annotated[float | None, "Radius of the fillet around its foot."]
    draft_deg: Annotated[float, "Half angle of a conical boss, 0 for a cylinder."]
    bore_diameter_mm: Annotated[float | None, "Diameter of the hole down its axis."]
    axis: Annotated[Triple, "Unit direction from the base to the top."]
    position_mm: Annotated[Triple, "Point where the axis meets the base."]
    thread_candidates: Annotated[
        tuple[str, ...], "Standard threads whose major diameter it has, the most common first."
    ]


KIND = FeatureKind(
    feature_class=Boss,
    roles=(BOSS_WALL, BOSS_TOP),
    color="#e48418",
    about="A cylinder or cone that stands on a base face: joined to it by a concave edge (or a fillet), closed by a "
    "cap on the other side. The outer barrel of a turned part is a wall, not a boss. With a hole down its middle it "
    "carries `bore_diameter_mm`.",
    selector="bosses",
    selects="Cylindrical or conical studs that stand on a face.",
    dimensions=(
        field_dimension("boss.diameter", "diameter_mm", "Outer diameter of the boss."),
        field_dimension("boss.height", "height_mm", "Height of the boss above the face it stands on."),
        ratio("boss.height_over_diameter", "height_mm", "diameter_mm", "Height of the boss over its outer diameter."),
    ),
    recognizers=(
        Recognizer(
            name="bosses",
            function="fettle.recognize.bosses:find_bosses",
            needs=("contracted", "holes", "helices", "taken"),
            yields_to=("ring_grooves",),
            claims=(BOSS_WALL, BOSS_TOP),
        ),
    ),
)
