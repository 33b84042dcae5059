"""Parts with holes: every stage, bottom and entry, and holes that meet other things."""

from __future__ import annotations

import math

from tests.recognize.words import (
    TIP,
    B,
    Expected,
    Recipe,
    along_x,
    along_y,
    at,
    blind,
    box,
    cone,
    cut,
    cyl,
    fillet,
    fillets,
    hole,
    keyway,
    prism,
    round_bar,
    rounds,
    slot,
    stage,
    through,
    union,
    walls,
)

HOLES: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- holes
    "through hole": (
        cut(B, at(cyl(10, 60), 30, 25, -5)),
        [through(10, 40, stages=[stage("cylinder", 10, 10, 40)], extent_deg=360, entry_chamfer_mm=None), *walls(6)],
    ),
    "blind hole, flat": (
        cut(B, at(cyl(10, 60), 30, 25, 15)),
        [blind(10, 25, total_depth_mm=25, bottom="flat", bottom_angle_deg=None), *walls(6)],
    ),
    "drill point": (
        cut(B, at(cyl(10, 60), 30, 25, 15), at(cone(0, 10, TIP), 30, 25, 15 - TIP)),
        [
            blind(
                10,
                25,
                total_depth_mm=25 + TIP,
                bottom="conical",
                bottom_angle_deg=118,
                stages=[stage("cylinder", 10, 10, 25), stage("drill_point", 10, 0, TIP)],
            ),
            *walls(6),
        ],
    ),
    "ball end": (
        cut(B, at(cyl(10, 60), 30, 25, 20), at({"sphere": {"d": 10}}, 30, 25, 20)),
        [blind(10, 20, total_depth_mm=25, bottom="spherical"), *walls(6)],
    ),
    "counterbore": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cyl(18, 20), 30, 25, 30)),
        [through(10, 40, stages=[stage("counterbore", 18, 18, 10), stage("cylinder", 10, 10, 30)]), *walls(6)],
    ),
    "counterbore from below": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cyl(18, 20), 30, 25, -10)),
        [through(10, 40, stages=[stage("counterbore", 18, 18, 10), stage("cylinder", 10, 10, 30)]), *walls(6)],
    ),
    "two counterbores, one inside the other, blind": (
        cut(B, at(cyl(6, 60), 30, 25, 10), at(cyl(12, 60), 30, 25, 25), at(cyl(20, 60), 30, 25, 33)),
        [
            blind(
                6,
                30,
                bottom="flat",
                stages=[stage("counterbore", 20, 20, 7), stage("counterbore", 12, 12, 8), stage("cylinder", 6, 6, 15)],
            ),
            *walls(6),
        ],
    ),
    "countersink of 90 degrees": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cone(10, 20, 5), 30, 25, 35)),
        [
            through(
                10,
                40,
                stages=[stage("countersink", 20, 10, 5), stage("cylinder", 10, 10, 35)],
                entry_chamfer_mm=None,
            ),
            *walls(6),
        ],
    ),
    "entry chamfer is no stage": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cone(10, 12, 1), 30, 25, 39)),
        [through(10, 40, entry_chamfer_mm=1, stages=[stage("cylinder", 10, 10, 39)]), *walls(6)],
    ),
    "chamfers at both mouths": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cone(10, 12, 1), 30, 25, 39), at(cone(12, 10, 1), 30, 25, 0)),
        [through(10, 40, entry_chamfer_mm=1, stages=[stage("cylinder", 10, 10, 38)]), *walls(6)],
    ),
    "taper": (
        cut(B, at(cone(10, 14, 40), 30, 25, 0)),
        [through(10, 40, stages=[stage("taper", 14, 10, 40)]), *walls(6)],
    ),
    "groove inside a hole": (
        cut(B, at(cyl(20, 60), 30, 25, -5), at(cyl(24, 3), 30, 25, 30)),
        [
            through(
                20,
                40,
                stages=[stage("cylinder", 20, 20, 7), stage("groove", 24, 24, 3), stage("cylinder", 20, 20, 30)],
            ),
            *walls(6),
        ],
    ),
    "bottom with a fillet": (
        cut(B, fillet(at(cyl(20, 40), 30, 25, 20), 4, [[20, 25, 20]])),
        [blind(20, 16, total_depth_mm=20, bottom="flat"), *fillets(1, 4), *walls(6)],
    ),
    "mouth with a round": (
        fillet(cut(B, at(cyl(20, 60), 30, 25, -5)), 2, [[40, 25, 40]]),
        [through(20, 40), *rounds(1, 2), *walls(6)],
    ),
    "hole split in two halves by an imprint": (
        union(
            cut(box(30, 50, 40), at(cyl(10, 60), 30, 25, -5)),
            at(cut(box(30, 50, 40), at(cyl(10, 60), 0, 25, -5)), 30, 0, 0),
        ),
        [through(10, 40), *walls(6)],
    ),
    "partial hole at the edge of a block": (
        cut(B, at(cyl(20, 60), 57, 25, -5)),
        [
            hole(
                diameter_mm=20,
                depth_mm=40,
                through=True,
                partial=True,
                extent_deg=360 - 2 * math.degrees(math.acos(0.3)),
            ),
            *walls(7),
        ],
    ),
    "interrupted by a slot": (
        cut(B, along_x(at(cyl(10, 80), -20, 25, -5)), at(box(20, 60, 30), 20, -5, 15)),
        [through(10, 60, interrupted=True), slot(20, 25, 50, end_type="open"), *walls(7)],
    ),
    "holes that cross": (
        cut(B, at(cyl(10, 60), 30, 25, -5), along_x(at(cyl(8, 80), -20, 25, -5))),
        [through(10, 40), hole(diameter_mm=8, through=True, partial=False), *walls(6)],
    ),
    "hole into a hole": (
        cut(B, at(cyl(20, 60), 30, 25, -5), along_x(at(cyl(8, 35), -20, 25, -5))),
        [through(20, 40), hole(diameter_mm=8, through=True, total_depth_mm=30 - math.sqrt(100 - 16)), *walls(6)],
    ),
    "hole on a slope": (
        cut(prism([[0, 0], [40, 0], [40, 20], [0, 40]], 50), along_y(at(cyl(10, 100), 20, 25, -80))),
        [hole(diameter_mm=10, through=True, depth_mm=27.5, total_depth_mm=32.5), *walls(6)],
    ),
    "radial hole in a tube": (
        cut(cyl(40, 60), at(cyl(20, 80), 0, 0, -10), along_x(at(cyl(6, 40), -30, 0, 0))),
        [
            through(20, 60),
            hole(diameter_mm=6, through=True, total_depth_mm=20 - math.sqrt(100 - 9), extent_deg=360),
            *round_bar(40, 60),
        ],
    ),
    "row of holes": (
        cut(B, *[at(cyl(6, 60), 10 + 12 * k, 25, -5) for k in range(4)]),
        [*[through(6, 40, thread_candidates=["M7"])] * 4, *walls(6)],
    ),
    "tapped sizes": (
        cut(B, at(cyl(5, 60), 15, 25, -5), at(cyl(6.8, 60), 30, 25, -5), at(cyl(8.5, 60), 45, 25, 36)),
        [
            through(5, 40, thread_candidates=["M6"]),
            through(6.8, 40, thread_candidates=["M8", "5/16-24"]),
            blind(8.5, 4, thread_candidates=[]),
            *walls(6),
        ],
    ),
    # --- holes in slopes and round sides
    "counterbore from above in a slope": (
        # The slope falls from 40 to 20; it is 30 high on the axis and 27 to 33 around the counterbore.
        cut(
            prism([[0, 0], [40, 0], [40, 20], [0, 40]], 50),
            along_y(at(cyl(6, 100), 20, 25, -80)),
            along_y(at(cyl(12, 40), 20, 25, -50)),
        ),
        [
            hole(
                diameter_mm=6,
                through=True,
                depth_mm=27,
                total_depth_mm=33,
                stages=[stage("counterbore", 12, 12, 23), stage("cylinder", 6, 6, 10)],
            ),
            *walls(6),
        ],
    ),
    "counterbore in a round side": (
        cut(cyl(60, 50), along_x(at(cyl(6, 100), -25, 0, -50)), along_x(at(cyl(12, 40), -25, 0, 20))),
        [
            hole(
                diameter_mm=6,
                through=True,
                # From the lowest point of the rim of 12 to the highest of the exit of 6.
                depth_mm=math.sqrt(900 - 36) + math.sqrt(900 - 9),
                total_depth_mm=60,
                stages=[stage("counterbore", 12, 12, 10), stage("cylinder", 6, 6, 50)],
            ),
            *round_bar(60, 50),
        ],
    ),
    "hole across a bar": (
        cut(cyl(40, 60), at(along_x(cyl(10, 80)), -40, 0, 30)),
        [
            hole(diameter_mm=10, through=True, partial=False, depth_mm=2 * math.sqrt(400 - 25), total_depth_mm=40),
            *round_bar(40, 60),
        ],
    ),
    "blind hole in a bar": (
        cut(cyl(40, 60), at(along_x(cyl(10, 80)), 5, 0, 30)),
        [blind(10, math.sqrt(400 - 25) - 5, total_depth_mm=15, bottom="flat"), *round_bar(40, 60)],
    ),
    # --- stages together
    "counterbore with a fillet at its shoulder": (
        cut(B, at(cyl(10, 60), 30, 25, -5), fillet(at(cyl(18, 20), 30, 25, 30), 1, [[21, 25, 30]])),
        [
            through(10, 40, stages=[stage("counterbore", 18, 18, 10), stage("cylinder", 10, 10, 30)]),
            *fillets(1, 1, extent_deg=90),
            *walls(6),
        ],
    ),
    "countersink below a counterbore": (
        cut(B, at(cyl(6, 60), 30, 25, -5), at(cyl(12, 20), 30, 25, 34), at(cone(6, 9, 1.5), 30, 25, 32.5)),
        [
            through(
                6,
                40,
                stages=[
                    stage("counterbore", 12, 12, 6),
                    stage("countersink", 9, 6, 1.5),
                    stage("cylinder", 6, 6, 32.5),
                ],
            ),
            *walls(6),
        ],
    ),
    "tapped hole with an entry chamfer and a drill point": (
        cut(
            B,
            at(cyl(6.8, 25), 30, 25, 15),
            at(cone(6.8, 8.4, 0.8), 30, 25, 39.2),
            at(cone(0, 6.8, 0.68 * TIP), 30, 25, 15 - 0.68 * TIP),
        ),
        [
            blind(
                6.8,
                25,
                total_depth_mm=25 + 0.68 * TIP,
                bottom="conical",
                bottom_angle_deg=118,
                entry_chamfer_mm=0.8,
                thread_candidates=["M8", "5/16-24"],
            ),
            *walls(6),
        ],
    ),
    "hole drilled twice, a hair wider from above": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cyl(10.01, 40), 30, 25, 20)),
        [
            through(10, 40, stages=[stage("counterbore", 10.01, 10.01, 20), stage("cylinder", 10, 10, 20)]),
            *walls(6),
        ],
    ),
    "keyway in a bore": (
        cut(cyl(60, 40), at(cyl(30, 60), 0, 0, -5), at(box(18, 8, 60), 0, -4, -5)),
        [
            hole(
                diameter_mm=30,
                depth_mm=40,
                through=True,
                partial=True,
                extent_deg=360 - 2 * math.degrees(math.asin(4 / 15)),
            ),
            keyway(8, 3, 40, 30, form="inside", end_type="open", open_ends=2),
            *round_bar(60, 40),
        ],
    ),
}
