"""Awkward parts: walls in pieces, holes that meet, grooves cut open."""

from __future__ import annotations

import math

from tests.recognize.words import (
    B,
    Expected,
    Recipe,
    along_x,
    at,
    box,
    cone,
    cut,
    cyl,
    fillet,
    fillets,
    hole,
    pocket,
    slot,
    stage,
    through,
    walls,
)

AWKWARD: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- holes
    "holes of one diameter that cross": (
        cut(B, at(cyl(10, 60), 30, 25, -5), along_x(at(cyl(10, 80), -20, 25, -10))),
        [
            hole(diameter_mm=10, through=True, partial=False, total_depth_mm=40),
            hole(diameter_mm=10, through=True),
            *walls(6),
        ],
    ),
    "hole through two walls of a channel": (
        cut(
            B,
            at(box(80, 30, 40), -10, 10, 10),
            at({"turn": {"of": cyl(8, 80), "axis": [1, 0, 0], "deg": 90}}, 30, 60, 25),
        ),
        [
            hole(
                diameter_mm=8, through=True, interrupted=True, total_depth_mm=50, stages=[stage("cylinder", 8, 8, 50)]
            ),
            slot(30, 30, 60, end_type="open"),
            *walls(7),
        ],
    ),
    "D-shaped hole": (
        cut(B, at(cut(cyl(20, 60), at(box(20, 20, 60), 5, -10, 0)), 30, 25, -5)),
        [hole(diameter_mm=20, depth_mm=40, through=True, partial=True, extent_deg=240), *walls(6)],
    ),
    "counterbore with a chamfer on its rim": (
        cut(B, at(cyl(10, 60), 30, 25, -5), at(cyl(18, 20), 30, 25, 30), at(cone(18, 20, 1), 30, 25, 39)),
        [
            through(
                10, 40, entry_chamfer_mm=1, stages=[stage("counterbore", 18, 18, 9), stage("cylinder", 10, 10, 30)]
            ),
            *walls(6),
        ],
    ),
    # --- cavities
    "ring groove with a fillet at its core": (
        fillet(cut(B, at(cut(cyl(30, 20), cyl(16, 20)), 30, 25, 30)), 2, [[38, 25, 30]]),
        [slot(7, 10, 23 * math.pi, end_type="ring"), *fillets(1, 2), *walls(7)],
    ),
    "ring groove cut open by a slot": (
        cut(B, at(cut(cyl(30, 20), cyl(16, 20)), 30, 25, 30), at(box(40, 4, 40), 30, 23, 20)),
        # 15 and 8 are the radii; the slot of 4 takes this arc out of the outer one.
        [
            slot(7, 10, (2 * math.pi - 2 * math.asin(2 / 15)) * 11.5, end_type="ring"),
            slot(4, 20, 30, end_type="square", open_ends=1),
            *walls(7),
        ],
    ),
    "hole through the wall of a passage": (
        cut(B, at(box(30, 20, 60), 15, 15, -5), at(cyl(10, 60), 30, 36, -5)),
        [
            pocket(40, 20, 30, through=True, form="passage", volume_mm3=24000),
            hole(diameter_mm=10, through=True, partial=True),
            *walls(6),
        ],
    ),
    "two passages that meet": (
        cut(B, at(box(20, 20, 60), 10, 10, -5), at(box(20, 20, 60), 25, 20, -5)),
        [("POCKET", {"depth_mm": 40, "through": True, "form": "passage"}), *walls(6)],
    ),
    "slot that hangs on the wall of a step and runs on below its floor": (
        cut(B, at(box(30, 30, 50), 40, 30, -5), at(box(10, 70, 12), 30, -10, 14)),
        [slot(12, 10, 50, end_type="open", open_ends=2), *walls(6 + 2 + 1)],
    ),
}
