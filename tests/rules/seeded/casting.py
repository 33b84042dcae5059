"""Castings with one fault."""

from __future__ import annotations

from tests.rules.seeded.case import Recipe, Seeded, cut, tapered, union


def angle(t: float = 6, r: float = 4, lean: float = 1.2, base: float | None = None, height: float = 25) -> Recipe:
    """An angle of 60 x 40: legs of a thickness, that of the lying one apart, a fillet between them, draft."""
    low, foot = t if base is None else base, t + (1 if lean else 0)
    legs = union(tapered(60, 40, low, lean), tapered(60, foot, height, lean))
    return {"fillet": {"of": legs, "r": r, "edges": [[30, foot, low]]}} if r else legs


CASES = [
    Seeded(
        "sand", "solid_body", "fail", angle(8), cut(angle(8), {"move": {"of": {"sphere": {"d": 2}}, "by": [30, 25, 4]}})
    ),
    Seeded("sand", "solid_body", "fail", angle(), {"bodies": [angle(), {"move": {"of": angle(), "by": [80, 0, 0]}}]}),
    Seeded("sand", "min_wall_thickness", "warning", angle(6), angle(4.3)),
    Seeded("sand", "min_wall_thickness", "fail", angle(6), angle(2.7)),
    Seeded("investment", "min_wall_thickness", "fail", angle(6), angle(0.9, lean=0)),
    Seeded("sand", "thickness_uniformity", "warning", angle(6), angle(6, base=16)),
    Seeded("sand", "thickness_uniformity", "fail", angle(6.5, height=45), angle(6.5, base=32, height=45)),
    Seeded("sand", "internal_fillet", "warning", angle(), angle(r=2.5)),
    Seeded("sand", "internal_fillet", "fail", angle(), angle(r=1)),
    Seeded("investment", "internal_fillet", "fail", angle(), angle(r=0.4)),
    Seeded("investment", "sharp_internal_corner", "warning", angle(), angle(r=0)),
    Seeded("sand", "sharp_internal_corner", "fail", angle(), angle(r=0)),
    Seeded("sand", "pattern_draft", "warning", angle(), angle(lean=0)),
]
