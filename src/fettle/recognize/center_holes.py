"""Center holes: what a center drill (ISO 866, ISO 2540; DIN 332) leaves in the end of a part to be held on."""

from __future__ import annotations

from collections.abc import Sequence

from fettle.recognize.kinds.hole import Stage

CENTER_DEG, SLACK_DEG = 60.0, 1.0
"""Full angle of the countersink that the center sits in."""
MAX_PILOT_MM = 10.0
"""Largest pilot diameter of the standards."""
WIDENING = (1.9, 2.7)
"""Diameter of the countersink over that of the pilot: 2.12 for types A and B, more where the drill went in deeper."""
MAX_PILOT_DEPTH = 3.0
"""Length of the pilot in diameters: 1.0 to 1.4 in the standards; longer ones hold grease or are drilled on."""


def is_center_hole(stages: Sequence[Stage], through: bool) -> bool:
    """Whether a hole, by its stages from the entry inwards, is a pilot under a countersink of 60 degrees, with or
    without a protecting countersink above it (type B)."""
    drilled = [one for one in stages if one.type != "drill_point"]
    if through or len(drilled) not in (2, 3):
        return False
    *above, seat, pilot = drilled
    return (
        pilot.angle_deg is None
        and 0.0 < pilot.diameter_mm <= MAX_PILOT_MM
        and pilot.depth_mm <= MAX_PILOT_DEPTH * pilot.diameter_mm
        and seat.angle_deg is not None
        and abs(seat.angle_deg - CENTER_DEG) <= SLACK_DEG
        and WIDENING[0] <= seat.diameter_mm / pilot.diameter_mm <= WIDENING[1]
        and all(one.type == "countersink" for one in above)
    )
