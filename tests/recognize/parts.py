"""Parts built by recipe, each with every feature that it has and the dimensions it was built with.

A case is `name: (recipe, features)`; a feature is its kind and the fields that the recipe fixes. `walls=n` counts the
WALLs that are left. Sizes are millimetres; the block `B` is too thick to hold a SLAB.
"""

from __future__ import annotations

import math
from typing import Any

Recipe = dict[str, Any]
Expected = tuple[str, dict[str, Any]]


def box(x: float, y: float, z: float) -> Recipe:
    return {"box": [x, y, z]}


def cyl(d: float, h: float) -> Recipe:
    return {"cylinder": {"d": d, "h": h}}


def cone(d: float, d2: float, h: float) -> Recipe:
    return {"cone": {"d": d, "d2": d2, "h": h}}


def at(recipe: Recipe, x: float, y: float, z: float) -> Recipe:
    return {"move": {"of": recipe, "by": [x, y, z]}}


def along_x(recipe: Recipe) -> Recipe:
    """What stood along Z now lies along X."""
    return {"turn": {"of": recipe, "axis": [0, 1, 0], "deg": 90}}


def along_y(recipe: Recipe) -> Recipe:
    """What stood along Z now lies along -Y."""
    return {"turn": {"of": recipe, "axis": [1, 0, 0], "deg": 90}}


def cut(*recipes: Recipe) -> Recipe:
    return {"cut": list(recipes)}


def union(*recipes: Recipe) -> Recipe:
    return {"union": list(recipes)}


def fillet(of: Recipe, r: float, edges: Any) -> Recipe:
    return {"fillet": {"of": of, "r": r, "edges": edges}}


def chamfer(of: Recipe, c: float, edges: Any) -> Recipe:
    return {"chamfer": {"of": of, "c": c, "edges": edges}}


def prism(points: list[list[float]], h: float, taper_deg: float = 0.0) -> Recipe:
    return {"prism": {"points": points, "h": h, "taper_deg": taper_deg} if taper_deg else {"points": points, "h": h}}


def obround(length: float, width: float, h: float) -> Recipe:
    """Centred at the origin, length along X over both round ends."""
    flat = length - width
    return union(
        at(box(flat, width, h), -flat / 2, -width / 2, 0),
        at(cyl(width, h), -flat / 2, 0, 0),
        at(cyl(width, h), flat / 2, 0, 0),
    )


B = box(60, 50, 40)
PLATE = box(100, 60, 20)


def hole(**fields: Any) -> Expected:
    return "HOLE", fields


def through(d: float, depth: float, **fields: Any) -> Expected:
    return hole(
        diameter_mm=d, depth_mm=depth, total_depth_mm=depth, through=True, bottom="none", partial=False, **fields
    )


def blind(d: float, depth: float, **fields: Any) -> Expected:
    return hole(diameter_mm=d, depth_mm=depth, through=False, partial=False, **fields)


def boss(d: float, height: float, **fields: Any) -> Expected:
    return "BOSS", {"diameter_mm": d, "height_mm": height, **fields}


def slot(width: float, depth: float, length: float, **fields: Any) -> Expected:
    return "SLOT", {"width_mm": width, "depth_mm": depth, "length_mm": length, **fields}


def pocket(depth: float, width: float, length: float, **fields: Any) -> Expected:
    return "POCKET", {"depth_mm": depth, "width_mm": width, "length_mm": length, **fields}


def fin(t: float, height: float, length: float, **fields: Any) -> Expected:
    return "FIN", {"thickness_mm": t, "height_mm": height, "length_mm": length, **fields}


def slab(t: float, area: float) -> Expected:
    return "SLAB", {"thickness_mm": t, "overlap_area_mm2": area}


def protrusion(height: float, width: float, length: float) -> Expected:
    return "PROTRUSION", {"height_mm": height, "width_mm": width, "length_mm": length}


def fillets(n: int, r: float, **fields: Any) -> list[Expected]:
    return [("FILLET", {"radius_mm": r, "max_radius_mm": r, **fields})] * n


def rounds(n: int, r: float, **fields: Any) -> list[Expected]:
    return [("ROUND", {"radius_mm": r, "max_radius_mm": r, **fields})] * n


def chamfers(n: int, width: float, **fields: Any) -> list[Expected]:
    return [("CHAMFER", {"width_mm": width, **fields})] * n


def bend(r: float, t: float, angle: float, length: float) -> Expected:
    return "BEND", {
        "inner_radius_mm": r,
        "outer_radius_mm": r + t,
        "thickness_mm": t,
        "angle_deg": angle,
        "length_mm": length,
        "bend_ratio": r / t,
    }


def walls(n: int) -> list[Expected]:
    return [("WALL", {})] * n


# A drill point of 118 degrees on a 10 mm drill is this deep.
TIP = 5 / math.tan(math.radians(59))
C45 = math.sqrt(2)


def stage(kind: str, d: float, end: float, depth: float) -> tuple[str, float, float, float]:
    return kind, d, end, depth


PARTS: dict[str, tuple[Recipe, list[Expected]]] = {
    # --- bodies without features
    "block": (B, walls(6)),
    "plate is a slab": (PLATE, [slab(20, 6000), *walls(4)]),
    "bar": (cyl(20, 100), walls(3)),
    "tube: a hole, and its barrel is no boss": (
        cut(cyl(40, 60), at(cyl(20, 80), 0, 0, -10)),
        [through(20, 60), *walls(3)],
    ),
    "hexagonal bar has no chamfers": (
        prism([[20 * math.cos(math.radians(60 * k)), 20 * math.sin(math.radians(60 * k))] for k in range(6)], 60),
        walls(8),
    ),
    "octagonal bar has no chamfers": (
        prism([[20 * math.cos(math.radians(45 * k)), 20 * math.sin(math.radians(45 * k))] for k in range(8)], 60),
        walls(10),
    ),
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
            *walls(3),
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
    "stepped shaft: the smaller end is a boss": (
        union(cyl(40, 50), at(cyl(20, 30), 0, 0, 50)),
        [boss(20, 30, thread_candidates=["M20", "M20x1.5"]), *walls(3)],
    ),
    "boss with ribs": (
        union(B, at(cyl(16, 20), 30, 25, 40), at(box(40, 2, 10), 10, 24, 40)),
        [boss(16, 20), *[fin(2, 10, 20 - math.sqrt(64 - 1))] * 2, *walls(6)],
    ),
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
    "low block on a base is no fin": (union(B, at(box(40, 20, 5), 10, 15, 40)), [protrusion(5, 20, 40), *walls(6)]),
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
    "inner fillet": (
        fillet(cut(B, at(box(80, 30, 30), -10, 30, 25)), 4, [[30, 30, 25]]),
        [*fillets(1, 4, length_mm=60, extent_deg=90), *walls(8)],
    ),
    "chamfered edges": (
        chamfer(B, 2, "z"),
        [*chamfers(4, 2 * C45, angle_deg=45, length_mm=40), *walls(6)],
    ),
    "chamfered shaft": (
        chamfer(cyl(20, 50), 2, [[-10, 0, 50], [-10, 0, 0]]),
        [*chamfers(2, 2 * C45, angle_deg=45), *walls(3)],
    ),
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
