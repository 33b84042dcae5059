"""Moldings with one fault."""

from __future__ import annotations

from tests.rules.seeded.case import Recipe, Seeded, box, cut, lying, rod, tapered, union

ONE_WALL = "a thick wall is thick for the whole part where it is most of it"
AN_UNDERCUT = "a face that no mold half releases is an undercut region"


def rounded(block: Recipe, x: float, y: float, z: float, side_r: float, top_r: float) -> Recipe:
    """A block of x by y by z with round upright edges and round edges above."""
    upright = [[0, 0, 4], [x, 0, 4], [x, y, 4], [0, y, 4]]
    top = [[x / 2, 0, z], [x / 2, y, z], [0, y / 2, z], [x, y / 2, z]]
    return {"fillet": {"of": {"fillet": {"of": block, "r": side_r, "edges": upright}}, "r": top_r, "edges": top}}


def lid(draft: float = 2.0, depth: float = 16, t: float = 2, x: float = 50, y: float = 40) -> Recipe:
    """A lid of x by y with rounded edges, open below."""
    if draft:
        outside = rounded(tapered(x, y, depth, draft), x, y, depth, t + 4, t + 1)
        return {"shell": {"of": outside, "t": t, "open": [[x / 2, y / 2, 0]]}}
    # of a straight lid the kernel's own shell has edges up to 2 mm off its faces
    within = (x - 2 * t, y - 2 * t, depth - t + 1)
    inside = {"move": {"of": rounded(box(*within), *within, 4, 1), "by": [t, t, -1]}}
    return cut(rounded(box(x, y, depth), x, y, depth, t + 4, t + 1), inside)


def thinned(left: float) -> Recipe:
    """The lid with a recess of 16 x 14 in its top that leaves so much of the wall."""
    return cut(lid(), box(16, 14, 4, (17, 13, 14 + left)))


def padded(pad: float) -> Recipe:
    """The lid with a pad of 26 x 20 under its top, so that the wall is thicker there."""
    return union(lid(), box(26, 20, pad + 0.5, (12, 10, 14 - pad)))


def bossed(height: float, d: float = 4) -> Recipe:
    """A deep lid with a drafted boss under its top."""
    boss = {"cone": {"d": d - 0.042 * height, "d2": d, "h": height + 0.5}}
    return union(lid(depth=26), {"move": {"of": boss, "by": [25, 20, 24 - height]}})


def ribbed(thickness: float) -> Recipe:
    """The lid with a rib of 20 x 6 under its top."""
    half = thickness / 2
    outline = [[-half, 0.3], [half, 0.3], [half, 0], [half - 0.1, -6], [0.1 - half, -6], [-half, 0]]
    rib = {"turn": {"of": {"prism": {"points": outline, "h": 20}}, "axis": [1, 0, 0], "deg": 90}}
    return union(lid(), {"move": {"of": rib, "by": [25, 30, 14]}})


def pierced(d: float) -> Recipe:
    """The lid with a hole of a diameter in one of its side walls."""
    return cut(lid(), lying(rod(d, 10), (-2, 20, 6))) if d else lid()


def threaded(thread: bool) -> Recipe:
    """A lid with a boss and a bore in it, with the groove of a thread or without."""
    boss = {"move": {"of": {"cone": {"d": 11.6, "d2": 12, "h": 12.5}}, "by": [25, 20, 12]}}
    bored = cut(union(lid(depth=26), boss), rod(8.376, 12, (25, 20, 11)))
    groove = {"helix": {"points": [[4.0, -0.6], [5.0, -0.09], [5.0, 0.09], [4.0, 0.6]], "pitch": 1.5, "turns": 4}}
    return cut(bored, {"move": {"of": groove, "by": [25, 20, 14]}}) if thread else bored


CASES = [
    Seeded("standard", "solid_body", "fail", lid(), cut(lid(), box(0.6, 0.6, 0.6, (25, 20, 14.7)))),
    Seeded("standard", "applicability", "warning", lid(), lid(t=4.4), {"wall_thickness": ONE_WALL}),
    Seeded("standard", "applicability", "fail", lid(), box(30, 30, 30)),
    Seeded("standard", "wall_thickness", "warning", thinned(2), thinned(0.7)),
    Seeded("standard", "wall_thickness", "fail", thinned(2), thinned(0.4)),
    Seeded("standard", "wall_thickness", "fail", padded(0), padded(2.6)),
    Seeded("standard", "draft_required", "warning", lid(2, 8), lid(0, 8)),
    Seeded("standard", "draft_required", "fail", lid(), lid(0)),
    Seeded("side-action", "draft_required", "fail", lid(), lid(0)),
    Seeded("standard", "no_undercuts", "fail", pierced(0), pierced(6), {"draft_required": AN_UNDERCUT}),
    Seeded("side-action", "no_undercuts", "warning", pierced(0), pierced(6), {"draft_required": AN_UNDERCUT}),
    Seeded("standard", "boss_proportions", "warning", bossed(8), bossed(15)),
    Seeded("standard", "boss_proportions", "fail", bossed(8), bossed(22)),
    Seeded("standard", "rib_thickness", "warning", ribbed(1.0), ribbed(1.35)),
    Seeded("standard", "rib_thickness", "fail", ribbed(1.0), ribbed(1.8)),
    Seeded("standard", "unscrewing", "warning", threaded(thread=False), threaded(thread=True)),
]
