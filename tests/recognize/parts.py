"""Parts with everything that is neither a hole nor a cavity, and parts that combine features."""

from __future__ import annotations

import math

from tests.recognize.words import (
    C45,
    PLATE,
    B,
    Expected,
    Recipe,
    along_x,
    along_y,
    at,
    bend,
    blind,
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
    pocket,
    prism,
    protrusion,
    round_bar,
    rounds,
    shaft,
    shoulders,
    slab,
    slot,
    stage,
    step,
    through,
    union,
    walls,
)

PARTS: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- bodies without features
    "block": (B, walls(6)),
    "plate is a slab": (PLATE, [slab(20, 6000), *walls(4)]),
    "plate off the origin, whose sides round badly": (
        at(box(100, 60, 5.6), 0.7, 0.3, -1.134),
        [slab(5.6, 6000), *walls(4)],
    ),
    "bar": (cyl(20, 100), round_bar(20, 100)),
    "tube: a hole, and its barrel is no boss": (
        cut(cyl(40, 60), at(cyl(20, 80), 0, 0, -10)),
        [through(20, 60), *round_bar(40, 60)],
    ),
    "hexagonal bar has no chamfers": (
        prism([[20 * math.cos(math.radians(60 * k)), 20 * math.sin(math.radians(60 * k))] for k in range(6)], 60),
        walls(8),
    ),
    "octagonal bar has no chamfers": (
        prism([[20 * math.cos(math.radians(45 * k)), 20 * math.sin(math.radians(45 * k))] for k in range(8)], 60),
        walls(10),
    ),
    # --- bosses
    "boss": (union(B, at(cyl(20, 15), 30, 25, 40)), [boss(20, 15, draft_deg=0, bore_diameter_mm=None), *walls(6)]),
    "boss with a bore": (
        cut(union(B, at(cyl(20, 15), 30, 25, 40)), at(cyl(8, 30), 30, 25, 35)),
        [boss(20, 15, bore_diameter_mm=8), blind(8, 20), *walls(6)],
    ),
    "boss with a base fillet": (
        fillet(union(B, at(cyl(20, 15), 30, 25, 40)), 3, [[40, 25, 40]]),
        [boss(20, 15, base_fillet_radius_mm=3), *fillets(1, 3, extent_deg=90), *walls(6)],
    ),
    "boss with draft": (
        union(B, at(cone(20, 20 - 30 * math.tan(math.radians(2)), 15), 30, 25, 40)),
        [boss(20, 15, draft_deg=2), *walls(6)],
    ),
    "boss with a chamfered top": (
        chamfer(union(B, at(cyl(20, 15), 30, 25, 40)), 1, [[40, 25, 55]]),
        [boss(20, 15), *chamfers(1, C45), *walls(6)],
    ),
    "stepped shaft has two diameters and no boss": (
        union(cyl(40, 50), at(cyl(20, 30), 0, 0, 50)),
        [shaft(40, 50), shaft(20, 30, thread_candidates=["M20", "M20x1.5"]), *shoulders(3)],
    ),
    "boss with ribs": (
        union(B, at(cyl(16, 20), 30, 25, 40), at(box(40, 2, 10), 10, 24, 40)),
        [boss(16, 20), *[fin(2, 10, 20 - math.sqrt(64 - 1))] * 2, *walls(6)],
    ),
    "boss with draft and a base fillet": (
        fillet(union(B, at(cone(20, 20 - 30 * math.tan(math.radians(2)), 15), 30, 25, 40)), 3, [[40, 25, 40]]),
        [boss(20, 15, draft_deg=2, base_fillet_radius_mm=3), *fillets(1, 3, extent_deg=88), *walls(6)],
    ),
    "boss on a slope": (
        # The slope is 30 high where the axis meets it; the boss ends at 45.
        union(prism([[0, 0], [40, 0], [40, 20], [0, 40]], 50), along_y(at(cyl(16, 45), 20, 25, -45))),
        [boss(16, 15), *walls(6)],
    ),
    "boss on a round side": (
        union(cyl(40, 80), at(along_x(cyl(20, 40)), 0, 0, 40)),
        [boss(20, 20), *round_bar(40, 80)],
    ),
    # --- fins
    "fin": (
        union(B, at(box(40, 3, 15), 10, 20, 40)),
        [fin(3, 15, 40, thickness_base_mm=3, thickness_tip_mm=3, draft_deg=0), *walls(6)],
    ),
    "fin with draft": (
        union(
            B,
            at(
                along_x(
                    prism(
                        [
                            [0, -2],
                            [-15, -2 + 15 * math.tan(math.radians(2))],
                            [-15, 2 - 15 * math.tan(math.radians(2))],
                            [0, 2],
                        ],
                        40,
                    )
                ),
                10,
                25,
                40,
            ),
        ),
        [
            fin(
                4 - 15 * math.tan(math.radians(2)),
                15,
                40,
                thickness_base_mm=4,
                thickness_tip_mm=4 - 30 * math.tan(math.radians(2)),
                draft_deg=2,
            ),
            *walls(6),
        ],
    ),
    "fin with base fillets": (
        fillet(union(B, at(box(40, 3, 15), 10, 20, 40)), 1, [[30, 20, 40], [30, 23, 40]]),
        [fin(3, 15, 40), *fillets(2, 1), *walls(6)],
    ),
    "fin across the block": (union(B, at(box(60, 3, 15), 0, 20, 40)), [fin(3, 15, 60), *walls(7)]),
    "fin with rounds along its top": (
        fillet(union(B, at(box(40, 3, 15), 10, 20, 40)), 1, [[30, 20, 55], [30, 23, 55]]),
        [fin(3, 15, 40), *rounds(2, 1, length_mm=40, extent_deg=90), *walls(6)],
    ),
    "fin with a full round": (
        union(B, at(box(40, 3, 13.5), 10, 20, 40), at(along_x(cyl(3, 40)), 10, 21.5, 53.5)),
        [fin(3, 15, 40), *walls(6)],
    ),
    "gusset in a corner": (
        union(B, at(box(60, 20, 30), 0, 30, 40), at(along_x(prism([[0, 0], [0, -20], [-20, 0]], 3)), 28, 30, 40)),
        [fin(3, 20, 20), step(30, 30, 60), *walls(6)],
    ),
    "gusset steeper than a chamfer": (
        union(B, at(box(60, 20, 40), 0, 30, 40), at(along_x(prism([[0, 0], [0, -15], [-30, 0]], 3)), 28, 30, 40)),
        # It stands on the larger of the two faces that it ties together.
        [fin(3, 15, 30), step(30, 40, 60), *walls(6)],
    ),
    "fin that runs out on its base": (
        union(B, at(along_y(prism([[0, 0], [40, 0], [0, 15]], 3)), 10, 23, 40)),
        [fin(3, 15, 40), *walls(6)],
    ),
    "fin like a gable": (
        union(B, at(along_y(prism([[0, 0], [40, 0], [20, 15]], 3)), 10, 23, 40)),
        [fin(3, 15, 40), *walls(6)],
    ),
    "web between two pockets is no fin": (
        cut(B, at(box(24, 40, 20), 4, 5, 20), at(box(24, 40, 20), 32, 5, 20)),
        [*[pocket(20, 24, 40, form="pocket")] * 2, *walls(6)],
    ),
    "low block on a base is no fin": (union(B, at(box(40, 20, 5), 10, 15, 40)), [protrusion(5, 20, 40), *walls(6)]),
    # --- protrusions
    "protrusion": (union(B, at(box(20, 15, 10), 20, 20, 40)), [protrusion(10, 15, 20), *walls(6)]),
    "hexagonal protrusion": (
        union(
            B,
            at(
                prism(
                    [[10 * math.cos(math.radians(60 * k)), 10 * math.sin(math.radians(60 * k))] for k in range(6)], 8
                ),
                30,
                25,
                40,
            ),
        ),
        [protrusion(8, 10 * math.sqrt(3), 20), *walls(6)],
    ),
    "protrusion with draft": (
        union(B, at(prism([[-10, -7], [10, -7], [10, 7], [-10, 7]], 10, 3), 30, 25, 40)),
        [protrusion(10, 14, 20), *walls(6)],
    ),
    "protrusion with base fillets": (
        fillet(union(B, at(fillet(box(20, 15, 10), 3, "z"), 20, 20, 40)), 1.5, [[30, 20, 40]]),
        [protrusion(10, 15, 20), *fillets(8, 1.5, extent_deg=90), *rounds(4, 3, length_mm=8.5), *walls(6)],
    ),
    "part on a foot: the foot stands on the part": (
        union(box(18, 18, 5), at(box(10, 10, 10), 4, 4, 5), at(box(80, 80, 20), -30, -30, 15)),
        [protrusion(15, 10, 10), slab(20, 6300), *walls(4)],
    ),
    "pin in the hole of another body": (
        {
            "bodies": [
                cut(B, at(cyl(10, 60), 30, 25, -5)),
                union(at(box(20, 20, 5), 20, 15, 41), at(cyl(8, 30), 30, 25, 11)),
            ]
        },
        [through(10, 40), boss(8, 30, bore_diameter_mm=None), slab(5, 400 - 16 * math.pi), *walls(10)],
    ),
    # --- blends and chamfers
    "rounded block": (
        fillet(B, 5, "z"),
        [*rounds(4, 5, length_mm=40, extent_deg=90), *walls(6)],
    ),
    "block rounded all over": (
        fillet(B, 5, "all"),
        [
            *rounds(4, 5, length_mm=30),
            *rounds(4, 5, length_mm=40),
            *rounds(4, 5, length_mm=50),
            *rounds(8, 5),
            *walls(6),
        ],
    ),
    "round outline between rounded corners is no round": (
        fillet({"common": [cyl(100, 5), at(box(80, 120, 5), -40, -60, 0)]}, 8, "z"),
        [*rounds(4, 8), ("SLAB", {"thickness_mm": 5}), *walls(4)],
    ),
    "inner fillet": (
        fillet(cut(B, at(box(80, 30, 30), -10, 30, 25)), 4, [[30, 30, 25]]),
        [*fillets(1, 4, length_mm=60, extent_deg=90), step(15, 20, 60), *walls(6)],
    ),
    "chamfered edges": (
        chamfer(B, 2, "z"),
        [*chamfers(4, 2 * C45, angle_deg=45, length_mm=40), *walls(6)],
    ),
    "chamfer with broken edges": (
        # Each of its edges turns by 45 degrees: 1 along both faces, 2 cos 22.5 across.
        chamfer(chamfer(B, 6, [[30, 0, 40]]), 1, [[30, 0, 34], [30, 6, 40]]),
        [
            *chamfers(2, 2 * math.cos(math.radians(22.5)), angle_deg=22.5, length_mm=60),
            *chamfers(1, 6 * C45 - 2, angle_deg=45, length_mm=60),
            *walls(6),
        ],
    ),
    "block chamfered all over": (
        chamfer(B, 2, "all"),
        [
            *chamfers(4, 2 * C45, length_mm=36),
            *chamfers(4, 2 * C45, length_mm=46),
            *chamfers(4, 2 * C45, length_mm=56),
            # Triangles of side 2 C45 at the corners, half their height wide on the mean.
            *chamfers(8, 2 * C45 * math.sqrt(3) / 4, length_mm=2 * C45),
            *walls(6),
        ],
    ),
    "chamfered shaft": (
        chamfer(cyl(20, 50), 2, [[-10, 0, 50], [-10, 0, 0]]),
        [*chamfers(2, 2 * C45, angle_deg=45), *round_bar(20, 50)],
    ),
    "step of a hair": (cut(B, at(box(80, 30, 0.02), -10, -1, 39.98)), [step(0.02, 29, 60), *walls(6)]),
    # --- slabs
    "two slabs at a right angle": (
        union(box(100, 80, 5), box(5, 80, 60)),
        [slab(5, 95 * 80), slab(5, 55 * 80), *walls(4)],
    ),
    # --- bends
    "bent sheet": (
        union(
            at(box(40, 50, 2), 5, 0, 0),
            at(box(2, 50, 30), 0, 0, 5),
            at(
                cut(
                    cut(along_y(cyl(10, 50)), along_y(cyl(6, 50))),
                    at(box(20, 60, 20), 0, -55, -10),
                    at(box(20, 60, 20), -10, -55, 0),
                ),
                5,
                50,
                5,
            ),
        ),
        [bend(3, 2, 90, 50), slab(2, 2000), slab(2, 1500), *walls(4)],
    ),
    "bend without a radius": (
        union(
            at(box(40, 50, 2), 2, 0, 0),
            at(box(2, 50, 30), 0, 0, 2),
            at(cut(along_y(cyl(4, 50)), at(box(20, 60, 20), 0, -55, -10), at(box(20, 60, 20), -10, -55, 0)), 2, 50, 2),
        ),
        [bend(0, 2, 90, 50), slab(2, 2000), slab(2, 1500), *walls(4)],
    ),
    # --- combinations
    "plate with four holes and a pocket": (
        cut(PLATE, *[at(cyl(6.6, 40), x, y, -5) for x in (10, 90) for y in (10, 50)], at(box(40, 30, 20), 30, 15, 10)),
        [*[through(6.6, 20)] * 4, pocket(10, 30, 40), slab(20, 6000 - 1200 - 4 * math.pi * 3.3**2), *walls(4)],
    ),
    "slot across a pocket rim": (
        cut(B, at(box(40, 30, 20), 10, 10, 20), at(box(80, 6, 20), -10, 22, 32)),
        [
            pocket(20, 30, 40, form="pocket"),
            slot(6, 8, 60, end_type="open", open_ends=2),
            *walls(7),
        ],
    ),
    "counterbored boss": (
        cut(union(B, at(cyl(24, 12), 30, 25, 40)), at(cyl(8, 80), 30, 25, -5), at(cyl(14, 10), 30, 25, 46)),
        [
            boss(24, 12, bore_diameter_mm=8),
            through(8, 52, stages=[stage("counterbore", 14, 14, 6), stage("cylinder", 8, 8, 46)]),
            *walls(6),
        ],
    ),
}
