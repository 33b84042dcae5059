"""Names for the shapes of cut-outs."""

from __future__ import annotations

import math

from fettle.sheet.flat import CutShape
from fettle.sheet.plane_curves import ArcPiece, LinePiece, Outline

SAME_MM = 1e-3
SQUARE_COS = 1e-4


def shape_of(outline: Outline) -> CutShape:
    """round, obround (a slot with round ends), rectangle, or free."""
    arcs = [one for one in outline if isinstance(one, ArcPiece)]
    lines = [one for one in outline if isinstance(one, LinePiece)]
    if not lines and len(arcs) == 1 and arcs[0].is_circle:
        return "round"
    if len(arcs) == 2 and len(lines) == 2 and all(abs(abs(one.sweep_rad) - math.pi) < 1e-4 for one in arcs):
        return "obround" if abs(arcs[0].radius - arcs[1].radius) < SAME_MM else "free"
    if not arcs and len(lines) == 4 and all(_square(lines[k - 1], lines[k]) for k in range(4)):
        return "rectangle"
    return "free"


def _square(one: LinePiece, two: LinePiece) -> bool:
    a = (one.end[0] - one.start[0], one.end[1] - one.start[1])
    b = (two.end[0] - two.start[0], two.end[1] - two.start[1])
    return abs(a[0] * b[0] + a[1] * b[1]) < SQUARE_COS * math.hypot(*a) * math.hypot(*b)
