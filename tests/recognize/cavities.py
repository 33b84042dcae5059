"""Parts with slots, pockets and passages."""

from __future__ import annotations

import math

from tests.recognize.words import (
    PLATE,
    B,
    Expected,
    Recipe,
    along_x,
    at,
    boss,
    box,
    cut,
    cyl,
    fillet,
    fillets,
    obround,
    pocket,
    prism,
    protrusion,
    slab,
    slot,
    through,
    walls,
)

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
        [slot(4, 3, 24 * math.pi, end_type="ring"), *walls(4)],
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
    "step is no pocket": (cut(B, at(box(80, 30, 30), -10, 30, 25)), walls(8)),
    "open pocket": (
        cut(B, at(box(40, 40, 20), -10, 5, 25)),
        [pocket(15, 30, 40, open_sides=1, form="blind slot"), *walls(6)],
    ),
}
