"""Words for the parts that recognition is tested on: shapes to build, and features to expect of them.

An expected feature is its kind and the fields that the recipe fixes; `walls(n)` are the WALLs that are left. Sizes are
millimeters; the block `B` is too thick to hold a SLAB.
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
    """Centered at the origin, length along X over both round ends."""
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


def step(depth: float, width: float, length: float, n_surfaces: int = 2) -> Expected:
    return "STEP", {"depth_mm": depth, "width_mm": width, "length_mm": length, "n_surfaces": n_surfaces}


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


def shaft(d: float, length: float, **fields: Any) -> Expected:
    return "SHAFT_STEP", {"diameter_mm": d, "length_mm": length, **fields}


def shoulders(n: int) -> list[Expected]:
    return [("SHOULDER", {})] * n


def round_bar(d: float, length: float) -> list[Expected]:
    """A bar of one diameter with its two end faces."""
    return [shaft(d, length, offset_mm=0), *shoulders(2)]


def groove(form: str, width: float, depth: float, d: float, **fields: Any) -> Expected:
    return "GROOVE", {"form": form, "width_mm": width, "depth_mm": depth, "diameter_mm": d, **fields}


def keyway(width: float, depth: float, length: float, d: float, **fields: Any) -> Expected:
    return "KEYWAY", {"width_mm": width, "depth_mm": depth, "length_mm": length, "diameter_mm": d, **fields}


# A drill point of 118 degrees on a 10 mm drill is this deep.
TIP = 5 / math.tan(math.radians(59))
C45 = math.sqrt(2)


def stage(kind: str, d: float, end: float, depth: float) -> tuple[str, float, float, float]:
    return kind, d, end, depth
