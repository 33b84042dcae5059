"""Turned parts with one fault."""

from __future__ import annotations

from tests.rules.seeded.case import Recipe, Seeded, box, cut, lying, rod, union

SHAFT = rod(20, 60)
AT_THE_SHOULDER = "without a relief the thread ends in a sharp inside corner"


def stepped(r: float) -> Recipe:
    """A shaft of 20 with a seat of 12, and a radius in the corner between them."""
    bare = union(SHAFT, rod(12, 20, (0, 0, 60)))
    return {"fillet": {"of": bare, "r": r, "edges": [[6, 0, 60]]}} if r else bare


def grooved(width: float, depth: float) -> Recipe:
    """The shaft with a ring groove."""
    floor = 10 - depth
    return cut(SHAFT, {"revolve": {"points": [[floor, 50], [11, 50], [11, 50 + width], [floor, 50 + width]]}})


def dovetailed(lean_mm: float) -> Recipe:
    """The shaft with a groove of 4 mm, 3 mm deep, that widens by so much to each side of its floor."""
    points = [[7, 46 - lean_mm], [10, 46], [11, 46], [11, 50], [10, 50], [7, 50 + lean_mm]]
    return cut(SHAFT, {"revolve": {"points": points}})


def bored(d: float, depth: float) -> Recipe:
    """The shaft with a bore from its end."""
    return cut(SHAFT, rod(d, depth, (0, 0, 60 - depth)))


def stud(relief: float) -> Recipe:
    """The shaft with an end drawn for M10, and a relief of so much before its shoulder."""
    if not relief:
        return union(SHAFT, rod(9.968, 20, (0, 0, 60)))
    return union(SHAFT, rod(8.0, relief, (0, 0, 60)), rod(9.968, 20, (0, 0, 60 + relief)))


def crossed(d: float) -> Recipe:
    """The shaft with a cross hole; none for 0."""
    return cut(SHAFT, lying(rod(d, 30), (-15, 0, 40))) if d else SHAFT


def tongued(thickness: float, length: float) -> Recipe:
    """The shaft with a tongue milled at its end."""
    half, start = thickness / 2, 60 - length
    return cut(SHAFT, box(40, 40, length, (-20, half, start)), box(40, 40, length, (-20, -half - 40, start)))


CASES = [
    Seeded("bar", "solid_body", "fail", SHAFT, cut(SHAFT, rod(3, 6, (0, 0, 20)))),
    Seeded("bar", "slenderness", "warning", rod(10, 60), rod(10, 150)),
    Seeded("bar", "slenderness", "fail", rod(4, 30), rod(4, 180)),
    Seeded("bar", "corner_radius", "warning", stepped(0.4), stepped(0.15)),
    Seeded("bar", "corner_radius", "warning", stepped(0.4), stepped(0)),
    Seeded("bar", "corner_radius", "fail", stepped(0.4), stepped(0.03)),
    Seeded("bar", "groove_width", "warning", grooved(1.3, 0.5), grooved(0.4, 0.5)),
    Seeded("bar", "groove_width", "fail", grooved(1.3, 0.5), grooved(0.2, 0.5)),
    Seeded("bar", "groove_depth", "warning", grooved(1.5, 1), grooved(1.5, 6)),
    Seeded("bar", "groove_depth", "fail", grooved(0.6, 1), grooved(0.6, 6)),
    Seeded("bar", "profile_angle", "warning", dovetailed(0), dovetailed(1.336)),
    Seeded("bar", "profile_angle", "fail", dovetailed(0), dovetailed(2.517)),
    Seeded("bar", "bore_depth", "warning", bored(5, 15), bored(5, 40)),
    Seeded("bar", "bore_depth", "fail", bored(3, 9), bored(3, 50)),
    Seeded("bar", "tube_wall", "warning", bored(16, 60), bored(18.4, 60)),
    Seeded("bar", "tube_wall", "fail", bored(16, 60), bored(19.2, 60)),
    Seeded("bar", "thread_runout", "warning", stud(3), stud(1.2)),
    Seeded("bar", "thread_runout", "fail", stud(3), stud(0), {"corner_radius": AT_THE_SHOULDER}),
    Seeded("bar", "bar_size", "warning", rod(1.5, 10), rod(1.7, 10)),
    Seeded("bar", "live_tooling", "warning", crossed(0), crossed(5)),
    Seeded("bar", "live_tooling", "fail", SHAFT, tongued(10, 35)),
    Seeded("mill-turn", "live_tooling", "fail", SHAFT, tongued(6, 40)),
    Seeded("bar", "size", "warning", rod(40, 60), rod(50, 60)),
    Seeded("bar", "size", "fail", rod(40, 60), rod(80, 60)),
    Seeded("mill-turn", "size", "warning", rod(60, 60), rod(80, 60)),
    Seeded("mill-turn", "size", "fail", rod(40, 400), rod(100, 1010)),
]
