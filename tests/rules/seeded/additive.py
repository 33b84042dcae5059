"""Printed parts with one fault."""

from __future__ import annotations

from tests.rules.seeded.case import Recipe, Seeded, box, cut, lying, rod, union

ROOF = {"move": {"of": {"cone": {"d": 10, "d2": 0.5, "h": 12}}, "by": [15, 15, 6]}}
"""A cavity whose ceiling carries itself."""
SOLID = box(30, 30, 24)


def bracket(wall: float) -> Recipe:
    """An angle of 40 x 30 x 30, its upright wall as thick as asked."""
    return union(box(40, 30, 4), box(wall, 30, 30))


def chamber(opening: Recipe) -> Recipe:
    """A box of 46 x 46 x 30 with walls of 3 mm and a flat ceiling of 40 mm inside, and an opening."""
    return cut(box(46, 46, 30), box(40, 40, 24, (3, 3, 3)), opening)


def pinned(d: float) -> Recipe:
    return union(box(30, 20, 5), rod(d, 4, (15, 10, 5)))


def slotted(width: float) -> Recipe:
    return cut(box(30, 20, 8), box(width, 20, 3, (14, 0, 5)))


def armed(reach: float) -> Recipe:
    """A post of 12 x 12 x 50 with an arm to each of its four sides at half its height."""
    across = box(12 + 2 * reach, 12, 6, (-reach, 0, 22))
    return union(box(12, 12, 50), across, box(12, 12 + 2 * reach, 6, (0, -reach, 22))) if reach else box(12, 12, 50)


CASES = [
    Seeded("fdm", "min_wall_thickness", "warning", bracket(3), bracket(0.9)),
    Seeded("fdm", "min_wall_thickness", "fail", bracket(3), bracket(0.4)),
    Seeded("sla", "min_wall_thickness", "fail", bracket(3), bracket(0.45)),
    Seeded("dmls", "min_wall_thickness", "fail", bracket(3), bracket(0.35)),
    Seeded("fdm", "overhang_angle", "warning", armed(0), armed(20)),
    Seeded("fdm", "overhang_angle", "fail", chamber(box(10, 40, 24, (-1, 3, 3))), chamber(rod(4, 10, (23, 23, 25)))),
    Seeded("fdm", "trapped_volume", "warning", SOLID, cut(SOLID, ROOF)),
    Seeded("dmls", "trapped_volume", "fail", SOLID, cut(SOLID, ROOF)),
    Seeded("sla", "trapped_volume", "fail", SOLID, cut(SOLID, ROOF)),
    Seeded("fdm", "min_feature_size", "warning", pinned(4), pinned(1.6)),
    Seeded("fdm", "min_feature_size", "fail", pinned(4), pinned(0.5)),
    Seeded("fdm", "min_feature_size", "fail", slotted(3), slotted(0.4)),
    Seeded("dmls", "min_feature_size", "fail", cut(SOLID, lying(rod(3, 30), (0, 15, 18))),
           cut(SOLID, lying(rod(0.4, 30), (0, 15, 18)))),
]  # fmt: skip
