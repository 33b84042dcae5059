"""Parts on which features meet: slots and ribs that cross, mouths that are softened, holes that break out of blends."""

from __future__ import annotations

import math

from tests.recognize.words import (
    C45,
    B,
    Expected,
    Recipe,
    along_x,
    at,
    boss,
    box,
    chamfer,
    chamfers,
    cone,
    cut,
    cyl,
    fillet,
    fillets,
    fin,
    hole,
    pocket,
    prism,
    round_bar,
    rounds,
    slab,
    slot,
    stage,
    step,
    through,
    union,
    walls,
)

GUSSET = along_x(prism([[0, 0], [0, 10], [-10, 0]], 2))
"""A triangle of 10 x 10 in the plane of Y and Z, 2 thick along X."""
MOUTH = [[30.0, 10.0, 40.0], [30.0, 40.0, 40.0], [10.0, 25.0, 40.0], [50.0, 25.0, 40.0]]
"""Places on the rim of a pocket of 40 x 30 in the middle of the block."""
RECTANGLE: list[list[float]] = [[-20, -15], [20, -15], [20, 15], [-20, 15]]
IN3 = 15 * math.tan(math.radians(3))
"""How far a wall with 3 degrees of draft leans in over 15."""

COMBINED: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- cuts that cross
    "slots of equal depth that cross": (
        cut(B, at(box(80, 10, 20), -10, 20, 25), at(box(8, 70, 20), 26, -10, 25)),
        [slot(10, 15, 60, open_ends=2), slot(8, 15, 50, open_ends=2), *walls(9)],
    ),
    "slots of unequal depth that cross": (
        cut(B, at(box(80, 10, 20), -10, 20, 25), at(box(8, 70, 20), 26, -10, 32)),
        [slot(10, 15, 60, open_ends=2), slot(8, 8, 50, open_ends=2), *walls(9)],
    ),
    "T-slot with a slot across it": (
        cut(
            B,
            at(box(80, 8, 30), -10, 21, 25),
            at(box(80, 20, 8), -10, 15, 20),
            at(box(10, 70, 20), 25, -10, 35),
        ),
        [slot(20, 20, 60, mouth_width_mm=8, undercut=True), slot(10, 5, 50, open_ends=2), *walls(9)],
    ),
    "V-groove over a passage": (
        cut(B, at(along_x(prism([[0, -6], [20, 0], [0, 6]], 80)), -10, 25, 40), at(box(10, 70, 5), 25, -10, 28)),
        [
            slot(6, 20, 60, mouth_width_mm=12, undercut=False, open_ends=2),
            pocket(50, 5, 10, form="passage", through=True, volume_mm3=2500),
            *walls(7),
        ],
    ),
    "slot that ends in another slot": (
        cut(B, at(box(80, 10, 20), -10, 20, 25), at(box(8, 35, 20), 26, -10, 25)),
        [slot(10, 15, 60, open_ends=2), ("SLOT", {"width_mm": 8, "depth_mm": 15, "open_ends": 1}), *walls(8)],
    ),
    "slots that make a corner": (
        cut(B, at(box(50, 10, 20), 20, 20, 25), at(box(8, 40, 20), 20, -10, 25)),
        [slot(10, 15, 40, open_ends=1), slot(8, 15, 30, open_ends=1), *walls(7)],
    ),
    "slot from the floor of a pocket to the outside": (
        cut(B, at(box(30, 30, 20), 15, 10, 30), at(box(40, 6, 30), -5, 22, 20)),
        [
            ("POCKET", {"depth_mm": 10, "form": "pocket"}),
            slot(6, 20, 35, end_type="square", open_ends=1),
            *walls(6),
        ],
    ),
    "pocket with a step in its floor": (
        cut(B, at(box(20, 30, 20), 10, 10, 25), at(box(20, 30, 20), 30, 10, 30)),
        [
            pocket(10, 30, 40, form="pocket", volume_mm3=12000),
            pocket(5, 20, 30, form="pocket", volume_mm3=3000, min_corner_radius_mm=0),
            *walls(6),
        ],
    ),
    "groove from wall to wall of a pocket": (
        cut(B, at(box(40, 30, 20), 10, 10, 25), at(box(40, 6, 20), 10, 22, 20)),
        [
            pocket(15, 30, 40, form="pocket", volume_mm3=18000),
            pocket(5, 6, 40, form="pocket", volume_mm3=1200),
            *walls(6),
        ],
    ),
    "pit in the corner of a pocket": (
        cut(B, at(box(40, 30, 20), 10, 10, 25), fillet(at(box(20, 15, 20), 10, 10, 20), 3, [[30, 25, 30]])),
        [
            pocket(15, 30, 40, form="pocket", volume_mm3=18000),
            pocket(5, 15, 20, form="pocket", volume_mm3=1500 - 45 + 45 * math.pi / 4),
            *fillets(1, 3, length_mm=5),
            *walls(6),
        ],
    ),
    "pocket with a stepped floor and a block against its wall": (
        union(
            cut(B, at(box(20, 30, 20), 10, 10, 25), at(box(20, 30, 20), 30, 10, 30)),
            at(box(6, 6, 10), 15, 10, 25),
        ),
        [pocket(15, 20, 30, form="pocket", open_sides=0), *walls(6)],
    ),
    # --- softened mouths and feet
    "pocket with a chamfered mouth": (
        chamfer(cut(B, at(box(40, 30, 20), 10, 10, 25)), 1, MOUTH),
        [pocket(15, 30, 40, form="pocket", open_sides=0, volume_mm3=18000), *chamfers(4, C45), *walls(6)],
    ),
    "pocket with a rounded mouth": (
        fillet(cut(B, at(box(40, 30, 20), 10, 10, 25)), 2, MOUTH),
        [pocket(15, 30, 40, form="pocket", open_sides=0, volume_mm3=18000), *rounds(4, 2), *walls(6)],
    ),
    "passage with chamfers at both mouths": (
        chamfer(cut(B, at(box(40, 30, 60), 10, 10, -10)), 1, MOUTH + [[x, y, 0.0] for x, y, _ in MOUTH]),
        [pocket(40, 30, 40, through=True, form="passage", volume_mm3=48000), *chamfers(8, C45), *walls(6)],
    ),
    "cut-out in the edge of a plate with chamfered rims": (
        chamfer(
            cut(box(100, 60, 20), at(box(60, 8, 40), -10, 26, -5)),
            1,
            [[25, 26, 20], [25, 34, 20], [25, 26, 0], [25, 34, 0]],
        ),
        [
            slot(8, 20, 50, through=True, end_type="square", open_ends=1),
            *chamfers(4, C45),
            slab(20, 6000 - 400 - 100),
            *walls(5),
        ],
    ),
    "pocket with draft and floor fillets": (
        fillet(
            cut(B, at({"turn": {"of": prism(RECTANGLE, 15, 3), "axis": [1, 0, 0], "deg": 180}}, 30, 25, 40)),
            2,
            [[30, 10 + IN3, 25], [30, 40 - IN3, 25], [10 + IN3, 25, 25], [50 - IN3, 25, 25]],
        ),
        [pocket(15, 30 - 2 * IN3, 40 - 2 * IN3, form="pocket"), *fillets(4, 2, extent_deg=87), *walls(6)],
    ),
    "slot with a chamfered mouth": (
        chamfer(cut(B, at(box(80, 10, 20), -10, 20, 25)), 1, [[30, 20, 40], [30, 30, 40]]),
        [slot(10, 15, 60, open_ends=2), *chamfers(2, C45), *walls(7)],
    ),
    "obround with a rounded mouth": (
        fillet(
            cut(B, at(box(30, 10, 20), 15, 20, 25), at(cyl(10, 20), 15, 25, 25), at(cyl(10, 20), 45, 25, 25)),
            1,
            [[30, 20, 40], [30, 30, 40], [10, 25, 40], [50, 25, 40]],
        ),
        [slot(10, 15, 40, end_type="round", open_ends=0), *rounds(4, 1), *walls(6)],
    ),
    "fillet where two bars meet": (
        fillet(union(cyl(40, 80), at(along_x(cyl(20, 50)), 0, 0, 40)), 3, [[math.sqrt(300), 10, 40]]),
        # The kernel makes the blend in two halves.
        [boss(20, 30, base_fillet_radius_mm=3), *fillets(2, 3), *round_bar(40, 80)],
    ),
    # --- holes at edges and blends
    "hole in the edge of a step": (
        cut(B, at(box(80, 30, 30), -10, 30, 25), at(cyl(10, 60), 30, 30, -5)),
        # It parts the wall of the step in two.
        [
            hole(diameter_mm=10, through=True, partial=False, total_depth_mm=40, depth_mm=25),
            step(15, 20, 60),
            *walls(6),
        ],
    ),
    "hole out of a fillet": (
        cut(
            fillet(cut(B, at(box(80, 30, 30), -10, 30, 25)), 8, [[30, 30, 25]]),
            at(cyl(6, 60), 30, 34, -5),
        ),
        [
            hole(
                diameter_mm=6,
                through=True,
                depth_mm=33 - math.sqrt(64 - 1),
                total_depth_mm=33 - math.sqrt(64 - 49),
                stages=[stage("cylinder", 6, 6, 33 - math.sqrt(64 - 49))],
            ),
            *fillets(1, 8, length_mm=60),
            step(15, 20, 60),
            *walls(6),
        ],
    ),
    "counterbore cut open by the side of a block": (
        cut(B, at(cyl(10, 60), 30, 6, -5), at(cyl(18, 20), 30, 6, 30)),
        [
            through(10, 40, stages=[stage("counterbore", 18, 18, 10), stage("cylinder", 10, 10, 30)]),
            *walls(6),
        ],
    ),
    "countersink at the edge of a block": (
        cut(B, at(cyl(8, 60), 30, 7, -5), at(cone(8, 18, 5), 30, 7, 35)),
        # The cone runs out through the side, 7 from the axis, down to a height of 38: full depth counts from there.
        [
            hole(
                diameter_mm=8,
                depth_mm=38,
                total_depth_mm=40,
                through=True,
                partial=False,
                stages=[stage("countersink", 18, 8, 5), stage("cylinder", 8, 8, 35)],
            ),
            *walls(6),
        ],
    ),
    # --- what stands on a base
    "bracket with gussets": (
        union(box(50, 50, 3), box(50, 3, 50), at(GUSSET, 0, 3, 3), at(GUSSET, 48, 3, 3)),
        [slab(3, 47 * 50 - 40), slab(3, 47 * 50 - 40), slab(2, 50), slab(2, 50), *walls(4)],
    ),
    "ribs that cross": (
        union(box(80, 60, 10), at(box(60, 2, 12), 10, 29, 10), at(box(2, 40, 12), 39, 10, 10)),
        [fin(2, 12, 60), fin(2, 12, 40), slab(10, 4800 - 196), *walls(4)],
    ),
    "ribs in a grid": (
        union(
            box(100, 80, 20),
            *[at(box(80, 2, 12), 10, y, 20) for y in (20, 60)],
            *[at(box(2, 60, 12), x, 10, 20) for x in (30, 70)],
        ),
        # They take 544 off the top and cut a cell of 38 x 38 out of it.
        [*[fin(2, 12, 80)] * 2, *[fin(2, 12, 60)] * 2, slab(20, 8000 - 544 - 38 * 38), *walls(5)],
    ),
    "low rib across a high one": (
        union(box(80, 60, 20), at(box(60, 2, 16), 10, 29, 20), at(box(2, 40, 8), 39, 10, 20)),
        [fin(2, 16, 60), *[fin(2, 8, 19)] * 2, slab(20, 4800 - 196), *walls(4)],
    ),
    "boss half sunk into a wall": (
        union(box(80, 60, 40), at(box(80, 5, 30), 0, 0, 40), at(cyl(20, 15), 40, 13, 40)),
        [boss(20, 15, base_fillet_radius_mm=None), slab(5, 2400 - 180), *walls(6)],
    ),
}
