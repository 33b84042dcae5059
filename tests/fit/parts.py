"""Parts whose process a shop would name at sight, as recipes. Sizes in millimeters."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

from fettle.analysis import Analysis, analyze
from fettle.geometry.csg import build
from fettle.geometry.load import load
from fettle.geometry.meshing.refine import refine
from tests.recognize.sheets import strip

Recipe = dict[str, Any]


def at(of: Recipe, x: float, y: float, z: float) -> Recipe:
    return {"move": {"of": of, "by": [x, y, z]}}


def box(x: float, y: float, z: float) -> Recipe:
    return {"box": [x, y, z]}


def rod(d: float, h: float) -> Recipe:
    return {"cylinder": {"d": d, "h": h}}


def cut(of: Recipe, *tools: Recipe) -> Recipe:
    return {"cut": [of, *tools]}


def union(*parts: Recipe) -> Recipe:
    return {"union": list(parts)}


def turned(of: Recipe, axis: tuple[float, float, float], deg: float) -> Recipe:
    return {"turn": {"of": of, "axis": list(axis), "deg": deg}}


def around(of: Recipe, count: int) -> list[Recipe]:
    """Copies at equal steps around Z."""
    return [turned(of, (0, 0, 1), 360.0 / count * k) for k in range(count)]


def outline(x: float, y: float, corner: float = 0.0) -> list[list[float]]:
    """A rectangle centered at the origin, its corners cut at 45 degrees."""
    a, b, c = x / 2, y / 2, corner
    if not c:
        return [[-a, -b], [a, -b], [a, b], [-a, b]]
    return [[-a + c, -b], [a - c, -b], [a, -b + c], [a, b - c], [a - c, b], [-a + c, b], [-a, b - c], [-a, -b + c]]


def prism(points: list[list[float]], h: float, taper_deg: float = 0.0) -> Recipe:
    return {"prism": {"points": points, "h": h, "taper_deg": taper_deg}}


def rounded_box(x: float, y: float, z: float, r: float) -> Recipe:
    """A box whose upright edges are rounded: what an end mill of that radius leaves when it is cut away."""
    return {"fillet": {"of": box(x, y, z), "r": r, "edges": "z"}}


def hexagon(across: float) -> list[list[float]]:
    r = across / math.sqrt(3.0)
    return [[r * math.cos(math.radians(60 * k)), r * math.sin(math.radians(60 * k))] for k in range(6)]


SHEET_BRACKET = cut(
    strip([40, 30, 20], [90, -90], 1.5, t=1.5, width=40),
    *(at(turned(rod(4.5, 20), (1, 0, 0), 90), x, 10, z) for x in (10, 25) for z in (10, 30)),
)
FLAT_SHEET = cut(
    box(90, 60, 1.5),
    at(rounded_box(40, 20, 9, 3), 20, 20, -2),
    *(at(rod(5, 9), x, y, -2) for x in (8, 82) for y in (8, 52)),
)
SHAFT = cut(
    {"revolve": {"points": [[0, 0], [6, 0], [6, 20], [8, 20], [8, 30], [5, 30], [5, 60], [4, 61], [0, 61]]}},
    at(box(20, 20, 12), -10, 4.2, 48),
    at(turned(rod(3, 30), (1, 0, 0), 90), 0, 15, 10),
)
GEAR = cut(
    union(
        rod(36, 10),
        rod(16, 20),
        *around(at(prism([[-2.2, 0], [2.2, 0], [1.0, 4], [-1.0, 4]], 10), 0, 17, 0), 20),
    ),
    at(rod(8, 40), 0, 0, -5),
)
MILLED_BLOCK = cut(
    box(80, 60, 20),
    at(rounded_box(40, 30, 20, 4), 10, 15, 6),
    at(rounded_box(14, 44, 20, 3), 58, 8, 12),
    *(at(rod(5.5, 40), x, y, -5) for x in (5, 75) for y in (5, 55)),
    at(turned(rod(4.2, 12), (0, 1, 0), 90), -1, 30, 3),
)
MILLED_PLATE = cut(
    box(100, 60, 6),
    *(at(rod(5.5, 40), x, y, -5) for x in (8, 92) for y in (8, 52)),
    *(at(rod(10, 40), x, y, 3) for x in (8, 92) for y in (8, 52)),
    at(rounded_box(50, 30, 20, 4), 25, 15, 3),
)
PRINTED_BRACKET = cut(
    union(box(50, 30, 6), box(6, 30, 40), at(box(44, 4, 16), 3, 0, 5), at(box(44, 4, 16), 3, 26, 5)),
    *(at(rod(3.4, 60), x, 15, -5) for x in (18, 40)),
    *(at(prism(hexagon(5.6), 20), x, 15, 3) for x in (18, 40)),
    at(box(3, 14, 18), -0.5, 8, 16),
    at(turned(rod(3.2, 60), (0, 1, 0), 90), -5, 15, 25),
)


def _molded_box() -> Recipe:
    """Wall 2, draft 1.5, four screw bosses and three ribs of 1.2, open below."""
    outside = prism(outline(90, 60, 8), 24, 1.5)
    inside = at(prism(outline(86, 56, 7.2), 22, 1.5), 0, 0, -0.0)
    shell = cut(outside, inside)
    boss = cut({"cone": {"d": 6.0, "d2": 6.8, "h": 22.5}}, {"cone": {"d": 2.9, "d2": 2.5, "h": 18}})
    rib = turned(prism(outline(1.6, 54), 16, 0.8), (1, 0, 0), 180)
    ribs = [at(rib, x, 0, 22.5) for x in (-20, 0, 20)]
    return union(shell, *(at(boss, x, y, 0) for x in (-32, 32) for y in (-18, 18)), *ribs)


MOLDED_BOX = _molded_box()
MOLDED_BEZEL = cut(
    prism(outline(120, 80, 10), 10, 2.0),
    at(prism(outline(116, 76, 9), 8, 2.0), 0, 0, 0),
    at(turned(prism(outline(90, 50), 20, 3.0), (1, 0, 0), 180), 0, 0, 12),
)
MOLDED_CLIP = union(
    prism(outline(30, 14, 2), 2, 1.0),
    at(prism(outline(2.2, 12), 18, 0.7), -10, 0, 1.5),
    at(prism(outline(2.2, 12), 18, 0.7), 10, 0, 1.5),
    at(prism(outline(18, 1.4), 8, 0.7), 0, 0, 1.5),
)


def _casting() -> Recipe:
    """A cover of a gearbox: thick base and hub with draft, edges and the foot of the hub rounded."""
    base = {"fillet": {"of": prism(outline(100, 80), 14, 3.0), "r": 5, "edges": "all"}}
    hub = {"revolve": {"points": [[0, 7], [28, 7], [28, 14], [24, 18], [22.5, 46], [19, 50], [0, 50]]}}
    return union(base, {"fillet": {"of": hub, "r": 3, "edges": [[28, 0, 14], [24, 0, 18], [22.5, 0, 46], [19, 0, 50]]}})


CASTING = _casting()
SPHERE: Recipe = {"sphere": {"d": 30}}
CUBE = box(30, 30, 30)

OWN_PROCESS: dict[str, tuple[Recipe, str]] = {
    "sheet bracket": (SHEET_BRACKET, "sheet-metal"),
    "flat sheet": (FLAT_SHEET, "sheet-metal"),
    "shaft": (SHAFT, "turning"),
    "gear": (GEAR, "turning"),
    "milled block": (MILLED_BLOCK, "cnc"),
    "milled plate": (MILLED_PLATE, "cnc"),
    "cube": (CUBE, "cnc"),
    "sphere": (SPHERE, "turning"),
    "printed bracket": (PRINTED_BRACKET, "additive"),
    "molded box": (MOLDED_BOX, "injection"),
    "molded bezel": (MOLDED_BEZEL, "injection"),
    "molded clip": (MOLDED_CLIP, "injection"),
    "casting": (CASTING, "casting"),
}


CAP = cut({"cone": {"d": 40, "d2": 38.5, "h": 20}}, {"cone": {"d": 36.5, "d2": 35, "h": 18}})
ROUNDED_SHELL: Recipe = {
    "shell": {
        "of": {"fillet": {"of": rounded_box(80, 50, 20, 6), "r": 2, "edges": [[40, 0, 20]]}},
        "t": 1.8,
        "open": [[40, 25, 0]],
    }
}
BUSHING = cut(union(rod(30, 20), rod(44, 5)), at(rod(20, 40), 0, 0, -5))
HEXAGON_FITTING = cut(
    union(prism(hexagon(22), 8), at(rod(16, 20), 0, 0, 8), at(rod(14, 12), 0, 0, -12)), at(rod(8, 60), 0, 0, -20)
)
FLANGE = cut(union(rod(90, 12), rod(45, 40)), at(rod(30, 80), 0, 0, -5), *around(at(rod(7, 30), 35, 0, -5), 6))
MANIFOLD = cut(
    box(80, 50, 40),
    *(at(rod(11, 60), x, 25, 12) for x in (15, 40, 65)),
    at(turned(rod(8, 100), (0, 1, 0), 90), -5, 25, 20),
)
CABLE_CLIP = cut(
    union(rod(16, 10), at(box(20, 16, 10), 0, -8, 0)),
    at(rod(11, 20), 0, 0, -5),
    at(box(20, 6, 20), -20, -3, -5),
    at(prism(hexagon(5.6), 20), 14, 0, 6),
    at(rod(3.2, 30), 14, 0, -5),
)
SHEET_WITH_NUTS = union(
    strip([40, 30], [90], 1.5, t=1.5, width=40),
    *(
        cut(
            at(turned(rod(8, 4), (1, 0, 0), 90), x, -1.4, z),
            at(turned(rod(3, 40), (1, 0, 0), 90), x, 10, z),
        )
        for x in (12, 28)
        for z in (10, 30)
    ),
)

FURTHER_PARTS: dict[str, tuple[Recipe, str]] = {
    "cap": (CAP, "injection"),
    "rounded shell without draft": (ROUNDED_SHELL, "injection"),
    "bushing": (BUSHING, "turning"),
    "hexagon fitting": (HEXAGON_FITTING, "turning"),
    "flange": (FLANGE, "turning"),
    "manifold": (MANIFOLD, "cnc"),
    "cable clip": (CABLE_CLIP, "additive"),
    "sheet with nuts": (SHEET_WITH_NUTS, "sheet-metal"),
}
"""Others of the same processes, on which only the order is asked for."""


@cache
def _analyzed(recipe: str, unit: str) -> Analysis:
    model = load(build(json.loads(recipe), unit), "part.step")
    return analyze(model.part, refine(model.mesh, model.part, model.options))


def analyzed(recipe: Recipe, unit: str = "mm") -> Analysis:
    return _analyzed(json.dumps(recipe), unit)
