"""Sheets with one fault."""

from __future__ import annotations

from tests.recognize.sheets import strip
from tests.rules.seeded.case import Recipe, Seeded, box, cut, rod, rounded_box, union

STEEL = "mild-steel-1.5mm"
SHEET = box(60, 40, 1.5)


def channel(r: float = 1.5, flange: float = 15, t: float = 1.5, width: float = 30) -> Recipe:
    return strip([flange, 30, 15], [90, 90], r, t=t, width=width)


def holed(d: float, gap: float) -> Recipe:
    """A flat sheet with a hole whose rim is `gap` from its edge."""
    return cut(SHEET, rod(d, 6, (30, gap + d / 2, -2)))


def recessed(depth: float) -> Recipe:
    """A flat sheet with a shallow recess milled into it."""
    return cut(SHEET, box(20, 15, 2, (20, 12, 1.5 - depth))) if depth else SHEET


def angled(gap: float) -> Recipe:
    """An angle of 40 x 30 with a hole whose rim is `gap` from the bend."""
    angle = strip([40, 30], [90], 1.5, t=1.5, width=30)
    hole = {"turn": {"of": rod(4, 20), "axis": [1, 0, 0], "deg": 90}}
    return cut(angle, {"move": {"of": hole, "by": [38 - gap, 5, 15]}})


def windowed(web: float) -> Recipe:
    """A flat sheet with a window of 20 x 10 that leaves `web` to the edge."""
    return cut(SHEET, box(20, 10, 6, (20, web, -2)))


def tabbed(relief: bool) -> Recipe:
    """A sheet with a tab of half its width bent up, with a relief cut beside it or without."""
    tab = strip([1, 20], [90], 1.5, t=1.5, width=20)
    plate = box(40, 1.5, 40, (-40, -1.5, 0))
    bent = union(plate, {"move": {"of": tab, "by": [-1, 0, 0]}})
    return cut(bent, box(5, 4, 2, (-4.5, -3, 20))) if relief else bent


def corner(nuts: bool) -> Recipe:
    """An angle of 40 x 30, bare or with four tall press nuts on it: then much of its surface is theirs."""
    angle = strip([40, 30], [90], 1.5, t=1.5, width=40)
    nut, hole = ({"turn": {"of": rod(d, h), "axis": [1, 0, 0], "deg": 90}} for d, h in ((8, 10), (4, 20)))
    places = [(x, z) for x in (12, 28) for z in (10, 30)]
    if not nuts:
        return angle
    standing = union(angle, *({"move": {"of": nut, "by": [x, -1, z]}} for x, z in places))
    return cut(standing, *({"move": {"of": hole, "by": [x, 5, z]}} for x, z in places))


def tube(slit: bool) -> Recipe:
    """A square tube, closed or with a slit along it."""
    closed = cut(rounded_box(40, 40, 60, 3.5), rounded_box(37, 37, 80, 2, (1.5, 1.5, -10)))
    return cut(closed, box(1, 5, 80, (20, -2, -10))) if slit else closed


def inner_corner(height: float) -> Recipe:
    """An angular plate with a flange of a height at each side of its inner corner, 15 mm away from it."""
    plate = cut(
        box(60, 60, 1.5), box(40, 40, 9, (30, 30, -1)), box(9, 15, 9, (25, 30, -1)), box(15, 9, 9, (30, 25, -1))
    )
    bent = union(plate, box(1.5, 15, height, (28.5, 45, 0)), box(15, 1.5, height, (45, 28.5, 0)))
    inside = {"fillet": {"of": bent, "r": 1.5, "edges": [[28.5, 50, 1.5], [50, 28.5, 1.5]]}}
    return {"fillet": {"of": inside, "r": 3, "edges": [[30, 50, 0], [50, 30, 0]]}}


def beam(length: float) -> Recipe:
    """A channel of 5 mm sheet: a bend takes 1.42 x 340 MPa x 5 mm / 8, so 0.302 kN for each millimeter; of stainless,
    with 645 MPa, 0.572 kN."""
    return strip([60, 100, 60], [90, 90], 7.5, t=5, width=length)


def nutted(d: float) -> Recipe:
    """A small sheet with a press nut on it, and a hole."""
    plate = union(box(40, 30, 1.5), rod(8, 4, (12, 15, 1.5)))
    return cut(plate, rod(4, 10, (12, 15, -1)), rod(d, 10, (28, 15, -1)))


CASES = [
    Seeded(STEEL, "solid_body", "fail", SHEET, cut(SHEET, box(0.5, 0.5, 0.5, (30, 20, 0.5)))),
    Seeded(STEEL, "applicability", "fail", SHEET, box(30, 30, 30)),
    Seeded(STEEL, "applicability", "warning", corner(nuts=False), corner(nuts=True)),
    Seeded(STEEL, "uniform_thickness", "warning", recessed(0), recessed(0.13)),
    Seeded(STEEL, "uniform_thickness", "fail", recessed(0), recessed(0.4)),
    Seeded(STEEL, "bend_radius", "warning", channel(1.5), channel(0.75)),
    Seeded(STEEL, "bend_radius", "fail", channel(1.5), channel(0.5)),
    Seeded("stainless-1.0mm", "bend_radius", "fail", channel(1.5, t=1.0), channel(0.4, t=1.0)),
    Seeded(STEEL, "hole_diameter", "warning", holed(4, 8), holed(1.7, 8)),
    Seeded(STEEL, "hole_diameter", "fail", holed(4, 8), holed(1.3, 8)),
    Seeded(STEEL, "hole_diameter", "fail", nutted(4), nutted(1.3)),
    Seeded(STEEL, "hole_to_edge", "warning", holed(4, 8), holed(4, 2.2)),
    Seeded(STEEL, "hole_to_edge", "fail", holed(4, 8), holed(4, 1)),
    Seeded("stainless-1.0mm", "hole_to_edge", "fail", holed(4, 8), holed(4, 1)),
    Seeded(STEEL, "stock_gauge", "warning", channel(2.0), channel(2.0, t=2.0)),
    Seeded(STEEL, "hole_to_bend", "warning", angled(8), angled(2)),
    Seeded(STEEL, "hole_to_bend", "fail", angled(8), angled(0.6)),
    Seeded(STEEL, "flange_length", "warning", channel(), channel(flange=2)),
    Seeded(STEEL, "flange_length", "fail", channel(), channel(flange=1)),
    Seeded(STEEL, "bend_relief", "warning", tabbed(relief=True), tabbed(relief=False)),
    Seeded(STEEL, "one_bend_radius", "warning", strip([15, 30, 15], [90, 90], 2, t=1.5, width=30),
           union(strip([15, 16], [90], 2, t=1.5, width=30),
                 {"mirror": {"of": strip([15, 16], [90], 3, t=1.5, width=30), "normal": [1, 0, 0]}})),
    Seeded(STEEL, "cutout_distance", "warning", windowed(8), windowed(1.2)),
    Seeded(STEEL, "cutout_distance", "fail", windowed(8), windowed(0.6)),
    Seeded(STEEL, "lies_flat", "warning", tube(slit=True), tube(slit=False)),
    Seeded(STEEL, "lies_flat", "fail", inner_corner(12), inner_corner(25)),
    Seeded(STEEL, "flat_size", "warning", box(2400, 1000, 1.5), box(2600, 1000, 1.5)),
    Seeded(STEEL, "flat_size", "fail", box(2400, 1000, 1.5), box(3000, 1000, 1.5)),
    Seeded(STEEL, "flat_size", "fail", box(2400, 1000, 1.5), box(2400, 1490, 1.5)),
    Seeded(STEEL, "press_force", "warning", beam(1600), beam(1700)),
    Seeded("stainless-1.0mm", "press_force", "fail", beam(800), beam(1800)),
]  # fmt: skip
