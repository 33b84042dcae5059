"""Machined parts with one fault."""

from __future__ import annotations

from tests.rules.seeded.case import Recipe, Seeded, box, cut, lying, rod, rounded_box, union

BLOCK = box(40, 40, 40)
OUT_OF_REACH = "a face that is hidden from every direction is out of the cutter's reach"
IN_A_VOID = "the walls of a void are hidden and out of reach"


def pocketed(depth: float, r: float, x: float = 30, y: float = 24) -> Recipe:
    """A block of 50 x 40 x 40 with a pocket of a depth and a corner radius."""
    return cut(box(50, 40, 40), rounded_box(x, y, depth, r, (10, 8, 40 - depth)))


def slotted(width: float, depth: float) -> Recipe:
    """A block with a slot along it, open at both ends."""
    return cut(box(30, 50, 45), box(width, 50, depth, (12, 0, 45 - depth)))


def finned(thickness: float) -> Recipe:
    """A plate with one fin of 30 x 4 mm."""
    return union(box(40, 20, 6), box(30, thickness, 4, (5, 10, 6)))


def drilled(d: float, depth: float) -> Recipe:
    """A block of 40 mm with a hole from above."""
    return cut(BLOCK, rod(d, depth, (20, 20, 40 - depth)))


def drilled_from(sides: int) -> Recipe:
    """A block with a blind hole of 6 x 10 in each of so many of its sides."""
    holes = (
        rod(6, 10, (20, 20, 30)),
        rod(6, 10, (20, 20, 0)),
        lying(rod(6, 10), (30, 20, 20)),
        lying(rod(6, 10), (0, 20, 20)),
        {"move": {"of": {"turn": {"of": rod(6, 10), "axis": [1, 0, 0], "deg": -90}}, "by": [20, 30, 20]}},
        {"move": {"of": {"turn": {"of": rod(6, 10), "axis": [1, 0, 0], "deg": -90}}, "by": [20, 0, 20]}},
    )
    return cut(BLOCK, *holes[:sides])


def sloped(rise: float) -> Recipe:
    """A block whose top rises by so many mm over 40, with a hole from above in the middle of it."""
    side = {"prism": {"points": [[0, 0], [40, 0], [40, 20 + rise], [0, 20]], "h": 30}}
    standing = {"turn": {"of": side, "axis": [1, 0, 0], "deg": 90}}
    return cut({"move": {"of": standing, "by": [0, 30, 0]}}, rod(8, 60, (20, 15, 0)))


def grooved_bore(groove_d: float) -> Recipe:
    """A block with a bore of 16 mm and a ring groove inside it, 4 mm wide; none for the bore's own diameter."""
    bored = cut(box(40, 40, 30), rod(16, 30, (20, 20, 0)))
    return cut(bored, rod(groove_d, 4, (20, 20, 13))) if groove_d > 16 else bored


def widened(foot_mm: float) -> Recipe:
    """A block with a round pocket of 12 mm that widens to `foot_mm` below."""
    return cut(box(40, 40, 30), union(rod(12, 18, (20, 20, 12)), rod(foot_mm, 6, (20, 20, 12))))


def lettered(stroke: float) -> Recipe:
    """A plate with five engraved strokes of 3 mm, 0.5 mm deep."""
    return cut(box(50, 30, 6), *(box(stroke, 3, 0.5, (20 + 0.8 * k, 12, 5.5)) for k in range(5)))


def ring_grooved(width: float) -> Recipe:
    """A shaft of 20 x 40 with a groove 1 mm deep."""
    return cut(rod(20, 40), {"revolve": {"points": [[9, 20], [11, 20], [11, 20 + width], [9, 20 + width]]}})


CASES = [
    Seeded("3-axis", "solid_body", "fail", BLOCK, cut(BLOCK, box(10, 10, 10, (15, 15, 15))),
           {"undercut_access": IN_A_VOID, "tool_inaccessible": IN_A_VOID}),
    Seeded("3-axis", "solid_body", "warning", BLOCK, {"bodies": [BLOCK, box(10, 10, 10, (60, 0, 0))]}),
    Seeded("3-axis", "setup_count", "warning", drilled_from(1), drilled_from(3)),
    Seeded("3-axis", "setup_count", "fail", drilled_from(1), drilled_from(6)),
    Seeded("3-axis", "min_wall_thickness", "warning", finned(1.5), finned(0.6)),
    Seeded("3-axis", "min_wall_thickness", "fail", finned(1.5), finned(0.3)),
    Seeded("5-axis", "min_wall_thickness", "fail", finned(1.5), finned(0.45)),
    Seeded("3-axis", "min_internal_radius", "warning", pocketed(5, 4), pocketed(5, 1)),
    Seeded("3-axis", "min_internal_radius", "fail", pocketed(2, 4), pocketed(2, 0.4)),
    Seeded("3-axis", "min_internal_radius", "fail", pocketed(8, 4), pocketed(8, 0)),
    Seeded("5-axis", "min_internal_radius", "fail", pocketed(8, 4), pocketed(8, 0)),
    Seeded("3-axis", "tool_clearance", "warning", slotted(4, 2), slotted(2, 2)),
    Seeded("3-axis", "tool_clearance", "fail", slotted(4, 2), slotted(0.8, 2)),
    Seeded("3-axis", "tool_clearance", "warning", ring_grooved(2), ring_grooved(0.7)),
    Seeded("3-axis", "tool_clearance", "fail", ring_grooved(2), ring_grooved(0.2)),
    Seeded("3-axis", "undercut_access", "warning", grooved_bore(16), grooved_bore(22)),
    Seeded("3-axis", "undercut_access", "fail", widened(12), widened(24), {"tool_inaccessible": OUT_OF_REACH}),
    Seeded("3-axis", "tool_inaccessible", "fail", widened(12), widened(26), {"undercut_access": OUT_OF_REACH}),
    Seeded("5-axis", "tool_inaccessible", "warning", widened(12), widened(28), {"undercut_access": OUT_OF_REACH}),
    Seeded("3-axis", "hole_depth_to_diameter", "warning", drilled(3, 9), drilled(3, 15)),
    Seeded("3-axis", "hole_depth_to_diameter", "fail", drilled(3, 9), drilled(3, 33)),
    Seeded("3-axis", "pocket_aspect", "warning", slotted(6, 12), slotted(6, 27)),
    Seeded("3-axis", "pocket_aspect", "fail", slotted(6, 12), slotted(6, 39)),
    Seeded("3-axis", "corner_radius_to_depth", "warning", pocketed(20, 6), pocketed(20, 3)),
    Seeded("3-axis", "corner_radius_to_depth", "fail", pocketed(34, 6), pocketed(34, 1.6)),
    Seeded("3-axis", "standard_drill", "warning", drilled(12.2, 20), drilled(12.15, 20)),
    Seeded("3-axis", "drill_entry", "warning", sloped(2), sloped(14)),
    Seeded("3-axis", "engraving_width", "warning", lettered(0.4), lettered(0.15)),
]  # fmt: skip
