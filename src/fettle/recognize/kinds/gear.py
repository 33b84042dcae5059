"""GEAR: teeth around the axis of a turned part: gears, splines and toothed pulleys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

from fettle.recognize.declarations import FeatureKind, Recognizer, field_dimension
from fettle.recognize.feature import Feature, Role

GEAR_TOOTH = Role(32, "Gear tooth")


@dataclass(frozen=True, slots=True, kw_only=True)
class Gear(Feature):
    """Equal teeth around the axis."""

    kind: ClassVar[str] = "GEAR"

    form: Annotated[str, "gear (teeth of 1.9 to 2.6 modules) or spline (lower, or other, teeth)."]
    teeth: Annotated[int, "Number of teeth."]
    internal: Annotated[bool, "Whether the teeth stand inwards, around a bore."]
    module_mm: Annotated[
        float | None, "Module of a gear: tip diameter over the number of teeth plus two; minus two where internal."
    ]
    pitch_mm: Annotated[float, "Circular pitch at the tips."]
    tip_diameter_mm: Annotated[float, "Diameter of the tips: the outer one, of internal teeth the inner one."]
    root_diameter_mm: Annotated[float, "Diameter of the roots."]
    width_mm: Annotated[float, "Length of the teeth along the axis."]
    z_mm: Annotated[float, "Where they begin, along the part's axis."]


KIND = FeatureKind(
    feature_class=Gear,
    roles=(GEAR_TOOTH,),
    color="#0c0078",
    about="Equal teeth around the axis of a turned part, outside or in a bore: at least ten, or six to nine with two "
    "flanks and a tip or root each, all along the axis, as on the spline shafts of ISO 14. Where the height of the "
    "teeth is that of a gear, 1.9 to 2.6 modules, the module is given; other teeth are called splines. All faces of "
    "the teeth belong to the one feature, their fillets too.",
    selector="gears",
    selects="Teeth of gears and splines around the axis of a turned part.",
    dimensions=(
        field_dimension("gear.module", "module_mm", "Module of the gear."),
        field_dimension("gear.pitch", "pitch_mm", "Circular pitch of the teeth at their tips."),
    ),
    recognizers=(
        Recognizer(
            name="gears",
            function="fettle.recognize.turning.gears:find_gears",
            needs=("graph", "turned", "toothed", "confidence"),
            yields_to=("holes",),
            claims=(GEAR_TOOTH,),
        ),
    ),
)
