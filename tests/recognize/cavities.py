"""Parts with slots, pockets and passages."""

from __future__ import annotations

import math

from tests.recognize.words import (
    PLATE,
    B,
    Expected,
    Recipe,
    along_x,
    along_y,
    at,
    boss,
    box,
    cut,
    cyl,
    fillet,
    fillets,
    fin,
    groove,
    keyway,
    obround,
    pocket,
    prism,
    protrusion,
    round_bar,
    rounds,
    slab,
    slot,
    step,
    through,
    union,
    walls,
)

TAN3 = math.tan(math.radians(3))
RECTANGLE: list[list[float]] = [[-20, -15], [20, -15], [20, 15], [-20, 15]]
SIXTHS = [math.radians(60 * k) for k in range(6)]
DOVETAIL_RIM = (112 + math.sqrt(112**2 + 40 * (9 * 1600 - 56**2))) / 20
"""Height y at which a wall x = (56 - y) / 3 leaves a bar of radius 40: 10 y2 - 112 y + 56^2 - 9 * 1600 = 0."""

CAVITIES: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- slots
    "through slot": (
        cut(B, at(box(80, 10, 20), -10, 20, 25)),
        [slot(10, 15, 60, end_type="open", through=False, undercut=False, open_ends=2), *walls(7)],
    ),
    "blind slot": (
        cut(B, at(box(50, 10, 20), -10, 20, 25)),
        [slot(10, 15, 40, end_type="square", open_ends=1), *walls(6)],
    ),
    "blind slot with a round end": (
        cut(B, at(box(40, 10, 20), -10, 20, 25), at(cyl(10, 20), 30, 25, 25)),
        [slot(10, 15, 35, end_type="round", open_ends=1), *walls(6)],
    ),
    "slot through a plate's edge": (
        cut(PLATE, at(box(60, 8, 40), -10, 26, -5)),
        [slot(8, 20, 50, through=True, end_type="square", open_ends=1), slab(20, 5600), *walls(5)],
    ),
    "obround slot through": (
        cut(PLATE, at(obround(40, 10, 40), 50, 30, -5)),
        [slot(10, 20, 40, through=True, end_type="round", open_ends=0), slab(20, 6000 - 300 - 25 * math.pi), *walls(4)],
    ),
    "obround slot, blind": (
        cut(B, at(obround(40, 10, 40), 30, 25, 30)),
        [slot(10, 10, 40, through=False, end_type="round", open_ends=0), *walls(6)],
    ),
    "slot with floor fillets": (
        fillet(cut(B, at(box(80, 12, 20), -10, 19, 25)), 2, [[30, 19, 25], [30, 31, 25]]),
        [slot(12, 15, 60, end_type="open"), *fillets(2, 2, length_mm=60, extent_deg=90), *walls(7)],
    ),
    "V-groove": (
        cut(B, at(along_x(prism([[0, -10], [10, 0], [0, 10]], 80)), -10, 25, 40)),
        [slot(10, 10, 60, mouth_width_mm=20, undercut=False), *walls(7)],
    ),
    "dovetail": (
        cut(B, at(along_x(prism([[0, -5], [10, -10], [10, 10], [0, 5]], 80)), -10, 25, 40)),
        [slot(15, 10, 60, mouth_width_mm=10, undercut=True), *walls(7)],
    ),
    "T-slot": (
        cut(B, at(box(80, 8, 30), -10, 21, 25), at(box(80, 20, 8), -10, 15, 20)),
        [slot(20, 20, 60, mouth_width_mm=8, undercut=True), *walls(7)],
    ),
    "ring groove in a face": (
        cut(B, at(cut(cyl(30, 20), cyl(20, 20)), 30, 25, 35)),
        [slot(5, 5, 25 * math.pi, end_type="ring", open_ends=0), *walls(7)],
    ),
    "groove around a shaft": (
        cut(cyl(30, 80), at(cut(cyl(40, 4), cyl(24, 4)), 0, 0, 40)),
        [groove("outside", 4, 3, 24, corner_radius_mm=0, relief=False), *round_bar(30, 80)],
    ),
    "wide slot is a pocket with open sides": (
        cut(B, at(box(80, 40, 20), -10, 5, 25)),
        [pocket(15, 40, 60, open_sides=2, form="slot", through=False), *walls(7)],
    ),
    # --- pockets
    "pocket": (
        cut(B, at(box(40, 30, 20), 10, 10, 25)),
        [
            pocket(
                15,
                30,
                40,
                open_sides=0,
                through=False,
                form="pocket",
                min_corner_radius_mm=0,
                n_islands=0,
                volume_mm3=18000,
            ),
            *walls(6),
        ],
    ),
    "pocket with corner fillets": (
        cut(B, fillet(at(box(40, 30, 20), 10, 10, 25), 4, "z")),
        [
            pocket(15, 30, 40, min_corner_radius_mm=4, volume_mm3=18000 - (4 - math.pi) * 16 * 15),
            *fillets(4, 4, length_mm=15, extent_deg=90),
            *walls(6),
        ],
    ),
    "pocket with corner and floor fillets": (
        cut(B, fillet(fillet(at(box(40, 30, 20), 10, 10, 25), 5, "z"), 2, [[30, 10, 25]])),
        [
            pocket(15, 30, 40, min_corner_radius_mm=5),
            *fillets(4, 5),
            *fillets(4, 2, extent_deg=90),
            *fillets(4, 2, extent_deg=90),
            *walls(6),
        ],
    ),
    "triangular pocket": (
        cut(B, at(prism([[0, 0], [30, 0], [0, 30]], 20), 10, 10, 25)),
        [pocket(15, 60 - 30 * math.sqrt(2), 30 * math.sqrt(2), form="pocket"), *walls(6)],
    ),
    "passage": (
        cut(B, at(box(30, 20, 60), 15, 15, -5)),
        [pocket(40, 20, 30, through=True, form="passage", open_sides=0, floor_face=None, volume_mm3=24000), *walls(6)],
    ),
    "pocket with a round island": (
        cut(B, at(cut(box(40, 40, 20), at(cyl(12, 5), 20, 20, 0)), 10, 5, 30)),
        [
            pocket(10, 2 * (20 * math.sqrt(2) - 6) / (1 + math.sqrt(2)), 40, n_islands=1),
            boss(12, 5),
            *walls(6),
        ],
    ),
    "pocket with a square island": (
        cut(B, at(cut(box(40, 40, 20), at(box(10, 10, 5), 15, 15, 0)), 10, 5, 30)),
        [pocket(10, 2 * 15 * math.sqrt(2) / (1 + math.sqrt(2)), 40, n_islands=1), protrusion(5, 10, 10), *walls(6)],
    ),
    "pocket in a pocket": (
        cut(B, at(box(40, 30, 20), 10, 10, 25), at(box(20, 10, 20), 20, 20, 15)),
        [pocket(15, 30, 40, form="pocket"), pocket(10, 10, 20, form="pocket"), *walls(6)],
    ),
    "hole in a pocket floor": (
        cut(B, at(box(40, 30, 20), 10, 10, 25), at(cyl(6, 60), 20, 20, -5)),
        [pocket(15, 30, 40, form="pocket"), through(6, 25), *walls(6)],
    ),
    "corner notch": (
        cut(B, at(box(30, 30, 30), 40, 35, 25)),
        [pocket(15, 15, 20, open_sides=2, form="notch"), *walls(6)],
    ),
    "step is no pocket": (cut(B, at(box(80, 30, 30), -10, 30, 25)), [step(15, 20, 60), *walls(6)]),
    "open pocket": (
        cut(B, at(box(40, 40, 20), -10, 5, 25)),
        [pocket(15, 30, 40, open_sides=1, form="blind slot"), *walls(6)],
    ),
    # --- slots in round sides
    "keyseat with round ends": (
        cut(cyl(40, 100), at(along_x(obround(40, 10, 20)), 15, 0, 50)),
        [keyway(10, 5, 40, 40, form="outside", end_type="round", open_ends=0), *round_bar(40, 100)],
    ),
    "keyseat that runs out": (
        cut(cyl(40, 100), at(box(20, 10, 40), 15, -5, 70)),
        [keyway(10, 5, 30, 40, form="outside", end_type="square", open_ends=1), *round_bar(40, 100)],
    ),
    "keyseat of a disc": (
        # A disc of 25 with its center in the surface of the shaft.
        cut(cyl(40, 100), at(along_y(cyl(25, 6)), 20, 3, 50)),
        [keyway(6, 12.5, 25, 40, form="woodruff", end_type="round", open_ends=0), *round_bar(40, 100)],
    ),
    "slot along a bar": (
        cut(cyl(80, 60), at(box(8, 40, 80), -4, 25, -5)),
        [slot(8, math.sqrt(1600 - 16) - 25, 60, end_type="open", open_ends=2), *round_bar(80, 60)],
    ),
    "T-slot along a bar": (
        cut(cyl(80, 60), at(box(8, 40, 80), -4, 25, -5), at(box(20, 8, 80), -10, 20, -5)),
        [slot(20, math.sqrt(1600 - 16) - 20, 60, mouth_width_mm=8, undercut=True), *round_bar(80, 60)],
    ),
    "dovetail along a bar": (
        # Walls from (12, 20) to (5, 41), which meet the bar of 80 at 3 x = 56 - y.
        cut(cyl(80, 60), at(prism([[-5, 41], [-12, 20], [12, 20], [5, 41]], 80), 0, 0, -5)),
        [
            slot(
                12 + (56 - DOVETAIL_RIM) / 3,
                DOVETAIL_RIM - 20,
                60,
                mouth_width_mm=2 * (56 - DOVETAIL_RIM) / 3,
                undercut=True,
            ),
            *round_bar(80, 60),
        ],
    ),
    "dovetail below a neck": (
        cut(B, at(along_x(prism([[-5, -5], [5, -5], [15, -10], [15, 10], [5, 5], [-5, 5]], 80)), -10, 25, 40)),
        [slot(20, 15, 60, mouth_width_mm=10, undercut=True), *walls(7)],
    ),
    "slot with draft": (
        cut(
            B,
            at(
                along_x(prism([[0, -5], [0, 5], [15, 5 - 15 * TAN3], [15, -5 + 15 * TAN3]], 80)),
                -10,
                25,
                40,
            ),
        ),
        [slot(10 - 15 * TAN3, 15, 60, mouth_width_mm=10, end_type="open", undercut=False), *walls(7)],
    ),
    "slot with a round bottom": (
        cut(B, at(box(80, 10, 20), -10, 20, 30), at(along_x(cyl(10, 80)), -10, 25, 30)),
        [slot(10, 15, 60, end_type="open", open_ends=2), *walls(7)],
    ),
    "obround over an obround": (
        cut(B, at(obround(30, 8, 60), 30, 25, -5), at(obround(36, 14, 20), 30, 25, 32)),
        [
            slot(8, 32, 30, through=True, end_type="round", open_ends=0),
            slot(14, 8, 36, through=False, end_type="round", open_ends=0),
            *walls(6),
        ],
    ),
    "hole in the floor of an obround": (
        cut(B, at(cyl(8, 60), 30, 25, -5), at(obround(36, 14, 20), 30, 25, 32)),
        [through(8, 32), slot(14, 8, 36, through=False, end_type="round", open_ends=0), *walls(6)],
    ),
    # --- pockets with draft, islands, ribs, holes in their walls
    "pocket with draft": (
        cut(B, at({"turn": {"of": prism(RECTANGLE, 15, 3), "axis": [1, 0, 0], "deg": 180}}, 30, 25, 40)),
        [pocket(15, 30 - 30 * TAN3, 40 - 30 * TAN3, form="pocket"), *walls(6)],
    ),
    "open pocket with corner fillets": (
        cut(B, fillet(at(box(40, 40, 20), -10, 5, 25), 5, [[30, 5, 30], [30, 45, 30]])),
        [
            pocket(15, 30, 40, open_sides=1, form="blind slot", min_corner_radius_mm=5),
            *fillets(2, 5, length_mm=15, extent_deg=90),
            *walls(6),
        ],
    ),
    "pocket with an island that has fillets": (
        fillet(
            cut(B, at(cut(fillet(box(40, 40, 20), 5, "z"), at(fillet(box(12, 12, 5), 3, "z"), 14, 14, 0)), 10, 5, 30)),
            1.5,
            [[30, 5, 30], [30, 19, 30]],
        ),
        [
            # A circle that touches two walls and the island's corner, whose center is 3 from both its sides.
            pocket(10, 2 * (17 * math.sqrt(2) - 3) / (1 + math.sqrt(2)), 40, n_islands=1, min_corner_radius_mm=5),
            protrusion(5, 12, 12),
            *fillets(4, 5, length_mm=8.5),
            *fillets(8, 1.5, extent_deg=90),
            *fillets(8, 1.5, extent_deg=90),
            *rounds(4, 3, length_mm=3.5),
            *walls(6),
        ],
    ),
    "volume of a pocket around a low island": (
        cut(B, at(cut(box(40, 40, 20), at(box(10, 20, 5), 15, 10, 0)), 10, 5, 30)),
        [
            # A circle of radius r in a corner touches the island's corner, which is 15 and 10 from the walls.
            pocket(10, 2 * (25 - math.sqrt(300)), 40, n_islands=1, volume_mm3=16000 - 1000),
            protrusion(5, 10, 20),
            *walls(6),
        ],
    ),
    "pocket with a rib across it": (
        union({"shell": {"of": B, "t": 2, "open": [[30, 25, 40]]}}, at(box(56, 1.5, 12), 2, 18.5, 2)),
        [
            fin(1.5, 12, 56),
            # Beside the rib the floor is 46 - 16.5 - 1.5 wide.
            pocket(38, 28, 56, form="pocket", n_islands=0),
            *walls(6),
        ],
    ),
    "hole through the wall of a pocket": (
        cut(B, at(box(40, 30, 20), 10, 10, 20), along_x(at(cyl(6, 15), -30, 25, -2))),
        [through(6, 10), pocket(20, 30, 40, form="pocket", volume_mm3=24000), *walls(6)],
    ),
    "hexagon socket": (
        cut(cyl(30, 40), at(prism([[8 * math.cos(k), 8 * math.sin(k)] for k in SIXTHS], 20), 0, 0, 30)),
        [pocket(10, 8 * math.sqrt(3), 16, form="pocket", volume_mm3=10 * 96 * math.sqrt(3)), *round_bar(30, 40)],
    ),
    # --- pockets with open sides
    "open pocket with floor fillets": (
        cut(B, fillet(at(box(40, 40, 20), -10, 5, 25), 2, [[10, 5, 25], [10, 45, 25], [30, 25, 25]])),
        [pocket(15, 30, 40, open_sides=1, form="blind slot"), *fillets(3, 2, extent_deg=90), *walls(6)],
    ),
    "wide groove with a round bottom": (
        cut(B, at(box(34, 70, 20), 13, -10, 35), at(along_y(cyl(34, 70)), 30, 60, 35)),
        [pocket(22, 34, 50, open_sides=2, form="slot", through=False), *walls(7)],
    ),
    "cut-out in the edge of a plate": (
        cut(box(100, 60, 8), fillet(at(box(50, 40, 20), 25, 30, -5), 5, [[25, 30, 0], [75, 30, 0]])),
        [
            pocket(8, 30, 50, through=True, form="blind slot", open_sides=1, min_corner_radius_mm=5),
            *fillets(2, 5, length_mm=8),
            slab(8, 6000 - 1500 + 2 * (1 - math.pi / 4) * 25),
            *walls(5),
        ],
    ),
    "pads at the corners of a plate leave no pocket": (
        union(box(80, 60, 30), *[at(box(20, 15, 20), x, y, 30) for x in (0, 60) for y in (0, 45)]),
        walls(1 + 1 + 4 + 8 + 4),
    ),
}
