"""Parts on which recognition was once wrong, by kind of fault, each with the full list of its features.

What they must be recognized as follows from how they are built. Sizes are millimeters.
"""

from __future__ import annotations

import math

from tests.recognize.turned import polygon, stack, taper
from tests.recognize.words import (
    Expected,
    Recipe,
    at,
    blind,
    boss,
    box,
    chamfer,
    chamfers,
    cone,
    cut,
    cyl,
    fillet,
    pocket,
    rounds,
    shaft,
    shoulders,
    slab,
    slot,
    through,
    union,
    walls,
)

Case = tuple[Recipe, list[Expected]]


def curved_slot(inner: float, outer: float, start_deg: float, deg: float, h: float) -> Recipe:
    """A sector of a ring between two radii, from below the plane z = 0 up to a height."""
    section = [[inner, 0], [outer, 0], [outer, h], [inner, h]]
    return {"turn": {"of": {"revolve": {"points": section, "deg": deg}}, "axis": [0, 0, 1], "deg": start_deg}}


def _plate(side: float, height: float) -> Recipe:
    return at(box(side, side, height), -side / 2, -side / 2, 0)


def _drill(d: float, depth: float, tip: float) -> Recipe:
    """A drill that comes down to z = 0 at full diameter, with its point below."""
    return union(cyl(d, depth), at(cone(0, d, tip), 0, 0, -tip))


def _prisms_on_columns() -> dict[str, Case]:
    """Sides of a prism on a round column are outside, wherever the circle lies."""
    found: dict[str, Case] = {}
    for across, d, length in ((24.0, 30.0, 40.0), (20.0, 24.0, 60.0)):
        # the column covers the square but for its corners: four shoulders above, four corners below
        part = union(cyl(d, 26), at(_plate(across, length), 0, 0, 26))
        found[f"square of {across:g} on a column of {d:g}"] = (part, walls(15))
    found["three squares on two necks"] = (
        union(
            _plate(44, 10), at(cyl(30, 24), 0, 0, 10), at(_plate(44, 10), 0, 0, 34), at(cyl(24, 20), 0, 0, 44),
            at(_plate(44, 10), 0, 0, 64),
        ),
        [
            *[slab(10, 44**2 - math.pi / 4 * 30**2)] * 2,
            slab(10, 44**2 - math.pi / 4 * 24**2),
            *walls(14),
        ],
    )  # fmt: skip
    return found


def _curved_slots() -> dict[str, Case]:
    found: dict[str, Case] = {}
    area = math.pi * (26**2 - 20**2)
    for count, deg in ((3, 100), (2, 60)):
        tools = [at(curved_slot(20, 26, 360 * k / count, deg, 30), 0, 0, -5) for k in range(count)]
        length = math.radians(deg) * 23
        found[f"{count} curved slots of {deg} degrees"] = (
            cut(_plate(80, 10), *tools),
            [
                *[slot(6, 10, length, through=True, end_type="square", curve_radius_mm=23)] * count,
                slab(10, 6400 - count * area * deg / 360),
                *walls(4),
            ],
        )
    ends = [at(cyl(6, 30), x, y, -5) for x, y in ((23, 0), (0, 23))]
    found["curved slot with round ends"] = (
        cut(_plate(80, 10), union(at(curved_slot(20, 26, 0, 90, 30), 0, 0, -5), *ends)),
        [
            slot(6, 10, math.pi / 2 * 23 + 6, through=True, end_type="round", curve_radius_mm=23),
            slab(10, 6400 - area / 4 - 9 * math.pi),
            *walls(4),
        ],
    )
    found["curved slot with a floor"] = (
        cut(_plate(80, 30), at(curved_slot(20, 26, 10, 120, 30), 0, 0, 22)),
        [
            slot(6, 8, math.radians(120) * 23, through=False, end_type="square", curve_radius_mm=23, open_ends=0),
            *walls(6),
        ],
    )
    found["arc too wide for its length"] = (
        cut(_plate(80, 30), at(curved_slot(10, 26, 10, 60, 50), 0, 0, -5)),
        [pocket(30, None, None, through=True, form="passage"), *walls(6)],
    )
    return found


def _threads() -> dict[str, Case]:
    found: dict[str, Case] = {}
    tip = 1.65 / math.tan(math.radians(59))
    block = box(40, 30, 20)
    found["drill point that breaks into a slot"] = (
        cut(block, at(box(4, 40, 6), 18, -5, -1), at(_drill(3.3, 30, tip), 20, 15, 5.5)),
        [
            (
                "HOLE",
                {"diameter_mm": 3.3, "depth_mm": 14.5, "through": True, "thread_candidates": ["M4", "#8-32"]},
            ),
            slot(4, 5, 30),
            *walls(7),
        ],
    )
    found["tapped hole with its thread as a cylinder of the major diameter"] = (
        cut(box(40, 30, 40), at(cyl(6.8, 40), 20, 15, 20), at(cyl(8, 40), 20, 15, 24)),
        [blind(6.8, 20, thread_candidates=["M8"]), *walls(6)],
    )
    found["tapped hole under a counterbore"] = (
        cut(box(40, 30, 20), at(cyl(6.8, 40), 20, 15, -5), at(cyl(14, 40), 20, 15, 14)),
        [("HOLE", {"diameter_mm": 6.8, "through": True, "thread_candidates": ["M8"]}), *walls(6)],
    )
    found["counterbore for a screw M5"] = (
        cut(box(40, 30, 20), at(cyl(5.5, 40), 20, 15, -5), at(cyl(10, 40), 20, 15, 14)),
        [("HOLE", {"diameter_mm": 5.5, "through": True, "thread_candidates": []}), *walls(6)],
    )
    for d in (3.0, 3.2, 3.4, 4.3, 4.5, 5.5, 6.6, 8.4, 9.0, 10.0):
        found[f"clearance hole of {d}"] = (
            cut(box(40, 30, 20), at(cyl(d, 40), 20, 15, -5)),
            [through(d, 20, thread_candidates=[]), *walls(6)],
        )
    for d, names in ((2.5, ["M3"]), (3.3, ["M4", "#8-32"]), (5.0, ["M6"]), (10.5, ["M12x1.5"])):
        found[f"tap drill of {d}"] = (
            cut(box(40, 30, 20), at(cyl(d, 40), 20, 15, -5)),
            [through(d, 20, thread_candidates=names), *walls(6)],
        )
    found["nut M8"] = (
        cut(polygon(6, 13, 6.5), cyl(6.8, 6.5)),
        [
            through(6.8, 6.5, thread_candidates=["M8", "5/16-24"]),
            ("FLAT", {"count": 6, "across_mm": 13}),
            *shoulders(2),
        ],
    )
    found["set screw M8"] = (
        cut(cyl(8, 12), at(polygon(6, 4, 5), 0, 0, 8)),
        [
            shaft(8, 12, thread_candidates=["M8", "M8x1"]),
            pocket(4, 4, None, form="pocket"),
            *shoulders(2),
        ],
    )
    found["stud M8 on a block"] = (
        union(box(40, 40, 20), at(cyl(8, 20), 20, 20, 20)),
        [boss(8, 20, thread_candidates=["M8", "M8x1"]), *walls(6)],
    )
    return found


def _rounds_and_chamfers() -> dict[str, Case]:
    found: dict[str, Case] = {}
    found["round of 15 on a plate of 20"] = (
        fillet(box(60, 50, 20), 15, [[30, 0, 20]]),
        [*rounds(1, 15, length_mm=60), *walls(6)],
    )
    found["rounds of 15 between walls of 32"] = (
        fillet(box(60, 50, 32), 15, [[30, 0, 32], [30, 0, 0]]),
        [*rounds(2, 15, length_mm=60), *walls(6)],
    )
    found["chamfers of 8 on a wall of 20"] = (
        chamfer(box(60, 50, 20), 8, [[30, 0, 20], [30, 50, 20]]),
        [*chamfers(2, 8 * math.sqrt(2), angle_deg=45), *walls(6)],
    )
    found["wide chamfer broken by a slot"] = (
        cut(chamfer(box(60, 50, 30), 8, [[30, 0, 30]]), at(box(6, 20, 40), 27, -10, -5)),
        [*chamfers(2, 8 * math.sqrt(2), length_mm=27), slot(6, 10, 30), *walls(7)],
    )
    return found


def _necks() -> dict[str, Case]:
    steps = ((44.0, 20.0), (20.0, 26.0), (44.0, 30.0))
    found: dict[str, Case] = {}
    found["neck between two flanges"] = (
        stack(*steps),
        [*(shaft(d, length) for d, length in steps), *shoulders(4)],
    )
    for name, length in (("near", 20.0), ("far", 40.0)):
        spool = ((60.0, 10.0), (40.0, length), (60.0, 10.0))
        found[f"bolt hole through two {name} flanges"] = (
            cut(stack(*spool), at(cyl(6, 100), 25, 0, -5)),
            [
                *[through(6, 10, interrupted=False)] * 2,
                *(shaft(d, h) for d, h in spool),
                *shoulders(4),
            ],
        )
    for low, foot, high, length in ((36, 30, 44, 20), (24, 20, 44, 26)):
        points = [[0, 0], [low / 2, 0], [low / 2, 20], [foot / 2, 20], [high / 2, 20 + length], [0, 20 + length]]
        found[f"taper of {foot} to {high} at the face of a shaft of {low}"] = (
            {"revolve": {"points": points}},
            [shaft(low, 20), taper(high, foot, length), *shoulders(3)],
        )
    turned = {"turn": {"of": polygon(6, 24, 32), "axis": [0, 0, 1], "deg": 30}}
    hexagon = union(turned, at(cyl(30, 32), 0, 0, 32))
    slit = at(box(40, 80, 4), 10.5, -40, 14)
    found["hexagon with a slot across one side"] = (
        cut(hexagon, slit),
        [
            ("FLAT", {"count": 6, "form": "hexagon", "across_mm": 24, "length_mm": 32}),
            shaft(30, 32),
            slot(4, 1.5, None),
            *shoulders(3),
        ],
    )
    return found


def _recesses() -> dict[str, Case]:
    found: dict[str, Case] = {}
    found["passages of one height that cross"] = (
        cut(box(60, 60, 60), at(box(20, 70, 12), 20, -5, 24), at(box(70, 16, 12), -5, 20, 24)),
        [
            pocket(60, 12, 20, through=True, form="passage", volume_mm3=60 * 20 * 12),
            pocket(60, 12, 16, through=True, form="passage", volume_mm3=60 * 16 * 12),
            *walls(6),
        ],
    )
    block = box(80, 60, 40)
    nested = [at(box(x, y, 30), 10, 10, z) for x, y, z in ((60, 40, 30), (40, 30, 20), (20, 20, 10))]
    found["pockets on three levels in one corner"] = (
        cut(block, *nested),
        [
            pocket(10, 40, 60, volume_mm3=24000, form="pocket"),
            pocket(10, 30, 40, volume_mm3=12000, form="pocket"),
            pocket(10, 20, 20, volume_mm3=4000, form="pocket"),
            *walls(6),
        ],
    )
    stairs = [at(box(x, 40, 30), 10, 10, z) for x, z in ((65, 32), (50, 24), (35, 16), (20, 8))]
    found["stairs of four levels in a pocket"] = (
        cut(block, *stairs),
        [*(pocket(8, min(x, 40), max(x, 40), volume_mm3=8 * 40 * x) for x in (65, 50, 35, 20)), *walls(6)],
    )
    hollow = cut(box(60, 50, 40), at(box(40, 20, 30), 10, 15, 25))
    found["hole at the edge of a pocket's floor"] = (
        cut(hollow, at(cyl(8, 60), 30, 15, -5)),
        [
            ("HOLE", {"diameter_mm": 8, "through": True}),
            pocket(15, 20, 40, form="pocket", open_sides=0, volume_mm3=12000),
            *walls(6),
        ],
    )
    found["passage at the edge of a pocket's floor"] = (
        cut(hollow, at(box(10, 10, 60), 25, 10, -5)),
        [
            pocket(40, 10, 10, form="passage", through=True),
            pocket(15, 20, 40, form="pocket", open_sides=0, volume_mm3=12000),
            *walls(6),
        ],
    )
    lying = {"turn": {"of": cyl(20, 40), "axis": [0, 1, 0], "deg": 90}}
    found["pocket with a round bottom"] = (
        cut(box(60, 50, 40), union(at(lying, 10, 25, 25), at(box(40, 20, 30), 10, 15, 25))),
        [slot(20, 25, 40), *walls(6)],
    )
    found["sliver"] = (cut(box(60, 50, 40), at(box(20, 0.02, 10), 20, 25, 35)), walls(11))
    return found


KNOWN_FAULTS: dict[str, Case] = {
    **_prisms_on_columns(),
    **_curved_slots(),
    **_threads(),
    **_rounds_and_chamfers(),
    **_necks(),
    **_recesses(),
}
