"""HOLE: a bore with its entry, stages, bottom and thread candidates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.blend_feature import FILLET, ROUND
from fettle.recognize.declarations import Dimension, FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role, Triple
from fettle.recognize.kinds.chamfer import CHAMFER

HOLE_WALL = Role(1, "Hole wall")
HOLE_BOTTOM = Role(2, "Hole bottom")
COUNTERSINK = Role(3, "Countersink")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One coaxial component of a hole, from the entry inwards."""

    type: Annotated[str, "cylinder, counterbore, countersink, taper, groove, thread or drill_point."]
    diameter_mm: Annotated[float, "Diameter at the entry side; of a modeled thread its minor diameter."]
    end_diameter_mm: Annotated[float, "Diameter at the far side; of a modeled thread its major diameter."]
    depth_mm: Annotated[float, "Length along the axis."]
    angle_deg: Annotated[float | None, "Full angle of a cone."]


@dataclass(frozen=True, slots=True, kw_only=True)
class Hole(Feature):
    """A bore: coaxial cylinders and cones whose material lies outside."""

    kind: ClassVar[str] = "HOLE"

    diameter_mm: Annotated[float, "Diameter of the smallest cylinder, drill point left out."]
    depth_mm: Annotated[float, "Depth at full diameter from the entry, drill point left out."]
    total_depth_mm: Annotated[float, "Depth from the entry to the deepest point, drill point included."]
    through: Annotated[bool, "Whether it is open at both ends."]
    partial: Annotated[bool, "Whether its side is open: it covers less than 350 degrees."]
    interrupted: Annotated[bool, "Whether a slot or a cavity crosses it."]
    bottom: Annotated[str, "none, flat, conical or spherical."]
    bottom_angle_deg: Annotated[float | None, "Full angle of a conical bottom."]
    axis: Annotated[Triple, "Unit direction into the material."]
    position_mm: Annotated[Triple, "Point where the axis meets the entry."]
    stages: Annotated[tuple[Stage, ...], "Coaxial components from the entry inwards."]
    entry_chamfer_mm: Annotated[float | None, "Depth of the chamfer at the entry."]
    extent_deg: Annotated[float, "Angle about the axis that the narrowest cylinder covers."]
    thread_candidates: Annotated[tuple[str, ...], "Standard threads that the diameters fit, the most common first."]
    center_hole: Annotated[
        bool, "Whether it is a center hole (ISO 866): a pilot under a countersink of 60 degrees."
    ] = False


def _most_slender(hole: Hole) -> float | None:
    drilled = [stage for stage in hole.stages if stage.type in {"cylinder", "counterbore"} and stage.diameter_mm > 0]
    if not drilled:
        return hole.depth_mm / hole.diameter_mm if hole.diameter_mm > 0 else None
    return max(stage.depth_mm / stage.diameter_mm for stage in drilled)


KIND = FeatureKind(
    feature_class=Hole,
    roles=(HOLE_WALL, HOLE_BOTTOM, COUNTERSINK),
    color="#486cb4",
    about="A chain of coaxial cylinders and cones whose material lies outside: drilled, bored, countersunk or "
    "counterbored. Counterbores, countersinks and drill points are stages of one hole, never holes of their own. An "
    "arc of less than 350 degrees is `partial`; one that crosses a slot or a cavity is `interrupted` and keeps its "
    "whole depth. A blind pilot of at most 10 mm under a countersink of 60 degrees is a `center_hole`, which is for a "
    "center to hold the part and for no thread.",
    selector="holes",
    selects="Cylindrical or conical holes, each with all its stages.",
    dimensions=(
        field_dimension("hole.diameter", "diameter_mm", "Diameter of the smallest cylinder of the hole."),
        field_dimension("hole.depth", "depth_mm", "Depth at full diameter from the entry, drill point left out."),
        Dimension(
            "hole.depth_over_diameter",
            "ratio",
            "Depth over diameter of the hole's most slender cylindrical stage, drill point left out.",
            _most_slender,
        ),
    ),
    recognizers=(
        Recognizer(
            name="holes",
            function="fettle.recognize.holes:find_holes",
            needs=("graph", "blends", "helices", "confidence"),
            yields_to=("bends",),
            claims=(HOLE_WALL, HOLE_BOTTOM, COUNTERSINK, CHAMFER, FILLET, ROUND),
        ),
    ),
)
