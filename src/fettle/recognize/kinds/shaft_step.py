"""SHAFT_STEP: one diameter of a turned part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension, ratio
from fettle.recognize.feature import Feature, Role, Triple

SHAFT_WALL = Role(23, "Shaft wall")


@dataclass(frozen=True, slots=True, kw_only=True)
class ShaftStep(Feature):
    """A cylinder of the outside of a turned part, from one shoulder to the next."""

    kind: ClassVar[str] = "SHAFT_STEP"

    diameter_mm: Annotated[float, "Diameter."]
    length_mm: Annotated[
        float, "Length from shoulder to shoulder as drawn: edges broken at its ends, grooves and reliefs included."
    ]
    z_mm: Annotated[float, "Where it begins, along the part's axis."]
    interrupted: Annotated[bool, "Whether a groove parts it."]
    offset_mm: Annotated[float, "Distance of its axis from that of the part; above 0 it is eccentric."]
    extent_deg: Annotated[float, "Angle about the axis that flats and slots have left of it."]
    axis: Annotated[Triple, "Unit direction of the part's axis."]
    position_mm: Annotated[Triple, "Point of its own axis where it begins."]
    thread_candidates: Annotated[
        tuple[str, ...], "Standard threads whose major diameter it has, the most common first."
    ]


KIND = FeatureKind(
    feature_class=ShaftStep,
    roles=(SHAFT_WALL,),
    color="#e48418",
    about="A diameter of a turned part. Lengths are those of a drawing: they run to the shoulder, whatever chamfer,"
    " round or relief is at its foot, and a groove parts no diameter. Only parts whose surface is at least "
    "half of revolution about one axis have shaft steps; a stud on a milled part is a boss. An eccentric "
    "diameter, turned in a second clamping, has `offset_mm` above 0.",
    selector="shaft_steps",
    selects="Diameters of the outside of a turned part.",
    dimensions=(
        field_dimension("shaft_step.diameter", "diameter_mm", "Diameter of the shaft step."),
        field_dimension("shaft_step.length", "length_mm", "Length of the shaft step."),
        ratio("shaft_step.length_over_diameter", "length_mm", "diameter_mm", "Length of the step over its diameter."),
    ),
    recognizers=(
        Recognizer(
            name="shaft_steps",
            function="fettle.recognize.turning.shaft_steps:find_shaft_steps",
            needs=("contracted", "turned", "grooves", "modeled_threads", "taken"),
            yields_to=("grooves",),
            claims=(SHAFT_WALL,),
        ),
    ),
)
