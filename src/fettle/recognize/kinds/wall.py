"""WALL: a face that belongs to nothing more particular."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer
from fettle.recognize.feature import Feature, Role, Triple

OUTER_WALL = Role(17, "Outer wall")
INNER_WALL = Role(18, "Inner wall")


@dataclass(frozen=True, slots=True, kw_only=True)
class Wall(Feature):
    """A face that bounds the part."""

    kind: ClassVar[str] = "WALL"

    outer: Annotated[bool, "Whether it lies on the convex hull of the part."]
    normal: Annotated[Triple | None, "Unit normal out of the material; none on curved walls."]


KIND = FeatureKind(
    feature_class=Wall,
    roles=(OUTER_WALL, INNER_WALL),
    color="#d4d9df",
    about="A face that bounds the part and belongs to nothing more particular; outer on the hull's side, inner inside.",
    selector="walls",
    selects="Faces that form an outer or inner wall and belong to no other feature.",
    recognizers=(
        Recognizer(
            name="walls",
            function="fettle.recognize.walls:find_walls",
            needs=("graph", "taken", "confidence"),
            claims=(OUTER_WALL, INNER_WALL),
            takes_the_rest=True,
        ),
    ),
)
